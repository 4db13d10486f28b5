import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parseNames } from '../../src/reporting-api/names.js';
import {
  api,
  ask,
  engagement,
  folder,
  lines,
  open,
  rows,
  server,
  setUpClient,
  tracks,
} from './client-setup.js';
import { answer, type Behaviour, cut, pieces, silent, status } from './fault-server.js';

setUpClient();

describe('an answer', () => {
  it('becomes a file, and the service saw the query', async () => {
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

  it('ends a query that waits for its next try', async () => {
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
    open({ names: parsed.value });
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

describe('several queries', () => {
  it('go one by one, or as many at once as allowed', async () => {
    for (const maxParallelRequests of [1, 3]) {
      open({ maxParallelRequests });
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
      expect(most).toBe(maxParallelRequests);
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
