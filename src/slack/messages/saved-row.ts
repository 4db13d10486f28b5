import type { AnyBlock, Overflow, RichTextElement } from '@slack/types';
import { memberOf, sixReports } from '../../catalogue/index.js';
import { sayMoment } from '../../figures/format/dates.js';
import { showable } from '../../figures/format/showable.js';
import { sayRequest } from '../../requests/say-request.js';
import { goneFrom, sayGone } from '../../requests/removed-fields.js';
import type { ReportRequest } from '../../requests/request.js';
import { saysMe } from '../../runner/query.js';
import type { SavedReport } from '../../store/saved-reports/saved-reports.js';
import { savedActions } from '../ids.js';
import { isUserId } from '../text.js';
import { button, channelLeaf, leaf, plain } from './blocks.js';

/** Who looks at saved reports, and what they may see and do. */
export interface SavedReader {
  readonly user: string;
  /** IANA zone. */
  readonly zone: string;
  mayChange(saved: SavedReport): boolean;
  /** True where the entries of filters that name people may stand. */
  readonly seesPeople: boolean;
}

/** So much is shown of a command and of what is gone. */
const longestCommand = 200;
const longestGone = 150;
const longestName = 60;

/** A saved report in two or three lines: its name, what it asks, who made it and when it last ran. */
export function savedLines(saved: SavedReport, reader: SavedReader, withChannel = false): AnyBlock {
  const gone = goneFrom(saved.request);
  return {
    type: 'rich_text',
    elements: [
      section([
        leaf(showable(saved.name, longestName), { bold: true }),
        ...(withChannel ? keptIn(saved) : []),
        leaf('\n'),
        leaf(showable(commandFor(saved, reader), longestCommand), { code: true }),
        leaf('\n'),
        ...madeBy(saved),
        ...lastRun(saved, reader.zone),
        ...(gone.length === 0
          ? []
          : [leaf(`\nCannot be run as it is. Not there any more: ${showable(sayGone(gone), longestGone)}`)]),
      ]),
    ],
  };
}

/** What can be done with it, as a row of buttons and a menu. */
export function savedButtons(saved: SavedReport, reader: SavedReader): AnyBlock {
  const mayChange = reader.mayChange(saved);
  const isStale = goneFrom(saved.request).length > 0;
  return {
    type: 'actions',
    elements: [
      ...(isStale
        ? mayChange
          ? [button(savedActions.edit, 'Edit', `edit ${saved.id}`)]
          : []
        : [button(savedActions.run, 'Run', saved.id)]),
      mayChange ? menu(saved) : button(savedActions.copy, 'Duplicate', `copy ${saved.id}`),
    ],
  };
}

function menu({ id }: SavedReport): Overflow {
  const choice = (verb: string, text: string) => ({ text: plain(text), value: `${verb} ${id}` });
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

/** The command that asks for the same, without the people in its filters where the reader may not see those. */
export function commandFor(
  { request, owner, madeBy }: Pick<SavedReport, 'request' | 'owner' | 'madeBy'>,
  reader: Pick<SavedReader, 'user' | 'seesPeople'>,
): string {
  if (!sixReports.some(({ name }) => name === request.report)) return `/report ${request.report}`;
  const isOwn = reader.user === owner || reader.user === madeBy;
  return `/report ${sayRequest(reader.seesPeople || isOwn ? request : withoutPeople(request))}`;
}

function withoutPeople(request: ReportRequest): ReportRequest {
  const report = sixReports.find(({ name }) => name === request.report);
  const filters = request.filters.map((choice) => {
    const known = report && memberOf(report, choice.object, choice.member);
    if (known && !known.member.personLevel) return choice;
    const entries = choice.entries.map((entry) =>
      saysMe(choice.member) && entry.toLowerCase() === 'me' ? entry : '…',
    );
    return { ...choice, entries: [...new Set(entries)] };
  });
  return { ...request, filters };
}

function keptIn({ channel }: SavedReport): RichTextElement[] {
  return [leaf('  in '), channelLeaf(channel, 'your direct messages with me')];
}

function madeBy({ madeBy, owner }: SavedReport): RichTextElement[] {
  return [
    leaf('Made by '),
    person(madeBy),
    ...(owner === madeBy ? [] : [leaf(', owned by '), person(owner)]),
  ];
}

function lastRun({ lastRun: last }: SavedReport, zone: string): RichTextElement[] {
  if (!last) return [leaf(' · never run')];
  return [leaf(` · last run ${sayMoment(last.at, zone)} by `), person(last.by)];
}

export function person(id: string): RichTextElement {
  return isUserId(id) ? { type: 'user', user_id: id } : leaf('somebody who was forgotten');
}

function section(elements: RichTextElement[]) {
  return { type: 'rich_text_section' as const, elements };
}
