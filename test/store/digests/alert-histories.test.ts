import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { unlimitedScope } from '../../../src/access/scope.js';
import { reportNamed } from '../../../src/catalogue/index.js';
import type { Digest, DigestRun } from '../../../src/digests/digest.js';
import type { FiguresResult } from '../../../src/figures/result.js';
import { plainRequest } from '../../../src/requests/request.js';
import type { ReportResult } from '../../../src/runner/run-report.js';
import { alertOfRun } from '../../../src/slack/digests/alert-run.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { firedAt } from '../../digests/naive-alert.js';
import { propertyRuns } from '../../property-runs.js';
import { addDigest, found, hour } from '../digest-setup.js';
import { freshFolder, recordKey } from '../fresh-folder.js';

/*
 * A year of daily runs of an alert on a real store. Processes end between any two steps, and Slack refuses and loses
 * messages. A naive computation says when each alert should have posted.
 */

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now, { recordKey });
});
afterEach(() => store.close());

const day = 24 * hour;
const request = { ...plainRequest('assignments'), view: 'overdue' } as const;
const when = { kind: 'threshold', figure: 'overdue', comparison: '>', value: 50, isPercent: false } as const;
const rights = { asker: { id: 'U1', zone: 'UTC', email: undefined }, scope: unlimitedScope };
const schedule = { cadence: { kind: 'daily', time: '09:00' }, zone: 'UTC', firstDay: '1970-01-01' } as const;

/** A report that found so many. Undefined: the figure could not be shown. */
function resultOf(value: number | undefined, rows: number): ReportResult {
  const shown =
    value === undefined ? ({ kind: 'too-few' } as const) : ({ kind: 'count', count: value } as const);
  const figure = { id: 'overdue', label: 'Overdue now', value: shown, compared: 'last-run' } as const;
  const figures = { figures: [figure] } as unknown as FiguresResult;
  const report = reportNamed('assignments');
  const basis = {
    report,
    request,
    requestedAt: 0,
    before: 'none',
    values: [],
    scope: unlimitedScope,
  } as const;
  return { ...basis, ...rights, figures, records: rows, rowCount: rows };
}

/** Where an attempt ends. Before `posting`, Slack was not called; `lost`: Slack has not got it; `taken`: Slack has it. */
const ends = [
  'before deciding',
  'before posting',
  'lost',
  'taken',
  'refused',
  'confirmed',
  'unknown',
] as const;
type End = (typeof ends)[number];

interface Day {
  readonly value: number | undefined;
  readonly rows: number;
  /** The attempts of its run. After the last one, all goes well. */
  readonly attempts: readonly End[];
  /** What else happens on that day. */
  readonly also: 'nothing' | 'missed' | 'paused' | 'moved' | 'owner sends again' | 'by hand';
}

/** One attempt of a claimed run, as `deliver-run.ts` goes about it. Returns whether Slack has the message. */
async function attempt(run: DigestRun, digest: Digest, { value, rows }: Day, end: End): Promise<boolean> {
  const claim = { id: run.id, worker: 'one' };
  const now = run.dueAt;
  const dies = () => store.ledger.reclaim({ name: 'one', expired: false }, [], now);
  const alert = await alertOfRun({ digest, run }, when, rights as never, store);
  if (end === 'before deciding') {
    await dies();
    return false;
  }
  const decision = alert.decide(resultOf(value, rows));
  if (!decision.posts) {
    await store.ledger.markSkipped(claim, now, decision);
    return false;
  }
  if (end === 'before posting') {
    await dies();
    return false;
  }
  await store.ledger.markPosting(claim, { rows, late: false, alert: decision.alert });
  if (end === 'refused') await store.ledger.release(claim, now, { code: 'http_503' }, 'attempt');
  if (end === 'lost' || end === 'taken') await dies();
  if (end === 'unknown') await store.ledger.markUnconfirmed(claim, { code: 'connection_lost' }, now);
  if (end === 'confirmed')
    await store.ledger.markPosted(
      claim,
      { message: { channel: 'C1', ts: `${now}.${run.attempts}` }, fileFollows: false },
      now,
    );
  return end === 'taken' || end === 'confirmed';
}

/** Runs what waits until nothing does. Returns how often Slack got a message. */
async function runAll(digest: string, at: Day, now: number): Promise<number> {
  const left = [...at.attempts];
  let taken = 0;
  for (;;) {
    const [run] = await store.ledger.claim({ worker: 'one', now, leaseMs: hour, limit: 1, busyChannels: [] });
    if (!run) return taken;
    const current = found(await store.digests.find(digest));
    if (await attempt(run, current, at, left.shift() ?? 'confirmed')) taken += 1;
  }
}

const anyDay: fc.Arbitrary<Day> = fc.record({
  value: fc.option(fc.oneof(fc.integer({ min: 44, max: 54 }), fc.integer({ min: 0, max: 90 })), {
    nil: undefined,
    freq: 12,
  }),
  rows: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 30, max: 60 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 20 }) },
  ),
  attempts: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(...ends), { maxLength: 3 }) },
  ),
  also: fc.oneof(
    { weight: 12, arbitrary: fc.constant('nothing' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Day['also']>('missed', 'paused', 'moved', 'owner sends again', 'by hand'),
    },
  ),
});

it('posts when a naive computation says so, once for each switch, whatever ends in between', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyDay, { minLength: 365, maxLength: 365 }), async (days) => {
      const { id } = await addDigest(store, day, { request, when, schedule });
      /** The runs that count, with what they found, and those after which the readers have been told. */
      const counted: Day[] = [];
      const told: number[] = [];
      for (const [at, one] of days.entries()) {
        const dueAt = (at + 1) * day;
        const digest = found(await store.digests.find(id));
        if (one.also === 'missed') {
          await store.digests.change(id, digest.revision, { nextDue: dueAt + day });
          continue;
        }
        const run = { dueAt, dedupeKey: 'a', missed: 0, late: false };
        const [entered] = await store.ledger.enter([{ digest, run, nextDue: dueAt + day }], dueAt);
        if (one.also === 'moved')
          await store.digests.change(id, digest.revision, { channel: `C${at}`, nextDue: dueAt + day });
        if (one.also === 'paused') {
          await store.digests.change(id, digest.revision, { state: 'paused', nextDue: null });
          await store.ledger.skipWaiting(id, 'by-hand', dueAt);
          const paused = found(await store.digests.find(id));
          await store.digests.change(id, paused.revision, { state: 'active', nextDue: dueAt + day });
          expect(await runAll(id, one, dueAt)).toBe(0);
          continue;
        }
        let taken = await runAll(id, one, dueAt);
        const ended = found(await store.ledger.find(found(entered)));
        if (ended.state === 'unknown' && one.also === 'owner sends again') {
          // What Slack has then is what the owner wanted.
          await store.ledger.settle(ended.id, 'sent-again', dueAt);
          taken = await runAll(id, { ...one, attempts: [] }, dueAt);
          expect(taken).toBe(1);
        }
        expect(taken).toBeLessThanOrEqual(1);
        expect(['posted', 'unknown', 'skipped']).toContain(ended.state);
        counted.push(one);
        if (ended.state !== 'skipped') told.push(counted.length - 1);
        if (one.also === 'by hand') {
          await store.ledger.enterNow(found(await store.digests.find(id)), 'a', dueAt + hour);
          expect(await runAll(id, { ...one, attempts: [] }, dueAt + hour)).toBe(1);
          // It counts as a reading, and tells its readers.
          counted.push(one);
        }
      }
      expect(told).toEqual(firedAt(when, counted));
    }),
    { numRuns: propertyRuns(4), endOnFailure: true },
  );
});
