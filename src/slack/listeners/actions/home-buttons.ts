import { helpFor } from '../../../requests/help.js';
import { helpMessage } from '../../messages/help.js';
import { blocksView } from '../../modals/modal.js';
import type { ListenerParts } from '../context.js';
import { onModalPress } from './press.js';

/** What can I ask: help, over the tab. */
export function homeHelpButton(parts: ListenerParts) {
  const title = 'What you can ask';
  return onModalPress(parts, title, async () => blocksView(title, helpMessage(helpFor()).blocks ?? []));
}
