import { setImmediate as nextTurn } from 'node:timers/promises';
import { Failure } from '../../errors/failure.js';
import { countRows, inTransaction, is, jsonIn } from '../database/rows.js';
import type { Db, Trx } from '../database/schema.js';
import {
  type ChainedEvent,
  type CheckpointDetails,
  type EventHead,
  emptyChain,
  hashOfDetails,
  hashOfEvent,
  headOf,
  type RecordKey,
  type WholeEvent,
  withDetails,
} from './event-chain.js';
import { digestOfKept } from './kept-evidence.js';

/** The ranges of positions, first and last, whose details were erased. */
type SeqRanges = readonly (readonly [from: number, to: number])[];

export interface EventProblem {
  /**
   * - `changed`: the event is not the one that was recorded.
   * - `missing`: the event or its details were removed.
   * - `cut-off`: the newest events were removed.
   * - `kept-evidence`: the hashes of evidence that are kept of deleted events are not those that were kept.
   */
  readonly kind: 'changed' | 'missing' | 'cut-off' | 'kept-evidence';
  readonly from: number;
  readonly to: number;
}

/** Where the events begin that can be verified. */
interface Checkpoint {
  /** The last event before them. */
  readonly start: EventHead;
  /** The position of the last event that was deleted because of its age; 0 if none was. */
  readonly deletedThrough: number;
  /** True if what is kept of evidence is as the newest checkpoint says. */
  readonly evidenceIsWhole: boolean;
}

export type Verification = Awaited<ReturnType<typeof verifyEvents>>;

const pageSize = 500;

/**
 * @param head an earlier head, as it was logged, without which a cut-off chain may look whole
 * @throws `record-key-differs` if the newest event has another key
 */
export async function verifyEvents(db: Db, key: RecordKey, head?: EventHead) {
  let begun: ChainCheck | undefined;
  for (;;) {
    // Together, because a cleanup may run at the same time.
    const { check, events } = await inTransaction(db, async (trx) => {
      const check = begun ?? new ChainCheck(key, await checkpointOf(trx, key), head);
      const rows = trx.selectFrom('event_chain').selectAll().where('seq', '>', check.last.seq);
      const page = await rows.orderBy('seq').limit(pageSize).execute();
      return { check, events: await withDetails(trx, page) };
    });
    begun = check;
    for (const { event, details } of events) check.add(event, details);
    if (events.length < pageSize) return resultOf(db, check, head);
    await nextTurn();
  }
}

/** Verifies a chain that is read in order, in constant memory but for its problems and erased details. */
class ChainCheck {
  readonly problems: EventProblem[] = [];
  readonly erased: number[] = [];
  last: Pick<ChainedEvent, 'seq' | 'hash'>;
  checked = 0;

  constructor(
    private readonly key: RecordKey,
    readonly checkpoint: Checkpoint,
    private readonly head: EventHead | undefined,
  ) {
    const { start } = checkpoint;
    this.last = start;
    if (head?.seq === start.seq && head.hash !== start.hash) this.report('changed', head.seq);
  }

  add(event: ChainedEvent, details: WholeEvent['details']): void {
    const { last } = this;
    this.checked += 1;
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

  report(kind: EventProblem['kind'], from: number, to = from): void {
    this.problems.push({ kind, from, to });
  }
}

async function resultOf(db: Db, check: ChainCheck, head: EventHead | undefined) {
  const { checkpoint, last, checked, problems } = check;
  const { start, deletedThrough, evidenceIsWhole } = checkpoint;
  const deleted = await countThrough(db, deletedThrough);
  const erased = await erasedRangesOf(db, start.seq);
  for (const seq of check.erased) {
    if (!erased.some(([from, to]) => from <= seq && seq <= to)) check.report('missing', seq);
  }
  // Someone added them by hand.
  if (deleted > 0) check.report('changed', 1, deletedThrough);
  if (!evidenceIsWhole) check.report('kept-evidence', 1, deletedThrough);
  const known = Math.max(head?.seq ?? 0, await lastDetailsOf(db));
  if (known > last.seq) check.report('cut-off', last.seq + 1, known);
  return {
    /** How many events were read. */
    checked,
    /** The last event before those that were read: deleted because of its age, or written with an earlier key. */
    start,
    /** How many events are left that were written with an earlier key. Nothing can be said about them. */
    ofEarlierKeys: (await countThrough(db, start.seq)) - deleted,
    head: { seq: last.seq, hash: last.hash },
    /** In the order of the chain. Empty: nothing was found. */
    problems: problems.sort((a, b) => a.from - b.from),
    /** True if the given head is older than all events that were read, so that nothing could be compared with it. */
    headIsTooOld: head !== undefined && head.seq < start.seq,
  };
}

/** What all checkpoints say together. Each is verified itself, because it comes after the events that it stands for. */
export async function checkpointOf(trx: Trx, key: RecordKey): Promise<Checkpoint> {
  const { keyId = key.id } = await headOf(trx);
  if (keyId !== key.id) throw new Failure('record-key-differs');
  let start = emptyChain;
  let deletedThrough = 0;
  let newest: { readonly seq: number; readonly evidence?: string | undefined } = { seq: 0 };
  for (const { seq, details } of await detailsOfKind(trx, 'checkpoint').execute()) {
    const { through, earlierKey, evidence } = jsonIn<Partial<CheckpointDetails>>(details) ?? {};
    if (!through || through.seq >= seq) continue;
    if (seq > newest.seq) newest = { seq, evidence };
    if (through.seq > start.seq) start = through;
    if (earlierKey === undefined) deletedThrough = Math.max(deletedThrough, through.seq);
  }
  return { start, deletedThrough, evidenceIsWhole: (await digestOfKept(trx)) === newest.evidence };
}

/** @param after the last event that is not verified */
async function erasedRangesOf(db: Db, after: number): Promise<SeqRanges> {
  const all = await detailsOfKind(db, 'erased').where('event_chain.seq', '>', after).execute();
  return all.flatMap(({ details }) => jsonIn<{ events?: SeqRanges }>(details)?.events ?? []);
}

function countThrough(db: Db, seq: number): Promise<number> {
  return countRows(db, 'event_chain', { seq: is('<=', seq) });
}

function detailsOfKind(db: Db, kind: 'erased' | 'checkpoint') {
  return db
    .selectFrom('event_chain')
    .innerJoin('event_details', 'event_details.seq', 'event_chain.seq')
    .select(['event_chain.seq', 'event_details.details'])
    .where('kind', '=', kind);
}

async function lastDetailsOf(db: Db): Promise<number> {
  const newest = db.selectFrom('event_details').select('seq').orderBy('seq', 'desc').limit(1);
  return (await newest.executeTakeFirst())?.seq ?? 0;
}
