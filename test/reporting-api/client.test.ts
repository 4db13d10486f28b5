import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { parseNames } from '../../src/reporting-api/filter-names.js';
import type { Urgency } from '../../src/runner/ports.js';
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

describe('a query that waits', () => {
  it('goes before others once it has become urgent', async () => {
    let answerFirst = () => {};
    const held: Behaviour = (response) => {
      answerFirst = () => response.end(rows('One'));
    };
    server.behave(held, ...Array.from({ length: 3 }, () => answer(rows('One'))));
    let urgency: Urgency = 'digest';
    const ofDigest = { ...tracks, operation: 'raised' };
    const raised = {
      asker: 'U3',
      get urgency() {
        return urgency;
      },
    };
    const asked = [
      ask(tracks, {}, '1.csv'),
      ask({ ...tracks, operation: 'digest' }, { urgency: 'digest', asker: 'U2' }, '2.csv'),
      ask(ofDigest, raised, '3.csv'),
      ask({ ...tracks, operation: 'before' }, { urgency: 'person-before', asker: 'U4' }, '4.csv'),
    ];
    await server.reached(1);
    urgency = 'person';
    answerFirst();
    await Promise.all(asked);
    const operations = server.seen.map(({ path }) => path.split('/')[5]);
    expect(operations).toEqual(['track-status', 'raised', 'before', 'digest']);
    for (const name of ['1', '2', '3', '4']) await lines(`${name}.csv`);
  });
});

describe('an answer', () => {
  it('becomes a file, and the service gets the query', async () => {
    server.behave(answer(rows('One', 'Two')));
    expect(await ask()).toMatchObject({ records: 2, file: { path: join(folder, 'answer.csv') } });
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
  ])('%s is accepted', async (_, body, records) => {
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
  ])('%s fails without a retry', async (_, body, code) => {
    server.behave(answer(body));
    await expect(ask()).rejects.toMatchObject({ code });
    expect(server.seen).toHaveLength(1);
  });
});

describe('cancelling', () => {
  it('ends the request before and during the answer', async () => {
    for (const [place, behaviour] of [silent, pieces(`${rows('One').slice(0, -1)},`)].entries()) {
      server.behave(behaviour);
      const ended = new AbortController();
      const answer = ask(tracks, { signal: ended.signal });
      await server.reached(place + 1);
      await new Promise((resolve) => setTimeout(resolve, 20));
      ended.abort('enough');
      await expect(answer).rejects.toMatchObject({ code: 'cancelled', cause: 'enough' });
      await server.seen[place]?.disconnected;
    }
  });

  it('ends a query that waits for its retry', async () => {
    const ended = new AbortController();
    server.behave(status(429, {}, { 'retry-after': '290' }));
    const answer = ask(tracks, { signal: ended.signal, onWait: () => ended.abort() });
    await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
    expect(server.seen).toHaveLength(1);
  });

  it('before the start sends nothing', async () => {
    await expect(ask(tracks, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
    expect(server.seen).toEqual([]);
  });

  it('happens to all queries when the client closes', async () => {
    server.behave(silent);
    const answer = Promise.allSettled([ask(), ask(tracks, {}, 'two.csv')]);
    await server.reached(1);
    await api.close();
    expect(await answer).toMatchObject([
      { reason: { code: 'cancelled' } },
      { reason: { code: 'cancelled' } },
    ]);
    await server.seen[0]?.disconnected;
    await expect(ask()).rejects.toMatchObject({ code: 'cancelled' });
    expect(server.seen).toHaveLength(1);
  });
});

describe('a range above the limit of the service', () => {
  const days = (from: number, until: number) =>
    `/lms/api/v1/reports/track-status/${from * 86_400}/${until * 86_400}`;

  it('is queried in windows, one by one, and joined in one file', async () => {
    open({ maxRangeDays: 4 });
    server.behave(answer(rows('One', 'Two')), answer('[]'), answer(rows('Three')));
    expect(await ask()).toMatchObject({ records: 3 });
    expect(await lines()).toEqual(['Track,Email', 'One,a@b.test', 'Two,a@b.test', 'Three,a@b.test']);
    expect(server.seen.map(({ path }) => path)).toEqual([days(0, 4), days(4, 8), days(8, 10)]);
  });

  it('is retried from the window that failed', async () => {
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

  it('fails if one window fails', async () => {
    open({ maxRangeDays: 4 });
    server.behave(answer(rows('One')), status(400));
    await expect(ask()).rejects.toMatchObject({ code: 'query-refused' });
    expect(server.seen).toHaveLength(2);
  });

  it('is refused if the figures cannot be added up', async () => {
    open({ maxRangeDays: 4 });
    await expect(ask(engagement)).rejects.toMatchObject({
      code: 'range-too-long',
      details: { days: 10, maximumDays: 4 },
    });
    expect(server.seen).toEqual([]);
  });
});

describe('names in filters', () => {
  it('are sent as identifiers, and an unknown name is not sent', async () => {
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
    await expect(ask(unknown)).rejects.toMatchObject({
      code: 'unknown-name',
      details: { nearest: ['Sales'] },
    });
    expect(server.seen).toHaveLength(1);
  });
});

describe('several queries', () => {
  it('run one by one, or up to the limit at once', async () => {
    for (const maxParallelRequests of [1, 3]) {
      open({ maxParallelRequests });
      let underWay = 0;
      let most = 0;
      const slow: Behaviour = async (response, socket) => {
        underWay += 1;
        most = Math.max(most, underWay);
        // However late the others come; then one more than may would have the time to come.
        await vi.waitFor(() => expect(most).toBeGreaterThanOrEqual(maxParallelRequests));
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
  it('reports the records of all windows, at most four times a second', async () => {
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
