import type { AnyBlock, RichTextElement } from '@slack/types';
import { allReports } from '../../catalogue/index.js';
import { formatMoment } from '../../figures/format/values.js';
import { formatRequest } from '../../requests/parse-request.js';
import { maskPeople } from '../../requests/person-level.js';
import { quoteTypedWord } from '../../requests/problem.js';
import { formatRemovedFields, type RemovedField, removedFieldsOf } from '../../requests/removed-fields.js';
import { compact, displayText } from '../../requests/text.js';
import type { SavedReport } from '../../store/saved/saved-reports.js';
import type { MessageVariants, OutgoingMessage } from '../delivery/post-message.js';
import { escaped, isUserId } from '../markup.js';
import {
  bold,
  button,
  buttons,
  code,
  context,
  header,
  type Line,
  limits,
  menu,
  type Page,
  pageButtons,
  richChannel,
  richText,
  richTextLines,
  section,
} from './blocks.js';
import { notice } from './notices.js';

/** Actions on saved reports, in all lists. */
export const savedActions = {
  /** Runs a saved report in the conversation of the button. Its value is the saved report's ID. */
  run: 'saved_run',
  /** A menu. Its values are an action and an ID: `edit 8f…`, `rename 8f…`, `copy 8f…`, `handOver 8f…`, `delete 8f…`. */
  more: 'saved_more',
  /** Two of these actions as buttons, with the same values. */
  copy: 'saved_copy',
  edit: 'saved_edit',
  /** Restores a deleted saved report. Its value is the saved report's ID. */
  undo: 'saved_undo',
  /** The new owner answers an offer. The value is as `parseOffer` reads it. */
  accept: 'saved_accept',
  declineOffer: 'saved_decline',
  /** Shows another page of the list. Its value is as `parseListView` reads it. */
  earlier: 'saved_earlier',
  later: 'saved_later',
} as const;

/** The reply to the name of a report that is saved in another conversation, which is not named. */
export function notSavedHereMessage({
  id,
  typed,
}: {
  readonly id: string;
  readonly typed: string;
}): OutgoingMessage {
  return notice(
    `${notSavedHere(typed)} Duplicate it, or run it where it is saved.`,
    button(savedActions.copy, 'Duplicate to a channel', `copy ${id}`),
  );
}

export function notSavedHere(typed: string): string {
  return `“${quoteTypedWord(typed)}” is not saved here.`;
}

/** A message holds 12,000 characters. */
export const savedPageSize = 5;

/** What a list shows. A long list has a message for each kind. */
export type ListContents = 'both' | 'saved' | 'digests';

/** The blocks of a list. Their buttons lead to other pages of a list with the same contents. */
type BlocksOfList = (contents: ListContents) => {
  readonly saved: readonly AnyBlock[];
  readonly digests: readonly AnyBlock[];
};

/** The saved reports and digests of a channel. They share one message if they fit into it. Only the asker sees them. */
export function listMessagesOf(
  { items, from }: Page<SavedReport>,
  blocksOf: BlocksOfList,
  contents: ListContents = 'both',
): MessageVariants {
  const names = items.map(({ name }) => name).join(', ');
  const text = escaped(items.length === 0 && from === 0 ? nothingSaved : `Saved reports here: ${names}`);
  const saved = () => ({ text, blocks: blocksOf('saved').saved });
  const digests = () => {
    const { digests: blocks } = blocksOf('digests');
    return blocks.length === 0 ? notice('There are no more digests here.') : { text: 'Digests here', blocks };
  };
  if (contents === 'saved') return [saved()];
  if (contents === 'digests') return [digests()];
  const both = blocksOf('both');
  const blocks = [...both.saved, ...both.digests];
  if (blocks.length > limits.messageBlocks || JSON.stringify(blocks).length >= limits.messageCharacters)
    return [saved(), digests()];
  return [{ text: both.digests.length > 0 ? `${text} Digests here too.` : text, blocks }];
}

export function savedBlocks(
  page: Page<SavedReport>,
  reader: SavedReader,
  pageValue: (from: number) => string,
  deleted?: SavedReport,
): readonly AnyBlock[] {
  const { items, from } = page;
  const none = items.length === 0 && from === 0;
  return compact(
    header('Saved reports'),
    deleted && deletedBlocks(deleted),
    none && section(nothingSaved),
    items.flatMap((saved) => [savedLines(saved, reader), savedButtons(saved, reader)]),
    pageButtons(savedActions, '', page, savedPageSize, pageValue),
    !none && context(`Run one by its name: /report ${displayText(items[0]?.name ?? '', 60)}`),
  );
}

const nothingSaved =
  'Nothing is saved here yet. Press Save under an answer, or type /report save <name>: <report> [options].';

export interface SavedReader {
  readonly user: string;
  readonly zone: string;
  mayChange(saved: SavedReport): boolean;
  /** The person whom a report is offered to; undefined if there is no offer. */
  offeredTo(saved: SavedReport): string | undefined;
  /** True if filters may show the names of people. */
  readonly seesPeople: boolean;
}

const maxCommandLength = 200;
const maxRemovedLength = 150;
const maxNameLength = 60;

/** A saved report in two or three lines: name, command, creator, owner and last run. */
export function savedLines(saved: SavedReport, reader: SavedReader, withChannel = false): AnyBlock {
  const { name, channel, createdBy, owner, lastRun: last } = saved;
  const gone = removedFieldsOf(saved.request);
  return richTextLines([
    bold(displayText(name, maxNameLength)),
    withChannel && ['  in ', richChannel(channel, 'your direct messages with me')],
    '\n',
    code(commandFor(saved, reader), maxCommandLength),
    '\n',
    'Made by ',
    person(createdBy),
    owner !== createdBy && [', owned by ', person(owner)],
    ...waitingFor(reader.offeredTo(saved)),
    ...(last ? [` · last run ${formatMoment(last.at, reader.zone)} by `, person(last.by)] : [' · never run']),
    gone.length > 0 &&
      `\nCan't run. No longer exists: ${displayText(formatRemovedFields(gone), maxRemovedLength)}`,
  ]);
}

export function savedButtons(saved: SavedReport, reader: SavedReader): AnyBlock {
  const { id } = saved;
  const isStale = removedFieldsOf(saved.request).length > 0;
  const run = button(savedActions.run, 'Run', id);
  if (!reader.mayChange(saved))
    return buttons(!isStale && run, button(savedActions.copy, 'Duplicate', `copy ${id}`));
  const more = menu(savedActions.more, id, [
    ['edit', 'Edit'],
    ['rename', 'Rename'],
    ['copy', 'Duplicate to a channel'],
    ['handOver', 'Hand over'],
    ['delete', 'Delete'],
  ]);
  return buttons(isStale ? button(savedActions.edit, 'Edit', `edit ${id}`) : run, more);
}

/** The command for a request. Leaves out people in filters if the reader may not see them. */
export function commandFor(
  { request, owner, createdBy }: Pick<SavedReport, 'request' | 'owner' | 'createdBy'>,
  reader: Pick<SavedReader, 'user' | 'seesPeople'>,
): string {
  if (!allReports.some(({ name }) => name === request.report)) return `/report ${request.report}`;
  const isOwn = reader.user === owner || reader.user === createdBy;
  const words = formatRequest(reader.seesPeople || isOwn ? request : maskPeople(request));
  // The lines of a scorecard are no command. Its name is.
  return request.scorecard ? words : `/report ${words}`;
}

export function waitingFor(newOwner: string | undefined): Line {
  return newOwner === undefined ? [] : [', waiting for ', person(newOwner), ' to accept'];
}

export function person(id: string): RichTextElement {
  return isUserId(id) ? { type: 'user', user_id: id } : richText('an erased user');
}

const maxTextLength = 300;

/** @param remarks sentences about what the reader may not do with it */
export function savedMessage(
  { id, name }: Pick<SavedReport, 'id' | 'name'>,
  remarks: readonly string[] = [],
): OutgoingMessage {
  const command = `/report ${name}`;
  return {
    text: escaped([`Saved. Run it with ${command}`, ...remarks].join('\n')),
    blocks: [
      richTextLines(['Saved. Run it here with ', code(command, maxTextLength)]),
      ...remarks.map((remark) => context(remark)),
      buttons(button(savedActions.run, 'Run', id)),
    ],
  };
}

export function removedFieldsMessage(
  { id, name }: SavedReport,
  gone: readonly RemovedField[],
  notDone: 'run' | 'scheduled',
  mayEdit: boolean,
): OutgoingMessage {
  const what = displayText(formatRemovedFields(gone), maxTextLength);
  const [wayOut, next] = mayEdit
    ? ['Edit it to remove that.', button(savedActions.edit, 'Edit', `edit ${id}`)]
    : [
        'Ask its owner to edit it, or duplicate it and edit your copy.',
        button(savedActions.copy, 'Duplicate', `copy ${id}`),
      ];
  return notice(
    `“${displayText(name, maxTextLength)}” was not ${notDone}: ${what} no longer exists. ${wayOut}`,
    next,
  );
}

export function deletedBlocks({ id, name }: SavedReport): AnyBlock[] {
  return [
    section(`Deleted “${displayText(name, maxTextLength)}”. You can undo this for ten minutes.`),
    buttons(button(savedActions.undo, 'Undo', id)),
  ];
}

export function deletedMessage(saved: SavedReport): OutgoingMessage {
  return { text: escaped(`Deleted “${saved.name}”.`), blocks: deletedBlocks(saved) };
}
