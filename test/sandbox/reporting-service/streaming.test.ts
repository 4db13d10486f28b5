import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateWorld } from '../../../src/sandbox/reporting-service/generator/generate.js';
import type { RunningReportingService } from '../../../src/sandbox/reporting-service/reporting-service.js';
import { startTurns } from '../../../src/sandbox/reporting-service/turns.js';
import { is } from '../../../src/sandbox/reporting-service/world/kinds-in-sql.js';
import { temporaryWorld, type World } from '../../../src/sandbox/reporting-service/world/world.js';
import { worldWriter } from '../../../src/sandbox/reporting-service/world/writer.js';
import { serveWorld } from './serve-world.js';
import { ask, askRaw, friday } from './service.js';

const records = 1_000_000;

let service: RunningReportingService;
let open = 0;

beforeAll(async () => {
  const world = await temporaryWorld(async (db) => {
    const writer = worldWriter(db);
    await generateWorld({ seed: 2, learners: 30, now: friday }, writer, startTurns());
    writer.finish();
    // What these tests ask for does not need them, and a million rows go in faster without.
    db.exec('DROP INDEX event_by_time; DROP INDEX completion_of_content');
    db.exec(`DELETE FROM event WHERE ${is('content_completed')}`);
    db.exec(`WITH RECURSIVE n(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < ${records})
      INSERT INTO event (at, ${is('content_completed').split(' ')[0]}, person, content)
      SELECT ${friday} - ${records} + n, ${is('content_completed').split(' ')[2]}, 1 + n * 30 / ${records + 1}, 1 + n % 9
      FROM n`);
  });
  service = await serveWorld(counting(world), () => friday);
}, 60_000);
afterAll(() => service.stop());

/** The same world, but it is known how many connections are open. */
function counting(world: World): World {
  return {
    remove: world.remove,
    connect() {
      const db = world.connect();
      const close = db.close.bind(db);
      open += 1;
      db.close = () => {
        open -= 1;
        return close();
      };
      return db;
    },
  };
}

const millionRecords = {
  from: friday - records,
  until: friday + 1,
  body: { first_name: true, content: true, hired_on: true },
};

describe('one answer of a million records', () => {
  it('comes whole, in little memory, and keeps nobody else waiting for a second', async () => {
    const before = heldMemory();
    let most = 0;
    let bytes = 0;
    let commas = 0;
    let ended = false;
    const response = await askRaw(service, 'completions', millionRecords);
    const reading = (async () => {
      let tail = '';
      for await (const chunk of response.body ?? []) {
        bytes += chunk.length;
        most = Math.max(most, heldMemory());
        const text = tail + Buffer.from(chunk).toString('latin1');
        commas += text.split('},{"first_name"').length - 1;
        tail = text.slice(-15);
        if (tail.includes('},{"first_name"')) commas -= 1;
      }
      ended = true;
      return tail;
    })();

    const waits: number[] = [];
    while (!ended) {
      const asked = performance.now();
      expect(await ask(service, 'engagement', { body: { email: true, sessions: true } })).toHaveLength(30);
      waits.push(performance.now() - asked);
      await sleep(20);
    }
    expect((await reading).endsWith('}]')).toBe(true);
    expect(commas).toBe(records - 1);
    expect(bytes).toBeGreaterThan(150_000_000);
    expect(waits.length).toBeGreaterThan(5);
    expect(Math.max(...waits)).toBeLessThan(1000);
    expect(most - before).toBeLessThan(120_000_000);
    expect(open).toBe(0);
  }, 120_000);

  it('of which a filter leaves nothing keeps nobody waiting either', async () => {
    let ended = false;
    const nothing = ask(service, 'completions', {
      ...millionRecords,
      body: { ...millionRecords.body, user_filter: { departments: 'nowhere' } },
    }).finally(() => {
      ended = true;
    });
    let others = 0;
    while (!ended) {
      const asked = performance.now();
      await ask(service, 'engagement', { body: { email: true } });
      expect(performance.now() - asked).toBeLessThan(1000);
      others += 1;
    }
    expect(await nothing).toEqual([]);
    expect(others).toBeGreaterThan(3);
  }, 60_000);

  it.each([
    ['while it is sent', {}],
    ['while it is sorted', { sort_by: 'email' }],
    ['while a filter leaves out everything', { user_filter: { email: 'nobody' } }],
  ])('costs nothing further when its reader hangs up %s', async (_, more) => {
    const hangUp = new AbortController();
    const asking = fetch(`${service.url}/api/v1/reports/content-completion/${friday - records}/${friday}`, {
      method: 'POST',
      signal: hangUp.signal,
      headers: { authorization: service.token, 'content-type': 'application/json' },
      body: JSON.stringify({ ...millionRecords.body, ...more }),
    }).then((response) => response.body?.getReader().read());
    asking.catch(() => {});
    await vi.waitFor(() => expect(open).toBeGreaterThan(0), 5000);
    await sleep(30);
    hangUp.abort();
    await vi.waitFor(() => expect(open).toBe(0), 2000);
  });
});

function heldMemory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
