import type { RecordReadDetails } from '../access/record.js';
import { compact } from '../requests/text.js';
import type { EventHead } from '../store/access/event-chain.js';
import type { EventProblem, Verification } from '../store/access/verify-events.js';
import type { Events, RecordedEvent } from '../store/erasure/events.js';
import { withExistingStore } from './backup.js';
import { wrongUsage } from './operator-messages.js';

export interface AuditOptions {
  /** A day or a time: print the events from then on. */
  readonly since?: string;
  /** Verify the record instead. */
  readonly verify?: boolean;
  /** `SEQ:HASH`, as Rollcall logged it. */
  readonly head?: string;
}

const page = 500;

/**
 * Prints the events of the record as JSON lines, or verifies the record.
 *
 * @param write resolves when the text is written, so that memory stays constant
 * @returns the exit code: 1 if the record was changed
 * @throws `wrong-usage`, `record-key-differs`
 */
export async function audit(
  { since, verify = false, head }: AuditOptions,
  write: (text: string) => Promise<void>,
): Promise<0 | 1> {
  if (verify === (since !== undefined)) {
    throw wrongUsage('audit needs either --since DATE or --verify.');
  }
  if (head !== undefined && !verify) throw wrongUsage('--head works only with --verify.');
  if (since !== undefined) {
    const from = parseSince(since);
    await withExistingStore(async ({ events, formSearches }) => {
      // The bot appends those that cannot be appended here, such as without its key.
      await formSearches.record({ before: Number.MAX_SAFE_INTEGER }).catch(() => {});
      await writeEvents(events, { since, from }, write);
    });
    return 0;
  }
  const known = head === undefined ? undefined : parseHead(head);
  const result = await withExistingStore(({ events }) => events.verify(known));
  await write(`${describeVerification(result, known)}\n`);
  return result.problems.length === 0 && !result.headIsTooOld ? 0 : 1;
}

/** Oldest first, one JSON object a line, page by page. Times are UTC. The reading is recorded first, and not printed. */
async function writeEvents(
  events: Events,
  { since, from }: { readonly since: string; readonly from: number },
  write: (text: string) => Promise<void>,
): Promise<void> {
  const details: RecordReadDetails = { title: `Events since ${since}`, as: 'command-line' };
  const own = await events.append({ kind: 'record-read', at: Date.now(), details });
  let after: number | undefined;
  for (;;) {
    const found = await events.oldest({ from, through: own.seq - 1 }, page, after);
    if (found.length === 0) return;
    await write(found.map((event) => `${JSON.stringify(lineOf(event))}\n`).join(''));
    after = found.at(-1)?.seq;
  }
}

function lineOf({ at, ...event }: RecordedEvent): object {
  const { seq, ...rest } = event;
  return { seq, at: new Date(at).toISOString(), ...rest };
}

/** What was found, what cannot be found, and the first event that is not as it was recorded. */
export function describeVerification(
  { checked, start, ofEarlierKeys, head, problems, headIsTooOld }: Verification,
  known: EventHead | undefined,
): string {
  const [first] = problems;
  if (first) {
    const more = problems.length - 1;
    const others = more === 0 ? '' : ` ${more} more ${more === 1 ? 'problem' : 'problems'} follow.`;
    return `The record was changed: ${describeProblem(first)}.${others}`;
  }
  if (headIsTooOld && known) {
    const why =
      ofEarlierKeys > 0 ? 'was written with an earlier RECORD_KEY' : 'was deleted because of its age';
    return `Event ${known.seq} ${why}, so the record cannot be compared with that head. Use a newer head from the log.`;
  }
  if (checked === 0) return 'The record is empty.';
  const events = checked === 1 ? '1 event is' : `${checked} events are`;
  const [before, were, them] =
    ofEarlierKeys === 1 ? ['1 event', 'was', 'it'] : [`${ofEarlierKeys} events`, 'were', 'them'];
  const earlier = `${before} up to ${start.seq} ${were} written with an earlier RECORD_KEY, and nobody can verify ${them}.`;
  return compact(
    `${events} as recorded, up to ${head.seq}:${head.hash}.`,
    ofEarlierKeys > 0 && earlier,
    !known && cannotFind,
    alsoWithHead,
  ).join('\n');
}

/** Without a head from elsewhere. */
const cannotFind =
  'This cannot find that the newest events were cut off, or that an older copy of the whole database was put in its place. Compare with a head from the log to find that: --head SEQ:HASH.';

const alsoWithHead =
  'It cannot find changes by somebody who has both the database and RECORD_KEY, which the database does not hold.';

function describeProblem({ kind, from, to }: EventProblem): string {
  const events = from === to ? `event ${from}` : `events ${from} to ${to}`;
  const was = from === to ? 'was' : 'were';
  switch (kind) {
    case 'changed':
      return `${events} ${from === to ? 'is' : 'are'} not as recorded`;
    case 'missing':
      return `${events} ${was} removed`;
    case 'cut-off':
      return `${events} ${was} cut off from the end`;
    case 'kept-evidence':
      return `the hashes of evidence that are kept of ${events} are not those that were kept`;
  }
}

/** @throws `wrong-usage` */
function parseHead(text: string): EventHead {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  if (seq === undefined || hash === undefined) {
    throw wrongUsage('--head needs a number, a colon and a hash, as the log shows them.');
  }
  return { seq: Number(seq), hash };
}

/**
 * Parses a day (`2026-11-01`) or a time (`2026-11-01T09:00Z`) into milliseconds since the epoch. The default zone is UTC.
 *
 * @throws `wrong-usage`
 */
export function parseSince(text: string): number {
  const match = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text);
  const [, day = '', time = '00:00', zone = 'Z'] = match ?? [];
  const moment = match ? Date.parse(`${day}T${time}${zone}`) : Number.NaN;
  if (Number.isNaN(moment) || !isDay(day)) {
    throw wrongUsage('--since needs a day such as 2026-11-01, or a time such as 2026-11-01T09:00Z.');
  }
  return moment;
}

/** JavaScript reads 30 February as 2 March. */
function isDay(day: string): boolean {
  return new Date(`${day}T00:00Z`).toISOString().startsWith(day);
}
