import type { AnyBlock, Overflow, RichTextElement } from '@slack/types';
import { allReports } from '../../catalogue/index.js';
import { formatMoment } from '../../figures/format/dates.js';
import { displayText } from '../../figures/format/text.js';
import { formatRequest } from '../../requests/parse-request.js';
import { maskPeople } from '../../requests/person-level.js';
import { quoteTypedWord } from '../../requests/problem.js';
import { formatRemovedFields, type RemovedField, removedFieldsOf } from '../../requests/removed-fields.js';
import type { SavedReport } from '../../store/saved-reports/saved-reports.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { savedActions } from '../ids.js';
import { escaped, isUserId } from '../markup.js';
import {
  button,
  buttons,
  context,
  header,
  limits,
  plainText,
  richChannel,
  richText,
  richTextLines,
  section,
} from './blocks.js';
import { notice } from './notices.js';

/** A report of another conversation, and its name as typed. */
export interface SavedElsewhere {
  readonly id: string;
  readonly typed: string;
}

/** The reply to the name of a report that is saved in another conversation, which is not named. */
export function notSavedHereMessage({ id, typed }: SavedElsewhere): OutgoingMessage {
  const sentence = `${notSavedHere(typed)} Duplicate it, or run it where it is saved.`;
  return {
    text: escaped(sentence),
    blocks: [
      section(plainText(sentence)),
      buttons(button(savedActions.copy, 'Duplicate to a channel', `copy ${id}`)),
    ],
  };
}

export function notSavedHere(typed: string): string {
  return `“${quoteTypedWord(typed)}” is not saved here.`;
}

/** A message holds 12,000 characters. */
export const savedPageSize = 5;

export interface SavedListFacts {
  /** At most one page. */
  readonly reports: readonly SavedReport[];
  /** How many reports come before this page. */
  readonly from: number;
  /** True if more come after this page. */
  readonly more: boolean;
  /** A report that the reader has just deleted. */
  readonly deleted?: SavedReport;
  /** The digests of this channel. `alone`: they get a message of their own. */
  others(alone: boolean): readonly AnyBlock[];
  /** The value of a button to the page that starts at `from`. `alone`: digests have a message of their own. */
  pageValue(from: number, alone: boolean): string;
}

/**
 * The saved reports and digests of a channel, with buttons. They share one message if they fit into it. Only the asker
 * sees them.
 */
export function savedListMessages(
  facts: SavedListFacts,
  reader: SavedReader,
): readonly [OutgoingMessage, ...OutgoingMessage[]] {
  const { reports, from, others } = facts;
  const names = reports.map(({ name }) => name).join(', ');
  const text = escaped(reports.length === 0 && from === 0 ? nothingSaved : `Saved reports here: ${names}`);
  const digests = others(false);
  const all = [...savedBlocks(facts, reader, false), ...digests];
  if (fits(all)) return [{ text: digests.length > 0 ? `${text} Digests here too.` : text, blocks: all }];
  return [{ text, blocks: savedBlocks(facts, reader, true) }, digestsMessage(others(true))];
}

/** The digests of a channel in a message of their own. */
export function digestsMessage(blocks: readonly AnyBlock[]): OutgoingMessage {
  if (blocks.length === 0) return notice('There are no more digests here.');
  return { text: 'Digests here', blocks };
}

function savedBlocks(facts: SavedListFacts, reader: SavedReader, alone: boolean): readonly AnyBlock[] {
  const { reports, from, deleted } = facts;
  const none = reports.length === 0 && from === 0;
  return [
    header('Saved reports'),
    ...(deleted ? deletedBlocks(deleted) : []),
    ...(none ? [section(plainText(nothingSaved))] : []),
    ...reports.flatMap((saved) => [savedLines(saved, reader), savedButtons(saved, reader)]),
    ...pageButtons(facts, alone),
    ...(none
      ? []
      : [context(plainText(`Run one by its name: /report ${displayText(reports[0]?.name ?? '', 60)}`))]),
  ];
}

function fits(blocks: readonly AnyBlock[]): boolean {
  return blocks.length <= limits.messageBlocks && JSON.stringify(blocks).length < limits.messageCharacters;
}

const nothingSaved =
  'Nothing is saved here yet. Press Save under an answer, or type /report save <name>: <report> [options].';

function pageButtons({ from, more, pageValue }: SavedListFacts, alone: boolean): AnyBlock[] {
  const row = [
    ...(from > 0
      ? [button(savedActions.earlier, 'Earlier', pageValue(Math.max(0, from - savedPageSize), alone))]
      : []),
    ...(more ? [button(savedActions.later, 'More', pageValue(from + savedPageSize, alone))] : []),
  ];
  return row.length > 0 ? [buttons(...row)] : [];
}

/** The person who sees saved reports, and what they may see and do. */
export interface SavedReader {
  readonly user: string;
  /** IANA zone. */
  readonly zone: string;
  mayChange(saved: SavedReport): boolean;
  /** The person whom a report is offered to; undefined if it waits for nobody. */
  offeredTo(saved: SavedReport): string | undefined;
  /** True if filters may show the names of people. */
  readonly seesPeople: boolean;
}

const maxCommandLength = 200;
const maxRemovedLength = 150;
const maxNameLength = 60;

/** A saved report in two or three lines: name, command, creator, owner and last run. */
export function savedLines(saved: SavedReport, reader: SavedReader, withChannel = false): AnyBlock {
  const gone = removedFieldsOf(saved.request);
  return {
    type: 'rich_text',
    elements: [
      rowSection([
        richText(displayText(saved.name, maxNameLength), { bold: true }),
        ...(withChannel ? savedIn(saved) : []),
        richText('\n'),
        richText(displayText(commandFor(saved, reader), maxCommandLength), { code: true }),
        richText('\n'),
        ...madeBy(saved),
        ...waitingFor(reader.offeredTo(saved)),
        ...lastRun(saved, reader.zone),
        ...(gone.length === 0
          ? []
          : [
              richText(
                `\nCan't run. No longer exists: ${displayText(formatRemovedFields(gone), maxRemovedLength)}`,
              ),
            ]),
      ]),
    ],
  };
}

/** The buttons and the menu of a saved report. */
export function savedButtons(saved: SavedReport, reader: SavedReader): AnyBlock {
  const mayChange = reader.mayChange(saved);
  const isStale = removedFieldsOf(saved.request).length > 0;
  const run = button(savedActions.run, 'Run', saved.id);
  const edit = button(savedActions.edit, 'Edit', `edit ${saved.id}`);
  const duplicate = button(savedActions.copy, 'Duplicate', `copy ${saved.id}`);
  const elements = mayChange ? [isStale ? edit : run, menu(saved)] : [...(isStale ? [] : [run]), duplicate];
  return { type: 'actions', elements };
}

function menu({ id }: SavedReport): Overflow {
  const choice = (verb: string, text: string) => ({ text: plainText(text), value: `${verb} ${id}` });
  return {
    type: 'overflow',
    action_id: savedActions.more,
    options: [
      choice('edit', 'Edit'),
      choice('rename', 'Rename'),
      choice('copy', 'Duplicate to a channel'),
      choice('handOver', 'Hand over'),
      choice('delete', 'Delete'),
    ],
  };
}

/** The command for a request. Leaves out people in filters if the reader may not see them. */
export function commandFor(
  { request, owner, createdBy }: Pick<SavedReport, 'request' | 'owner' | 'createdBy'>,
  reader: Pick<SavedReader, 'user' | 'seesPeople'>,
): string {
  if (!allReports.some(({ name }) => name === request.report)) return `/report ${request.report}`;
  const isOwn = reader.user === owner || reader.user === createdBy;
  return `/report ${formatRequest(reader.seesPeople || isOwn ? request : maskPeople(request))}`;
}

function savedIn({ channel }: SavedReport): RichTextElement[] {
  return [richText('  in '), richChannel(channel, 'your direct messages with me')];
}

function madeBy({ createdBy, owner }: SavedReport): RichTextElement[] {
  return [
    richText('Made by '),
    person(createdBy),
    ...(owner === createdBy ? [] : [richText(', owned by '), person(owner)]),
  ];
}

export function waitingFor(newOwner: string | undefined): RichTextElement[] {
  return newOwner === undefined ? [] : [richText(', waiting for '), person(newOwner), richText(' to accept')];
}

function lastRun({ lastRun: last }: SavedReport, zone: string): RichTextElement[] {
  if (!last) return [richText(' · never run')];
  return [richText(` · last run ${formatMoment(last.at, zone)} by `), person(last.by)];
}

export function person(id: string): RichTextElement {
  return isUserId(id) ? { type: 'user', user_id: id } : richText('an erased user');
}

function rowSection(elements: RichTextElement[]) {
  return { type: 'rich_text_section' as const, elements };
}

const maxTextLength = 300;

/**
 * A report was saved. Says how to run it, with a button.
 *
 * @param remarks sentences about what the reader may not do with it
 */
export function savedMessage({ id, name }: SavedReport, remarks: readonly string[] = []): OutgoingMessage {
  const command = `/report ${name}`;
  return {
    text: escaped([`Saved. Run it with ${command}`, ...remarks].join('\n')),
    blocks: [
      richTextLines([
        richText('Saved. Run it here with '),
        richText(displayText(command, maxTextLength), { code: true }),
      ]),
      ...remarks.map((remark) => context(plainText(remark))),
      buttons(button(savedActions.run, 'Run', id)),
    ],
  };
}

/** A saved report uses fields that no longer exist, so it was not run. */
export function removedFieldsMessage(
  { id, name }: SavedReport,
  gone: readonly RemovedField[],
  mayEdit: boolean,
): OutgoingMessage {
  const what = displayText(formatRemovedFields(gone), maxTextLength);
  const wayOut = mayEdit
    ? 'Edit it to remove that.'
    : 'Ask its owner to edit it, or duplicate it and edit your copy.';
  const line = `“${displayText(name, maxTextLength)}” was not run: ${what} no longer exists. ${wayOut}`;
  return {
    text: escaped(line),
    blocks: [
      section(plainText(line)),
      buttons(
        mayEdit
          ? button(savedActions.edit, 'Edit', `edit ${id}`)
          : button(savedActions.copy, 'Duplicate', `copy ${id}`),
      ),
    ],
  };
}

/** A saved report was deleted, and can be restored for ten minutes. */
export function deletedBlocks({ id, name }: SavedReport): AnyBlock[] {
  return [
    section(plainText(`Deleted “${displayText(name, maxTextLength)}”. You can undo this for ten minutes.`)),
    buttons(button(savedActions.undo, 'Undo', id)),
  ];
}

export function deletedMessage(saved: SavedReport): OutgoingMessage {
  return { text: escaped(`Deleted “${saved.name}”.`), blocks: deletedBlocks(saved) };
}
