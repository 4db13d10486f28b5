import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderNotEmpty } from '../../../playground/reporting-service/files/export-folder.js';
import type { ReportingServiceOptions } from '../../../playground/reporting-service/reporting-service.js';
import { NotASavedWorld } from '../../../playground/reporting-service/world/world.js';
import { allReports } from '../../../src/catalogue/index.js';
import { askRaw, day, everyFlag, friday, startService } from './service.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-bytes-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** All answers of a service, as text. */
async function everyAnswer(options: ReportingServiceOptions): Promise<string> {
  const service = await startService({ learners: 25, ...options });
  try {
    const answers: string[] = [];
    for (const { name } of allReports) {
      const window = { from: 0, until: friday + 90 * day };
      answers.push(await (await askRaw(service, name, { ...window, body: everyFlag(name) })).text());
    }
    return answers.join('\n');
  } finally {
    await service.stop();
  }
}

describe('the same seed, size and moment', () => {
  it('give the same answers, byte for byte', async () => {
    const first = await everyAnswer({ seed: 3 });
    expect(first.length).toBeGreaterThan(100_000);
    expect(await everyAnswer({ seed: 3 })).toBe(first);
    expect(await everyAnswer({ seed: 4 })).not.toBe(first);
    expect(await everyAnswer({ seed: 3, learners: 26 })).not.toBe(first);
    expect(await everyAnswer({ seed: 3, now: () => (friday + 3 * day) * 1000 })).not.toBe(first);
  });
});

describe('an export', () => {
  it('gives the same answers and files after loading', async () => {
    const [one, two] = [join(folder, 'one'), join(folder, 'two')];
    const generated = await everyAnswer({ seed: 9, exportTo: one });
    const loaded = await everyAnswer({ data: one, exportTo: two });
    expect(loaded).toBe(generated);
    const names = await readdir(one);
    expect(names.sort()).toEqual([
      ...[
        'assignments.csv',
        'contents.csv',
        'events.csv',
        'instances.csv',
        'parts.csv',
        'people.csv',
        'units.csv',
      ],
    ]);
    for (const name of names) {
      expect(await readFile(join(two, name), 'utf8')).toBe(await readFile(join(one, name), 'utf8'));
    }
  });

  it('is not written into a folder with content', async () => {
    await writeFile(join(folder, 'mine.txt'), 'precious');
    await expect(startService({ exportTo: folder })).rejects.toThrow(FolderNotEmpty);
    expect(await readdir(folder)).toEqual(['mine.txt']);
  });
});

describe('a saved world', () => {
  const made = async (path: string) => (await readFile(path)).toString('base64');

  it('is reused for the same size, and replaced for another', async () => {
    const keep = join(folder, 'kept.db');
    const first = await everyAnswer({ seed: 3, keep });
    const file = await made(keep);
    expect(await everyAnswer({ seed: 3, keep })).toBe(first);
    expect(await made(keep)).toBe(file);
    expect(await everyAnswer({ seed: 3 })).toBe(first);
    await everyAnswer({ seed: 4, keep });
    expect(await made(keep)).not.toBe(file);
    expect(await readdir(folder)).toEqual(['kept.db']);
  });

  it('is reused until its maximum age', async () => {
    const keep = join(folder, 'kept.db');
    const inDays = (days: number) => () => (friday + days * day) * 1000;
    await everyAnswer({ keep });
    const file = await made(keep);
    await everyAnswer({ keep, keepDays: 30, now: inDays(30) });
    expect(await made(keep)).toBe(file);
    await everyAnswer({ keep, keepDays: 30, now: inDays(31) });
    expect(await made(keep)).not.toBe(file);
  });

  it('never replaces another file', async () => {
    const keep = join(folder, 'notes.txt');
    await writeFile(keep, 'precious');
    await expect(startService({ keep })).rejects.toThrow(NotASavedWorld);
    expect(await readFile(keep, 'utf8')).toBe('precious');
    await writeFile(keep, '');
    await expect(startService({ keep })).rejects.toThrow(NotASavedWorld);
  });

  it('makes its data in the background, and answers wait for it', async () => {
    const service = await startService({ learners: 3000, inBackground: true });
    const started = performance.now();
    const response = await askRaw(service, 'engagement');
    expect([response.status, Array.isArray(await response.json())]).toEqual([200, true]);
    expect(performance.now() - started).toBeGreaterThan(200);
    await service.stop();
  });

  it('reports what goes wrong in the background, and stops while it works there', async () => {
    const failures: unknown[] = [];
    const keep = join(folder, 'notes.txt');
    await writeFile(keep, 'precious');
    const service = await startService({
      keep,
      inBackground: true,
      onFailure: (error) => failures.push(error),
    });
    expect((await askRaw(service, 'engagement')).status).toBe(500);
    expect(failures).toContainEqual(expect.any(NotASavedWorld));
    await service.stop();

    const stopped = await startService({ learners: 3000, keep: join(folder, 'kept.db'), inBackground: true });
    await stopped.stop();
    expect(await readdir(folder)).toEqual(['notes.txt']);
  });

  it('leaves no files when generation is cancelled', async () => {
    const keep = join(folder, 'kept.db');
    const stop = new AbortController();
    const starting = startService({ learners: 3000, keep, signal: stop.signal });
    setTimeout(() => stop.abort(), 100);
    await expect(starting).rejects.toThrow();
    expect(await readdir(folder)).toEqual([]);
  });
});
