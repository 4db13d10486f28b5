import type { EvidenceZippedDetails } from '../../access/record.js';
import { Failure } from '../../errors/failure.js';
import { inTransaction, is, jsonIn, rowsOf } from '../database/rows.js';
import type { Db } from '../database/schema.js';
import {
  type ChainedEvent,
  type EventDetails,
  type EventHead,
  emptyChain,
  hashOfEvent,
  headOf,
  type RecordKey,
  withDetails,
} from './event-chain.js';
import { checkpointOf } from './verify-events.js';

/** An event with its details: all that its hash is made of, but for the key. Plain data. */
export interface WholeLink extends EventDetails {
  readonly event: ChainedEvent;
}

/** What a record says about an event of evidence. */
export interface RecordedEvidence {
  /**
   * - `held`: the event, all of it.
   * - `kept`: its hash and date; the event itself was deleted because of its age.
   * - `different`: another event is at its position.
   * - `after-end`: the record ends before it.
   * - `missing`: no event is at its position.
   */
  readonly event: 'held' | 'kept' | 'different' | 'after-end' | 'missing';
  /** True if the hash of the event can only have been made with the key of the record; undefined: it has another key now. */
  readonly isAuthentic: boolean | undefined;
  /** True if events of the record have the key of the event. */
  readonly knowsKey: boolean;
  /** The position of the newest event; 0: there is none. */
  readonly end: number;
  /** The SHA-256 of the ZIP that the record has; undefined: none. */
  readonly zip: string | undefined;
}

const pageSize = 1000;

/** A file of evidence takes from the record what proves its event later. */
export function evidenceIn(db: Db, key: RecordKey) {
  /** The SHA-256 of each ZIP, with the position of its `evidence-made`. The ones that are kept come last. */
  async function zipsAfter(seq: number): Promise<readonly Partial<EvidenceZippedDetails>[]> {
    const later = await db
      .selectFrom('event_chain')
      .innerJoin('event_details', 'event_details.seq', 'event_chain.seq')
      .select('event_details.details')
      .where('kind', '=', 'evidence-zipped')
      .where('event_chain.seq', '>', seq)
      .orderBy('event_chain.seq')
      .execute();
    const kept = await rowsOf(db, 'kept_evidence', { made: is('>=', seq) })
      .select(['made', 'zip'])
      .execute();
    return [
      ...later.map(({ details }) => jsonIn<Partial<EvidenceZippedDetails>>(details) ?? {}),
      ...kept.map(({ made, zip }) => ({ of: made ?? undefined, zip: zip ?? undefined })),
    ];
  }

  async function zipOf({ seq }: EventHead): Promise<string | undefined> {
    return (await zipsAfter(seq)).find(({ of }) => of === seq)?.zip;
  }

  return {
    /** Undefined if an erasure took its details meanwhile. */
    async linkAt(seq: number): Promise<WholeLink | undefined> {
      const rows = await rowsOf(db, 'event_chain', { seq }).selectAll().execute();
      const [found] = await withDetails(db, rows);
      return typeof found?.details === 'object'
        ? { event: eventIn(found.event), ...found.details }
        : undefined;
    },

    /**
     * The heads from the last checkpoint, or the start, to a position, in pages. The first page has the last event before.
     *
     * @throws `export-not-recorded` where events are deleted meanwhile because of their age
     */
    async *headsThrough(last: number): AsyncGenerator<readonly EventHead[]> {
      let { start: head } = await inTransaction(db, (trx) => checkpointOf(trx, key));
      yield [head];
      while (head.seq < last) {
        const rows = db.selectFrom('event_chain').select(['seq', 'hash']).where('seq', '>', head.seq);
        const page = await rows.where('seq', '<=', last).orderBy('seq').limit(pageSize).execute();
        if (page[0]?.seq !== head.seq + 1) throw new Failure('export-not-recorded');
        yield page;
        head = page.at(-1) ?? head;
      }
    },

    /** The position of the `evidence-made` of a ZIP with this SHA-256; undefined: the record has no such ZIP. */
    async madeAs(zip: string): Promise<number | undefined> {
      return (await zipsAfter(0)).find((one) => one.zip === zip)?.of;
    },

    /** Compares the event of a file of evidence with the record. */
    async compare({ event }: WholeLink): Promise<RecordedEvidence> {
      const { seq, hash, key_id } = event;
      const [row] = await withDetails(db, await rowsOf(db, 'event_chain', { seq }).selectAll().execute());
      const kept = await rowsOf(db, 'kept_evidence', { seq }).selectAll().executeTakeFirst();
      const { seq: end } = await headOf(db);
      const ofKey =
        (await rowsOf(db, 'event_chain', { key_id }).select('seq').limit(1).executeTakeFirst()) ??
        (await rowsOf(db, 'kept_evidence', { key_id }).select('seq').limit(1).executeTakeFirst());
      const isHeld =
        row !== undefined && JSON.stringify(eventIn(row.event)) === JSON.stringify(eventIn(event));
      const isKept = kept?.hash === hash && kept.at === event.at && kept.key_id === key_id;
      let found: RecordedEvidence['event'] = seq > end ? 'after-end' : 'missing';
      if (row) found = isHeld ? 'held' : 'different';
      else if (kept) found = isKept ? 'kept' : 'different';
      return {
        event: found,
        isAuthentic: key_id === key.id ? hashOfEvent(event, key) === hash : undefined,
        knowsKey: ofKey !== undefined,
        end,
        zip: found === 'held' || found === 'kept' ? await zipOf(event) : undefined,
      };
    },

    /** The first of some heads that differs from the record; undefined: none does, as far as the record has them. */
    async differing(heads: readonly EventHead[]): Promise<number | undefined> {
      const seqs = heads.map(({ seq }) => seq);
      const rows = await rowsOf(db, 'event_chain', { seq: seqs }).select(['seq', 'hash']).execute();
      const recorded = new Map(rows.map(({ seq, hash }) => [seq, hash]));
      return heads.find(({ seq, hash }) => (recorded.get(seq) ?? hash) !== hash)?.seq;
    },
  };
}

/** What the hash of an event is made of, and the hash, in one order. */
function eventIn({ seq, at, kind, person, place, report, subjects, ...hashes }: ChainedEvent): ChainedEvent {
  const { details_hash, previous_hash, hash, key_id } = hashes;
  return { seq, at, kind, person, place, report, subjects, details_hash, previous_hash, hash, key_id };
}

/** `57:9f…`; the head of a chain without events is `0`. */
export function formatHead({ seq, hash }: EventHead): string {
  return seq === emptyChain.seq ? '0' : `${seq}:${hash}`;
}

export function parseHead(text: string): EventHead | undefined {
  if (text === '0') return emptyChain;
  const [, seq, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  return seq === undefined || hash === undefined ? undefined : { seq: Number(seq), hash };
}
