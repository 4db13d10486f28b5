import type { AnyBlock } from '@slack/types';
import { displayText } from '../../figures/format/text.js';
import { formatCount } from '../../figures/format/values.js';
import { formatRequest } from '../../requests/parse-request.js';
import type { Problem } from '../../requests/problem.js';
import { problemMessageText } from '../../requests/problem-messages.js';
import type { ReportRequest } from '../../requests/request.js';
import type { Route } from '../../runner/route.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { actions } from '../ids.js';
import { escaped } from '../markup.js';
import type { Conversation } from '../request-context.js';
import { button, buttons, limits, plainText, richText, richTextLines, section } from './blocks.js';
import type { FailureMessage } from './failures.js';

/** One plain sentence or two, with nothing to press. */
export function notice(line: string): OutgoingMessage {
  return { text: escaped(line), blocks: [section(plainText(line))] };
}

/** Why there is no answer, and a button to ask again where that may help. */
export function failureMessage(
  { sentence, tryAgain }: FailureMessage,
  requestId: string | undefined,
): OutgoingMessage {
  if (!tryAgain || requestId === undefined) return notice(sentence);
  return withButtons(sentence, [buttons(button(actions.again, 'Try again', requestId))]);
}

/** A form did not open, most often because its trigger had expired; the button asks for it again. */
export function formNotOpenedMessage(retry: {
  readonly action: string;
  readonly value: string;
}): OutgoingMessage {
  return withButtons('Slack did not open the form in time. Try again.', [
    buttons(button(retry.action, 'Try again', retry.value)),
  ]);
}

/** Nobody can know whether an answer arrived, so a person has to look. */
export function unconfirmedAnswerMessage(requestId: string): OutgoingMessage {
  return withButtons('Delivery of the answer is unconfirmed. If you cannot see it, send it again.', [
    buttons(button(actions.again, 'Send again', requestId)),
  ]);
}

/** The answer stands, but the database did not take that it does. */
export function answerNotSavedMessage(withFile: boolean): OutgoingMessage {
  const missing = withFile ? 'Its buttons may not work, and its file is missing' : 'Its buttons may not work';
  return notice(
    `The answer is posted, but it could not be saved. ${missing}; run it again if you need them.`,
  );
}

/** The bot ended while it was posting something. */
export function unconfirmedAtStopMessage(
  what: 'answer' | 'file',
  requestId: string,
  request: ReportRequest,
): OutgoingMessage {
  const stopped = `I restarted while sending the ${what} of ${commandInWords(request)}.`;
  if (what === 'file') return notice(`${stopped} If you cannot see it, press CSV under the answer.`);
  return withButtons(`${stopped} If you cannot see it, send it again.`, [
    buttons(button(actions.again, 'Send again', requestId)),
  ]);
}

/** The answer stands, and the bot ended before it had sent its file. */
export function fileNotSentAtStopMessage(request: ReportRequest): OutgoingMessage {
  return notice(
    `I restarted before sending the file of ${commandInWords(request)}. Press CSV under the answer to get it.`,
  );
}

/** The bot ended while it was working on something. */
export function notAnsweredAtStopMessage(requestId: string, request: ReportRequest): OutgoingMessage {
  return withButtons(`I restarted before answering ${commandInWords(request)}. Run it again.`, [
    buttons(button(actions.again, 'Run it now', requestId)),
  ]);
}

function commandInWords(request: ReportRequest): string {
  return displayText(`/report ${formatRequest(request)}`, 300);
}

/** The answer went to the asker's direct messages: because it was to, or because it cannot be given here. */
export function answerSentDirectlyMessage({ because }: Route, place: Conversation): OutgoingMessage {
  if (because === undefined) return notice('The answer is in your direct messages with me.');
  return withApprovalButton('The answer names people, so it is in your direct messages with me.', place);
}

/** The file of an answer went to the asker's direct messages, since this place may not get it. */
export function fileSentDirectlyMessage(place: Conversation): OutgoingMessage {
  return withApprovalButton('The file names people, so it is in your direct messages with me.', place);
}

/** The same, since the bot cannot put files here. */
export function fileNotAMemberMessage(): OutgoingMessage {
  return notice(`The file is in your direct messages with me. ${inviteSentence}`);
}

const inviteSentence = 'To get files here, type /invite @Rollcall.';

/** Where an admin can allow it, a way to ask for that; elsewhere, why nobody can. */
function withApprovalButton(line: string, place: Conversation): OutgoingMessage {
  if (place.kind === 'elsewhere') return notice(`${line} ${inviteSentence}`);
  if (place.personLevel === 'never') {
    return notice(
      `${line} Names are never posted in a channel that is shared with another organization or that I cannot see.`,
    );
  }
  return withButtons(line, [buttons(button(actions.requestApproval, 'Ask to allow it here', place.channel))]);
}

function withButtons(line: string, blocks: readonly AnyBlock[]): OutgoingMessage {
  return { text: escaped(line), blocks: [section(plainText(line)), ...blocks] };
}

export interface ProgressFacts {
  readonly requestId: string;
  /** What is being run, in words: `Engagement, last week (…)`. */
  readonly title: string;
  readonly records: number;
  /** How long the service still makes it wait; 0: it does not. */
  readonly waitSeconds: number;
}

/** What is shown while an answer is on its way, with a way to stop it. */
export function progressMessage({ requestId, title, records, waitSeconds }: ProgressFacts): OutgoingMessage {
  const line = `Running ${title}. ${formatProgress(records, waitSeconds)}`;
  return {
    text: escaped(line),
    blocks: [section(plainText(line)), buttons(button(actions.cancel, 'Cancel', requestId))],
  };
}

/** Said once where nothing can be edited: the service asks to wait. */
export function waitMessage(waitSeconds: number): OutgoingMessage {
  return { text: formatWait(waitSeconds) };
}

function formatProgress(records: number, waitSeconds: number): string {
  if (waitSeconds > 60) return formatWait(waitSeconds);
  return records === 0 ? 'Waiting for the first records.' : `${formatCount(records)} records so far.`;
}

function formatWait(seconds: number): string {
  return `The Reporting Service is rate-limiting us. I continue in about ${Math.ceil(seconds / 60)} minutes.`;
}

/** So much of a command is offered to be copied; a longer one is the asker's own to mend. */
const maxCommandLength = 1_500;

/**
 * What was not understood, and the whole command with the nearest valid word in it: to press or to copy. The form
 * offers everything without words.
 */
export function problemMessage(problem: Problem): OutgoingMessage {
  const sentence = problemMessageText(problem);
  const { corrected } = problem;
  const form = button(actions.openBuilder, 'Open the form', 'report' in problem ? problem.report : '-');
  const offered = corrected !== undefined && corrected.length <= maxCommandLength ? corrected : undefined;
  if (offered === undefined) {
    return { text: escaped(sentence), blocks: [section(plainText(sentence)), buttons(form)] };
  }
  const command = `/report ${offered}`;
  return {
    text: escaped(`${sentence}\n${command}`),
    blocks: [
      section(plainText(sentence)),
      richTextLines([richText(command, { code: true })]),
      buttons(
        ...(offered.length <= limits.buttonValueCharacters
          ? [button(actions.runWords, 'Run this', offered, 'primary')]
          : []),
        form,
      ),
    ],
  };
}
