import type { AnyBlock } from '@slack/types';
import { showable } from '../../figures/format/showable.js';
import type { SavedReport } from '../../store/saved-reports/saved-reports.js';
import type { OutgoingMessage } from '../delivery/outgoing-message.js';
import { savedActions } from '../ids.js';
import { escaped } from '../text.js';
import { button, buttons, context, header, plain, section } from './blocks.js';
import { limits } from './limits.js';
import { notice } from './notices.js';
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
  /** What else comes to this channel: its digests. `alone`: in a message of their own. */
  others(alone: boolean): readonly AnyBlock[];
  /** The value of a button to the page before which so many come. `alone`: what else there is has its own message. */
  pageValue(from: number, alone: boolean): string;
}

/**
 * The saved reports of a channel and its digests, with buttons, for whoever asked for them alone: one message, or one
 * for each where they do not fit into one.
 */
export function savedListMessages(
  facts: SavedListFacts,
  reader: SavedReader,
): readonly [OutgoingMessage, ...OutgoingMessage[]] {
  const { reports, from, others } = facts;
  const names = reports.map(({ name }) => name).join(', ');
  const text = escaped(reports.length === 0 && from === 0 ? noneYet : `Saved reports here: ${names}`);
  const digests = others(false);
  const all = [...savedBlocks(facts, reader, false), ...digests];
  if (fits(all)) return [{ text: digests.length > 0 ? `${text} Digests here too.` : text, blocks: all }];
  return [{ text, blocks: savedBlocks(facts, reader, true) }, digestsMessage(others(true))];
}

/** The digests of a channel in a message of their own. */
export function digestsMessage(blocks: readonly AnyBlock[]): OutgoingMessage {
  if (blocks.length === 0) return notice('There are no digests here any more.');
  return { text: 'Digests here', blocks };
}

function savedBlocks(facts: SavedListFacts, reader: SavedReader, alone: boolean): readonly AnyBlock[] {
  const { reports, from, deleted } = facts;
  const none = reports.length === 0 && from === 0;
  return [
    header('Saved reports'),
    ...(deleted ? deletedBlocks(deleted) : []),
    ...(none ? [section(plain(noneYet))] : []),
    ...reports.flatMap((saved) => [savedLines(saved, reader), savedButtons(saved, reader)]),
    ...pageButtons(facts, alone),
    ...(none ? [] : [context(plain(`Run one by its name: /report ${showable(reports[0]?.name ?? '', 60)}`))]),
  ];
}

function fits(blocks: readonly AnyBlock[]): boolean {
  return blocks.length <= limits.messageBlocks && JSON.stringify(blocks).length < limits.messageCharacters;
}

const noneYet =
  'Nothing is saved here yet. Press Save under an answer, or type /report save <name>: <report> and what else to ask.';

function pageButtons({ from, more, pageValue }: SavedListFacts, alone: boolean): AnyBlock[] {
  const row = [
    ...(from > 0
      ? [button(savedActions.earlier, 'Earlier', pageValue(Math.max(0, from - savedPage), alone))]
      : []),
    ...(more ? [button(savedActions.later, 'More', pageValue(from + savedPage, alone))] : []),
  ];
  return row.length > 0 ? [buttons(...row)] : [];
}
