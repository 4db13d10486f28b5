import { closeSync, fdatasync, openSync, realpathSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Database } from 'better-sqlite3';
import { databaseUnusable } from './errors.js';

/** The file into which SQLite writes each commit first. Checkpoints copy it into the database from time to time. */
export interface WriteAheadLog {
  /** Resolves once the disk has all that was written before the call. @throws `database-unusable` */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A checkpoint takes milliseconds, and a commit has a few pages, so there is one about every 500 pages. */
const syncsPerCheckpoint = 100;

/**
 * SQLite begins its log anew only if no one writes when a checkpoint ends. If that does not happen for long, or the
 * thread is gone, the commit that reaches this size makes a checkpoint: 16 MB.
 */
const maxPages = 4000;

const checkpointWorker = new URL('./checkpoint-worker.js', import.meta.url);

/**
 * Opens the log of a database, whose commits do not wait for the disk from then on. Other threads do that, and make the
 * checkpoints too. SQLite keeps the file while a connection is open, and has its locks elsewhere, so the file may be
 * opened a second time.
 */
export function openWriteAheadLog(database: Database): WriteAheadLog {
  const path = realpathSync(database.name);
  const file = openSync(`${path}-wal`, 'r+');
  database.pragma('synchronous = NORMAL');
  database.pragma(`wal_autocheckpoint = ${maxPages}`);
  let syncs = 0;
  let worker: Worker | undefined;

  return {
    sync: () =>
      new Promise((done, fail) => {
        fdatasync(file, (cause) => {
          if (cause) return fail(databaseUnusable(path, `not-synced: ${cause.code}`, cause));
          syncs += 1;
          if (syncs % syncsPerCheckpoint === 0) {
            worker ??= startWorker(path);
            worker.postMessage('checkpoint');
          }
          done();
        });
      }),
    async close() {
      await worker?.terminate();
      closeSync(file);
    },
  };
}

function startWorker(path: string): Worker {
  const worker = new Worker(checkpointWorker, {
    workerData: path,
    resourceLimits: { maxYoungGenerationSizeMb: 1 },
  });
  worker.unref();
  // Commits make the checkpoints then.
  worker.on('error', () => {});
  return worker;
}
