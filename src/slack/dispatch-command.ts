import { type Result, refused } from '../errors/result.js';
import { helpFor, withoutTeam } from '../requests/help.js';
import { type Command, dependsOnSavedNames, parseCommand } from '../requests/parse-command.js';
import { applyToSaved, formatRequest } from '../requests/parse-request.js';
import type { Problem } from '../requests/problem.js';
import type { ReportRequest } from '../requests/request.js';
import { showAccess } from './access-rules.js';
import { mayHaveTeam } from './allowed-commands.js';
import { answerRequest } from './answer-request.js';
import { showAudit } from './audit.js';
import { completeForAsker } from './complete-request.js';
import { replyInContext } from './delivery/notify-asker.js';
import type { OutgoingMessage } from './delivery/post-message.js';
import { proposeFromCommand } from './digests/propose.js';
import type { ListenerParts } from './listeners/context.js';
import { firstHelpMessage, helpMessage } from './messages/help.js';
import { notice } from './messages/notices.js';
import { openFormMessage } from './modals/builder/view.js';
import { type AcknowledgeDeadline, resultBy } from './modals/modal.js';
import { replyToWords } from './read-words.js';
import { type RequestContext, resolveAsker } from './request-context.js';
import { showList } from './saved/list.js';
import { runSavedByName } from './saved/run-saved-report.js';
import { saveFromCommand } from './saved/saved-reports.js';

/**
 * Parses a command. Some words name a report that is saved in the channel.
 *
 * @param typed the words after `/report` or a mention, without Slack's markup
 */
export async function parseInChannel(
  typed: string,
  channel: string,
  { store }: Pick<ListenerParts, 'store'>,
): Promise<Result<Command, Problem>> {
  const savedNames = dependsOnSavedNames(typed) ? await store.savedReports.namesIn(channel) : [];
  const parsed = parseCommand(typed, { savedNames });
  return parsed.ok ? parsed : refused(await correctSaved(parsed.refusal, channel, savedNames, store));
}

/** Corrects the words after the name of a saved report, because the report decides what they mean. */
async function correctSaved(
  problem: Problem,
  channel: string,
  savedNames: readonly string[],
  store: Pick<ListenerParts['store'], 'savedReports'>,
): Promise<Problem> {
  const words = problem.corrected ?? problem.understood;
  const parsed = words === undefined ? undefined : parseCommand(words, { savedNames });
  const command = parsed?.ok ? parsed.value : undefined;
  const named = command?.kind === 'schedule' ? command.what : command;
  if (!named || !('onTop' in named)) return problem;
  const saved = await store.savedReports.findByName(channel, named.name);
  const read = saved && applyToSaved(saved.request, named.onTop, command?.kind === 'schedule');
  if (!read || read.ok) return problem;
  const otherWords = [
    ...new Set([...(problem.otherWords ?? []), read.refusal.word, ...(read.refusal.otherWords ?? [])]),
  ];
  const { corrected, understood } = read.refusal;
  if (corrected !== undefined || problem.corrected === undefined)
    return { ...problem, corrected, understood, otherWords };
  return {
    ...read.refusal,
    otherWords: [problem.word, ...otherWords.filter((word) => word !== read.refusal.word)],
  };
}

/**
 * Carries out a command from a slash command, a mention, a direct message or a button.
 *
 * @param openForm opens the builder at once; absent if Slack gave no trigger, so that a button offers the builder
 */
export async function dispatchCommand(
  parsed: Result<Command, Problem>,
  context: RequestContext,
  parts: ListenerParts,
  openForm?: () => Promise<void>,
): Promise<void> {
  const isOpenToAll = parsed.ok && (parsed.value.kind === 'help' || parsed.value.kind === 'builder');
  if (!isOpenToAll) {
    // A correction may quote names of saved reports, so guests and outsiders get none.
    const asker = await resolveAsker(context.asker, parts.people, parts.defaultZone);
    if (!asker.ok) return void (await replyInContext(notice(asker.refusal), context, parts));
    if (!parsed.ok) {
      const reply = await replyToWords(parsed.refusal, context, asker.value, parts);
      return void (await replyInContext(reply, context, parts));
    }
  }
  if (!parsed.ok) return;
  const command = parsed.value;
  switch (command.kind) {
    case 'run':
      return runTyped(command.request, context, parts);
    case 'saved':
      return runSavedByName(command, context, parts);
    case 'save':
      return saveFromCommand(command, context, parts);
    case 'schedule':
      return proposeFromCommand(command, context, parts);
    case 'list':
      return showList(context, parts);
    case 'access':
      return showAccess(context, parts);
    case 'audit':
      return showAudit(command.audit, context, parts);
    case 'builder':
      if (openForm) return openForm();
      return void (await replyInContext(openFormMessage, context, parts));
    case 'help':
      return void (await replyInContext(await helpPage(command, context, parts), context, parts));
  }
}

async function runTyped(typed: ReportRequest, context: RequestContext, parts: ListenerParts): Promise<void> {
  const completed = await completeForAsker(typed, context, parts, { step: 'run', command: formatRequest });
  if (completed) await answerRequest(completed.request, context, parts, { rights: completed.rights });
}

/**
 * The reply to help and to words that are no command, which need no run. Undefined if it is not there in time.
 */
export async function immediateReply(
  parsed: Result<Command, Problem>,
  context: RequestContext,
  { acknowledgeBy }: AcknowledgeDeadline,
  parts: ListenerParts,
): Promise<OutgoingMessage | undefined> {
  if (parsed.ok) {
    const { value } = parsed;
    return value.kind === 'help' ? resultBy(acknowledgeBy, helpPage(value, context, parts)) : undefined;
  }
  const { refusal } = parsed;
  const reply = async () => {
    const asker = await resolveAsker(context.asker, parts.people, parts.defaultZone);
    return asker.ok ? replyToWords(refusal, context, asker.value, parts) : notice(asker.refusal);
  };
  return resultBy(acknowledgeBy, reply());
}

/** Help depends on the catalogue and on whether the reader has a team, so each page is built once. */
const helpPages = new Map<string, OutgoingMessage>();

async function helpPage(
  { report, view }: Command & { readonly kind: 'help' },
  { asker }: RequestContext,
  parts: ListenerParts,
): Promise<OutgoingMessage> {
  const hasTeam = await mayHaveTeam(asker, parts);
  const key = `${view ?? report} ${hasTeam}`;
  const help = report && helpFor(report, view);
  const page =
    helpPages.get(key) ??
    (help ? helpMessage(hasTeam ? help : withoutTeam(help)) : firstHelpMessage(hasTeam));
  helpPages.set(key, page);
  return page;
}
