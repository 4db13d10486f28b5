import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { endOf } from '../../../playground/processes/end-of.js';
import { yieldToEventLoop } from '../../../playground/reporting-service/event-loop.js';
import { generateWorld } from '../../../playground/reporting-service/generator/generate.js';
import type { RunningReportingService } from '../../../playground/reporting-service/reporting-service.js';
import { kindNumber } from '../../../playground/reporting-service/world/schema.js';
import { connectTo, writeWorld, writeWorldSize } from '../../../playground/reporting-service/world/world.js';
import { worldWriter } from '../../../playground/reporting-service/world/writer.js';
import { ask, askRaw, friday, serveWorld } from './service.js';

const records = 1_000_000;
const size = { seed: 2, learners: 30, now: friday };

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-million-'));
  path = join(folder, 'world.db');
  await writeWorld(path, async (db) => {
    const writer = worldWriter(db);
    await generateWorld(size, writer, yieldToEventLoop());
    writer.finish();
    writeWorldSize(db, size);
    // These tests do not need the indexes, and inserting a million rows is faster without them.
    db.exec('DROP INDEX event_by_time; DROP INDEX completion_of_content');
    const completed = kindNumber.content_completed;
    db.exec(`DELETE FROM event WHERE kind = ${completed}`);
    db.exec(`WITH RECURSIVE n(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < ${records})
      INSERT INTO event (at, kind, person, content)
      SELECT ${friday} - ${records} + n, ${completed}, 1 + n * 30 / ${records + 1}, 1 + n % 9 FROM n`);
  });
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * The program over that world, in its own process. In one process, a reader and the service would share an event loop.
 */
async function startProgram(): Promise<RunningReportingService & { readonly pid: number }> {
  const program = fileURLToPath(
    new URL('../../../dist/playground/reporting-service/main.js', import.meta.url),
  );
  const options = ['--port', '0', '--token', 'T', '--seed', '2', '--learners', '30', '--keep', path];
  const moment = ['--now', new Date(friday * 1000).toISOString()];
  const child = spawn(process.execPath, [program, ...options, ...moment], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = endOf(child, 'The Reporting Service');
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    ended.then((code) => Promise.reject(new Error(`The Reporting Service ended with ${code}`))),
  ]);
  return {
    url: String(line).trim().replace('Reporting Service ready: ', ''),
    token: 'T',
    pid: child.pid ?? 0,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

const millionRecords = {
  from: friday - records,
  until: friday + 1,
  body: { first_name: true, content: true, hired_on: true },
};

describe('one answer of a million records', () => {
  let service: Awaited<ReturnType<typeof startProgram>>;
  beforeAll(async () => {
    service = await startProgram();
  });
  afterAll(() => service.stop());

  it('is complete, uses little memory, and takes turns with other requests', async () => {
    await ask(service, 'engagement');
    const before = await residentMegabytes(service.pid);
    const began = performance.now();
    const response = await askRaw(service, 'completions', millionRecords);
    let bytes = 0;
    let last = '';
    const waits: number[] = [];
    const asking = { over: false };
    const others = (async () => {
      while (!asking.over) {
        const asked = performance.now();
        expect(await ask(service, 'engagement', { body: { email: true, sessions: true } })).toHaveLength(30);
        waits.push(performance.now() - asked);
        await sleep(20);
      }
    })();
    let count = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      const text = last + Buffer.from(chunk).toString('latin1');
      count += text.split('{"first_name"').length - 1;
      // A record's start may be split over two chunks. It is counted once.
      last = text.slice(-13).includes('{"first_name"') ? '' : text.slice(-12);
    }
    asking.over = true;
    await others;
    expect(last.endsWith('}]')).toBe(true);
    expect(count).toBe(records);
    expect(bytes).toBeGreaterThan(150_000_000);
    expect(waits.length).toBeGreaterThan(5);
    expect(Math.max(...waits)).toBeLessThan((performance.now() - began) / 3);
    expect((await residentMegabytes(service.pid)) - before).toBeLessThan(80);
  }, 120_000);

  it('does not delay others when a filter excludes everything', async () => {
    const body = { ...millionRecords.body, user_filter: { departments: 'nowhere' } };
    const asking = { over: false };
    const began = performance.now();
    const nothing = ask(service, 'completions', { ...millionRecords, body }).finally(() => {
      asking.over = true;
    });
    const waits: number[] = [];
    while (!asking.over) {
      const asked = performance.now();
      await ask(service, 'engagement', { body: { email: true } });
      waits.push(performance.now() - asked);
    }
    expect(await nothing).toEqual([]);
    expect(waits.length).toBeGreaterThan(3);
    expect(Math.max(...waits)).toBeLessThan((performance.now() - began) / 2);
  }, 60_000);
});

describe('a client that disconnects', () => {
  let open = 0;
  let service: RunningReportingService;
  beforeAll(async () => {
    // The same world, with a count of open connections.
    const connect = () => {
      const db = connectTo(path);
      const close = db.close.bind(db);
      open += 1;
      db.close = () => {
        open -= 1;
        return close();
      };
      return db;
    };
    service = await serveWorld({ connect, remove: async () => {} }, () => friday);
  });
  afterAll(() => service.stop());

  it.each([
    ['while it is sent', {}],
    ['while it is sorted', { sort_by: 'email' }],
    ['while a filter leaves out everything', { user_filter: { email: 'nobody' } }],
  ])('costs nothing further %s', async (_, more) => {
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

/** Resident memory of a process; 0 if the system does not report it. */
async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}
