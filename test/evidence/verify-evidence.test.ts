import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkEvidence } from '../../src/evidence/verify-evidence.js';
import { evidencePathOf } from '../../src/runner/answer-parts.js';
import { openStore, type Store } from '../../src/store/store.js';
import { propertyRuns } from '../property-runs.js';
import { evidenceOf, type Row } from './make.js';

let folder = '';
let store: Store;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-evidence-'));
  store = await openStore(join(folder, 'rollcall.db'), Date.now);
  for (let n = 0; n < 3; n += 1) await store.events.append({ kind: 'asked', at: 1, person: 'U2' });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

let checks = 0;
let count = 0;
let path = '';
beforeEach(() => {
  count += 1;
  path = join(folder, `${count}.rows`);
});

const rows: readonly Row[] = [
  { id: '1', email: 'noah@example.com', title: 'Fire safety' },
  { id: '1', email: 'noah@example.com', title: '“GDPR”, basics' },
  { id: '2', email: 'gil@example.com', title: 'Line\nbreak', suspended: true },
];

/** Verifies these bytes as a file. */
async function check(bytes: Uint8Array) {
  checks += 1;
  const file = join(folder, `${checks}.zip`);
  writeFileSync(file, bytes);
  try {
    return await checkEvidence(file);
  } finally {
    // A file that is written over goes to the disk at once, and a deleted one never does.
    rmSync(file);
  }
}

const outcome = async (bytes: Uint8Array) => {
  const checked = await check(bytes);
  return checked.problem ? checked.problem.kind : checked.container;
};

const text = (part: Uint8Array | undefined) => Buffer.from(part ?? []).toString('utf8');

describe('evidence', () => {
  it('is as made, in a file that only its owner can read', async () => {
    expect(await outcome(await evidenceOf(rows, path, store))).toBe('as-made');
    expect(statSync(evidencePathOf(path)).mode & 0o777).toBe(0o600);
  });

  it('is verified years later: this one was made by an earlier version', async () => {
    expect(await checkEvidence(fileURLToPath(new URL('format-1.zip', import.meta.url)))).toMatchObject({
      container: 'as-made',
      parts: 9,
      about: { purpose: 'Audit', madeAt: '2026-11-28T12:00:00.000Z' },
    });
  });

  it('holds what its event vouches for', async () => {
    const parts = unzipSync(await evidenceOf(rows, path, store));
    const { event, details } = JSON.parse(text(parts['event.json']));
    expect(event).toMatchObject({ kind: 'evidence-made', report: 'completions', place: 'direct' });
    expect(JSON.parse(details)).toMatchObject({ purpose: 'Audit', rowCount: 3, level: 'everything' });
    const heads = text(parts['chain.txt']).trim().split('\n');
    expect(heads[0]).toBe('0');
    expect(heads.at(-1)).toBe(`${event.seq}:${event.hash}`);
    expect(heads).toHaveLength(event.seq + 1);
    // Neither people nor places of other events.
    expect(text(parts['chain.txt'])).not.toMatch(/[^0-9a-f:\n]/);
    expect(text(parts['exceptions.txt'])).toContain('Suspended people: 1 of the people in the rows.');
    expect(text(parts['exceptions.txt'])).toContain('1 of 3 rows had no completed date.');
    const dated = unzipSync(await evidenceOf(rows, `${path}.dated`, store, { withoutDate: 0 }));
    expect(text(dated['exceptions.txt'])).toContain('Rows without a date that a figure needs: none.');
    expect(text(parts['exceptions.txt'])).not.toContain('@');
    expect(text(parts['figures.csv'])).toContain('completions,Completions,3,All rows of the answer.');
  });

  it('records nothing where it is cancelled, and leaves no file', async () => {
    const before = await store.events.head();
    const cancelled = evidenceOf(rows, path, store, { signal: AbortSignal.abort() });
    await expect(cancelled).rejects.toThrow();
    expect(await store.events.head()).toEqual(before);
    expect(() => statSync(evidencePathOf(path))).toThrow();
  });

  it('says that it was zipped again, also in a folder, with the same files', async () => {
    const parts = unzipSync(await evidenceOf(rows, path, store));
    expect(await outcome(zipSync(parts))).toBe('zipped-again');
    const inFolder = Object.entries(parts).map(([name, bytes]) => [`evidence/${name}`, bytes]);
    expect(await outcome(zipSync({ ...Object.fromEntries(inFolder), '__MACOSX/x': new Uint8Array(1) }))).toBe(
      'zipped-again',
    );
  });

  it('is refused with a file too many, too few or twice', async () => {
    const parts = unzipSync(await evidenceOf(rows, path, store));
    expect(await check(zipSync({ ...parts, 'extra.txt': new Uint8Array(1) }))).toEqual({
      problem: { kind: 'extra', name: 'extra.txt' },
    });
    for (const name of Object.keys(parts)) {
      const { [name]: _left, ...others } = parts;
      expect(['missing', 'no-evidence', 'changed'], name).toContain(await outcome(zipSync(others)));
    }
    expect(await outcome(zipSync({ 'rows.csv': new Uint8Array(1) }))).toBe('no-evidence');
    expect(await outcome(Buffer.from('no zip'))).toBe('no-zip');
    expect(await outcome(new Uint8Array())).toBe('no-zip');
  });
});

describe('a thousand files whose contents were changed', () => {
  it('none passes, whichever byte of which part changed, and however it was zipped', {
    timeout: 120_000,
  }, async () => {
    const parts = unzipSync(await evidenceOf(rows, path, store));
    const names = Object.keys(parts);
    for (let n = 0; n < 1000; n += 1) {
      const name = names[n % names.length] as string;
      const changed = Uint8Array.from(parts[name] as Uint8Array);
      const at = (n * 7919) % changed.length;
      changed[at] = (changed[at] as number) ^ (1 << (n % 8));
      const passed = await outcome(zipSync({ ...parts, [name]: changed }, { level: n % 2 === 0 ? 0 : 6 }));
      expect(['changed', 'missing', 'extra'], `byte ${at} of ${name}`).toContain(passed);
    }
  });
});

describe('random bytes', () => {
  it('no byte of a file can be another one', { timeout: 120_000 }, async () => {
    const bytes = await evidenceOf(rows, path, store);
    const change = fc.record({ at: fc.nat(bytes.length - 1), by: fc.integer({ min: 1, max: 255 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const changed = Buffer.from(bytes);
        for (const { at, by } of changes) changed[at] = (changed[at] as number) ^ by;
        if (changed.equals(bytes)) return;
        expect((await check(changed)).problem).toBeDefined();
      }),
      { numRuns: propertyRuns(2000) },
    );
  });

  it('no bit can be another one that belongs to the ZIP and not to its files', {
    timeout: 120_000,
  }, async () => {
    const bytes = await evidenceOf(rows, path, store);
    const contents = Object.values(unzipSync(bytes)).map((part) => {
      const from = bytes.indexOf(part);
      return { from, end: from + part.length };
    });
    for (let at = 0; at < bytes.length; at += 1) {
      if (contents.some(({ from, end }) => from <= at && at < end)) continue;
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ (1 << (at % 8));
      expect((await check(changed)).problem, `byte ${at} of ${bytes.length}`).toBeDefined();
    }
  });

  it.each([
    ['before its files', () => 0],
    ['between two of its files', (bytes: Buffer) => bytes.indexOf('PK\x03\x04', 4)],
    ['between its files and their list', (bytes: Buffer) => bytes.indexOf('PK\x01\x02')],
    ['in their list', (bytes: Buffer) => bytes.lastIndexOf('PK\x01\x02')],
    ['behind their list', (bytes: Buffer) => bytes.lastIndexOf('PK\x05\x06')],
    ['at its end', (bytes: Buffer) => bytes.length],
  ])('none can be hidden %s, though all places in it are put right', async (_where, place) => {
    const bytes = await evidenceOf(rows, path, store);
    expect(await outcome(withHidden(bytes, place(bytes), 0))).toBe('as-made');
    expect((await check(withHidden(bytes, place(bytes), 5))).problem).toBeDefined();
  });

  it('a file that was cut, or goes on, is not as made', async () => {
    const bytes = await evidenceOf(rows, path, store);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(bytes.length - 1),
        fc.uint8Array({ minLength: 1, maxLength: 9 }),
        async (end, more) => {
          expect((await check(bytes.subarray(0, end))).problem).toBeDefined();
          expect(await outcome(Buffer.concat([bytes, more]))).not.toBe('as-made');
        },
      ),
      { numRuns: propertyRuns(100) },
    );
  });

  it('never make the verification throw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
        expect((await check(bytes)).problem).toBeDefined();
      }),
      { numRuns: propertyRuns(400) },
    );
  });
});

/** Hides bytes in a ZIP, and changes the offsets in it so that other programs still read it. */
function withHidden(bytes: Buffer, at: number, count: number): Buffer {
  const changed = Buffer.from(bytes);
  const end = bytes.lastIndexOf('PK\x05\x06');
  const list = bytes.readUInt32LE(end + 16);
  const moved = (offset: number) => (offset >= at ? offset + count : offset);
  for (let entry = bytes.indexOf('PK\x01\x02', list); entry >= 0; ) {
    changed.writeUInt32LE(moved(bytes.readUInt32LE(entry + 42)), entry + 42);
    entry = bytes.indexOf('PK\x01\x02', entry + 4);
  }
  changed.writeUInt32LE(moved(list), end + 16);
  if (at > list && at <= end) changed.writeUInt32LE(end - list + count, end + 12);
  if (at === bytes.length) changed.writeUInt16LE(count, end + 20);
  return Buffer.concat([changed.subarray(0, at), Buffer.alloc(count, 'x'), changed.subarray(at)]);
}

describe('the people of the rows', () => {
  it('are those of a naive count, each once', { timeout: 60_000 }, async () => {
    const some = fc.record({
      id: fc.constantFrom('', '1', '2', '3', '=4'),
      email: fc.constantFrom('', 'a@x.test', 'A@X.test', 'b@x.test', 'c@x.test'),
      suspended: fc.boolean(),
    });
    let n = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(some, { maxLength: 12 }), async (given) => {
        n += 1;
        const parts = unzipSync(await evidenceOf(given, join(folder, `people-${n}.rows`), store));
        const listed: string[][] = parse(text(parts['people.csv']), { bom: true }).slice(1);
        const groups = naivePeople(given);
        expect(listed.map((cells) => Number(cells.at(-1)))).toEqual(groups.map((group) => group.length));
        expect(listed.map(([id, email]) => [id, email])).toEqual(
          groups.map(([first]) => [first?.id, first?.email]),
        );
        const about = JSON.parse(text(parts['request.json']));
        expect(about).toMatchObject({ rows: given.length, people: groups.length });
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});

/** Rows of one person share a user ID or an address, directly or through other rows. In the order of the first rows. */
function naivePeople(given: readonly Row[]): Row[][] {
  const named = given.filter(({ id, email }) => id || email);
  const groups: Row[][] = named.map((row) => [row]);
  const share = (a: Row, b: Row) =>
    (a.id !== '' && a.id === b.id) || (a.email !== '' && a.email?.toLowerCase() === b.email?.toLowerCase());
  for (let merged = true; merged; ) {
    merged = false;
    for (let i = 0; i < groups.length && !merged; i += 1) {
      for (let j = i + 1; j < groups.length && !merged; j += 1) {
        if (!groups[i]?.some((a) => groups[j]?.some((b) => share(a, b)))) continue;
        const [other = []] = groups.splice(j, 1);
        groups[i]?.push(...other);
        merged = true;
      }
    }
  }
  const place = (row: Row) => named.indexOf(row);
  for (const group of groups) group.sort((a, b) => place(a) - place(b));
  return groups.sort(([a], [b]) => place(a as Row) - place(b as Row));
}
