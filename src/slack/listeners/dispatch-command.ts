import type { SlashCommand } from '@slack/bolt';
import { type Result, refused } from '../../errors/failure.js';
import { overTimeRefusal } from '../../figures/summary/over-time.js';
import { helpFor, withoutTeam } from '../../requests/help.js';
import {
  type Command,
  dependsOnSavedNames,
  opensHelpOrForm,
  parseCommand,
} from '../../requests/parse-command.js';
import { applyToSaved, formatRequest } from '../../requests/parse-request.js';
import type { Problem } from '../../requests/problem.js';
import { accessFacts } from '../access/access-facts.js';
import { accessMessage } from '../access/access-page.js';
import { answerRequest } from '../answers/answer-request.js';
import { completeForAsker } from '../answers/complete-request.js';
import type { ListenerParts } from '../answers/context.js';
import { responseUrl, type UncheckedContext } from '../context/request-context.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { proposeFromCommand } from '../digests/propose.js';
import { type AcknowledgeDeadline, deadlineFrom, resultBy } from '../forms/modal.js';
import { showList } from '../list/list.js';
import { runSavedByName } from '../list/run-saved-report.js';
import { readTypedText, stripSlackMarkup } from '../markup.js';
import { button, buttons, commandActions } from '../messages/blocks.js';
import { firstHelpMessage, helpMessage, withFigures } from '../messages/help.js';
import { messageOf, notice, type Reply, replierIn } from '../messages/notices.js';
import { saveFromCommand } from '../saved/saved-reports.js';
import { showAudit } from './audit.js';
import { openBuilder } from './builder.js';
import { replyToWords } from './read-words.js';
import { showOwnRecord } from './record.js';
import { lookUp, type Route } from './router.js';

/** Parses the words after `/report` or a mention, without Slack's markup. Some name a report saved in the channel. */
export async function parseInChannel(
  typed: string,
  channel: string,
  { store }: ListenerParts,
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
  { savedReports }: ListenerParts['store'],
) {
  const words = problem.corrected ?? problem.understood;
  const parsed = words === undefined ? undefined : parseCommand(words, { savedNames });
  const command = parsed?.ok ? parsed.value : undefined;
  const named = command?.kind === 'schedule' ? command.what : command;
  if (!named || !('onTop' in named)) return problem;
  const saved = await savedReports.findByName(channel, named.name);
  const read = saved && applyToSaved(saved.request, named.onTop, command?.kind === 'schedule');
  if (!read || read.ok) return problem;
  const otherWords = [
    ...new Set([...(problem.otherWords ?? []), read.refusal.word, ...(read.refusal.otherWords ?? [])]),
  ];
  const { corrected, understood = corrected } = read.refusal;
  // A word without a correction is in neither.
  if (problem.corrected === undefined) return { ...problem, understood, otherWords };
  if (corrected !== undefined) return { ...problem, corrected, understood, otherWords };
  return {
    ...read.refusal,
    otherWords: [problem.word, ...otherWords.filter((word) => word !== read.refusal.word)],
  };
}

const openForm = notice(
  'Open the form to choose a report, or type a command. Type “help” for examples.',
  buttons(button(commandActions.openBuilder, 'Open the form', '-', 'primary')),
);

/** Carries out a command from a slash command, a mention, a direct message or a button. */
export async function dispatchCommand(
  parsed: Result<Command, Problem>,
  context: UncheckedContext,
  parts: ListenerParts,
): Promise<void> {
  const command = parsed.ok ? parsed.value : ({ kind: 'unread', problem: parsed.refusal } as const);
  if (command.kind === 'builder' && context.triggerId !== undefined)
    return openBuilder(context.triggerId, context, context, parts);
  if (command.kind === 'builder' || command.kind === 'help') {
    // Slack gives no trigger with mentions and direct messages.
    const page = command.kind === 'help' ? helpPage(command, context, parts) : openForm;
    return replierIn(context, parts)(page);
  }
  // A correction may quote names of saved reports, so guests and outsiders get none.
  const needs = command.kind === 'audit' ? 'admin in conversation' : 'conversation';
  const found = await lookUp(needs, context, parts);
  if (!found.ok) return replierIn(context, parts)(found.refusal);
  const here = found.value;
  switch (command.kind) {
    case 'unread':
      return replierIn(here, parts)(await replyToWords(command.problem, here, parts));
    case 'run': {
      const { request } = command;
      const { filters, titles, conditions } = request;
      const isNarrowed = filters.length > 0 || titles !== undefined || conditions !== undefined;
      // Without names and times there is nothing to complete.
      if (!isNarrowed && !overTimeRefusal(request)) return answerRequest(request, here, parts);
      const next = { step: 'run', command: formatRequest } as const;
      const typed = await completeForAsker(request, here, parts, next);
      return typed && answerRequest(typed.request, here, parts, { rights: typed.rights });
    }
    case 'saved':
      return runSavedByName(command, here, parts);
    case 'save':
      return saveFromCommand(command, here, parts);
    case 'schedule':
      return proposeFromCommand(command, here, parts);
    case 'list':
      return showList(here, parts);
    case 'audit':
      return showAudit(command.audit, here, parts);
    case 'record':
      return showOwnRecord(here, parts);
    case 'access':
      return replierIn(here, parts)(accessMessage(await accessFacts(here, parts)));
  }
}

/** The reply to help and to words that are no command, without a run. Undefined if it is not there in time. */
async function immediateReply(
  parsed: Result<Command, Problem>,
  context: UncheckedContext,
  { acknowledgeBy }: AcknowledgeDeadline,
  parts: ListenerParts,
): Promise<Reply | undefined> {
  if (parsed.ok) {
    const { value } = parsed;
    return value.kind === 'help' ? helpPage(value, context, parts) : undefined;
  }
  const { refusal } = parsed;
  const reply = async () => {
    const found = await lookUp('conversation', context, parts);
    return found.ok ? replyToWords(refusal, found.value, parts) : found.refusal;
  };
  return resultBy(acknowledgeBy, reply());
}

/** Help depends on the catalogue and on whether the reader has a team, so each page is built once. */
const helpPages = new Map<string, OutgoingMessage>();

/** Nothing is looked up for help. */
function helpPage(
  { report, view }: Command & { readonly kind: 'help' },
  { asker }: UncheckedContext,
  { managers }: ListenerParts,
) {
  const hasTeam = managers.known(asker) !== false;
  const key = `${view ?? report} ${hasTeam}`;
  const help = report && withFigures(helpFor(report, view), report, view);
  const page =
    helpPages.get(key) ??
    (help ? helpMessage(hasTeam ? help : withoutTeam(help)) : firstHelpMessage(hasTeam));
  helpPages.set(key, page);
  return page;
}

/**
 * Handles `/report …`. Over HTTP the acknowledgement carries help and problems. Over a socket they are sent separately,
 * because an acknowledgement can be lost while the connection is renewed.
 */
const report: Route['handle'] = async ({ body, ack, requestId, takenOver, receivedAtMs }, { parts }) => {
  const slash = body as SlashCommand;
  const read = readTypedText(slash.text);
  const typed = read.ok ? read.value : undefined;
  const context: UncheckedContext = {
    asker: slash.user_id,
    channel: slash.channel_id,
    responseUrl: responseUrl(slash.response_url, parts.send),
    responseAddress: slash.response_url,
    triggerId: slash.trigger_id,
    typed,
    requestId,
    takenOver,
  };
  // Deliveries of another process are already acknowledged.
  const mayReplyAtOnce = parts.repliesInAcknowledgements && !takenOver;
  if (!read.ok) {
    await ack(mayReplyAtOnce ? { response_type: 'ephemeral', text: read.refusal } : undefined);
    return mayReplyAtOnce ? undefined : replierIn(context, parts)(read.refusal);
  }
  const command = await parseInChannel(read.value, slash.channel_id, parts);
  const reply = mayReplyAtOnce
    ? await immediateReply(command, context, deadlineFrom(receivedAtMs), parts)
    : undefined;
  if (reply) {
    const { text, blocks } = messageOf(reply);
    return ack({ response_type: 'ephemeral', text, blocks: blocks && [...blocks] });
  }
  await ack();
  await dispatchCommand(command, context, parts);
};

/** Each command has its needs in `src/slack/listeners/dispatch-command.ts`. Help and the form end with the acknowledgement. */
export const commandRoutes = (): readonly Route[] => [
  {
    kind: 'command',
    id: '/report',
    isKept: ({ text }) => !opensHelpOrForm(stripSlackMarkup(text ?? '')),
    handle: report,
  },
];
