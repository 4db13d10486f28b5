import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../src/store/store.js';
import { startScript } from '../../process.js';
import { freshFolder } from '../fresh-folder.js';

const folder = freshFolder();
const path = () => folder.path('rollcall.db');

/**
 * Another process that appends events. It kills itself before the statement of that number, counted from its first
 * append.
 */
function appending(count: number, killBefore = Number.POSITIVE_INFINITY) {
  const script = `
    import Sqlite from 'better-sqlite3';
    import { openStore } from './dist/src/store/store.js';
    const store = await openStore(process.argv[1], Date.now);
    const statement = Object.getPrototypeOf(new Sqlite(':memory:').prepare('SELECT 1'));
    let statements = 0;
    for (const method of ['run', 'all']) {
      const original = statement[method];
      statement[method] = function (...parameters) {
        statements += 1;
        if (statements >= ${killBefore}) process.kill(process.pid, 'SIGKILL');
        return original.apply(this, parameters);
      };
    }
    for (let n = 0; n < ${count}; n += 1) {
      const subjects = ['p' + n + process.pid + '@example.com'];
      await store.events.append({ kind: 'asked', at: n, person: 'U' + process.pid + (n % 3), place: 'C1', subjects });
    }
    await store.close();
    process.stdout.write(String(statements));
  `;
  return startScript(script, '--input-type=module', path());
}

describe('the record of access', () => {
  it('stays one chain while two processes append to it', async () => {
    await (await openStore(path(), Date.now)).close();
    await Promise.all([appending(60).output, appending(60).output]);
    const store = await openStore(path(), Date.now);
    const head = await store.events.head();
    expect(head.seq).toBe(120);
    expect(await store.events.verify(head)).toMatchObject({ checked: 120, problems: [] });
    await store.close();
  });

  it('verifies after its process was killed between any two statements', async () => {
    const statements = Number(await appending(2).output);
    expect(statements).toBeGreaterThan(10);
    const store = await openStore(path(), Date.now);
    // From the end of the first event to the end of the second.
    for (let killBefore = statements / 2; killBefore <= statements; killBefore += 1) {
      const before = await store.events.head();
      expect(await appending(2, killBefore).output).toBe('');
      const head = await store.events.head();
      expect(head.seq - before.seq).toBeLessThanOrEqual(2);
      expect(await store.events.verify(head)).toMatchObject({ problems: [], head });
    }
    await store.close();
    const database = new Sqlite(path(), { readonly: true });
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    database.close();
    // Tens of processes, one after the other.
  }, 300_000);
});
