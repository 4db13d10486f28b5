import type { AnyBlock } from '@slack/types';
import { showable } from '../../figures/words/showable.js';
import type { SavedReport } from '../../store/saved-reports.js';
import { savedActions } from '../ids.js';
import type { OutgoingMessage } from '../outgoing-message.js';
import { button, buttons, context, header, plain, section } from './parts/blocks.js';
import { limits } from './parts/limits.js';
import { escaped } from './parts/text.js';
import { deletedBlocks } from './saved-messages.js';
import { type SavedReader, savedButtons, savedLines } from './saved-row.js';

/** So many are shown at once: a message holds 12,000 characters. */
export const savedPage = 5;

export interface SavedListFacts {
  /** At most a page of them. */
  readonly reports: readonly SavedReport[];
  /** How many come before these. */
  readonly from: number;
  /** True where more come after these. */
  readonly more: boolean;
  /** One that its reader has just deleted. */
  readonly deleted?: SavedReport;
  /** What else comes to this channel: its digests. */
  readonly others: readonly AnyBlock[];
}

/**
 * The saved reports of a channel and its digests, with buttons, for whoever asked for them alone: one message, or one
 * for each where they do not fit into one.
 */
export function savedListMessages(
  facts: SavedListFacts,
  reader: SavedReader,
): readonly [OutgoingMessage, ...OutgoingMessage[]] {
  const { reports, from, deleted, others } = facts;
  const none = reports.length === 0 && from === 0;
  const blocks = [
    header('Saved reports'),
    ...(deleted ? deletedBlocks(deleted) : []),
    ...(none ? [section(plain(noneYet))] : []),
    ...reports.flatMap((saved) => [savedLines(saved, reader), savedButtons(saved, reader)]),
    ...pageButtons(facts),
    ...(none ? [] : [context(plain(`Run one by its name: /report ${showable(reports[0]?.name ?? '', 60)}`))]),
  ];
  const text = escaped(none ? noneYet : `Saved reports here: ${reports.map(({ name }) => name).join(', ')}`);
  const all = [...blocks, ...others];
  if (fits(all)) return [{ text, blocks: all }];
  return [
    { text, blocks },
    { text: 'Digests here', blocks: others },
  ];
}

function fits(blocks: readonly AnyBlock[]): boolean {
  return blocks.length <= limits.messageBlocks && JSON.stringify(blocks).length < limits.messageCharacters;
}

const noneYet =
  'Nothing is saved here yet. Press Save under an answer, or type /report save <name>: <report> and what else to ask.';

function pageButtons({ from, more }: SavedListFacts): AnyBlock[] {
  const row = [
    ...(from > 0 ? [button(savedActions.earlier, 'Earlier', String(Math.max(0, from - savedPage)))] : []),
    ...(more ? [button(savedActions.later, 'More', String(from + savedPage))] : []),
  ];
  return row.length > 0 ? [buttons(...row)] : [];
}
