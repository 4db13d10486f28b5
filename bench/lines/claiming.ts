import { join } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { openStore, type Store } from '../../src/store/store.js';
import type { BenchLine } from '../harness/line.js';
import { type Pair, ratioAtLeast } from '../harness/measured.js';

const pairs = 7;
const runs = 10_000;
const batch = 24;
const now = 1_795_000_000_000;

/** Claiming due runs, compared with the same statement on bare better-sqlite3. */
export const claiming: BenchLine = {
  name: 'claiming',
  title: 'Claiming ten thousand due digests in batches, against the same statement on bare better-sqlite3',
  async run(bench) {
    const path = join(bench.folder, 'claiming.db');
    const store = await openStore(path, () => now);
    const bare = new Sqlite(path);
    bare.pragma('synchronous = FULL');
    const measured: Pair[] = [];
    try {
      fill(bare);
      for (let pair = 1; pair <= pairs; pair += 1) {
        const theirs = claimBare(bare);
        const ours = await claimOurs(store, bare);
        measured.push({ theirs, ours });
        bench.say(`pair ${pair}: ${theirs.toFixed(2)} s and ${ours.toFixed(2)} s`);
      }
    } finally {
      bare.close();
      await store.close();
    }
    return [ratioAtLeast('Claiming, theirs by ours', measured, { atLeast: 0.5 })];
  },
};

function fill(bare: Database): void {
  const insert = bare.prepare(
    "INSERT INTO posts (workspace, id, kind, digest, channel, due_at, dedupe_key, state, created_at) VALUES ((SELECT id FROM rollcall_workspace), ?, 'digest', ?, ?, ?, ?, 'queued', ?)",
  );
  bare.transaction(() => {
    for (let i = 0; i < runs; i += 1) {
      insert.run(`run${i}`, `digest${i}`, `C${i}`, now, `query${i % 200}`, now);
    }
  })();
}

function makeReady(bare: Database): void {
  bare.prepare("UPDATE posts SET state = 'queued', ready_at = ?, lease_until = NULL").run(now);
}

/** Seconds until all runs are claimed. */
function claimBare(bare: Database): number {
  makeReady(bare);
  const claim = bare.prepare(
    `UPDATE posts
     SET lease_owner = 'bare', lease_until = @until, ready_at = NULL, attempts = attempts + 1,
       state = 'running'
     WHERE state = 'queued' AND workspace = '' AND ready_at + 0 <= @now AND id IN (
       SELECT id FROM (
         SELECT id, ready_at, dedupe_key,
           ROW_NUMBER() OVER (PARTITION BY channel ORDER BY ready_at, dedupe_key, id) AS place
         FROM (SELECT id, channel, ready_at, dedupe_key FROM posts
           WHERE workspace = '' AND ready_at <= @now ORDER BY ready_at, dedupe_key, id LIMIT 200) AS waiting
       ) AS placed
       WHERE place = 1 ORDER BY ready_at, dedupe_key, id LIMIT @batch
     )
     RETURNING *`,
  );
  const began = performance.now();
  while (claim.all({ now, until: now + 60_000, batch }).length > 0);
  return (performance.now() - began) / 1000;
}

async function claimOurs(store: Store, bare: Database): Promise<number> {
  makeReady(bare);
  const order = { worker: 'ours', now, leaseMs: 60_000, limit: batch, busyChannels: [] };
  const began = performance.now();
  while ((await store.ledger.claim(order)).length > 0);
  return (performance.now() - began) / 1000;
}
