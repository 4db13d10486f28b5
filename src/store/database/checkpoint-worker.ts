import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';

/* The thread that makes checkpoints. They wait for the disk, and would block the event loop meanwhile. */

const database = new Sqlite(String(workerData), { fileMustExist: true, timeout: 0 });
database.pragma('synchronous = NORMAL');

// A passive checkpoint delays no one: it leaves what is written meanwhile, and what others still read.
parentPort?.on('message', () => database.pragma('wal_checkpoint(PASSIVE)'));
