import { helpFor } from '../../../language/help.js';
import { helpMessage } from '../../views/help-message.js';
import { plain } from '../../views/parts/blocks.js';
import type { ListenerParts } from '../parts.js';
import { onPress } from './pressed.js';

/** What can I ask: help, over the tab. */
export function homeHelpButton(parts: ListenerParts) {
  return onPress(parts, async ({ triggerId }) => {
    const { blocks = [] } = helpMessage(helpFor());
    const view = {
      type: 'modal' as const,
      title: plain('What you can ask'),
      close: plain('Close'),
      blocks: [...blocks],
    };
    await parts.interactive.views.open({ trigger_id: triggerId, view });
  });
}
