import { createHash } from 'node:crypto';
import type { RecordKey } from '../record-key.js';
import type { EventRow } from './access-tables.js';

/** A position in the chain with its hash. Together they vouch for every event up to it. */
export interface EventHead {
  /** From 1 on, without gaps; 0 for an empty chain. */
  readonly seq: number;
  /** Hexadecimal, made with the key of the record; empty for an empty chain. */
  readonly hash: string;
}

export const emptyChain: EventHead = { seq: 0, hash: '' };

/** One link of the chain, with whom it is about, sorted. People are tokens. */
export type ChainedEvent = Readonly<EventRow> & { readonly subjects: readonly string[] };

/** The part of an event that can be erased. The chain holds only its hash. */
export interface EventDetails {
  /** Random, so that no one can guess erased details by hashing candidates. */
  readonly salt: string;
  /** JSON. */
  readonly details: string;
  /** The person behind each token of the event. */
  readonly people: Readonly<Record<string, string>>;
}

/** The ranges of positions, first and last, whose details were erased. */
export type SeqRanges = readonly (readonly [from: number, to: number])[];

export interface EventProblem {
  /**
   * - `changed`: the event is not the one that was recorded.
   * - `missing`: the event or its details were removed.
   * - `cut-off`: the newest events were removed.
   */
  readonly kind: 'changed' | 'missing' | 'cut-off';
  readonly from: number;
  readonly to: number;
}

/** Where the events begin that can be verified. */
export interface Checkpoint {
  /** The last event before them. */
  readonly start: EventHead;
  /** The position of the last event that was deleted because of its age; 0 if none was. */
  readonly deletedThrough: number;
}

export type Verification = ReturnType<ChainCheck['finish']>;

export function hashOfDetails({ salt, details, people }: EventDetails): string {
  const named = Object.entries(people).sort(([a], [b]) => (a < b ? -1 : 1));
  // The salt protects it. The hash of the event, which has the key, vouches for it.
  return createHash('sha256')
    .update(JSON.stringify([salt, details, named]))
    .digest('hex');
}

/** No one without the key can change an event and make a hash that fits. */
export function hashOfEvent(event: Omit<ChainedEvent, 'hash'>, key: RecordKey): string {
  const { seq, at, kind, person, place, report, subjects } = event;
  const { details_hash, previous_hash, key_id } = event;
  return key.hash(
    'event',
    JSON.stringify([seq, at, kind, person, place, report, subjects, details_hash, previous_hash, key_id]),
  );
}

/** Verifies a chain that is read in order, in constant memory but for its problems and erased details. */
export class ChainCheck {
  private readonly problems: EventProblem[] = [];
  private readonly erased: number[] = [];
  private readonly start: EventHead;
  private readonly deletedThrough: number;
  private last: EventHead;
  private checked = 0;

  /** @param head an earlier head, as it was logged */
  constructor(
    private readonly key: RecordKey,
    { start, deletedThrough }: Checkpoint,
    private readonly head?: EventHead,
  ) {
    this.start = start;
    this.deletedThrough = deletedThrough;
    this.last = start;
    if (head?.seq === start.seq && head.hash !== start.hash) this.report('changed', head.seq);
  }

  /** @param details undefined if there are none */
  add(event: ChainedEvent, details: EventDetails | 'erased' | undefined): void {
    const { last } = this;
    this.checked += 1;
    if (event.seq <= last.seq) {
      this.report('changed', event.seq);
      return;
    }
    const follows = event.seq === last.seq + 1;
    if (!follows) this.report('missing', last.seq + 1, event.seq - 1);
    const isWhole =
      hashOfEvent(event, this.key) === event.hash &&
      (!follows || event.previous_hash === last.hash) &&
      (typeof details !== 'object' || hashOfDetails(details) === event.details_hash) &&
      (this.head?.seq !== event.seq || this.head.hash === event.hash);
    if (!isWhole) this.report('changed', event.seq);
    if (details === undefined) this.report('missing', event.seq);
    if (details === 'erased') this.erased.push(event.seq);
    this.last = event;
  }

  /**
   * @param erased the events that say whose details were erased
   * @param lastDetails the position of the newest details
   * @param before how many events are left of those that were deleted, and of those with an earlier key
   */
  finish(
    erased: SeqRanges,
    lastDetails: number,
    before: { readonly deleted: number; readonly ofEarlierKeys: number },
  ) {
    const { head, start, last } = this;
    for (const seq of this.erased) {
      if (!erased.some(([from, to]) => from <= seq && seq <= to)) this.report('missing', seq);
    }
    // Someone added them by hand.
    if (before.deleted > 0) this.report('changed', 1, this.deletedThrough);
    const known = Math.max(head?.seq ?? 0, lastDetails);
    if (known > last.seq) this.report('cut-off', last.seq + 1, known);
    return {
      /** How many events were read. */
      checked: this.checked,
      /** The last event before those that were read: deleted because of its age, or written with an earlier key. */
      start,
      /** How many events are left that were written with an earlier key. Nothing can be said about them. */
      ofEarlierKeys: before.ofEarlierKeys,
      head: { seq: last.seq, hash: last.hash },
      /** In the order of the chain. Empty: nothing was found. */
      problems: this.problems.sort((a, b) => a.from - b.from),
      /** True if the given head is older than all events that were read, so that nothing could be compared with it. */
      headIsTooOld: head !== undefined && head.seq < start.seq,
    };
  }

  private report(kind: EventProblem['kind'], from: number, to = from): void {
    this.problems.push({ kind, from, to });
  }
}

/** Joins sorted positions into ranges. */
export function rangesOf(seqs: readonly number[]): SeqRanges {
  const ranges: [number, number][] = [];
  for (const seq of seqs) {
    const last = ranges.at(-1);
    if (last && seq === last[1] + 1) last[1] = seq;
    else ranges.push([seq, seq]);
  }
  return ranges;
}
