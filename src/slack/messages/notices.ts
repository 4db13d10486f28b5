import type { AnyBlock, Button } from '@slack/types';
import { formatCount } from '../../figures/format/values.js';
import { withoutCommand } from '../../requests/parse-command.js';
import { formatRequest } from '../../requests/parse-request.js';
import { maskPeople } from '../../requests/person-level.js';
import { type Problem, replaceSpan } from '../../requests/problem.js';
import { problemMessageText } from '../../requests/problem-messages.js';
import type { ReportRequest } from '../../requests/request.js';
import { compact, displayText } from '../../requests/text.js';
import { readTokens } from '../../requests/tokens.js';
import type { Route } from '../../runner/answer-parts.js';
import type { UnitsRead } from '../../runner/queries.js';
import { replyInContext } from '../context/notify-asker.js';
import type { Conversation } from '../context/request-context.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { escaped } from '../markup.js';
import {
  button,
  buttons,
  code,
  commandActions,
  context,
  isChannel,
  limits,
  richChannel,
  richTextLines,
  section,
} from './blocks.js';
import type { describeFailure } from './failures.js';

/** Their value is the request's ID, unless stated otherwise. */
export const noticeActions = {
  cancel: 'ask_cancel',
  /** Runs a request again, for the same range; `againAsCsv`: with a CSV as its file. */
  again: 'ask_again',
  againAsCsv: 'ask_again_as_csv',
  /** Asks the admins to allow person-level data in the channel that the button is in. Its value is the channel's ID. */
  requestApproval: 'approval_request',
} as const;

/** One or two sentences, and what stands below them. Each button is in a block of its own. */
export function notice(
  line: string,
  ...below: readonly (AnyBlock | Button | readonly AnyBlock[] | false | undefined)[]
): OutgoingMessage {
  const blocks = compact(section(line), ...below).map((part) => (isButton(part) ? buttons(part) : part));
  return { text: escaped(line), blocks };
}

function isButton(part: AnyBlock | Button): part is Button {
  return part.type === 'button';
}

/** A reply to one person. A string is a notice. */
export type Reply = OutgoingMessage | string;

export function messageOf(reply: Reply): OutgoingMessage {
  return typeof reply === 'string' ? notice(reply) : reply;
}

export type ReplyParts = Parameters<typeof replyInContext>[2];

/** Replies in one context. */
export function replierIn(context: Parameters<typeof replyInContext>[1], parts: ReplyParts) {
  return async (reply: Reply) => void (await replyInContext(messageOf(reply), context, parts));
}

/** The same in a channel, or in the person's direct messages. */
export function replyTo(asker: string, reply: Reply, parts: ReplyParts, channel = asker): Promise<void> {
  return replierIn({ channel, asker }, parts)(reply);
}

/** A notice with a link to a channel in its sentence. Direct messages have no link. */
export function channelNotice(
  before: string,
  channel: string,
  after: string,
  ...below: readonly AnyBlock[]
): OutgoingMessage {
  const link = isChannel(channel) ? `<#${channel}>` : directMessages;
  return {
    text: `${escaped(before)}${link}${escaped(after)}`,
    blocks: [channelLine(before, channel, after), ...below],
  };
}

export function channelLine(before: string, channel: string, after: string): AnyBlock {
  return richTextLines([before, richChannel(channel, directMessages), after]);
}

const directMessages = 'your direct messages with me';

export const adminsOnly = 'Only admins can do that. Type /report access to see who they are.';

/** @param instead buttons for what the asker may ask instead */
export function failureMessage(
  { sentence, tryAgain, asCsv, reference }: ReturnType<typeof describeFailure>,
  requestId: string | undefined,
  instead: readonly AnyBlock[] = [],
): OutgoingMessage {
  const [action, label] = asCsv
    ? [noticeActions.againAsCsv, 'Get the CSV']
    : [noticeActions.again, 'Try again'];
  const again = requestId !== undefined && (asCsv || tryAgain) && button(action, label, requestId);
  return notice(sentence, again, instead, reference !== undefined && context(`ID: ${reference}`));
}

/** A form did not open, usually because its trigger expired. The button opens it. */
export function formNotOpenedMessage(retry: {
  readonly action: string;
  readonly value: string;
}): OutgoingMessage {
  return notice(
    'Slack did not open the form in time. Try again.',
    button(retry.action, 'Try again', retry.value),
  );
}

/** Slack did not say whether the answer arrived, so the asker checks. */
export function unconfirmedAnswerMessage(requestId: string): OutgoingMessage {
  return notice(
    'Delivery of the answer is unconfirmed. If you cannot see it, send it again.',
    button(noticeActions.again, 'Send again', requestId),
  );
}

/** The answer was posted, but the database could not record that. */
export function answerNotSavedMessage(withFile: boolean): OutgoingMessage {
  const missing = withFile ? 'Its buttons may not work, and its file is missing' : 'Its buttons may not work';
  return notice(
    `The answer is posted, but it could not be saved. ${missing}; run it again if you need them.`,
  );
}

/**
 * The bot stopped before the answer or its file was posted, or while it was posting.
 *
 * @param request may be another person's saved report, so it is quoted without people
 */
export function interruptedMessage(
  what: 'answer' | 'file',
  isUnconfirmed: boolean,
  requestId: string,
  request: ReportRequest,
): OutgoingMessage {
  const command = displayText(`/report ${formatRequest(maskPeople(request))}`, 300);
  // No button under an answer makes evidence.
  if (what === 'file' && request.file !== 'evidence') {
    return notice(
      isUnconfirmed
        ? `I restarted while sending the file of ${command}. If you cannot see it, press CSV under the answer.`
        : `I restarted before sending the file of ${command}. Press CSV under the answer to get it.`,
    );
  }
  const sent = what === 'file' ? 'file' : 'answer';
  const [line, label] = isUnconfirmed
    ? [`while sending the ${sent} of ${command}. If you cannot see it, send it again.`, 'Send again']
    : [
        what === 'file'
          ? `before sending the file of ${command}. Run it again.`
          : `before answering ${command}. Run it again.`,
        'Run it now',
      ];
  return notice(`I restarted ${line}`, button(noticeActions.again, label, requestId));
}

/** The bot stopped while it handled these words. It may have replied to their asker alone. */
export function commandNotDoneMessage(typed: string): OutgoingMessage {
  const command = displayText(`/report ${withoutCommand(typed)}`, 300);
  const text = `I restarted after you typed ${command}. If you see no result, run it again.`;
  // Longer values do not fit into a button.
  if (typed === '' || typed.length > limits.buttonValueCharacters) return notice(text);
  return notice(text, button(commandActions.runWords, 'Run it now', typed));
}

export function buttonNotDoneMessage(label: string | undefined): OutgoingMessage {
  const which = label === undefined ? 'a button' : `“${displayText(label, 75)}”`;
  return notice(`I restarted after you pressed ${which}. If you see no result, press it again.`);
}

export function formNotDoneMessage(title: string, sentence?: string): OutgoingMessage {
  const why = sentence ?? 'If you see no result, fill it in again.';
  return notice(`I restarted after you sent the form “${displayText(title, 75)}”. ${why}`);
}

/** The answer went to the asker's direct messages, by choice or because it may not be posted here. */
export function answerSentDirectlyMessage({ because }: Route, place: Conversation): OutgoingMessage {
  if (because === undefined) return notice('The answer is in your direct messages with me.');
  // An approval of the channel would change nothing.
  if (because === 'level') {
    return notice(
      'The answer is in your direct messages with me. Your access level shows your own records nowhere else.',
    );
  }
  return sentDirectlyMessage('answers', place);
}

const namingSentences = {
  answers: 'The answer names people, so it is in your direct messages with me.',
  files: 'The file names people, so it is in your direct messages with me.',
  rows: 'The rows name people, so they are in your direct messages with me.',
};

/** The file went to the asker's direct messages, because the bot is not a member here. */
export function fileNotAMemberMessage(): OutgoingMessage {
  return notice(`The file is in your direct messages with me. ${inviteSentence('files')}`);
}

function inviteSentence(what: keyof typeof namingSentences) {
  return `To get ${what} here, type /invite @Rollcall.`;
}

/** It went to the asker's direct messages, because it may not be posted here. */
export function sentDirectlyMessage(
  what: keyof typeof namingSentences,
  place: Conversation,
): OutgoingMessage {
  const line = namingSentences[what];
  if (place.kind === 'elsewhere') {
    const needsApproval = place.personLevel === 'not-approved';
    const toAsk = 'To ask to allow it here, type /invite @Rollcall first, and then ask again.';
    return notice(`${line} ${needsApproval ? toAsk : inviteSentence(what)}`);
  }
  if (place.personLevel === 'never') {
    return notice(
      `${line} Names are never posted in a channel that is shared with another organization or that I cannot see.`,
    );
  }
  return notice(line, button(noticeActions.requestApproval, 'Ask to allow it here', place.channel));
}

export interface ProgressFacts {
  readonly requestId: string;
  /** `Engagement, last week (…)` */
  readonly title: string;
  readonly records: number;
  /** Set where units of an answer over time are asked for one by one. */
  readonly units?: UnitsRead | undefined;
  /** Seconds until the rate limit ends; 0: there is none. */
  readonly waitSeconds: number;
}

/** Shown while a request runs, with a button to cancel it. */
export function progressMessage({ requestId, title, waitSeconds, ...read }: ProgressFacts): OutgoingMessage {
  const line = `Running ${title}. ${formatProgress(read, waitSeconds)}`;
  return notice(line, button(noticeActions.cancel, 'Cancel', requestId));
}

/** `7 of 12 weeks` */
export function formatUnitsRead({ done, total, unit }: UnitsRead): string {
  return `${done} of ${total} ${unit}s`;
}

/** Sent once where messages cannot be edited, because the service is rate-limiting us. */
export function waitMessage(waitSeconds: number): OutgoingMessage {
  return { text: formatWait(waitSeconds) };
}

function formatProgress({ records, units }: Pick<ProgressFacts, 'records' | 'units'>, waitSeconds: number) {
  if (waitSeconds > 60) return formatWait(waitSeconds);
  if (units) return `${formatUnitsRead(units)} so far.`;
  return records === 0 ? 'Waiting for the Reporting Service.' : `${formatCount(records)} records so far.`;
}

function formatWait(seconds: number) {
  return `The Reporting Service accepts no more requests for now. I'll continue in about ${Math.ceil(seconds / 60)} minutes.`;
}

/** A button that opens the form with what a command says; an empty form if a button cannot hold the command. */
export function openFormButton(command: string) {
  const fits = command !== '' && command.length <= limits.buttonValueCharacters;
  return button(commandActions.openBuilder, 'Open the form', fits ? command : '-');
}

/** Longer commands are cut where they are shown, and problems get none to copy. */
const maxCommandLength = 1_500;

/** A problem of a command, with the corrected command to run or copy, and a button that opens the form. */
export function problemMessage(
  problem: Problem,
  sentence: string = problemMessageText(problem),
): OutgoingMessage {
  const { corrected } = problem;
  const form = openFormButton(problem.understood ?? ('report' in problem ? problem.report : '-'));
  if (corrected === undefined || corrected.length > maxCommandLength) return notice(sentence, form);
  const right = (command: string) => button(commandActions.runWords, 'Run this', command, 'primary');
  const message = correctionMessage(sentence, corrected, [right(corrected), form]);
  const other = withOtherFile(problem);
  if (other === undefined) return message;
  const { text, blocks } = correctionMessage('', other, [right(other)]);
  return { text: message.text + text, blocks: [...(message.blocks ?? []), ...(blocks ?? []).slice(1)] };
}

/** Where two files were typed, the corrected command with the one that it left out. */
function withOtherFile({ corrected = '', ...problem }: Problem): string | undefined {
  if (problem.kind !== 'two-files' || ![problem.other, problem.word.toLowerCase()].every(isTable))
    return undefined;
  const kept = readTokens(corrected, 0).find(
    (token) => token.kind === 'word' && token.text.toLowerCase() === problem.other,
  );
  return kept && replaceSpan(corrected, kept, problem.word.toLowerCase());
}

function isTable(format: string): boolean {
  return format === 'csv' || format === 'xlsx';
}

/** What is wrong, and the corrected words after `/report`. */
export function correctionMessage(
  sentence: string,
  corrected: string,
  pressable: readonly Button[],
): OutgoingMessage {
  const command = `/report ${corrected}`;
  return {
    text: escaped(`${sentence}\n${command}`),
    blocks: [
      section(sentence),
      richTextLines([code(command, '/report '.length + maxCommandLength)]),
      buttons(pressable),
    ],
  };
}
