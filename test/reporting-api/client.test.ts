import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openReading } from '../../src/answer/reading.js';
import { startFigures } from '../../src/figures/start-figures.js';
import { openReportingApi, type ReportingApi } from '../../src/reporting-api/client.js';
import { parseNames } from '../../src/reporting-api/names.js';
import { readerHere } from '../../src/reporting-api/reader.js';
import type { ReportingSettings } from '../../src/reporting-api/settings.js';
import { fieldOf, reportNamed } from '../../src/reports/catalogue/index.js';
import type { Question } from '../../src/reports/question.js';
import type { AskOptions, Reading } from '../../src/reports/reading.js';
import {
  answer,
  type Behaviour,
  cut,
  type FaultServer,
  openFaultServer,
  pieces,
  silent,
  status,
} from './fault-server.js';
import { jumpingTime } from './simulated-time.js';

let server: FaultServer;
let dispatcher: Agent;
let folder: string;
let time: ReturnType<typeof jumpingTime>;
let api: ReportingApi;
let logged: string[];

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
  // Every test that expects a file takes it away itself.
  expect(left).toEqual([]);
  expect(logged.join('\n')).not.toMatch(/s3cret|@|Sales/);
});

function open(settings: Partial<ReportingSettings> = {}) {
  const write = (details: object, message: string) => logged.push(`${message} ${JSON.stringify(details)}`);
  api = openReportingApi(
    {
      baseUrl: `${server.url}/lms/`,
      token: 's3cret',
      authScheme: 'raw',
      silenceMs: 5000,
      requestsPerMinute: 50,
      parallel: 1,
      maxRangeDays: 0,
      ...settings,
    },
    {
      log: { info: write, warn: write },
      reader: readerHere((reading) => openReading(reading, startFigures), dispatcher),
      timers: time,
    },
  );
}

const tracks: Question = {
  operation: 'track-status',
  range: { from: 0, until: 864_000 },
  addsUp: true,
  body: { email: true, track_title: true, user_filter: { departments: 'Sales' } },
};
const engagement: Question = { ...tracks, operation: 'user-engagement', addsUp: false };

function ask(question: Question = tracks, options: Partial<AskOptions> = {}, name = 'answer.csv') {
  const report = reportNamed('tracks');
  const fields = ['track_title', 'email'];
  const columns = fields.flatMap((flag) => fieldOf(report, flag) ?? []);
  const reading: Reading = { fields, csv: { path: join(folder, name), columns } };
  const signal = new AbortController().signal;
  return api.source.read(question, reading, { urgency: 'person', asker: 'U1', signal, ...options });
}

/** The lines of the CSV, which is then taken away. */
async function lines(name = 'answer.csv'): Promise<string[]> {
  const path = join(folder, name);
  const text = await readFile(path, 'utf8');
  await rm(path);
  return text.replace('\uFEFF', '').trimEnd().split('\r\n');
}

const rows = (...titles: string[]) =>
  JSON.stringify(titles.map((title) => ({ track_title: title, email: 'a@b.test' })));

describe('an answer', () => {
  it('becomes a file, and the service saw the question', async () => {
    server.behave(answer(rows('One', 'Two')));
    expect(await ask()).toMatchObject({ records: 2, csv: { path: join(folder, 'answer.csv') } });
    expect(await lines()).toEqual(['Track,Email', 'One,a@b.test', 'Two,a@b.test']);
    expect(server.seen).toMatchObject([
      {
        method: 'POST',
        path: '/lms/api/v1/reports/track-status/0/864000',
        headers: { authorization: 's3cret', 'content-type': 'application/json', 'accept-encoding': 'gzip' },
        body: JSON.stringify(tracks.body),
      },
    ]);
  });

  it.each([
    ['with a BOM', Buffer.from(`\uFEFF${rows('One')}`), 1],
    ['compressed', gzipSync(rows('One', 'Two')), 2],
    ['compressed with a BOM', gzipSync(`\uFEFF${rows('One')}`), 1],
    ['that is null', Buffer.from('null'), 0],
    ['that is empty', Buffer.from(' [ ] '), 0],
  ])('%s counts', async (_, body, records) => {
    server.behave(answer(body, { 'content-type': 'text/plain' }));
    expect(await ask()).toMatchObject({ records });
    expect(await lines()).toHaveLength(records + 1);
  });

  it.each([
    ['an object', '{"message":"no"}', 'answer-not-an-array'],
    ['a page', '<html></html>', 'answer-not-json'],
    ['with elements that are no objects', '[{"email":"a"},5]', 'record-not-an-object'],
    ['followed by more', `${rows('One')} []`, 'answer-goes-on'],
    ['that breaks JSON late', `${rows('One', 'Two').slice(0, -1)},}`, 'answer-not-json'],
  ])('%s is none, and is not asked for again', async (_, body, code) => {
    server.behave(answer(body));
    await expect(ask()).rejects.toMatchObject({ code });
    expect(server.seen).toHaveLength(1);
  });
});

describe('trying again', () => {
  it.each<[string, Behaviour, number]>([
    ['a gateway that fails', status(502), 1000],
    ['a service that is down', status(503, '<html>'), 1000],
    ['a gateway that waits too long', status(504), 1000],
    ['a connection lost before the answer', cut(), 1000],
    ['a connection lost within it', cut(rows('Lost', 'Lost').slice(0, -5)), 1000],
    ['a connection reset within it', cut(rows('Lost', 'Lost').slice(0, -5), 'reset'), 1000],
    ['an answer cut short', answer(rows('Lost', 'Lost').slice(0, -5)), 1000],
    ['an empty answer', answer(''), 1000],
    ['a compressed answer cut short', answer(gzipSync(rows('Lost', 'Lost')).subarray(0, -9)), 1000],
    ['too many requests', status(429, {}, { 'retry-after': '7' }), 7000],
    ['too many requests without a time', status(429), 30_000],
  ])('helps after %s, and nothing of the failed answer is left', async (_, failure, wait) => {
    server.behave(failure, answer(rows('One')));
    expect(await ask()).toMatchObject({ records: 1 });
    expect(await lines()).toEqual(['Track,Email', 'One,a@b.test']);
    expect(time.waits).toEqual([wait]);
    expect(server.seen.map(({ body }) => body)).toEqual([server.seen[0]?.body, server.seen[0]?.body]);
  });

  it('ends after three further tries', async () => {
    server.behave(status(503), cut('[{'), answer('[{'), status(502), answer('[]'));
    await expect(ask()).rejects.toMatchObject({ code: 'service-broken', status: 502 });
    expect(time.waits).toEqual([1000, 2000, 4000]);
    expect(server.seen).toHaveLength(4);
  });

  it('starts where nobody listens yet', async () => {
    const { port } = server;
    await server.close();
    const asked = ask();
    await expect(asked).rejects.toMatchObject({ code: 'service-unreachable', reason: 'refused' });
    expect(time.waits).toEqual([1000, 2000, 4000]);
    expect(port).toBeGreaterThan(0);
  });

  it('gives up at once when the service asks for too long', async () => {
    server.behave(status(429, {}, { 'retry-after': '3600' }), answer('[]'));
    await expect(ask()).rejects.toMatchObject({ code: 'wait-too-long', waitMs: 3_600_000 });
    expect(time.waits).toEqual([]);
    // The next one is not made to wait: who asks again after an hour or after a word with the operator gets through.
    expect(await ask()).toMatchObject({ records: 0 });
    await lines();
  });

  it('tells of a wait of more than a minute, and makes everybody wait', async () => {
    open({ parallel: 2 });
    const answeredAt: number[] = [];
    const timed =
      (body: string): Behaviour =>
      (response, socket) => {
        answeredAt.push(time.now());
        return answer(body)(response, socket);
      };
    server.behave(status(429, {}, { 'retry-after': '90' }), timed(rows('One')), timed(rows('One')));
    const told: unknown[] = [];
    const late: Promise<unknown>[] = [];
    const onWait = (wait: number | undefined) => {
      told.push(wait);
      // Somebody else asks while the service wants to be left alone.
      late.push(ask(tracks, { asker: 'U2', onWait: (its) => told.push(its) }, 'two.csv'));
    };
    await ask(tracks, { onWait }, 'one.csv');
    await Promise.all(late);
    expect(told).toEqual([90_000, 90_000]);
    expect(answeredAt).toHaveLength(2);
    for (const at of answeredAt) expect(at).toBeGreaterThanOrEqual(90_000);
    for (const name of ['one.csv', 'two.csv'])
      expect(await lines(name)).toEqual(['Track,Email', 'One,a@b.test']);
  });

  it.each<[string, Behaviour, string]>([
    ['a refused token', status(401), 'token-refused'],
    ['a refused question', status(422, { message: 'No' }), 'question-refused'],
    ['a missing report', status(404), 'no-such-report'],
    ['a broken service', status(500), 'service-broken'],
    ['a redirect', status(307, '', { location: '/' }), 'service-redirects'],
    ['no content', status(204, ''), 'empty-answer'],
    ['silence', silent, 'service-silent'],
    ['silence within the answer', pieces('[{"email":"a"},'), 'service-silent'],
  ])('is of no use after %s', async (_, failure, code) => {
    open({ silenceMs: 150 });
    server.behave(failure, answer('[]'));
    await expect(ask()).rejects.toMatchObject({ code });
    expect(server.seen).toHaveLength(1);
  });
});

describe('cancelling', () => {
  it('really ends the request, before and within the answer', async () => {
    for (const [place, behaviour] of [silent, pieces(`${rows('One').slice(0, -1)},`)].entries()) {
      server.behave(behaviour);
      const ended = new AbortController();
      const asked = ask(tracks, { signal: ended.signal });
      await server.reached(place + 1);
      await new Promise((resolve) => setTimeout(resolve, 20));
      ended.abort('enough');
      await expect(asked).rejects.toMatchObject({ code: 'cancelled', cause: 'enough' });
      await server.seen[place]?.disconnected;
    }
  });

  it('ends a question that waits for its next try', async () => {
    const ended = new AbortController();
    server.behave(status(429, {}, { 'retry-after': '290' }));
    const asked = ask(tracks, { signal: ended.signal, onWait: () => ended.abort() });
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
    expect(server.seen).toHaveLength(1);
  });

  it('asks nothing when it came first', async () => {
    await expect(ask(tracks, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
    expect(server.seen).toEqual([]);
  });

  it('happens to everything when the client is closed', async () => {
    server.behave(silent);
    const asked = Promise.allSettled([ask(), ask(tracks, {}, 'two.csv')]);
    await server.reached(1);
    await api.close();
    expect(await asked).toMatchObject([{ reason: { code: 'cancelled' } }, { reason: { code: 'cancelled' } }]);
    await server.seen[0]?.disconnected;
    await expect(ask()).rejects.toMatchObject({ code: 'cancelled' });
    expect(server.seen).toHaveLength(1);
  });
});

describe('a range longer than the service takes', () => {
  const days = (from: number, until: number) =>
    `/lms/api/v1/reports/track-status/${from * 86_400}/${until * 86_400}`;

  it('is asked in windows, in turn, and joined in one file', async () => {
    open({ maxRangeDays: 4 });
    server.behave(answer(rows('One', 'Two')), answer('[]'), answer(rows('Three')));
    expect(await ask()).toMatchObject({ records: 3 });
    expect(await lines()).toEqual(['Track,Email', 'One,a@b.test', 'Two,a@b.test', 'Three,a@b.test']);
    expect(server.seen.map(({ path }) => path)).toEqual([days(0, 4), days(4, 8), days(8, 10)]);
  });

  it('is asked again only from the window that failed', async () => {
    open({ maxRangeDays: 4 });
    server.behave(
      answer(rows('One')),
      cut(rows('Lost', 'Lost').slice(0, -3)),
      answer(rows('Lost', 'Lost').slice(0, -3)),
      answer(rows('Two')),
      answer(rows('Three')),
    );
    expect(await ask()).toMatchObject({ records: 3 });
    expect(await lines()).toEqual(['Track,Email', 'One,a@b.test', 'Two,a@b.test', 'Three,a@b.test']);
    expect(server.seen.map(({ path }) => path)).toEqual([
      days(0, 4),
      days(4, 8),
      days(4, 8),
      days(4, 8),
      days(8, 10),
    ]);
  });

  it('fails as a whole when one window does', async () => {
    open({ maxRangeDays: 4 });
    server.behave(answer(rows('One')), status(400));
    await expect(ask()).rejects.toMatchObject({ code: 'question-refused' });
    expect(server.seen).toHaveLength(2);
  });

  it('is refused where the figures do not add up', async () => {
    open({ maxRangeDays: 4 });
    await expect(ask(engagement)).rejects.toMatchObject({ code: 'range-too-long', days: 10, maximumDays: 4 });
    expect(server.seen).toEqual([]);
  });
});

describe('names in filters', () => {
  it('reach the service as identifiers, and an unknown one not at all', async () => {
    const parsed = parseNames('departments,d1,Sales');
    if (!parsed.ok) throw new Error('not parsed');
    open({ names: parsed.names });
    server.behave(answer('[]'));
    await ask();
    await lines();
    expect(JSON.parse(server.seen[0]?.body ?? '')).toEqual({
      ...tracks.body,
      user_filter: { departments: 'd1' },
    });
    const unknown = { ...tracks, body: { user_filter: { departments: 'Sails' } } };
    await expect(ask(unknown)).rejects.toMatchObject({ code: 'unknown-name', nearest: ['Sales'] });
    expect(server.seen).toHaveLength(1);
  });
});

describe('several questions', () => {
  it('go one by one, or as many at once as allowed', async () => {
    for (const parallel of [1, 3]) {
      open({ parallel });
      let underWay = 0;
      let most = 0;
      const slow: Behaviour = async (response, socket) => {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setTimeout(resolve, 30));
        underWay -= 1;
        await answer(rows('One'))(response, socket);
      };
      server.behave(slow, slow, slow, slow);
      const names = ['1.csv', '2.csv', '3.csv', '4.csv'];
      await Promise.all(names.map((name) => ask(tracks, { asker: name }, name)));
      for (const name of names) expect(await lines(name)).toHaveLength(2);
      expect(most).toBe(parallel);
    }
  });
});

describe('progress', () => {
  it('tells the records of all windows so far, not more than four times a second', async () => {
    open({ maxRangeDays: 5 });
    const slow: Behaviour = async (response) => {
      response.writeHead(200);
      response.write('[');
      for (let i = 0; i < 12; i += 1) {
        response.write(`${i > 0 ? ',' : ''}{"email":"a"}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      response.end(']');
    };
    server.behave(slow, slow);
    const told: number[] = [];
    const began = performance.now();
    await ask(tracks, { onRecords: (records) => told.push(records) });
    const seconds = (performance.now() - began) / 1000;
    await lines();
    expect(told.length).toBeGreaterThanOrEqual(2);
    expect(told.length).toBeLessThanOrEqual(seconds * 4);
    expect(told).toEqual([...told].sort((one, other) => one - other));
    expect(told.at(-1)).toBeGreaterThan(12);
  });
});
