import { helpFor } from '../../../language/help.js';
import { helpMessage } from '../../views/help-message.js';
import { blocksView } from '../../views/modal.js';
import type { ListenerParts } from '../parts.js';
import { onModalPress } from './pressed.js';

/** What can I ask: help, over the tab. */
export function homeHelpButton(parts: ListenerParts) {
  const title = 'What you can ask';
  return onModalPress(parts, title, async () => blocksView(title, helpMessage(helpFor()).blocks ?? []));
}
