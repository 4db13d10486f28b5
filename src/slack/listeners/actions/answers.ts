import { allReports } from '../../../catalogue/index.js';
import { ok, refused } from '../../../errors/result.js';
import { erasedEntry } from '../../../requests/erased-people.js';
import { helpFor } from '../../../requests/help.js';
import { parseCommand } from '../../../requests/parse-command.js';
import type { FileFormat, ReportRequest } from '../../../requests/request.js';
import type { RequestLogEntry } from '../../../store/requests/request-log.js';
import { type AnswerOptions, answerRequest } from '../../answer-request.js';
import { askForPurpose, lacksPurpose } from '../../ask-purpose.js';
import { showDetails } from '../../details/show.js';
import { dispatchCommand, parseInChannel } from '../../dispatch-command.js';
import { type AnswerUse, findAnswer } from '../../find-answer.js';
import { helpMessage, meaningsMessage } from '../../messages/help.js';
import { notice } from '../../messages/notices.js';
import { shareForm } from '../../modals/forms.js';
import { blocksView } from '../../modals/modal.js';
import type { ListenerParts } from '../context.js';
import { builderButton } from './builder.js';
import { type ButtonPress, type OnPress, onButton, onModalButton, sayWhereAnswerGoes } from './button.js';

const answerExpired = notice('That report has expired. Run it again.');

/** CSV, Excel: sends the file of an answer, for the same range, into its thread. */
export function fileButton(file: FileFormat, parts: ListenerParts): OnPress {
  return async (pressed) => {
    const entry = await answerFor(pressed, parts);
    const { message, context } = pressed;
    if (!entry || !message) return pressed.reply(answerExpired);
    const options = { ...repeatOf(entry, context.asker), fileInto: message.thread ?? message.ts };
    await repeatRequest({ ...entry.request, file }, entry, pressed, options, parts);
  };
}

/** Details: puts the rest of an answer into its thread. */
export function detailsButton(parts: ListenerParts) {
  return onButton(parts, async (pressed) => {
    const { message, context, reply } = pressed;
    const entry = await answerFor(pressed, parts, { onlyWhereShown: true });
    if (!entry || entry.asker === erasedEntry) return reply(answerExpired);
    const root = message && (message.thread ?? message.ts);
    await showDetails({ entry, root, again: false, context, reply }, parts);
  });
}

/** Send again, where the delivery of details is unconfirmed. */
export function detailsAgainButton(parts: ListenerParts) {
  return onButton(parts, async (pressed) => {
    const { context, reply } = pressed;
    const [value = '', root] = pressed.value.split(' ');
    const entry = await answerFor({ ...pressed, value }, parts, { onlyWhereShown: true });
    if (!entry || entry.asker === erasedEntry) return reply(answerExpired);
    // The thread of the answer, which is the one that this button is in if it has one.
    if (root !== context.thread && root !== entry.message?.ts) return reply(answerExpired);
    await showDetails({ entry, root, again: true, context, reply }, parts);
  });
}

/** Try again, Send again: runs the same request in the same place. */
export function sendAgain(parts: ListenerParts): OnPress {
  return async (pressed) => {
    const entry = await answerFor(pressed, parts);
    if (!entry) return pressed.reply(answerExpired);
    const isRepeat = entry.state === 'posted' || entry.state === 'unknown';
    const options = { ...repeatOf(entry, pressed.context.asker), isRepeat };
    await repeatRequest(entry.request, entry, pressed, options, parts);
  };
}

/** Get the CSV: runs the same request in the same place, with a CSV in place of a workbook that was too large. */
export function sendAgainAsCsv(parts: ListenerParts): OnPress {
  return async (pressed) => {
    const entry = await answerFor(pressed, parts);
    if (!entry) return pressed.reply(answerExpired);
    const options = repeatOf(entry, pressed.context.asker);
    await repeatRequest({ ...entry.request, file: 'csv' }, entry, pressed, options, parts);
  };
}

/** Runs a request again. The purpose of its file counts for whoever gave it; others are asked for their own. */
async function repeatRequest(
  repeated: ReportRequest,
  { asker, request: before }: RequestLogEntry,
  { actionId: press, value, message, context, purpose: given }: ButtonPress,
  options: AnswerOptions,
  parts: ListenerParts,
): Promise<void> {
  const purpose = given ?? (asker === context.asker ? before.purpose : undefined);
  const request = { ...repeated, purpose };
  if (lacksPurpose(request, parts)) return askForPurpose({ press, value, message }, context, parts);
  await answerRequest(request, context, parts, options);
}

/** Share to channel: opens a form to choose the channel. */
export function shareButton(parts: ListenerParts) {
  return onModalButton(parts, 'Share to channel', async (pressed) => {
    const entry = await answerFor(pressed, parts);
    if (!entry) return refused(answerExpired);
    return ok(shareForm(entry.id, /^[CG]/.test(entry.channel) ? entry.channel : undefined));
  });
}

/** Cancel: stops a run. */
export function cancelButton(parts: ListenerParts) {
  return onButton(parts, async ({ value, context, reply }) => {
    const here = parts.running.cancel(value, context.asker);
    // Another process may have it in hand.
    const outcome =
      here === 'not-running'
        ? await parts.store.requestLog.cancel(value, context.asker, parts.clock.now())
        : here;
    if (outcome === 'cancelled' && here === 'not-running') parts.signals.send({ kind: 'cancelled' });
    if (outcome === 'not-theirs') await reply(notice('Only the person who asked can cancel this.'));
    if (outcome === 'not-running') await reply(notice('This run has already ended.'));
  });
}

/** Run that: runs the command that Rollcall offered for a misspelled one. */
export function runWordsButton(parts: ListenerParts) {
  const run = wordsButton(parts);
  // The builder looks up the person itself, because its trigger expires.
  const open = builderButton(parts, () => undefined);
  return (press: Parameters<typeof run>[0] & Parameters<typeof open>[0]) => {
    const command = parseCommand(press.action.value ?? '', { savedNames: [] });
    return command.ok && command.value.kind === 'builder' ? open(press) : run(press);
  };
}

/** Run it as typed: runs a command with entries that look mistyped. */
export function runAsTypedButton(parts: ListenerParts) {
  return wordsButton(parts, true);
}

function wordsButton(parts: ListenerParts, asTyped = false) {
  return onButton(parts, async (pressed) => {
    const { value: typed, context } = pressed;
    sayWhereAnswerGoes(pressed, parts);
    const command = await parseInChannel(typed, context.channel, parts);
    await dispatchCommand(command, { ...context, typed, asTyped }, parts);
  });
}

/** The answer whose button was pressed, if its ID counts there. */
function answerFor(
  { value, context: { channel, asker }, message }: ButtonPress,
  parts: ListenerParts,
  more: Pick<AnswerUse, 'onlyWhereShown'> = {},
): Promise<RequestLogEntry | undefined> {
  return findAnswer(value, { channel, asker, message, ...more }, parts);
}

/** The range and the `me` of the first run. Its request may come from a report that somebody else saved. */
function repeatOf({ range, asker, choseFilters }: RequestLogEntry, by: string) {
  return { me: asker, range, choseFilters: choseFilters !== false && asker === by };
}

/** What do these mean: shows the definitions of a report's figures to the person who pressed. */
export function meaningsButton(parts: ListenerParts) {
  return onButton(parts, async ({ value, reply }) => {
    const report = allReports.find(({ name }) => name === value);
    if (report) await reply(meaningsMessage(report.name));
  });
}

/** What can I ask: shows help in a modal over the Home tab. */
export function homeHelpButton(parts: ListenerParts) {
  const title = 'What you can ask';
  return onModalButton(parts, title, async () => ok(blocksView(title, helpMessage(helpFor()).blocks ?? [])));
}
