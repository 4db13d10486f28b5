import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldOf, reportNamed } from '../../src/catalogue/index.js';
import { startCounting } from '../../src/figures/reports/count-report.js';
import { AnswerFile, minFreeBytes } from '../../src/reporting-api/answer/answer-file.js';
import { AnswerStream } from '../../src/reporting-api/answer/read-answer.js';
import { csvPlan } from './answer/read-bytes.js';
import { ask, lines, open, rows, server, setUpClient } from './client-setup.js';
import { answer } from './fault-server.js';

setUpClient();

describe('an answer above the limit', () => {
  const body = rows(...Array.from({ length: 100 }, (_, i) => `Track ${i}`));

  it('is refused, requested once, and leaves no file', async () => {
    open({ maxAnswerBytes: body.length - 1 });
    server.behave(answer(body));
    await expect(ask()).rejects.toMatchObject({
      code: 'answer-too-large',
      details: { maxBytes: body.length - 1 },
    });
    expect(server.seen).toHaveLength(1);
  });

  it('is refused by its decompressed size', async () => {
    open({ maxAnswerBytes: body.length - 1 });
    const compressed = gzipSync(body);
    expect(compressed.length).toBeLessThan(body.length / 4);
    server.behave(answer(compressed));
    await expect(ask()).rejects.toMatchObject({ code: 'answer-too-large' });
  });

  it('is accepted at the limit', async () => {
    open({ maxAnswerBytes: body.length });
    server.behave(answer(body));
    expect(await ask()).toMatchObject({ records: 100 });
    await lines();
  });
});

describe('a disk with little space', () => {
  it('gets no file at all below the reserve', async () => {
    const path = join(tmpdir(), 'rollcall-never-written.csv');
    const creating = AnswerFile.create(path, async () => minFreeBytes - 1);
    await expect(creating).rejects.toMatchObject({ code: 'file-not-written', details: { reason: 'ENOSPC' } });
    expect(() => rmSync(path)).toThrow('ENOENT');
  });
});

/* A real file system that fills. Only root may mount one. */
const disk = mkdtempSync(join(tmpdir(), 'rollcall-disk-'));
const mounted =
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${minFreeBytes + 24 * 1024 * 1024}`, 'tmpfs', disk])
    .status === 0;
if (!mounted)
  process.stderr.write('The test of a full disk is skipped: this account may not mount a tmpfs.\n');

describe.skipIf(!mounted)('a disk that fills while a file is written', () => {
  let database: Sqlite.Database;

  beforeAll(() => {
    database = new Sqlite(join(disk, 'rollcall.db'));
    database.pragma('journal_mode = WAL');
    database.exec('CREATE TABLE kept (text TEXT)');
  });

  afterAll(() => {
    database.close();
    spawnSync('umount', [disk]);
    rmSync(disk, { recursive: true, force: true });
  });

  it('ends the file with an error, leaves nothing of it, and room for the database', async () => {
    const title = fieldOf(reportNamed('tracks'), 'track_title');
    if (!title) throw new Error('no title');
    const path = join(disk, 'answer.csv');
    const stream = new AnswerStream(
      { fields: ['track_title'], file: { ...csvPlan, path, columns: [title] } },
      startCounting,
    );
    await stream.beginAnswer();
    const record = `${JSON.stringify({ track_title: 'x'.repeat(1000) })},`;
    const chunk = Buffer.from(record.repeat(60));
    await stream.write(Buffer.from('['));
    const filling = async () => {
      for (let bytes = 0; bytes < 2 * minFreeBytes; bytes += chunk.length) await stream.write(chunk);
    };
    await expect(filling()).rejects.toMatchObject({
      code: 'file-not-written',
      details: { reason: 'ENOSPC' },
    });
    await stream.discard();
    expect(readdirSync(disk).filter((name) => name.endsWith('.csv'))).toEqual([]);

    const insert = database.prepare('INSERT INTO kept VALUES (?)');
    for (let i = 0; i < 1000; i += 1) insert.run('y'.repeat(1000));
    expect(database.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(database.prepare('SELECT count(*) AS rows FROM kept').get()).toEqual({ rows: 1000 });
  });
});
