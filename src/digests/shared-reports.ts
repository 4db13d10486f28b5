import { randomUUID } from 'node:crypto';
import type { ReportResult } from '../runner/run-report.js';
import type { ReportFiles } from './ports.js';

/** A report and its file, which several runs may use. */
export interface SharedReport {
  readonly result: ReportResult;
  /** The caller no longer needs the report or its file. */
  release(): Promise<void>;
}

export interface SharedReports {
  /**
   * Returns the cached report of a key, or calls `make`.
   *
   * @param make receives the path for the file
   * @throws the error of `make`, which is cached for five seconds
   */
  get(key: string, make: (filePath: string) => Promise<ReportResult>): Promise<SharedReport>;
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
 * Caches reports for ten minutes, so that equal runs send one query to the service.
 *
 * @param now monotonic milliseconds
 */
export function sharedReports(files: ReportFiles, now: () => number): SharedReports {
  const cache = new Map<string, CachedReport>();

  async function drop(key: string, cached: CachedReport) {
    if (cache.get(key) === cached) cache.delete(key);
    await files.remove(cached.file);
  }

  async function dropOld() {
    for (const [key, cached] of cache) {
      const tooMany = cache.size > maxReports;
      if (cached.users === 0 && (tooMany || now() - cached.at > ttlMs)) await drop(key, cached);
    }
  }

  function start(key: string, make: (filePath: string) => Promise<ReportResult>): CachedReport {
    const file = randomUUID();
    const cached: CachedReport = { report: make(files.pathFor(file)), file, users: 0, at: now() };
    cached.report.then(
      () => {
        cached.at = now();
      },
      () => {
        cached.at = now() - ttlMs + failureTtlMs;
        setTimeout(() => void drop(key, cached), failureTtlMs).unref();
      },
    );
    cache.set(key, cached);
    return cached;
  }

  return {
    async get(key, make) {
      await dropOld();
      const cached = cache.get(key) ?? start(key, make);
      cached.users += 1;
      let isReleased = false;
      const release = async () => {
        if (isReleased) return;
        isReleased = true;
        cached.users -= 1;
        await dropOld();
      };
      try {
        return { result: await cached.report, release };
      } catch (error) {
        await release();
        throw error;
      }
    },
    async close() {
      for (const [key, cached] of [...cache]) await drop(key, cached);
    },
  };
}
