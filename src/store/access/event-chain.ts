import { createHash } from 'node:crypto';
import type { ReportName } from '../../catalogue/index.js';

/** The kinds of events in the record of access. `checkpoint`: Rollcall deleted the events before it, because of their age. */
export type EventKind =
  | 'asked'
  | 'searched'
  | 'exported'
  | 'upload-failed'
  | 'shared'
  | 'approved'
  | 'withdrawn'
  | 'released'
  | 'rule-changed'
  | 'record-read'
  | 'handed-over'
  | 'deleted'
  | 'erased'
  | 'checkpoint';

/** A position in the chain with its hash. Together they vouch for every event up to it. */
export interface EventHead {
  /** From 1 on, without gaps; 0 for an empty chain. */
  readonly seq: number;
  /** Hexadecimal SHA-256; empty for an empty chain. */
  readonly hash: string;
}

export const emptyChain: EventHead = { seq: 0, hash: '' };

/** One link of the chain. People are tokens. */
export interface ChainedEvent extends EventHead {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly kind: EventKind;
  /** The person who did it; null for the command line. */
  readonly person: string | null;
  /** A channel ID, or `direct` for direct messages. */
  readonly place: string | null;
  readonly report: ReportName | null;
  /** Whom it is about, sorted. */
  readonly subjects: readonly string[];
  readonly detailsHash: string;
  readonly previousHash: string;
}

/** The part of an event that can be erased. The chain holds only its hash. */
export interface EventDetails {
  /** Random, so that nobody can guess erased details by hashing candidates. */
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

export interface Verification {
  /** How many events were read. */
  readonly checked: number;
  /** The newest event. */
  readonly head: EventHead;
  /** In the order of the chain. Empty: nothing was found. */
  readonly problems: readonly EventProblem[];
  /** True if the given head is older than all events that are left, so that nothing could be compared with it. */
  readonly headIsTooOld: boolean;
}

export function hashOfDetails({ salt, details, people }: EventDetails): string {
  const named = Object.entries(people).sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256([salt, details, named]);
}

export function hashOfEvent(event: Omit<ChainedEvent, 'hash'>): string {
  const { seq, at, kind, person, place, report, subjects, detailsHash, previousHash } = event;
  return sha256([seq, at, kind, person, place, report, subjects, detailsHash, previousHash]);
}

function sha256(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Verifies a chain that is read in order, in constant memory but for its problems and erased details. */
export class ChainCheck {
  private readonly problems: EventProblem[] = [];
  private readonly erased: number[] = [];
  private last: EventHead;
  private checked = 0;

  /**
   * @param start the last event before those that are left
   * @param head an earlier head, as it was logged
   */
  constructor(
    private readonly start: EventHead,
    private readonly head?: EventHead,
  ) {
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
      hashOfEvent(event) === event.hash &&
      (!follows || event.previousHash === last.hash) &&
      (typeof details !== 'object' || hashOfDetails(details) === event.detailsHash) &&
      (this.head?.seq !== event.seq || this.head.hash === event.hash);
    if (!isWhole) this.report('changed', event.seq);
    if (details === undefined) this.report('missing', event.seq);
    if (details === 'erased') this.erased.push(event.seq);
    this.last = event;
  }

  /**
   * @param erased the events that say whose details were erased
   * @param lastDetails the position of the newest details
   */
  finish(erased: SeqRanges, lastDetails: number): Verification {
    const { head, start, last } = this;
    for (const seq of this.erased) {
      if (!erased.some(([from, to]) => from <= seq && seq <= to)) this.report('missing', seq);
    }
    const known = Math.max(head?.seq ?? 0, lastDetails);
    if (known > last.seq) this.report('cut-off', last.seq + 1, known);
    return {
      checked: this.checked,
      head: { seq: last.seq, hash: last.hash },
      problems: this.problems.sort((a, b) => a.from - b.from),
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
