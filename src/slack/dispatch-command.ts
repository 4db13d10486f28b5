import type { SlashCommand } from '@slack/bolt';
import { type Result, refused } from '../errors/result.js';
import { helpFor, withoutTeam } from '../requests/help.js';
import {
  type Command,
  dependsOnSavedNames,
  opensHelpOrForm,
  parseCommand,
} from '../requests/parse-command.js';
import { applyToSaved, formatRequest } from '../requests/parse-request.js';
import type { Problem } from '../requests/problem.js';
import type { ReportRequest } from '../requests/request.js';
import { accessFacts } from './access-facts.js';
import { answerRequest } from './answer-request.js';
import { showAudit } from './audit.js';
import { completeForAsker } from './complete-request.js';
import { notifyAsker, replyInContext } from './delivery/notify-asker.js';
import type { OutgoingMessage } from './delivery/post-message.js';
import { responseUrl } from './delivery/response-url.js';
import { proposeFromCommand } from './digests/propose.js';
import { actions } from './ids.js';
import { openBuilder } from './listeners/actions/builder.js';
import type { ListenerParts } from './listeners/context.js';
import { stripSlackMarkup } from './markup.js';
import { accessMessage } from './messages/access-page.js';
import { button, buttons } from './messages/blocks.js';
import { firstHelpMessage, helpMessage } from './messages/help.js';
import { notice } from './messages/notices.js';
import { type AcknowledgeDeadline, deadlineFrom, resultBy } from './modals/modal.js';
import { replyToWords } from './read-words.js';
import type { MemberContext, UncheckedContext } from './request-context.js';
import { type ContextFor, lookUp, type Need, type Route } from './router.js';
import { showList } from './saved/list.js';
import { runSavedByName } from './saved/run-saved-report.js';
import { saveFromCommand } from './saved/saved-reports.js';
import { readTypedText } from './typed-text.js';

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
): Promise<Problem> {
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
  const { corrected, understood } = read.refusal;
  if (corrected !== undefined || problem.corrected === undefined)
    return { ...problem, corrected, understood, otherWords };
  return {
    ...read.refusal,
    otherWords: [problem.word, ...otherWords.filter((word) => word !== read.refusal.word)],
  };
}

type Commands = { readonly [One in Command as One['kind']]: One };

type RunCommand<One> = (command: One, context: UncheckedContext, parts: ListenerParts) => Promise<void>;

/** Each command has one row: what it needs, and what it does. */
const commands: { readonly [Kind in keyof Commands]: RunCommand<Commands[Kind]> } = {
  run: command('conversation', ({ request }, context, parts) => runTyped(request, context, parts)),
  saved: command('conversation', runSavedByName),
  save: command('conversation', saveFromCommand),
  schedule: command('conversation', proposeFromCommand),
  list: command('conversation', (_list, context, parts) => showList(context, parts)),
  access: command('conversation', async (_access, context, parts) => {
    const page = accessMessage(await accessFacts(context, parts));
    await notifyAsker(page, context.asker, context.conversation, parts.client);
  }),
  audit: command('admin', ({ audit }, context, parts) => showAudit(audit, context, parts)),
  async builder(_builder, context, parts) {
    // Slack gives no trigger with mentions and direct messages.
    if (context.triggerId !== undefined) return openBuilder(context.triggerId, context, context, parts);
    await replyInContext(openForm, context, parts);
  },
  async help(help, context, parts) {
    await replyInContext(helpPage(help, context, parts), context, parts);
  },
};

const openForm = notice(
  'Open the form to choose a report, or type a command. Type “help” for examples.',
  buttons(button(actions.openBuilder, 'Open the form', '-', 'primary')),
);

function command<One, Some extends Need>(
  needs: Some,
  then: (command: One, context: ContextFor<Some>, parts: ListenerParts) => Promise<void>,
): RunCommand<One> {
  return async (one, context, parts) => {
    const found = await lookUp(needs, context, parts);
    if (found.ok) return then(one, found.value, parts);
    await replyInContext(found.refusal, context, parts);
  };
}

function runCommand<Kind extends keyof Commands>(
  kind: Kind,
  one: Commands[Kind],
  context: UncheckedContext,
  parts: ListenerParts,
): Promise<void> {
  return commands[kind](one, context, parts);
}

/** A correction may quote names of saved reports, so guests and outsiders get none. */
const correct = command('conversation', async (problem: Problem, context, parts) => {
  await replyInContext(await replyToWords(problem, context, parts), context, parts);
});

/** Carries out a command from a slash command, a mention, a direct message or a button. */
export function dispatchCommand(
  parsed: Result<Command, Problem>,
  context: UncheckedContext,
  parts: ListenerParts,
): Promise<void> {
  return parsed.ok
    ? runCommand(parsed.value.kind, parsed.value, context, parts)
    : correct(parsed.refusal, context, parts);
}

async function runTyped(typed: ReportRequest, context: MemberContext, parts: ListenerParts): Promise<void> {
  const completed = await completeForAsker(typed, context, parts, { step: 'run', command: formatRequest });
  if (completed) await answerRequest(completed.request, context, parts, { rights: completed.rights });
}

/** The reply to help and to words that are no command, without a run. Undefined if it is not there in time. */
async function immediateReply(
  parsed: Result<Command, Problem>,
  context: UncheckedContext,
  { acknowledgeBy }: AcknowledgeDeadline,
  parts: ListenerParts,
): Promise<OutgoingMessage | undefined> {
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
): OutgoingMessage {
  const hasTeam = managers.known(asker) !== false;
  const key = `${view ?? report} ${hasTeam}`;
  const help = report && helpFor(report, view);
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
    return mayReplyAtOnce ? undefined : void (await replyInContext(notice(read.refusal), context, parts));
  }
  const command = await parseInChannel(read.value, slash.channel_id, parts);
  const reply = mayReplyAtOnce
    ? await immediateReply(command, context, deadlineFrom(receivedAtMs), parts)
    : undefined;
  if (reply) {
    const { text, blocks } = reply;
    return ack({ response_type: 'ephemeral', text, blocks: blocks && [...blocks] });
  }
  await ack();
  await dispatchCommand(command, context, parts);
};

/** Each command has its needs in `src/slack/dispatch-command.ts`. Help and the form end with the acknowledgement. */
export const commandRoutes = (): readonly Route[] => [
  {
    kind: 'command',
    id: '/report',
    isKept: ({ text }) => !opensHelpOrForm(stripSlackMarkup(text ?? '')),
    handle: report,
  },
];
