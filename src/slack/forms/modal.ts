import type { ViewErrorsResponseAction, ViewUpdateResponseAction } from '@slack/bolt';
import type { AnyBlock, ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { ok, type Result } from '../../errors/failure.js';
import type { LogOf } from '../../logging/logger.js';
import type { UncheckedContext } from '../context/request-context.js';
import { slackErrorCode } from '../delivery/clients.js';
import { limits, plainText, section } from '../messages/blocks.js';
import { describeFailure } from '../messages/failures.js';
import { formNotOpenedMessage, type ReplyParts, replierIn } from '../messages/notices.js';

export interface ModalRequest {
  /** Slack accepts it once, within three seconds. */
  readonly triggerId: string;
  readonly title: string;
  /** Where to reply if the modal cannot be opened. */
  readonly context: UncheckedContext;
  /** The `action_id` and the value of a button that opens the same modal. */
  readonly retry: { readonly action: string; readonly value: string };
}

/** What a modal needs, besides what a reply does. */
type ModalParts = ReplyParts & {
  /** For modals, whose triggers expire after three seconds. */
  readonly interactive: WebClient;
  readonly log: LogOf<'error' | 'warn'>;
};

/** A modal that takes longer to build is preceded by a loading view. */
const loadingDelayMs = 300;

/**
 * Opens a modal before its trigger expires, however long the modal takes to build.
 *
 * @param build returns the modal, or refuses with a sentence for the person. If it throws before anything is shown,
 *   this function throws too. If it throws later, the modal shows the error.
 */
export async function openModal(
  request: ModalRequest,
  build: () => Promise<Result<ModalView>>,
  parts: ModalParts,
): Promise<void> {
  const { triggerId, title, context } = request;
  const reply = replierIn(context, parts);
  const replyNotOpened = () => reply(formNotOpenedMessage(request.retry));
  const open = async (view: ModalView): Promise<string | undefined> => {
    try {
      const opened = await parts.interactive.views.open({ trigger_id: triggerId, view });
      return opened.view?.id;
    } catch (error) {
      parts.log.warn({ code: slackErrorCode(error) }, 'A form could not be opened');
      await replyNotOpened();
      return undefined;
    }
  };
  const building = build();
  const built = await resultBy(performance.now() + loadingDelayMs, building);
  if (built) return built.ok ? void (await open(built.value)) : reply(built.refusal);
  const viewId = await open(messageView(title, 'Loading the form.'));
  if (viewId === undefined) return;
  const late = await building.catch((error: unknown) => {
    const id = context.requestId;
    parts.log.error({ err: error, id }, 'A form could not be built');
    return ok(messageView(title, describeFailure(error, id).sentence));
  });
  const view = late.ok ? late.value : messageView(title, late.refusal);
  if ((await updateView(viewId, view, parts)) === 'failed') await replyNotOpened();
}

/** `gone`: the view was closed. `changed`: it was updated since the given hash. */
export type UpdateOutcome = 'shown' | 'gone' | 'changed' | 'failed';

const retryDelayMs = 500;

/** Replaces an open view. It retries once, because a repeated update changes nothing. */
export async function updateView(
  id: string,
  view: ModalView,
  { interactive, log }: ModalParts,
  hash?: string,
): Promise<UpdateOutcome> {
  for (const waitMs of [0, retryDelayMs]) {
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    try {
      await interactive.views.update({ view_id: id, view, hash });
      return 'shown';
    } catch (error) {
      const code = slackErrorCode(error);
      if (code === 'hash_conflict') return 'changed';
      // A closed form needs no update.
      if (code === 'not_found') return 'gone';
      log.warn({ code }, 'A form could not be updated');
    }
  }
  return 'failed';
}

/** Shows a sentence at the top of an open modal, whose inputs keep their values. Needs no trigger. False if it fails. */
export async function showInModal(shown: ShownModal, sentence: string, parts: ModalParts): Promise<boolean> {
  return (await updateView(shown.id, withSentence(shown, sentence), parts)) === 'shown';
}

/** A modal as Slack sends it back. */
export type ShownModal = ModalView & { readonly id: string; readonly hash?: string };

export function messageView(title: string, sentence: string): ModalView {
  return blocksView(title, [section(sentence)]);
}

/** A modal without a submit button. */
export function blocksView(title: string, blocks: readonly AnyBlock[]): ModalView {
  return {
    type: 'modal',
    title: plainText(title, limits.modalTitleCharacters),
    close: plainText('Close'),
    blocks: [...blocks],
  };
}

const sentenceBlock = 'modal_sentence';

/** The modal with a sentence at its top. Its inputs keep their block IDs, so Slack keeps their values. */
function withSentence(shown: ShownModal, sentence: string): ModalView {
  const { type, title, callback_id, private_metadata, submit, close, notify_on_close, clear_on_close } =
    shown;
  const block = { ...section(sentence), block_id: sentenceBlock };
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
    blocks: [block, ...shown.blocks.filter(({ block_id: id }) => id !== sentenceBlock)],
  };
}

/** A problem of a form. It is shown under `input`, or under the first input if `input` is absent or not shown. */
export interface FormProblem {
  readonly sentence: string;
  readonly input?: string;
}

/**
 * The response that rejects a submitted form. Each sentence appears under its input, or under the first input if the
 * form does not show that one. A form without inputs is replaced by the sentences.
 */
export function rejectionResponse(
  view: { readonly title: { readonly text: string }; readonly blocks: readonly AnyBlock[] },
  problems: readonly FormProblem[],
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

/** Slack waits three seconds for an acknowledgement. The remaining 600 ms are for the network, both ways. */
const acknowledgeTimeoutMs = 2_400;

/** The time to finish a validation after its slow lookups have timed out. */
const finishMs = 400;

/**
 * The deadlines of one delivery, in milliseconds of `performance.now()`. Both count from its receipt, so that timeouts
 * never add up.
 */
export interface AcknowledgeDeadline {
  /** When optional lookups time out. */
  readonly lookUpBy: number;
  /** When Rollcall must have acknowledged the delivery. */
  readonly acknowledgeBy: number;
}

/** @param receivedAtMs when the delivery arrived, in milliseconds of `performance.now()` */
export function deadlineFrom(receivedAtMs: number): AcknowledgeDeadline {
  const acknowledgeBy = receivedAtMs + acknowledgeTimeoutMs;
  return { lookUpBy: acknowledgeBy - finishMs, acknowledgeBy };
}

/** Undefined if not settled by the deadline, in milliseconds of `performance.now()`. Drops later rejections. */
export async function resultBy<Value>(
  deadlineMs: number,
  promise: Promise<Value>,
): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, deadlineMs - performance.now()));
  });
  try {
    return await Promise.race([promise, timedOut]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => {});
  }
}
