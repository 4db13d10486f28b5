import type { ModalView } from '@slack/types';
import { slackErrorCode } from '../connection/clients.js';
import type { ListenerParts } from '../listeners/parts.js';

/** What became of a view: nobody sees it any more, or somebody else has drawn it since the given hash. */
export type Updated = 'shown' | 'gone' | 'changed' | 'failed';

/** So long to wait before the second try. */
const pause = 500;

/** Shows a view in place of the one that stands. Twice shows the same as once, so that there is a second try. */
export async function updateView(
  update: { readonly viewId: string; readonly view: ModalView; readonly hash?: string | undefined },
  parts: Pick<ListenerParts, 'interactive' | 'log'>,
): Promise<Updated> {
  const first = await tryToUpdate(update, parts);
  if (first !== 'failed') return first;
  await new Promise((resolve) => setTimeout(resolve, pause));
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
