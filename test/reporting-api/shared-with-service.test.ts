import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, type Dispatcher } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunningReportingService } from '../../playground/reporting-service/reporting-service.js';
import { type Scope, unlimitedScope } from '../../src/access/scope.js';
import type { ReportingApi } from '../../src/reporting-api/client.js';
import { cacheFigures, shareAnswers } from '../../src/reporting-api/shared-answers.js';
import type { ReportSource } from '../../src/runner/ports.js';
import type { RunOptions } from '../../src/runner/queries.js';
import { type ReportResult, runReport } from '../../src/runner/run-report.js';
import { ask, friday, startService } from '../playground/reporting-service/service.js';
import { requestOf } from '../requests/request-of.js';
import { apiOf } from './api-of.js';
import { simulatedTime } from './simulated-clock.js';

/* Whole runs against the reference service, whose requests are counted. */

const now = friday * 1000;
const zone = 'America/New_York';
let service: RunningReportingService;
let dispatcher: Dispatcher;
let requests = 0;
let isBroken = false;
let api: ReportingApi;
let folder: string;
let manager: string;

beforeAll(async () => {
  service = await startService({ learners: 150 });
  dispatcher = new Agent().compose((dispatch) => (options, handler) => {
    requests += 1;
    return dispatch(isBroken ? { ...options, path: '/nowhere' } : options, handler);
  });
  folder = await mkdtemp(join(tmpdir(), 'rollcall-shared-'));
  api = apiOf(service, { maxParallelRequests: 4, dispatcher });
  const people = await ask(service, 'engagement', { body: { manager_email: true } });
  manager = String(people.find(({ manager_email: address }) => address)?.manager_email);
});
beforeEach(() => {
  requests = 0;
  isBroken = false;
});
afterAll(async () => {
  await api.close();
  await dispatcher.close();
  await service.stop();
  await rm(folder, { recursive: true });
});

const time = simulatedTime();
const parts = { now: () => now + time.now(), wasAnybodyErased: async () => false };

/** A source as the bot has it. */
function sharingSource(): ReportSource {
  const shared = shareAnswers(api.source, { ...parts, clock: time, log: { warn: () => {} } });
  return cacheFigures(shared.source, parts);
}

function run(source: ReportSource, words: string, options: Partial<RunOptions> = {}): Promise<ReportResult> {
  const usual: RunOptions = {
    asker: { id: 'U1', zone },
    requestedAt: now,
    scope: unlimitedScope,
    urgency: 'person',
    signal: new AbortController().signal,
    ...options,
  };
  return runReport(requestOf(words), usual, { source, weekStart: 'monday' });
}

const other = { asker: { id: 'U2', zone }, requestedAt: now + 1500 };

describe('requests to the service', () => {
  it('are one for the answer and one for the period before, when two people ask at once', async () => {
    const source = sharingSource();
    const [ada, bo] = await Promise.all([
      run(source, 'engagement last-week'),
      run(source, 'engagement last-week', other),
    ]);
    expect(requests).toBe(2);
    expect(ada.records).toBeGreaterThan(0);
    expect(bo.figures).toEqual(ada.figures);
    expect(bo.before).toEqual(ada.before);
    expect(bo.asker.id).toBe('U2');
  });

  it('are the same for ranges that end now, which are a second apart', async () => {
    const source = sharingSource();
    const both = await Promise.all([run(source, 'overdue'), run(source, 'overdue', other)]);
    expect(requests).toBe(1);
    expect(both[1]?.figures).toEqual(both[0]?.figures);
  });

  it('are one for the period before of digests of the same minute, whatever their tables', async () => {
    const source = sharingSource();
    const digests = ['', ' by:departments', ' by:job_title csv'].map((more, index) =>
      run(source, `engagement last-week${more}`, { urgency: 'digest', asker: { id: `U${index}`, zone } }),
    );
    const results = await Promise.all(digests);
    expect(requests).toBe(4);
    for (const { before } of results) expect(before).toEqual(results[0]?.before);
  });

  it('are one for the answer alone, when the period before was read earlier that day', async () => {
    const source = sharingSource();
    const morning = await run(source, 'engagement last-week');
    await time.pass(3 * 3_600_000);
    const noon = await run(source, 'engagement last-week', { requestedAt: now + 3 * 3_600_000 });
    expect(requests).toBe(3);
    expect(noon.before).toEqual({ ...(morning.before as object), readAt: expect.any(Number) });
  });

  it('are sent for those who wait, when one person cancels', async () => {
    const source = sharingSource();
    const cancel = new AbortController();
    const cancelled = run(source, 'engagement last-week', { signal: cancel.signal });
    const waiting = run(source, 'engagement last-week', other);
    const isCancelled = expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    cancel.abort();
    await isCancelled;
    expect((await waiting).records).toBeGreaterThan(0);
    expect(requests).toBe(2);
  });

  it('fail for all who wait, and are sent again for the next', async () => {
    const source = sharingSource();
    isBroken = true;
    const failed = await Promise.allSettled([
      run(source, 'engagement last-week', { fileOnly: true }),
      run(source, 'engagement last-week', { ...other, fileOnly: true }),
    ]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(requests).toBe(1);
    isBroken = false;
    expect((await run(source, 'engagement last-week', { fileOnly: true })).records).toBeGreaterThan(0);
    expect(requests).toBe(2);
  });

  it('are one for the files of both, which are equal and their own', async () => {
    const source = sharingSource();
    const paths = ['a.csv', 'b.csv', 'alone.csv'].map((name) => join(folder, name));
    const [first = '', second = '', alone = ''] = paths;
    await Promise.all([
      run(source, 'engagement last-week csv', { filePath: first }),
      run(source, 'engagement last-week csv', { ...other, filePath: second }),
    ]);
    expect(requests).toBe(2);
    await run(api.source, 'engagement last-week csv', { filePath: alone });
    const rows = await readFile(alone, 'utf8');
    expect(rows.split('\n').length).toBeGreaterThan(100);
    await rm(first);
    expect(await readFile(second, 'utf8')).toBe(rows);
    await time.pass(10_000);
    await rm(second);
    await rm(alone);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('what one person may see', () => {
  /** Readers of every kind, who ask for the same at once. */
  const readers = (): readonly Partial<RunOptions>[] => {
    const address = manager;
    const scopes: readonly Scope[] = [
      unlimitedScope,
      { ...unlimitedScope, namesPeople: false },
      { ...unlimitedScope, namesPeople: false, smallestGroup: 5 },
      { ...unlimitedScope, namesPeople: false, smallestGroup: 20 },
      { rows: 'team', address, smallestGroup: 1, namesPeople: true, onlyDirect: false },
      {
        rows: 'team',
        address: 'nobody@rollcall.example',
        smallestGroup: 1,
        namesPeople: true,
        onlyDirect: false,
      },
      { rows: 'self', address, smallestGroup: 1, namesPeople: true, onlyDirect: true },
    ];
    return scopes.flatMap((scope, index) => [
      { scope, asker: { id: `U${index}`, zone, email: scope.address } },
      { scope, asker: { id: `V${index}`, zone: 'Asia/Tokyo', email: scope.address }, rowLimit: 20 },
      { scope, asker: { id: `W${index}`, zone, email: scope.address }, urgency: 'digest' as const },
    ]);
  };

  it.each(['engagement last-week', 'tracks last-month by:departments', 'overdue', 'assignments only:late'])(
    'is all that they get, when everybody asks at once: %s',
    async (words) => {
      const source = sharingSource();
      const atOnce = await Promise.all(readers().map((options) => run(source, words, options)));
      const sharing = requests;
      for (const [index, options] of readers().entries()) {
        expect(atOnce[index]).toEqual(await run(api.source, words, options));
      }
      expect(sharing).toBeLessThan((requests - sharing) * 0.7);
      const later = await Promise.all(readers().map((options) => run(source, words, options)));
      expect(later).toEqual(atOnce);
    },
  );
});
