import { randomUUID } from 'node:crypto';
import type { ReportResult } from '../runner/run-report.js';
import type { ReportFiles } from './ports.js';

/** A report that several runs may use, with its file. */
export interface SharedReport {
  readonly result: ReportResult;
  /** Nobody needs it here any more. */
  release(): Promise<void>;
}

export interface SharedReports {
  /**
   * The report that is known under a key, or one that `make` makes now.
   *
   * @param make gets the path for its file
   * @throws whatever `make` throws; for a moment also to those who ask for the same
   */
  get(key: string, make: (csvPath: string) => Promise<ReportResult>): Promise<SharedReport>;
  close(): Promise<void>;
}

interface CachedReport {
  readonly report: Promise<ReportResult>;
  readonly file: string;
  users: number;
  at: number;
}

const ttlMs = 10 * 60_000;
const failureTtlMs = 5_000;
const maxReports = 40;

/**
 * Reports for equal runs, so that the service is asked once: kept for ten minutes, a few of them at a time.
 *
 * @param now monotonic milliseconds
 */
export function sharedReports(files: ReportFiles, now: () => number): SharedReports {
  const kept = new Map<string, CachedReport>();

  async function drop(key: string, one: CachedReport) {
    if (kept.get(key) === one) kept.delete(key);
    await files.remove(one.file);
  }

  async function dropOld() {
    for (const [key, one] of kept) {
      const tooMany = kept.size > maxReports;
      if (one.users === 0 && (tooMany || now() - one.at > ttlMs)) await drop(key, one);
    }
  }

  function begin(key: string, make: (csvPath: string) => Promise<ReportResult>): CachedReport {
    const file = randomUUID();
    const one: CachedReport = { report: make(files.pathFor(file)), file, users: 0, at: now() };
    one.report.then(
      () => {
        one.at = now();
      },
      () => {
        one.at = now() - ttlMs + failureTtlMs;
        setTimeout(() => void drop(key, one), failureTtlMs).unref();
      },
    );
    kept.set(key, one);
    return one;
  }

  return {
    async get(key, make) {
      await dropOld();
      const one = kept.get(key) ?? begin(key, make);
      one.users += 1;
      let isReleased = false;
      const release = async () => {
        if (isReleased) return;
        isReleased = true;
        one.users -= 1;
        await dropOld();
      };
      try {
        return { result: await one.report, release };
      } catch (error) {
        await release();
        throw error;
      }
    },
    async close() {
      for (const [key, one] of [...kept]) await drop(key, one);
    },
  };
}
