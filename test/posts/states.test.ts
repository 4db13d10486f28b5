import { readdirSync, readFileSync } from 'node:fs';
import Sqlite, { type Database } from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Claim } from '../../src/posts/post.js';
import {
  canTransition,
  detailsPostId,
  filePostId,
  initialStates,
  openStates,
  type PostState,
  postStates,
  requestOfDetails,
  transitions,
} from '../../src/posts/states.js';
import { plainRequest } from '../../src/requests/request.js';
import { schema } from '../../src/store/database/schema.js';
import { createTable } from '../../src/store/database/tables.js';
import { openStore, type Store } from '../../src/store/store.js';
import { propertyRuns } from '../property-runs.js';
import { addDigest, found, hour } from '../store/digest-setup.js';
import { freshFolder } from '../store/fresh-folder.js';

const source = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const anyState = fc.constantFrom(...postStates);

/** The transitions as the page beside the code has them. */
function documented(): Record<string, string[]> {
  const rows = source('src/posts/README.md')
    .split('\n')
    .filter((line) => /^\| `/.test(line));
  const inTicks = (cell = '') => [...cell.matchAll(/`([a-z]+)`/g)].map(([, name]) => name ?? '');
  return Object.fromEntries(
    rows.map((row) => {
      const cells = row.split('|').slice(1, -1);
      return [inTicks(cells[0])[0] ?? '', inTicks(cells.at(-1)).sort()];
    }),
  );
}

describe('the table of states', () => {
  it('is the same in the code, in the documentation and in the database', () => {
    const inCode = Object.fromEntries(
      Object.entries(transitions).map(([from, to]) => [from, [...to].sort()]),
    );
    expect(documented()).toEqual(inCode);
    expect(Object.keys(transitions)).toEqual([...postStates]);
    const [statement = ''] = createTable('posts', schema.posts, 'sqlite');
    const check = /CHECK \(state IN\s+\(([^)]*)\)\)/.exec(statement)?.[1] ?? '';
    expect([...check.matchAll(/'([a-z]+)'/g)].map(([, name]) => name)).toEqual([...postStates]);
  });

  it('lets a post come to an end from wherever it is, and calls Slack only from one state', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        const reached = new Set<PostState>([state]);
        for (const one of reached) for (const next of transitions[one]) reached.add(next);
        const ends = [...reached].filter((one) => !openStates.some((open) => open === one));
        expect(ends.length).toBeGreaterThan(0);
      }),
    );
    // Whatever is about to be posted was being made before, so that nothing unknown is posted again unasked.
    expect(postStates.filter((state) => canTransition(state, 'posting'))).toEqual(['running']);
    expect(postStates.filter((state) => canTransition(state, 'unknown'))).toEqual(['posting']);
    for (const end of ['posted', 'skipped', 'cancelled'] as const) expect(transitions[end]).toEqual([]);
  });

  it('is left by no statement of the store', () => {
    const files = readdirSync(new URL('../../src/store/', import.meta.url)).filter((name) =>
      name.endsWith('.ts'),
    );
    // Typed updates of the state do not compile; text would.
    for (const file of files) expect(source(`src/store/${file}`), file).not.toMatch(/UPDATE\s+posts/i);
  });
});

describe('whatever is done to the ledger', () => {
  const folder = freshFolder();
  let store: Store;
  let watcher: Database;
  beforeEach(async () => {
    const path = folder.path('rollcall.db');
    store = await openStore(path, () => hour);
    watcher = new Sqlite(path);
    watcher.exec(`
      CREATE TABLE moves (id TEXT, was TEXT, now TEXT);
      CREATE TRIGGER began AFTER INSERT ON posts BEGIN INSERT INTO moves VALUES (NEW.id, NULL, NEW.state); END;
      CREATE TRIGGER moved AFTER UPDATE OF state ON posts BEGIN INSERT INTO moves VALUES (NEW.id, OLD.state, NEW.state); END;
    `);
  });
  afterEach(async () => {
    watcher.close();
    await store.close();
  });

  const why = { code: 'channel_not_found' };
  const message = { channel: 'C1', ts: '1.2' };

  /** Each does one thing to a post, whether or not that is its turn; `run` is the occurrence that it belongs to. */
  const steps: Readonly<Record<string, (held: Claim, run: string, digest: string) => Promise<unknown>>> = {
    claim: () =>
      store.ledger.claim({ worker: 'one', now: 9 * hour, leaseMs: hour, limit: 9, busyChannels: [] }),
    posting: (held) => store.ledger.markPosting(held),
    posted: (held) => store.ledger.markPosted(held, { message, fileFollows: !held.id.includes('-') }, hour),
    skipped: (held) => store.ledger.markSkipped(held, hour),
    dropped: (held) => store.ledger.markDeleted(held, hour),
    cancelled: (held) => store.ledger.markCancelled(held, hour),
    failed: (held) => store.ledger.markFailed(held, why, hour),
    unknown: (held) => store.ledger.markUnconfirmed(held, why, hour),
    again: (held) => store.ledger.release(held, hour, why, 'none'),
    arrived: (_, run) => store.ledger.settle(run, 'arrived', hour),
    sendAgain: (_, run) => store.ledger.settle(run, 'sent-again', hour),
    fileArrived: (_, run) => store.ledger.settle(run, 'arrived', hour, true),
    sendFileAgain: (_, run) => store.ledger.settle(run, 'sent-again', hour, true),
    retry: (_, run) => store.ledger.retry(run, hour),
    lost: () => store.ledger.reclaim({ name: 'one', expired: false }, [], 9 * hour),
    change: (_, __, digest) => store.digests.change(digest, 1, { nextDue: hour }),
    drop: (_, __, digest) => store.ledger.skipWaiting(digest, 'by-hand', hour),
    forget: () => store.erasePerson('U1'),
    wake: () => store.ledger.makeReady(9 * hour),
    details: (held) => store.ledger.beginDetails(requestOfDetails(held.id) ?? '', 'C1', hour),
    detailsAgain: (held) => store.ledger.beginDetails(requestOfDetails(held.id) ?? '', 'C1', hour, true),
  };

  /** Every way that the table has, once: what no step does would be held against nothing. */
  const ways = [
    ['claim', 'again', 'drop'],
    ['claim', 'posting', 'unknown', 'sendAgain', 'posted'],
    ['claim', 'failed', 'retry'],
    ['claim', 'skipped'],
    ['claim', 'cancelled'],
    ['claim', 'posting', 'again'],
    ['claim', 'posting', 'posted'],
    ['claim', 'posting', 'failed'],
    ['claim', 'posting', 'cancelled'],
    ['claim', 'posting', 'unknown', 'arrived'],
    ['claim', 'posting', 'unknown', 'failed'],
  ];

  type Kind = 'digest' | 'answer' | 'details';
  const example = (kind: Kind, way: readonly string[]): [Kind, [string, boolean][]] => [
    kind,
    way.map((name) => [name, false]),
  ];
  const detailsWay = [
    'details',
    'failed',
    'details',
    'posting',
    'unknown',
    'detailsAgain',
    'posting',
    'posted',
  ];

  it('moves posts only as the table says, in every way that it has', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<Kind>('digest', 'answer', 'details'),
        fc.array(fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.boolean()), { maxLength: 25 }),
        async (kind, actions) => {
          const digest = await addDigest(store, 99 * hour);
          const request = plainRequest('engagement');
          const ask = { team: 'T1', channel: 'C1', asker: 'U2', request, requestedAt: hour };
          const asked = async () => {
            const request = await store.requestLog.record(ask);
            return kind === 'details' ? detailsPostId(request) : request;
          };
          const id =
            kind === 'digest' ? found(await store.ledger.enterNow(digest, 'a', hour)) : await asked();
          const worker = kind === 'digest' ? 'one' : null;
          for (const [name, ofFile] of actions) {
            await steps[name]?.({ id: ofFile ? filePostId(id) : id, worker }, id, digest.id);
          }
          await store.ledger.skipWaiting(digest.id, 'by-hand', hour);
        },
      ),
      {
        numRuns: propertyRuns(150),
        examples: [...ways.map((way) => example('digest', way)), example('details', detailsWay)],
      },
    );
    const moves = watcher.prepare('SELECT DISTINCT was, now FROM moves').all() as {
      readonly was: PostState | null;
      readonly now: PostState;
    }[];
    const first = moves.filter(({ was }) => was === null).map(({ now }) => now);
    expect(initialStates).toEqual(expect.arrayContaining(first));
    const seen = moves.flatMap(({ was, now }) => (was === null ? [] : [`${was} to ${now}`]));
    const allowed = postStates.flatMap((was) => transitions[was].map((now) => `${was} to ${now}`));
    expect(seen.sort()).toEqual(allowed.sort());
  }, 120_000);
});
