import type { ViewErrorsResponseAction, ViewUpdateResponseAction } from '@slack/bolt';
import type { AnyBlock, ModalView } from '@slack/types';
import { randomId } from '../../store/database.js';
import { replyInContext } from '../delivery/notify-asker.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import type { ListenerParts } from '../listeners/context.js';
import { limits, plainText, section } from '../messages/blocks.js';
import { describeFailure } from '../messages/failures.js';
import { formNotOpenedMessage } from '../messages/notices.js';
import type { RequestContext } from '../request-context.js';
import { slackErrorCode } from '../transport/clients.js';

/** Slack's leave to open a modal, and who has it from where. */
export interface ModalRequest {
  /** Good for three seconds, once. */
  readonly triggerId: string;
  readonly title: string;
  /** Where to say that it could not be opened: in the direct messages where it was asked for in no conversation. */
  readonly asked: RequestContext;
  /** The button that asks for it again: its `action_id` and its value. */
  readonly retry: { readonly action: string; readonly value: string };
}

/** What makes a modal within this time is shown at once; else a light one stands until it is made. */
const loadingDelayMs = 300;

/**
 * Opens a modal before its trigger expires, however long it takes to make.
 *
 * @param make gives the modal, or a message on why there is none. It may throw: before anything stands, so does this;
 *   afterwards the modal says so
 */
export async function openModal(
  request: ModalRequest,
  make: () => Promise<ModalView | OutgoingMessage>,
  parts: ListenerParts,
): Promise<void> {
  const { triggerId, title, asked } = request;
  const tell = async (message: OutgoingMessage) => void (await replyInContext(message, asked, parts));
  const notOpened = () => tell(formNotOpenedMessage(request.retry));
  const open = async (view: ModalView): Promise<string | undefined> => {
    try {
      const opened = await parts.interactive.views.open({ trigger_id: triggerId, view });
      return opened.view?.id;
    } catch (error) {
      parts.log.warn({ code: slackErrorCode(error) }, 'A form could not be opened');
      await notOpened();
      return undefined;
    }
  };
  const making = make();
  const quickly = await resultBy(performance.now() + loadingDelayMs, making);
  if (quickly) return isView(quickly) ? void (await open(quickly)) : tell(quickly);
  const viewId = await open(loadingView(title));
  if (viewId === undefined) return;
  const view = await making.catch((error: unknown) => {
    const id = randomId();
    parts.log.error({ err: error, id }, 'A form could not be made');
    return messageView(title, describeFailure(error, id).sentence);
  });
  const shown = isView(view) ? view : readableView(title, view);
  if ((await updateView({ viewId, view: shown }, parts)) === 'failed') await notOpened();
}

function isView(made: ModalView | OutgoingMessage): made is ModalView {
  return 'type' in made;
}

function readableView(title: string, { text, blocks }: OutgoingMessage): ModalView {
  return blocks ? blocksView(title, blocks) : messageView(title, text);
}

/** What became of a view: nobody sees it any more, or somebody else has drawn it since the given hash. */
export type UpdateOutcome = 'shown' | 'gone' | 'changed' | 'failed';

const retryDelayMs = 500;

/** Shows a view in place of the one that stands. Twice shows the same as once, so that there is a second try. */
export async function updateView(
  update: { readonly viewId: string; readonly view: ModalView; readonly hash?: string | undefined },
  parts: Pick<ListenerParts, 'interactive' | 'log'>,
): Promise<UpdateOutcome> {
  const first = await tryToUpdate(update, parts);
  if (first !== 'failed') return first;
  await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
  return tryToUpdate(update, parts);
}

async function tryToUpdate(
  { viewId, view, hash }: Parameters<typeof updateView>[0],
  { interactive, log }: Parameters<typeof updateView>[1],
): Promise<UpdateOutcome> {
  try {
    await interactive.views.update({ view_id: viewId, view, hash });
    return 'shown';
  } catch (error) {
    const code = slackErrorCode(error);
    if (code === 'hash_conflict') return 'changed';
    // Whoever closes a form does not want to see it drawn.
    if (code === 'not_found') return 'gone';
    log.warn({ code }, 'A form could not be drawn');
    return 'failed';
  }
}

/** Says something at the top of a modal, which keeps what stands in it. Needs no trigger. False where Slack refuses. */
export async function showInModal(
  shown: ShownModal,
  sentence: string,
  parts: Pick<ListenerParts, 'interactive' | 'log'>,
): Promise<boolean> {
  const updated = await updateView({ viewId: shown.id, view: withSentence(shown, sentence) }, parts);
  return updated === 'shown';
}

/** A modal as Slack sends it back. */
export type ShownModal = ModalView & { readonly id: string; readonly hash?: string };

/** What stands while a modal is being made: a trigger lives for three seconds only. */
function loadingView(title: string): ModalView {
  return messageView(title, 'Loading the form.');
}

/** A modal with a sentence in place of a form. */
export function messageView(title: string, sentence: string): ModalView {
  return blocksView(title, [section(plainText(sentence))]);
}

/** A modal to read, with nothing to submit. */
export function blocksView(title: string, blocks: readonly AnyBlock[]): ModalView {
  return {
    type: 'modal',
    title: plainText(title, limits.modalTitleCharacters),
    close: plainText('Close'),
    blocks: [...blocks],
  };
}

const sentenceBlock = 'modal_sentence';

/** The same modal with a sentence at its top. Its inputs keep their names, so Slack keeps what was typed. */
function withSentence(shown: ShownModal, sentence: string): ModalView {
  const { type, title, callback_id, private_metadata, submit, close, notify_on_close, clear_on_close } =
    shown;
  const said = { ...section(plainText(sentence)), block_id: sentenceBlock };
  return {
    type,
    title,
    // Slack sends null or '' for absent members. Its reference does not allow them in a view.
    callback_id: callback_id || undefined,
    private_metadata: private_metadata || undefined,
    submit: submit ?? undefined,
    close: close ?? undefined,
    notify_on_close,
    clear_on_close,
    blocks: [said, ...shown.blocks.filter(({ block_id: id }) => id !== sentenceBlock)],
  };
}

/**
 * The answer to a submitted form that says why it was not taken, under the inputs that the sentences are about. An
 * input that the form does not show gives way to the form's first one; a form without inputs to the sentence itself.
 */
export function rejectionResponse(
  view: { readonly title: { readonly text: string }; readonly blocks: readonly AnyBlock[] },
  problems: readonly { readonly input?: string; readonly sentence: string }[],
): ViewErrorsResponseAction | ViewUpdateResponseAction {
  const inputs = view.blocks.flatMap(({ type, block_id: id }) => (type === 'input' && id ? [id] : []));
  const [first] = inputs;
  if (first === undefined) {
    const sentence = problems.map((problem) => problem.sentence).join(' ');
    return { response_action: 'update', view: messageView(view.title.text, sentence) };
  }
  const errors = problems.map(({ input, sentence }): [string, string] => [
    input !== undefined && inputs.includes(input) ? input : first,
    sentence,
  ]);
  return { response_action: 'errors', errors: Object.fromEntries(errors) };
}

/** Slack waits three seconds for an acknowledgement; the rest is for the network, both ways. */
const acknowledgeTimeoutMs = 2_400;

/** Time that is left after slow look-ups were given up, to finish the validation without them. */
const finishMs = 400;

/**
 * The moments that one delivery has to keep, both counted from its receipt, so that budgets never add up.
 * Milliseconds of `performance.now()`.
 */
export interface AcknowledgeDeadline {
  /** Look-ups that a validation can do without are given up. */
  readonly lookUpBy: number;
  /** The delivery has to be acknowledged. */
  readonly acknowledgeBy: number;
}

/** @param receivedAtMs when the delivery arrived, in milliseconds of `performance.now()` */
export function deadlineFrom(receivedAtMs: number): AcknowledgeDeadline {
  const acknowledgeBy = receivedAtMs + acknowledgeTimeoutMs;
  return { lookUpBy: acknowledgeBy - finishMs, acknowledgeBy };
}

/**
 * The result of a promise if it settles by a moment, else undefined. A rejection after that moment is dropped.
 *
 * @param momentMs milliseconds of `performance.now()`
 */
export async function resultBy<Value>(momentMs: number, promise: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, momentMs - performance.now()));
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => {});
  }
}
