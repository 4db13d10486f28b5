import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { afterEach, beforeEach, expect } from 'vitest';
import { fieldOf, reportNamed } from '../../src/catalogue/index.js';
import { startCounting } from '../../src/figures/reports/count-report.js';
import { AnswerStream } from '../../src/reporting-api/answer/read-answer.js';
import { type AnswerReader, createLocalReader } from '../../src/reporting-api/answer-reader.js';
import { openReportingApi, type ReportingApi } from '../../src/reporting-api/client.js';
import type { ReportingSettings } from '../../src/reporting-api/settings.js';
import type { Query, ReadOptions, ReadPlan } from '../../src/runner/ports.js';
import { csvPlan } from './answer/read-bytes.js';
import { type FaultServer, openFaultServer } from './fault-server.js';
import { jumpingTime } from './simulated-clock.js';

/* Made anew for each test. */
export let server: FaultServer;
export let dispatcher: Agent;
export let folder: string;
export let time: ReturnType<typeof jumpingTime>;
export let api: ReportingApi;
export let logged: string[];

/** Call once in each file that uses these variables. */
export function setUpClient(): void {
  beforeEach(async () => {
    server = await openFaultServer();
    dispatcher = new Agent();
    folder = await mkdtemp(join(tmpdir(), 'rollcall-client-'));
    time = jumpingTime();
    logged = [];
    open();
  });

  afterEach(async () => {
    await api.close();
    await dispatcher.destroy();
    await server.close();
    const left = await readdir(folder);
    await rm(folder, { recursive: true });
    // Each test that expects a file deletes it.
    expect(left).toEqual([]);
    expect(logged.join('\n')).not.toMatch(/s3cret|\w@\w|Sales/);
  });
}

/** @param reader absent: answers are read in this thread */
export function open(settings: Partial<ReportingSettings> = {}, reader?: AnswerReader) {
  const write = (details: object, message: string) => logged.push(`${message} ${JSON.stringify(details)}`);
  api = openReportingApi(
    {
      baseUrl: `${server.url}/lms/`,
      token: 's3cret',
      authScheme: 'raw',
      idleTimeoutMs: 5000,
      maxRequestsPerMinute: 50,
      maxParallelRequests: 1,
      maxRangeDays: 0,
      ...settings,
    },
    {
      log: { info: write, warn: write },
      reader: reader ?? createLocalReader((reading) => new AnswerStream(reading, startCounting), dispatcher),
      clock: time,
    },
  );
}

export const tracks: Query = {
  operation: 'track-status',
  range: { from: 0, until: 864_000 },
  addsUp: true,
  body: { email: true, track_title: true, user_filter: { departments: 'Sales' } },
};
export const engagement: Query = { ...tracks, operation: 'user-engagement', addsUp: false };

export function ask(query: Query = tracks, options: Partial<ReadOptions> = {}, name = 'answer.csv') {
  const report = reportNamed('tracks');
  const fields = ['track_title', 'email'];
  const columns = fields.flatMap((flag) => fieldOf(report, flag) ?? []);
  const reading: ReadPlan = { fields, file: { ...csvPlan, path: join(folder, name), columns } };
  const signal = new AbortController().signal;
  const all: ReadOptions = { urgency: 'person', asker: 'U1', signal };
  // Getters stay getters.
  Object.defineProperties(all, Object.getOwnPropertyDescriptors(options));
  return api.source.read(query, reading, all);
}

/** The lines of the CSV. Deletes it. */
export async function lines(name = 'answer.csv'): Promise<string[]> {
  const path = join(folder, name);
  const text = await readFile(path, 'utf8');
  await rm(path);
  return text.replace('\uFEFF', '').trimEnd().split('\r\n');
}

export const rows = (...titles: string[]) =>
  JSON.stringify(titles.map((title) => ({ track_title: title, email: 'a@b.test' })));
