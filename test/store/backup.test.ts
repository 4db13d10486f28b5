import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backUp, restore } from '../../src/store/backup.js';
import { openFile } from '../../src/store/database.js';
import { BackupExists, DatabaseInUse, DatabaseTooNew } from '../../src/store/errors.js';
import { migrate } from '../../src/store/migrate.js';
import { migrations } from '../../src/store/migrations/index.js';
import { openStore } from '../../src/store/store.js';
import { freshFolder } from './fresh-folder.js';

const folder = freshFolder();

async function databaseWith(path: string, envelope: string) {
  const store = await openStore(path, Date.now);
  await store.seenEnvelopes.remember([{ envelope, seenAt: 1 }]);
  await store.close();
}

async function knows(path: string, envelope: string) {
  const store = await openStore(path, Date.now);
  const known = await store.seenEnvelopes.has(envelope);
  await store.close();
  return known;
}

describe('a backup', () => {
  it('holds everything, also what is written while the bot runs, and is for its owner only', async () => {
    const path = folder.path('rollcall.db');
    const store = await openStore(path, Date.now);
    await store.seenEnvelopes.remember([{ envelope: 'before', seenAt: 1 }]);
    backUp(path, folder.path('backup.db'));
    await store.close();
    expect(statSync(folder.path('backup.db')).mode & 0o777).toBe(0o600);
    expect(await knows(folder.path('backup.db'), 'before')).toBe(true);
  });

  it('overwrites nothing', async () => {
    const path = folder.path('rollcall.db');
    await databaseWith(path, 'e');
    writeFileSync(folder.path('mine'), 'precious');
    expect(() => backUp(path, folder.path('mine'))).toThrow(BackupExists);
    expect(readFileSync(folder.path('mine'), 'utf8')).toBe('precious');
  });

  it('of nothing is refused, and leaves nothing', async () => {
    expect(() => backUp(folder.path('gone.db'), folder.path('backup.db'))).toThrow(/ENOENT/);
    writeFileSync(folder.path('text.db'), 'x'.repeat(5000));
    expect(() => backUp(folder.path('text.db'), folder.path('backup.db'))).toThrow(/NOTADB/);
    await databaseWith(folder.path('rollcall.db'), 'e');
    expect(() => backUp(folder.path('rollcall.db'), folder.path('no/such/folder.db'))).toThrow(/ENOENT/);
    expect(readdirSync(dirname(folder.path('x'))).sort()).toEqual(['rollcall.db', 'text.db']);
  });
});

describe('restoring', () => {
  it('puts the backup in place and keeps what was there', async () => {
    const path = folder.path('rollcall.db');
    await databaseWith(path, 'old');
    backUp(path, folder.path('backup.db'));
    await databaseWith(path, 'new');
    const kept = restore(folder.path('backup.db'), path, '2026-11-20');
    expect(kept).toBe(`${path}.before-2026-11-20`);
    expect(await knows(path, 'old')).toBe(true);
    expect(await knows(path, 'new')).toBe(false);
    expect(await knows(kept ?? '', 'new')).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(existsSync(`${path}.restoring`)).toBe(false);
  });

  it('works where there is no database yet, and in place of a damaged one', async () => {
    await databaseWith(folder.path('one.db'), 'e');
    backUp(folder.path('one.db'), folder.path('backup.db'));
    expect(restore(folder.path('backup.db'), folder.path('two.db'), 'x')).toBeUndefined();
    expect(await knows(folder.path('two.db'), 'e')).toBe(true);
    writeFileSync(folder.path('three.db'), 'broken '.repeat(2000));
    const kept = restore(folder.path('backup.db'), folder.path('three.db'), 'x');
    expect(readFileSync(kept ?? '', 'utf8')).toContain('broken');
    expect(await knows(folder.path('three.db'), 'e')).toBe(true);
  });

  it('is refused while another process has the database open, idle as it may be', async () => {
    const path = folder.path('rollcall.db');
    await databaseWith(path, 'e');
    backUp(path, folder.path('backup.db'));
    const script = `
      const database = new (require('better-sqlite3'))(process.argv[1]);
      database.prepare('SELECT COUNT(*) FROM seen_envelopes').get();
      process.stdout.write('open');
      process.stdin.once('data', () => process.exit());
    `;
    const bot = spawn(process.execPath, ['-e', script, path], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(bot.stdout, 'data');
    expect(() => restore(folder.path('backup.db'), path, 'x')).toThrow(DatabaseInUse);
    const ended = once(bot, 'exit');
    bot.kill('SIGKILL');
    await ended;
    expect(restore(folder.path('backup.db'), path, 'x')).toBeDefined();
  });

  it('takes nothing that is not a whole database of ours', async () => {
    const path = folder.path('rollcall.db');
    await databaseWith(path, 'mine');
    const newer = openFile(folder.path('newer.db'));
    migrate(newer, Date.now, [...migrations, { name: 'later', statements: [] }]);
    newer.close();
    expect(() => restore(folder.path('newer.db'), path, 'x')).toThrow(DatabaseTooNew);
    expect(() => restore(folder.path('gone.db'), path, 'x')).toThrow(/ENOENT/);
    writeFileSync(folder.path('text'), 'notes '.repeat(2000));
    expect(() => restore(folder.path('text'), path, 'x')).toThrow(/NOTADB/);
    await databaseWith(folder.path('damaged.db'), 'e');
    const bytes = readFileSync(folder.path('damaged.db'));
    writeFileSync(folder.path('damaged.db'), bytes.fill(0xff, 4096 * 2 + 8, 4096 * 5));
    expect(() => restore(folder.path('damaged.db'), path, 'x')).toThrow(/damaged|CORRUPT/);
    expect(await knows(path, 'mine')).toBe(true);
    expect(readdirSync(dirname(path)).filter((name) => name.includes('before'))).toEqual([]);
  });
});
