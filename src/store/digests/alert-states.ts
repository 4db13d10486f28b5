import type { Selectable } from 'kysely';
import type { AlertState } from '../../digests/alert.js';
import type { DigestRun } from '../../digests/digest.js';
import { type HashKey, hashKeyOf } from '../../figures/keyed-hash.js';
import { withoutPeople } from '../../figures/known-rows.js';
import type { PostState } from '../../posts/states.js';
import type { AlertCondition } from '../../requests/alert-condition.js';
import type { LastFiguresKey } from '../../runner/ports.js';
import type { RecordKey } from '../access/event-chain.js';
import { changeRows, deleteRows, inTransaction, is, isSet, putRow, rowsOf } from '../database/rows.js';
import type { Db, Tables, Trx } from '../database/schema.js';
import { wasErased } from '../posts/posts.js';
import { hashOfFigures } from '../requests/stored-figures.js';

/* What alerts remember from run to run, so that each run is judged by what the runs before it have said. */

/** What a run is judged by. Runs of another request, condition, scope or person begin anew. */
export interface AlertBasis extends LastFiguresKey {
  readonly when: AlertCondition;
}

interface AlertMemory {
  readonly state: AlertState;
  /** The rows that `new-rows` knows. */
  readonly knownRows?: Uint8Array | undefined;
}

/** What an alert remembers once a run has ended. */
export interface NewAlertMemory extends AlertMemory {
  readonly of: AlertBasis;
  /** True if the run took a sudden drop as true, which holds for one run. */
  readonly usesAcceptedDrop: boolean;
}

interface FoundAlert extends AlertMemory {
  readonly acceptsDrop: boolean;
  readonly isOfThisRun: boolean;
}

type AlertRow = Selectable<Tables['alert_states']>;

export function alertStatesIn(db: Db, key: RecordKey) {
  return {
    /** The key of the hashes of known rows. */
    keyOfRows: () => keyOfRows(key),

    /**
     * What an alert remembers before a run: a run that is made again finds the same as at first, `isOfThisRun`. Undefined
     * before the first run. `acceptsDrop`: its owner has said that a sudden drop is true.
     */
    async find(
      { id, digest }: Pick<DigestRun, 'id' | 'digest'>,
      of: AlertBasis,
    ): Promise<FoundAlert | undefined> {
      const row = await rowsOf(db, 'alert_states', { digest }).selectAll().executeTakeFirst();
      if (row?.basis !== basisOf(key, of)) return undefined;
      const { content, knownRows } = await memoryFor(db, row, id);
      return content === null
        ? undefined
        : {
            state: JSON.parse(content),
            knownRows: knownRows === null ? undefined : Buffer.from(knownRows, 'base64'),
            acceptsDrop: row.accepts_drop === 1,
            isOfThisRun: row.run === id,
          };
    },

    /** What some alerts remember, by the ID of the digest, if they are still judged by the same. */
    async ofDigests(alerts: readonly AlertBasis[]): Promise<ReadonlyMap<string, AlertState>> {
      if (alerts.length === 0) return new Map();
      const bases = new Map(alerts.map((of) => [digestOf(of), basisOf(key, of)]));
      const rows = await db
        .selectFrom('alert_states')
        .leftJoin('posts', 'posts.id', 'alert_states.run')
        .where('alert_states.digest', 'in', [...bases.keys()])
        .select(['alert_states.digest', 'basis', 'run', 'content', 'content_before', 'posts.state'])
        .execute();
      return new Map(
        rows.flatMap(({ digest, basis, run, content, content_before, state }) => {
          const text = holds(run, state) ? content : content_before;
          return text === null || basis !== bases.get(digest) ? [] : [[digest, JSON.parse(text)]];
        }),
      );
    },

    /**
     * The owner says that a sudden drop of rows is true. Returns false where the question is over: rows are back, or the
     * alert was changed.
     */
    acceptDrop: (digest: string) =>
      inTransaction(db, async (trx) => {
        const row = await rowsOf(trx, 'alert_states', { digest }).select('content').executeTakeFirst();
        const state: AlertState | undefined = row && JSON.parse(row.content);
        if (state?.askedAt === undefined) return false;
        await changeRows(trx, 'alert_states', { digest }, { accepts_drop: 1 });
        return true;
      }),
  };
}

function keyOfRows(key: RecordKey): HashKey {
  return hashKeyOf(key.hash('alert', 'rows'));
}

/** Takes erased people out of the rows that alerts know. Seen again, their rows are new. Returns for how many alerts. */
export async function eraseFromAlerts(trx: Trx, key: RecordKey, people: readonly string[]): Promise<number> {
  const without = (text: string | null) =>
    text === null ? undefined : withoutPeople(Buffer.from(text, 'base64'), people, keyOfRows(key));
  let count = 0;
  const alerts = await rowsOf(trx, 'alert_states', { known_rows: isSet }).select('digest').execute();
  // One by one, because they may be large.
  for (const { digest } of alerts) {
    const columns = ['known_rows', 'known_rows_before'] as const;
    const row = await rowsOf(trx, 'alert_states', { digest }).select(columns).executeTakeFirstOrThrow();
    const [now, before] = columns.map((column) => without(row[column]));
    if (!now && !before) continue;
    count += 1;
    const set = { known_rows: now && encoded(now), known_rows_before: before && encoded(before) };
    await changeRows(trx, 'alert_states', { digest }, set);
  }
  return count;
}

function encoded(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function digestOf({ run }: AlertBasis): string {
  return run.kind === 'digest' ? run.id : '';
}

function basisOf(key: RecordKey, { when, ...of }: AlertBasis): string {
  return key.hash('alert', JSON.stringify([hashOfFigures(key, of), when])).slice(0, 32);
}

/** Slack did not get the message, so what it said was not said. */
const unsaid: ReadonlySet<PostState> = new Set(['queued', 'running', 'failed', 'skipped', 'cancelled']);

/** Whether what a run found holds for the runs after it. @param state of its post; null where that is deleted */
function holds(run: string | null, state: PostState | null): boolean {
  return run === null || state === null || !unsaid.has(state);
}

async function memoryFor(db: Db, row: AlertRow, run: string) {
  const { content, known_rows: knownRows, content_before, known_rows_before } = row;
  const before = { content: content_before, knownRows: known_rows_before };
  if (row.run === run) return before;
  const post =
    row.run === null
      ? undefined
      : await rowsOf(db, 'posts', { id: row.run }).select('state').executeTakeFirst();
  return holds(row.run, post?.state ?? null) ? { content, knownRows } : before;
}

/**
 * Saves what an alert remembers after a run. What it remembered before stays beside it until the message of the run is
 * posted and complete: if Slack does not take it, the next run is judged by that.
 *
 * @param isOver true for a run that posts nothing
 */
export async function saveAlertMemory(
  trx: Trx,
  key: RecordKey,
  run: string,
  { of, state, knownRows, usesAcceptedDrop }: NewAlertMemory,
  isOver: boolean,
): Promise<void> {
  const digest = digestOf(of);
  const isThere = await rowsOf(trx, 'digests', { id: digest }).select('id').executeTakeFirst();
  if (!isThere || (await wasErased(trx, run))) return;
  const basis = basisOf(key, of);
  const row = await rowsOf(trx, 'alert_states', { digest }).selectAll().executeTakeFirst();
  const isSame = row?.basis === basis;
  const before = isSame && !isOver ? await memoryFor(trx, row, run) : undefined;
  await putRow(trx, 'alert_states', {
    digest,
    run: isOver ? null : run,
    basis,
    content: JSON.stringify(state),
    known_rows: knownRows ? encoded(knownRows) : null,
    content_before: before?.content ?? null,
    known_rows_before: before?.knownRows ?? null,
    accepts_drop: isSame && !usesAcceptedDrop ? row.accepts_drop : 0,
  });
}

/** The message of a run is posted and complete, so it is not made again. */
export async function endAlertRun(trx: Trx, run: string): Promise<void> {
  const set = { run: null, content_before: null, known_rows_before: null };
  const digest = rowsOf(trx, 'posts', { id: run }).select('digest');
  await changeRows(trx, 'alert_states', { digest, run }, set);
}

/** An alert that waits for something else begins anew. */
export async function forgetAlert(trx: Db, digest: string): Promise<void> {
  await deleteRows(trx, 'alert_states', { digest });
}

/** Deletes what alerts remember whose digest is gone. */
export async function deleteAlertsWithoutDigest(db: Db): Promise<void> {
  const digests = db.selectFrom('digests').select('id');
  await deleteRows(db, 'alert_states', { digest: is('not in', digests) });
}
