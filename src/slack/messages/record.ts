import { describeEntry, type RecordEntry } from '../../access/own-record.js';
import { formatDay } from '../../figures/format/values.js';
import { compact } from '../../requests/text.js';
import type { RecordOwner, RecordPosition } from '../../store/erasure/own-record.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { button, buttons, context, type Line, richTextLines, section } from './blocks.js';
import { notice } from './notices.js';

/** Actions under a page of somebody's own record. */
export const recordActions = {
  older: 'record_older',
  newest: 'record_newest',
  html: 'record_html',
  json: 'record_json',
} as const;

export const recordTitle = 'What was asked about you';

export interface RecordFacts {
  readonly owner: RecordOwner;
  readonly entries: readonly RecordEntry[];
  readonly next: RecordPosition | undefined;
  /** From when on names are shown; undefined: they are not. */
  readonly namesFrom: number | undefined;
  /** Names of those who asked, by their Slack user IDs. */
  readonly names: ReadonlyMap<string, string>;
}

/** A page of a person's own record. Only that person gets it, in direct messages. */
export function recordMessage(facts: RecordFacts, isFirst: boolean, zone: string): OutgoingMessage {
  const { entries, next } = facts;
  return notice(
    recordTitle,
    entries.length > 0
      ? richTextLines(...recordLines(facts, zone))
      : section(isFirst ? 'Nothing yet.' : 'There is nothing older.'),
    context(notesOf(facts, zone).join(' ')),
    buttons(
      ...compact(
        next && button(recordActions.older, 'Older', JSON.stringify(next)),
        !isFirst && button(recordActions.newest, 'Newest', '-'),
        button(recordActions.html, 'Copy to read', '-'),
        button(recordActions.json, 'Copy as JSON', '-'),
      ),
    ),
  );
}

/** `Fri 20 Nov 2026  A file had rows about you: assignments, for Ada Moreau`. */
export function recordLines(
  { entries, names }: Pick<RecordFacts, 'entries' | 'names'>,
  zone: string,
): Line[] {
  return entries.map((entry) => {
    const by = entry.by === undefined ? '' : `, for ${names.get(entry.by) ?? 'somebody who has left'}`;
    return [`${formatDay(entry.at, zone)}  ${describeEntry(entry)}${by}.\n`];
  });
}

function notesOf({ owner, namesFrom }: RecordFacts, zone: string): readonly string[] {
  const { addresses } = owner;
  const since = addresses.map(({ email, from }) => `${email} since ${formatDay(from, zone)}`).join(', ');
  return compact(
    addresses.length > 0
      ? `Counted for ${since}: the day on which I first saw that address with your account.`
      : 'Slack has no confirmed email address for you, so files and rows cannot be told to be about you.',
    'Totals, and what you asked yourself, are not listed.',
    namesFrom === undefined
      ? 'Admins have not allowed me to say who asked.'
      : `I say who asked from ${formatDay(namesFrom, zone)} on.`,
  );
}
