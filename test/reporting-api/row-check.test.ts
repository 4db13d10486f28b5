import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { RowCheck } from '../../src/access/scope.js';
import { fieldOf, reportNamed } from '../../src/catalogue/index.js';
import { createThreadReader } from '../../src/reporting-api/answer-reader.js';
import type { ReadPlan } from '../../src/runner/ports.js';
import { csvPlan } from './answer/read-bytes.js';
import { api, folder, lines, logged, open, server, setUpClient, tracks } from './client-setup.js';
import { answer } from './fault-server.js';

/** The built thread: there is no JavaScript beside the sources. */
const builtWorker = new URL('../../dist/src/reporting-api/answer-worker.js', import.meta.url);

setUpClient();

const team: RowCheck = { rows: 'team', address: 'ada@example.com' };
const mine = { email: 'bob@example.com', manager_email: 'Ada@Example.com ', track_title: 'A' };
const ofAda = { email: 'ada@example.com', manager_email: 'boss@example.com', track_title: 'B' };
const strangers = [
  { email: 'eve@example.com', manager_email: 'boss@example.com', track_title: 'C' },
  { email: 'eve@example.com', track_title: 'C' },
  { email: null, manager_email: null, track_title: 'C' },
  { track_title: 'C' },
];

function readWith(rowCheck: RowCheck) {
  const fields = ['track_title', 'email', 'manager_email'];
  const title = fieldOf(reportNamed('tracks'), 'track_title');
  if (!title) throw new Error('no title');
  const path = join(folder, 'answer.csv');
  const reading: ReadPlan = { fields, file: { ...csvPlan, path, columns: [title] }, rowCheck };
  const signal = new AbortController().signal;
  return api.source.read(tracks, reading, { urgency: 'person', asker: 'U1', signal });
}

describe.each(['this thread', 'the reading thread'])('rows of an answer read in %s', (thread) => {
  const start = () => {
    if (thread !== 'this thread') open({}, createThreadReader({}, builtWorker));
  };

  it('pass where each is of the team or of the reader', async () => {
    start();
    server.behave(answer(JSON.stringify([mine, ofAda])));
    expect(await readWith(team)).toMatchObject({ records: 2 });
    expect(await lines()).toEqual(['Track', 'A', 'B']);
  });

  it.each(strangers)('fail the whole answer, wherever the one is: %j', async (stranger) => {
    start();
    const many = Array.from({ length: 400 }, () => mine);
    for (const place of [0, 1, 200, 400]) {
      const body = JSON.stringify([...many.slice(0, place), stranger, ...many.slice(place)]);
      for (const bytes of [body, gzipSync(body)]) {
        server.behave(answer(bytes));
        const before = server.seen.length;
        await expect(readWith(team)).rejects.toMatchObject({
          code: 'rows-outside-scope',
          isRetryable: false,
        });
        expect(server.seen.length - before).toBe(1);
        await expect(access(join(folder, 'answer.csv'))).rejects.toThrow('ENOENT');
      }
    }
    expect(logged.join('\n')).not.toMatch(/eve/);
  });

  it('are the own ones alone where the scope is the reader', async () => {
    start();
    server.behave(answer(JSON.stringify([ofAda, mine])));
    await expect(readWith({ ...team, rows: 'self' })).rejects.toMatchObject({ code: 'rows-outside-scope' });
  });
});
