import type { AnyBlock } from '@slack/types';
import { showable } from '../../figures/format/showable.js';
import { sayRequest } from '../../requests/say-request.js';
import type { ReportRequest } from '../../requests/request.js';
import type { OutgoingMessage } from '../delivery/outgoing-message.js';
import type { Route } from '../delivery/route.js';
import { actions } from '../ids.js';
import type { Place } from '../request-context.js';
import { escaped } from '../text.js';
import { button, buttons, plain, section } from './blocks.js';
import type { FailureWords } from './failures.js';

/** One plain sentence or two, with nothing to press. */
export function notice(line: string): OutgoingMessage {
  return { text: escaped(line), blocks: [section(plain(line))] };
}

/** Why there is no answer, and a button to ask again where that may help. */
export function failureMessage(
  { sentence, tryAgain }: FailureWords,
  askId: string | undefined,
): OutgoingMessage {
  if (!tryAgain || askId === undefined) return notice(sentence);
  return withButtons(sentence, [buttons(button(actions.again, 'Try again', askId))]);
}

/** A form did not open, most often because its trigger had expired; the button asks for it again. */
export function formNotOpened(retry: { readonly action: string; readonly value: string }): OutgoingMessage {
  return withButtons('Slack did not open the form in time. Try again.', [
    buttons(button(retry.action, 'Try again', retry.value)),
  ]);
}

/** Nobody can know whether an answer arrived, so a person has to look. */
export function perhapsPostedMessage(askId: string): OutgoingMessage {
  return withButtons('Slack did not say whether it took my answer. If you cannot see it, send it again.', [
    buttons(button(actions.again, 'Send again', askId)),
  ]);
}

/** The answer stands, but the database did not take that it does. */
export function postedButNotWritten(withFile: boolean): OutgoingMessage {
  const missing = withFile ? 'Its buttons may not work, and its file is missing' : 'Its buttons may not work';
  return notice(
    `The answer is posted, but I could not save that. ${missing}: run it again if you need them.`,
  );
}

/** The bot ended while it was posting something. */
export function perhapsPostedBeforeStop(
  what: 'answer' | 'file',
  askId: string,
  request: ReportRequest,
): OutgoingMessage {
  const stopped = `I was stopped while I sent the ${what} of ${commandInWords(request)}.`;
  if (what === 'file') return notice(`${stopped} If you cannot see it, press CSV under the answer.`);
  return withButtons(`${stopped} If you cannot see it, send it again.`, [
    buttons(button(actions.again, 'Send again', askId)),
  ]);
}

/** The answer stands, and the bot ended before it had sent its file. */
export function interruptedFileMessage(request: ReportRequest): OutgoingMessage {
  return notice(
    `I was stopped before I sent the file of ${commandInWords(request)}. Press CSV under the answer to get it.`,
  );
}

/** The bot ended while it was working on something. */
export function interruptedMessage(askId: string, request: ReportRequest): OutgoingMessage {
  return withButtons(
    `I was stopped while I was working on ${commandInWords(request)}, so there is no answer to it.`,
    [buttons(button(actions.again, 'Run it now', askId))],
  );
}

function commandInWords(request: ReportRequest): string {
  return showable(`/report ${sayRequest(request)}`, 300);
}

/** The answer went to the asker's direct messages: because it was to, or because it cannot be given here. */
export function answerWentDirectly({ because }: Route, place: Place): OutgoingMessage {
  if (because === undefined) return notice('The answer is in your direct messages with me.');
  return withApproval('That names people, so the answer is in your direct messages with me.', place);
}

/** The file of an answer went to the asker's direct messages, since this place may not get it. */
export function fileNamesPeople(place: Place): OutgoingMessage {
  return withApproval('The file names people, so it is in your direct messages with me.', place);
}

/** The same, since the bot cannot put files here. */
export function fileCannotEnter(): OutgoingMessage {
  return notice(`The file is in your direct messages with me. ${inviteMe}`);
}

const inviteMe = 'I am not a member here: to get files here, type /invite @Rollcall.';

/** Where an admin can allow it, a way to ask for that; elsewhere, why nobody can. */
function withApproval(line: string, place: Place): OutgoingMessage {
  if (place.kind === 'elsewhere') return notice(`${line} ${inviteMe}`);
  if (place.personLevel === 'never') {
    return notice(
      `${line} It never goes to a channel that is shared with another organization, or that I cannot look into.`,
    );
  }
  return withButtons(line, [buttons(button(actions.requestApproval, 'Ask to allow it here', place.channel))]);
}

function withButtons(line: string, blocks: readonly AnyBlock[]): OutgoingMessage {
  return { text: escaped(line), blocks: [section(plain(line)), ...blocks] };
}
