import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fieldOf, reportNamed } from '../../src/catalogue/index.js';
import { Failure } from '../../src/errors/failure.js';
import { fieldsToCount } from '../../src/figures/reports/count-report.js';
import { fieldsOfNewRows } from '../../src/figures/reports/new-rows.js';
import { rewrittenCopyOf } from '../../src/reporting-api/answer/row-order.js';
import { type AnswerReader, createThreadReader } from '../../src/reporting-api/answer-reader.js';
import type { ReadPlan } from '../../src/runner/ports.js';
import { csvPlan } from './answer/read-bytes.js';
import {
  answer,
  type Behaviour,
  type FaultServer,
  openFaultServer,
  pieces,
  silent,
  status,
} from './fault-server.js';

/** The built thread: there is no JavaScript beside the sources. */
const builtWorker = new URL('../../dist/src/reporting-api/answer-worker.js', import.meta.url);
const never = () => new AbortController().signal;

let server: FaultServer;
let reader: AnswerReader;
let folder: string;

beforeEach(async () => {
  server = await openFaultServer();
  folder = await mkdtemp(join(tmpdir(), 'rollcall-thread-'));
  reader = createThreadReader({}, builtWorker);
});

afterEach(async () => {
  await reader.close();
  await server.close();
  const left = await readdir(folder);
  await rm(folder, { recursive: true });
  expect(left).toEqual([]);
});

const wire = () => ({ url: server.url, headers: {}, body: '{}', idleTimeoutMs: 5000 });

function reading(name: string): ReadPlan {
  const email = fieldOf(reportNamed('engagement'), 'email');
  const figures = {
    report: 'engagement',
    overdueOnly: false,
    people: false,
    smallestGroup: 1,
    now: 0,
    zone: 'UTC',
  } as const;
  return {
    fields: [...new Set(['email', ...fieldsToCount(figures)])],
    figures,
    file: { ...csvPlan, path: join(folder, name), columns: email ? [email] : [] },
  };
}

async function lines(name: string): Promise<number> {
  const text = await readFile(join(folder, name), 'utf8');
  await rm(join(folder, name));
  return text.trimEnd().split('\r\n').length;
}

const rows = (count: number) =>
  JSON.stringify(Array.from({ length: count }, (_, i) => ({ email: `${i}@b.test` })));

describe('the thread that reads answers', () => {
  it('reads several answers at once, each into its own result', async () => {
    const slowly =
      (count: number): Behaviour =>
      async (response, socket) => {
        await pieces('[{"email":"first"},')(response, socket);
        await new Promise((resolve) => setTimeout(resolve, 30));
        response.end(rows(count - 1).slice(1));
      };
    server.behave(slowly(5), slowly(50), slowly(500), slowly(5000));
    let begun = 0;
    const reads = await Promise.all(
      [1, 2, 3, 4].map(async (number) => {
        const under = reader.open(reading(`${number}.csv`));
        return under.read(wire(), true, never(), ({ kind }) => {
          if (kind === 'begun') begun += 1;
        });
      }),
    );
    const records = reads.map((read) => read?.records ?? 0);
    expect(records.toSorted((one, other) => one - other)).toEqual([5, 50, 500, 5000]);
    expect(reads.map((read) => read?.figures?.records)).toEqual(records);
    for (const [place, count] of records.entries()) expect(await lines(`${place + 1}.csv`)).toBe(count + 1);
    expect(begun).toBe(4);
  });

  it('fails like the local reader, and continues after a retry', async () => {
    server.behave(status(403), answer(`${rows(3)}]`), answer(gzipSync(rows(2))));
    const under = reader.open(reading('a.csv'));
    await expect(under.read(wire(), false, never())).rejects.toMatchObject({ code: 'token-refused' });
    await expect(under.read(wire(), false, never())).rejects.toMatchObject({
      code: 'answer-goes-on',
      details: { records: 3 },
    });
    expect(await under.read(wire(), true, never())).toMatchObject({ records: 2 });
    expect(await lines('a.csv')).toBe(3);
  });

  it('closes the connection of a cancelled query, and deletes its file', async () => {
    for (const [place, behaviour] of [silent, pieces('[{"email":"first"},')].entries()) {
      server.behave(behaviour);
      const ended = new AbortController();
      const under = reader.open(reading('a.csv'));
      const answer = under.read(wire(), false, ended.signal);
      await server.reached(place + 1);
      ended.abort('enough');
      await expect(answer).rejects.toMatchObject({ code: 'cancelled', cause: 'enough' });
      await server.seen[place]?.disconnected;
      await under.discard();
    }
  });

  it('cancels the making of a workbook, and leaves nothing of it', async () => {
    server.behave(answer(rows(20_000)));
    const { file, ...plan } = reading('a.xlsx');
    const under = reader.open({ ...plan, file: file && { ...file, format: 'xlsx' } });
    const cancelling = new AbortController();
    const ends: unknown[] = [];
    const made = under.read(wire(), true, cancelling.signal, (event) => {
      if (event.kind !== 'ended') return;
      ends.push(event);
      cancelling.abort();
    });
    await expect(made).rejects.toMatchObject({ code: 'cancelled' });
    expect(ends).toEqual([{ kind: 'ended', bytes: rows(20_000).length, isWhole: true }]);
    await under.discard();
    expect(await readdir(folder)).toEqual([]);
  });

  it('reports a reading that cannot begin, and keeps running', async () => {
    const broken = reader.open({
      fields: [],
      file: { ...csvPlan, path: '/nowhere/at/all.csv', columns: [] },
    });
    await expect(broken.read(wire(), false, never())).rejects.toMatchObject({
      code: 'file-not-written',
      details: { reason: 'ENOENT' },
    });
    await broken.discard();
    server.behave(answer(rows(1)));
    const under = reader.open({ fields: ['email'] });
    expect(await under.read(wire(), true, never())).toEqual({ records: 1 });
  });
});

describe('the known rows of a reading', () => {
  it('move to the thread, and the new ones back, while the caller keeps its bytes', async () => {
    const figures = { report: 'tracks', people: false, smallestGroup: 1, now: 0, zone: 'UTC' } as const;
    const columns = ['track_title'];
    const newRows = { key: [1, 2, 3, 4] } as const;
    const fields = [...new Set([...fieldsOfNewRows('tracks'), ...columns, ...fieldsToCount(figures)])];
    const plan = (known?: Uint8Array): ReadPlan => ({
      fields,
      figures,
      rows: { columns, limit: 10 },
      newRows: { ...newRows, known },
    });
    const track = (title: string) => ({ userid: 'u1', track_id: title, track_title: title });
    const [first, both] = [[track('Safety')], [track('Safety'), track('Ethics')]];
    // Split into two answers, of which the second one is sent twice.
    server.behave(answer(JSON.stringify(first)), answer(JSON.stringify(first)), status(403));
    server.behave(answer(JSON.stringify(both)), answer(JSON.stringify(both)));
    const none = await reader.open(plan()).read(wire(), true, never());
    expect(none?.newRows?.count).toBeUndefined();
    // As the database gives it: a part of bytes that others use.
    const stored = Buffer.concat([Buffer.from('---'), none?.newRows?.rows ?? Buffer.alloc(0)]).subarray(3);
    const before = Buffer.from(stored);
    const under = reader.open(plan(stored));
    await under.read(wire(), false, never());
    await expect(under.read(wire(), false, never())).rejects.toMatchObject({ code: 'token-refused' });
    await under.read(wire(), false, never());
    const read = await under.read(wire(), true, never());
    expect(read?.newRows?.count).toBe(1);
    expect(read?.rows?.listed.map(({ cells }) => cells[0]?.text)).toEqual(['Ethics']);
    expect(stored).toEqual(before);
    server.behave(answer(JSON.stringify(both)));
    const again = await reader.open(plan(read?.newRows?.rows)).read(wire(), true, never());
    expect(again?.newRows?.count).toBe(0);
  });
});

describe('a thread that dies', () => {
  it('fails its readings, leaves no files, and is replaced', async () => {
    // Makes a result of any last answer, and dies of every other one.
    const mortal = new URL(
      `data:text/javascript,${encodeURIComponent(`
        import { parentPort } from 'node:worker_threads';
        parentPort.on('message', ({ kind, id, isLast }) => {
          if (kind === 'read' && !isLast) throw new TypeError('ada@example.com');
          if (isLast) parentPort.postMessage([{ kind: 'done', id, read: { records: 7 } }]);
        });`)}`,
    );
    await reader.close();
    let deaths = 0;
    reader = createThreadReader({}, mortal, () => {
      deaths += 1;
    });
    await writeFile(join(folder, 'a.csv'), 'half');
    await writeFile(rewrittenCopyOf(join(folder, 'a.csv')), 'quarter');
    const first = reader.open(reading('a.csv'));
    const second = reader.open(reading('b.csv'));
    const answer = [first.read(wire(), false, never()), second.read(wire(), false, never())];
    const died = new Failure('reading-thread-died', { reason: 'TypeError' });
    for (const each of answer) await expect(each).rejects.toThrow(died);
    await expect(first.read(wire(), true, never())).rejects.toThrow(died);
    expect(deaths).toBe(1);
    await first.discard();
    await second.discard();
    expect(await readdir(folder)).toEqual([]);
    expect(await reader.open(reading('c.csv')).read(wire(), true, never())).toEqual({ records: 7 });
  });
});

describe('the built client in its own process', () => {
  it('trusts NODE_EXTRA_CA_CERTS, refuses other certificates, and lets the process end', async () => {
    const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
    const keys = {
      key: await readFile(fixture('key.pem')),
      cert: await readFile(fixture('certificate.pem')),
    };
    const secure = createServer(keys, (_, response) => response.end('[{"email":"a"}]'));
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const { port } = secure.address() as AddressInfo;
    const program = `
      import { openReportingApi } from ${JSON.stringify(new URL('./client.js', builtWorker).href)};
      const settings = { baseUrl: 'https://127.0.0.1:${port}', token: 't', authScheme: 'raw', idleTimeoutMs: 5000,
        maxRequestsPerMinute: 50, maxParallelRequests: 1, maxRangeDays: 0, proxies: {} };
      const { source } = openReportingApi(settings, { log: { info() {}, warn() {} } });
      const options = { urgency: 'person', asker: 'a', signal: new AbortController().signal };
      source.read({ operation: 'o', addsUp: false, body: {} }, { fields: ['email'] }, options).then(
        ({ records }) => console.log('records', records),
        ({ code, details }) => console.log(code, details.reason, details.systemCode),
      );`;
    const file = join(folder, 'program.mjs');
    await writeFile(file, program);
    const run = async (trusted: string) => {
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: trusted };
      const { stdout } = await promisify(execFile)(process.execPath, [file], { env, timeout: 15_000 });
      return stdout.trim();
    };
    try {
      expect(await run(fixture('certificate.pem'))).toBe('records 1');
      expect(await run('')).toBe('service-unreachable not-secure DEPTH_ZERO_SELF_SIGNED_CERT');
    } finally {
      await rm(file);
      secure.closeAllConnections();
      await new Promise((resolve) => secure.close(resolve));
    }
  });
});
