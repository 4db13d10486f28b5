import { LRUCache } from 'lru-cache';
import { ok, refused } from '../../errors/failure.js';
import { helpFor, withoutTeam } from '../../requests/help.js';
import { requestIsPersonLevel } from '../../requests/person-level.js';
import { type Asker, erasedEntry, type FileFormat, type ReportRequest } from '../../requests/request.js';
import type { RequestLogEntry } from '../../store/requests/request-log.js';
import { answerRequest } from '../answers/answer-request.js';
import { type AnswerOptions, lacksPurpose, releasedNow, scopeOfPerson } from '../answers/answer-run.js';
import { askForPurpose } from '../answers/ask-purpose.js';
import type { ListenerParts } from '../answers/context.js';
import { showDetails } from '../answers/show-details.js';
import { type PlacedContext, postingRefusal } from '../context/request-context.js';
import { form, inputs } from '../forms/forms.js';
import { channelInput } from '../forms/inputs.js';
import { blocksView } from '../forms/modal.js';
import { describeAccessRefusal } from '../messages/access-levels.js';
import { commandActions, section } from '../messages/blocks.js';
import { detailsActions } from '../messages/details.js';
import { helpActions, helpMessage } from '../messages/help.js';
import { noticeActions } from '../messages/notices.js';
import { fileActions } from '../messages/rows.js';
import { answerActions } from '../messages/summary.js';
import { dispatchCommand, parseInChannel } from './dispatch-command.js';
import { type AnswerUse, answerExpired, findAnswer } from './find-answer.js';
import { type OnPress, opens, type Press, press, type Route, sayWhereAnswerGoes } from './router.js';
import { rejectForm, submission, type ValidateForm } from './submission.js';

export const shareViews = {
  share: 'share_answer',
} as const;

/** CSV, Excel: sends the file of an answer, for the same range, into its thread. */
function sendFile(file: FileFormat): OnPress {
  return async (pressed, parts) => {
    const entry = await answerFor(pressed, parts);
    const { message, context } = pressed;
    if (!entry || !message) return pressed.reply(answerExpired);
    const options = { ...repeatOf(entry, context.asker), fileInto: message.thread ?? message.ts };
    await repeatRequest({ ...entry.request, file }, entry, pressed, options, parts);
  };
}

/** Puts the rest of an answer into its thread. `again` is true for Send again, where delivery is unconfirmed. */
function details(again: boolean): OnPress<PlacedContext> {
  return async (pressed, parts) => {
    const { message, context, reply } = pressed;
    const [value = '', thread] = pressed.value.split(' ');
    const entry = await answerFor({ ...pressed, value }, parts, { onlyWhereShown: true });
    if (!entry || entry.asker === erasedEntry) return reply(answerExpired);
    const root = again ? thread : message && (message.thread ?? message.ts);
    // The thread of the answer, which is the one that this button is in if it has one.
    if (again && root !== context.thread && root !== entry.message?.ts) return reply(answerExpired);
    await showDetails({ entry, root, again, context, reply }, parts);
  };
}

/** Runs the same request in the same place. `file` replaces a workbook that was too large. */
function sendAgain(file?: FileFormat): OnPress {
  return async (pressed, parts) => {
    const entry = await answerFor(pressed, parts);
    if (!entry) return pressed.reply(answerExpired);
    const isRepeat = !file && (entry.state === 'posted' || entry.state === 'unknown');
    const options = { ...repeatOf(entry, pressed.context.asker), isRepeat };
    const request = file ? { ...entry.request, file } : entry.request;
    await repeatRequest(request, entry, pressed, options, parts);
  };
}

/** The purpose of its file counts for whoever gave it; others are asked for their own. */
async function repeatRequest(
  repeated: ReportRequest,
  { asker, request: before }: RequestLogEntry,
  { actionId: press, value, message, context, purpose: given }: Press,
  options: AnswerOptions,
  parts: ListenerParts,
) {
  const purpose = given ?? (asker === context.asker ? before.purpose : undefined);
  const request = { ...repeated, purpose };
  if (lacksPurpose(request, parts)) return askForPurpose({ press, value, message }, context, parts);
  await answerRequest(request, context, parts, options);
}

const cancelRun: OnPress = async (
  { value, context: { asker }, reply },
  { running, store, clock, signals },
) => {
  let outcome = running.cancel(value, asker);
  if (outcome === 'not-running') {
    // Another process may run it.
    outcome = await store.requestLog.cancel(value, asker, clock.now());
    if (outcome === 'cancelled') signals.send({ kind: 'cancelled' });
  }
  if (outcome === 'not-theirs') await reply('Only the person who asked can cancel this.');
  if (outcome === 'not-running') await reply('This run has already ended.');
};

/** Runs a command that Rollcall offered. `asTyped` is true for one with entries that look mistyped. */
function runWords(asTyped: boolean): OnPress {
  return async (pressed, parts) => {
    const { value: typed, context } = pressed;
    sayWhereAnswerGoes(pressed, parts);
    const command = await parseInChannel(typed, context.channel, parts);
    await dispatchCommand(command, { ...context, typed, asTyped }, parts);
  };
}

/** The answer whose button was pressed, if its ID counts there. */
function answerFor(
  { value, context, message }: Press,
  parts: ListenerParts,
  more: Pick<AnswerUse, 'onlyWhereShown'> = {},
) {
  return findAnswer(value, { ...context, message, ...more }, parts);
}

/** The range and the `me` of the first run. Its request may come from another person's saved report. */
function repeatOf({ range, asker, choseFilters }: RequestLogEntry, by: string) {
  return { me: asker, range, choseFilters: choseFilters !== false && asker === by };
}

/** Within this time, two forms from a double press share a summary once. */
const repeatWindowMs = 60_000;
const maxShared = 1_000;

const alreadyShared = 'You just shared this there, so it was not posted again.';

/** Share to channel: runs the report again, by the rules of that channel. */
function share(): ValidateForm {
  const shared = new LRUCache<string, true>({ max: maxShared, ttl: repeatWindowMs });

  return async ({ asker, context, metadata: [requestId = ''], text, reply }, parts) => {
    const channel = text(inputs.channel);
    const entry = await parts.store.requestLog.find(requestId);
    if (entry?.asker !== asker.id) return rejectForm(answerExpired);
    const share = [asker.id, requestId, channel].join(' ');
    const problem = shared.has(share) ? alreadyShared : await validateShare(entry, channel, asker, parts);
    if (problem !== undefined) return rejectForm(problem);
    return ok(async () => {
      if (shared.has(share)) return reply(alreadyShared);
      shared.set(share, true);
      // Without rows, which a channel may get but the people in it did not ask for.
      const totals = { file: undefined, showRows: undefined, columns: undefined };
      const request = { ...entry.request, ...totals, toMe: false };
      const options = {
        me: entry.asker,
        isRepeat: true,
        isShare: true,
        range: entry.range,
        choseFilters: false,
      };
      await answerRequest(request, { ...context, channel }, parts, options);
    });
  };
}

async function validateShare(entry: RequestLogEntry, channel: string, asker: Asker, parts: ListenerParts) {
  // Each line is judged by itself, in its place.
  if (entry.request.scorecard) return postingRefusal(channel, asker.id, parts);
  const released = await releasedNow(parts);
  if (requestIsPersonLevel(entry.request, released)) {
    return 'This summary names people, so it stays in your direct messages.';
  }
  // Without its file, a request of the team would become one of everybody.
  const scope = await scopeOfPerson(entry.request, asker, parts, 'direct', released);
  if (!scope.ok) return describeAccessRefusal(scope.refusal);
  if (scope.value.rows === 'team') {
    return 'This summary is limited to your team, so it stays in your direct messages. Ask again without the file to share totals.';
  }
  return postingRefusal(channel, asker.id, parts);
}

const helpTitle = 'What you can ask';

export const answerRoutes = (): readonly Route[] => [
  press(fileActions.csv, 'conversation', sendFile('csv')),
  press(fileActions.xlsx, 'conversation', sendFile('xlsx')),
  press(noticeActions.again, 'conversation', sendAgain()),
  press(noticeActions.againAsCsv, 'conversation', sendAgain('csv')),
  press(answerActions.details, 'conversation', details(false)),
  press(detailsActions.detailsAgain, 'conversation', details(true)),
  opens(answerActions.share, 'member', 'Share to channel', async (pressed, parts) => {
    const entry = await answerFor(pressed, parts);
    if (!entry) return refused(answerExpired);
    const chosen = /^[CG]/.test(entry.channel) ? entry.channel : undefined;
    const sentence = entry.request.scorecard
      ? 'Rollcall runs its lines again. Those about people say nothing in a channel that may not get them.'
      : 'Rollcall runs the report again for the same dates and leaves out the list of people.';
    const channel = channelInput(inputs.channel, 'Channel', chosen);
    return ok(form(shareViews.share, entry.id, 'Share to channel', 'Share', [section(sentence), channel]));
  }),
  submission(shareViews.share, 'member', share()),
  press(noticeActions.cancel, 'member', cancelRun, { kept: false }),
  press(commandActions.runWords, 'member', runWords(false)),
  press(commandActions.runAsTyped, 'member', runWords(true)),
  // What can I ask: help in a modal over the Home tab.
  opens(helpActions.help, 'member', helpTitle, async ({ context }, { managers }) => {
    const help = managers.known(context.asker) === false ? withoutTeam(helpFor()) : helpFor();
    return ok(blocksView(helpTitle, helpMessage(help).blocks ?? []));
  }),
];
