import type { AnyBlock } from '@slack/types';
import { showable } from '../../figures/format/showable.js';
import { type Gone, sayGone } from '../../requests/removed-fields.js';
import type { SavedReport } from '../../store/saved-reports/saved-reports.js';
import type { OutgoingMessage } from '../delivery/outgoing-message.js';
import { savedActions } from '../ids.js';
import { escaped } from '../text.js';
import { button, buttons, leaf, lines, plain, section } from './blocks.js';

const longest = 300;

/** A report was saved: how to run it, and a button that does. */
export function savedMessage({ id, name }: SavedReport): OutgoingMessage {
  const command = `/report ${name}`;
  return {
    text: escaped(`Saved. Run it with ${command}`),
    blocks: [
      lines([leaf('Saved. Run it here with '), leaf(showable(command, longest), { code: true })]),
      buttons(button(savedActions.run, 'Run', id)),
    ],
  };
}

/** A saved report asks for something that is gone, so it is not run. */
export function staleMessage(
  { id, name }: SavedReport,
  gone: readonly Gone[],
  mayEdit: boolean,
): OutgoingMessage {
  const what = showable(sayGone(gone), longest);
  const wayOut = mayEdit
    ? 'Edit it to leave that out.'
    : 'Whoever made it can edit it to leave that out; you can duplicate it and edit yours.';
  const line = `“${showable(name, longest)}” was not run: it asks for what is not there any more (${what}). ${wayOut}`;
  return {
    text: escaped(line),
    blocks: [
      section(plain(line)),
      buttons(
        mayEdit
          ? button(savedActions.edit, 'Edit', `edit ${id}`)
          : button(savedActions.copy, 'Duplicate', `copy ${id}`),
      ),
    ],
  };
}

/** A saved report was deleted, and can be brought back for a while. */
export function deletedBlocks({ id, name }: SavedReport): AnyBlock[] {
  return [
    section(plain(`Deleted “${showable(name, longest)}”. You have ten minutes to bring it back.`)),
    buttons(button(savedActions.undo, 'Undo', id)),
  ];
}

export function deletedMessage(saved: SavedReport): OutgoingMessage {
  return { text: escaped(`Deleted “${saved.name}”.`), blocks: deletedBlocks(saved) };
}
