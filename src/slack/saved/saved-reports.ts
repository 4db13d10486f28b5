import { type Result, refused } from '../../errors/failure.js';
import { resolveRange } from '../../requests/date-range.js';
import { formatRequest } from '../../requests/parse-request.js';
import { quoteTypedWord } from '../../requests/problem.js';
import { problemMessageText, rangeRefusalText } from '../../requests/problem-messages.js';
import { quoteTypedRange } from '../../requests/range-option.js';
import { type ReportRequest, rangesOf, requestsIn } from '../../requests/request.js';
import { validateSavedName } from '../../requests/saved-names.js';
import { passedTargetRefusal } from '../../requests/target.js';
import type { SavedReport } from '../../store/saved/saved-reports.js';
import { completeForAsker } from '../answers/complete-request.js';
import type { ListenerParts } from '../answers/context.js';
import { hidesPeople, peopleHidden } from '../answers/hidden-people.js';
import type { Conversation, PlacedContext } from '../context/request-context.js';
import { maxSaved, tooManySavedThere } from '../limits.js';
import { type Reply, replierIn } from '../messages/notices.js';
import { savedMessage } from '../messages/saved-reports.js';
import { ownsTooMany } from './items.js';
import { completeScorecard } from './scorecards.js';

/** A name in the form in which it is stored, or a sentence that refuses it. */
export function parseSavedName(text: string): Result<string> {
  const name = validateSavedName(text);
  if (name.ok) return name;
  const word = quoteTypedWord(text.trim());
  return refused(problemMessageText({ kind: 'saved-name', word, reason: name.refusal }));
}

/**
 * Why no run can resolve the range or the target of a request at this time. Undefined if a run can.
 *
 * @param zone the IANA zone of the person who saves the request
 * @param typed the command, to quote its words
 */
export function rangeRefusal(
  request: ReportRequest,
  zone: string,
  parts: Pick<ListenerParts, 'clock' | 'weekStart'>,
  typed?: string,
): string | undefined {
  if (request.scorecard) {
    const refusals = requestsIn(request).map((line) => rangeRefusal(line, zone, parts, typed));
    return refusals.find((refusal) => refusal !== undefined);
  }
  const { clock, weekStart } = parts;
  const passed = passedTargetRefusal(request.target, clock.now(), zone);
  if (passed !== undefined) return passed;
  const { shown, queried } = rangesOf(request);
  for (const range of [shown, queried]) {
    if (!range) continue;
    const resolved = resolveRange(range.words, range.report, clock.now(), zone, weekStart);
    // An empty range, such as this week at its first second, is not empty later.
    if (resolved.ok || resolved.refusal.reason === 'empty') continue;
    const said = quoteTypedRange(range.words, typed);
    return `I can't use “${said}”. ${rangeRefusalText(resolved.refusal.reason, request.report)}`;
  }
  return undefined;
}

/** Saves a request unless the name is taken. Returns the reply. `remarks`: what the person may not do with it. */
export async function saveReport(
  report: { readonly channel: string; readonly name: string; readonly request: ReportRequest },
  user: string,
  { store, clock }: ListenerParts,
  remarks: readonly string[] = [],
): Promise<Reply> {
  const entry = await store.savedReports.save({ ...report, createdBy: user }, clock.now(), maxSaved);
  if (entry.ok) return savedMessage({ ...report, id: entry.value }, remarks);
  const why = {
    full: `Not saved: ${tooManySavedThere}`,
    'too-many': `Not saved. ${ownsTooMany('saved report')}`,
    taken: nameTaken(report.name),
  };
  return why[entry.refusal];
}

export function nameTaken(name: string): string {
  return `A saved report called “${name}” already exists there. Choose another name, or rename or delete the other report.`;
}

/** Handles `/report save <name>: …`: saves the request in the conversation, and replies with how to run it. */
export async function saveFromCommand(
  report: { readonly name: string; readonly request: ReportRequest },
  context: PlacedContext,
  parts: ListenerParts,
): Promise<void> {
  const { member, conversation } = context;
  const reply = replierIn(context, parts);
  const reason =
    (await savingRefusal(conversation, parts)) ??
    rangeRefusal(report.request, member.zone, parts, context.typed);
  if (reason !== undefined) return reply(reason);
  const request = report.request.scorecard
    ? await completeScorecard(report.request, context, parts, saveNext(report.name))
    : (await completeForAsker(report.request, context, parts, saveNext(report.name)))?.request;
  if (!request) return;
  await reply(await saveReport({ ...report, request, channel: context.channel }, context.asker, parts));
  parts.home.changed(context.asker);
}

export function saveNext(name: string) {
  return {
    step: 'save',
    command: (request: ReportRequest) => `save ${name}: ${formatRequest(request)}`,
  } as const;
}

export async function copyRefusal(
  { request, owner, createdBy, channel }: SavedReport,
  user: string,
  parts: ListenerParts,
): Promise<string | undefined> {
  const choseFilters = user === owner || user === createdBy;
  return (await hidesPeople({ request, choseFilters, channel }, user, parts))
    ? peopleHidden('duplicate')
    : undefined;
}

/** Why nothing can be saved in a conversation, and what to do. Undefined if it can. */
export async function savingRefusal(
  { kind, channel }: Pick<Conversation, 'kind' | 'channel'>,
  { channels }: ListenerParts,
): Promise<string | undefined> {
  if (kind !== 'elsewhere') return undefined;
  if (channel.startsWith('D')) {
    return 'I can’t see direct messages between people, so nothing can be saved or scheduled here. Use your direct messages with me instead.';
  }
  const facts = await channels.find(channel);
  if (facts.known) return undefined;
  if (facts.isTemporary) return 'Slack did not find this channel in time. Try again in a minute.';
  return 'I am not in this conversation, so nothing can be saved or scheduled here. Type /invite @Rollcall if it is a channel, or use your direct messages with me.';
}
