import type { ModalView } from '@slack/types';
import { randomId } from '../../store/random-id.js';
import { tellWhereAsked } from '../delivery/notify-asker.js';
import type { OutgoingMessage } from '../delivery/outgoing-message.js';
import type { ListenerParts } from '../listeners/context.js';
import { wordsForFailure } from '../messages/failures.js';
import { formNotOpened } from '../messages/notices.js';
import { slackErrorCode } from '../transport/clients.js';
import type { AskedIn } from '../where-asked.js';
import { settledBy } from './deadline.js';
import { blocksView, loadingView, messageView, type ShownModal, withSentence } from './modal.js';

/** Slack's leave to open a modal, and who has it from where. */
export interface ModalRequest {
  /** Good for three seconds, once. */
  readonly triggerId: string;
  readonly title: string;
  /** Where to say that it could not be opened: in the direct messages where it was asked for in no conversation. */
  readonly asked: AskedIn;
  /** The button that asks for it again: its `action_id` and its value. */
  readonly retry: { readonly action: string; readonly value: string };
}

/** What makes a modal within this time is shown at once; else a light one stands until it is made. */
const loadingAfterMs = 300;

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
  const tell = async (message: OutgoingMessage) => void (await tellWhereAsked(message, asked, parts));
  const notOpened = () => tell(formNotOpened(request.retry));
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
  const quickly = await settledBy(performance.now() + loadingAfterMs, making);
  if (quickly) return isView(quickly) ? void (await open(quickly)) : tell(quickly);
  const viewId = await open(loadingView(title));
  if (viewId === undefined) return;
  const view = await making.catch((error: unknown) => {
    const id = randomId();
    parts.log.error({ err: error, id }, 'A form could not be made');
    return messageView(title, wordsForFailure(error, id).sentence);
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
export type Updated = 'shown' | 'gone' | 'changed' | 'failed';

const secondTryAfterMs = 500;

/** Shows a view in place of the one that stands. Twice shows the same as once, so that there is a second try. */
export async function updateView(
  update: { readonly viewId: string; readonly view: ModalView; readonly hash?: string | undefined },
  parts: Pick<ListenerParts, 'interactive' | 'log'>,
): Promise<Updated> {
  const first = await tryToUpdate(update, parts);
  if (first !== 'failed') return first;
  await new Promise((resolve) => setTimeout(resolve, secondTryAfterMs));
  return tryToUpdate(update, parts);
}

async function tryToUpdate(
  { viewId, view, hash }: Parameters<typeof updateView>[0],
  { interactive, log }: Parameters<typeof updateView>[1],
): Promise<Updated> {
  try {
    await interactive.views.update({ view_id: viewId, view, ...(hash ? { hash } : {}) });
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
export async function sayInModal(
  shown: ShownModal,
  sentence: string,
  parts: Pick<ListenerParts, 'interactive' | 'log'>,
): Promise<boolean> {
  const updated = await updateView({ viewId: shown.id, view: withSentence(shown, sentence) }, parts);
  return updated === 'shown';
}
