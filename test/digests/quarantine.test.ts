import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { digestScheduler } from '../../src/scheduler/scheduler.js';
import { hour, learning, openTestWorkspace, settings } from './test-workspace.js';

const unreadable = ['unreadable', "I can't read its settings. Set it up again"] as const;
const noNextTime = ['no-next-time', "I can't work out when it runs next. Edit it from /report list"] as const;

/** What somebody, or an earlier version, may have left in a row, and what is said of it. */
const broken = [
  ['a schedule that is cut off', 'schedule', '{"cadence":{"kind":"hou', unreadable],
  ['no schedule', 'schedule', 'null', unreadable],
  ['a schedule of another shape', 'schedule', '{"every":"day"}', unreadable],
  [
    'a cron expression that is refused',
    'schedule',
    scheduleOf({ kind: 'cron', expression: '99 9 * * *' }),
    noNextTime,
  ],
  ['a cadence that nobody knows', 'schedule', scheduleOf({ kind: 'at-full-moon' }), unreadable],
  ['an hour without its minute', 'schedule', scheduleOf({ kind: 'hourly' }), unreadable],
  ['a time that no clock shows', 'schedule', scheduleOf({ kind: 'daily', time: '25:00' }), unreadable],
  [
    'a zone that is not there',
    'schedule',
    JSON.stringify({ ...settings.schedule, zone: 'Mars/Olympus' }),
    unreadable,
  ],
  [
    'a request for a report that is gone',
    'request',
    JSON.stringify({ ...settings.request, report: 'gone' }),
    unreadable,
  ],
  ['a request that is cut off', 'request', '{"report":"enga', unreadable],
] as const;

function scheduleOf(cadence: object): string {
  return JSON.stringify({ ...settings.schedule, cadence });
}

function write(path: string, digest: string, column: string, text: string) {
  const database = new Sqlite(path);
  database.prepare(`UPDATE digests SET ${column} = ? WHERE id = ?`).run(text, digest);
  database.close();
}

function rowOf(path: string, digest: string) {
  const database = new Sqlite(path, { readonly: true });
  const row = database.prepare('SELECT state, paused_why, next_due FROM digests WHERE id = ?').get(digest);
  database.close();
  return row;
}

const setAside = (why: string) => ({ state: 'paused', paused_why: why, next_due: null });

describe('a digest with invalid stored settings', () => {
  it.each(broken)(
    '%s: is paused, its owner hears of it, and the others come',
    async (_, column, text, [why, words]) => {
      const { digest, run, scheduler, slack, path, clock, posts } = await openTestWorkspace();
      const bad = await digest({}, clock.now() - hour);
      const good = await digest({}, clock.now() - 1000);
      write(path, bad.id, column, text);
      scheduler.start();
      await run(good, ({ state }) => state === 'posted');
      await expect.poll(() => rowOf(path, bad.id)).toEqual(setAside(why));
      await slack.waitForMessage('@ada', words);
      expect(posts(learning)).toHaveLength(1);
    },
  );

  it('is found before it is due', async () => {
    const { digest, scheduler, slack, path, clock } = await openTestWorkspace();
    const bad = await digest({}, clock.now() + 30 * 24 * hour);
    write(path, bad.id, 'schedule', scheduleOf({ kind: 'cron', expression: '99 9 * * *' }));
    scheduler.start();
    await slack.waitForMessage('@ada', 'Edit it from /report list');
    expect(rowOf(path, bad.id)).toEqual(setAside('no-next-time'));
  });

  it('fails its waiting run, and others are delivered', async () => {
    const { digest, run, parts, store, clock, path, slack, posts } = await openTestWorkspace();
    const [bad, good] = [await digest(), await digest()];
    await store.ledger.enterNow(bad, 'a', clock.now() - 2000);
    write(path, bad.id, 'request', 'not JSON');
    const scheduler = digestScheduler(parts);
    scheduler.start();
    await run(good, ({ state }) => state === 'posted');
    await run(bad, ({ state, errorCode }) => state === 'failed' && errorCode === 'unreadable');
    await slack.waitForMessage('@ada', 'Set it up again');
    expect(rowOf(path, bad.id)).toEqual(setAside('unreadable'));
    expect(posts(learning)).toHaveLength(1);
    await scheduler.stop();
  });

  it('is left out of lists', async () => {
    const { digest, store, path } = await openTestWorkspace();
    const [bad, good] = [await digest(), await digest()];
    write(path, bad.id, 'schedule', 'null');
    for (const listed of [
      await store.digests.inChannel(learning, 9),
      await store.digests.inChannels([learning], 9),
      await store.digests.ownedBy(settings.owner, 9),
    ]) {
      expect(listed.map(({ id }) => id)).toEqual([good.id]);
    }
    // Once it is set aside it takes no place on a page either.
    await store.digests.quarantine(bad.id, 'unreadable');
    expect(await store.digests.inChannel(learning, 1)).toHaveLength(1);
    expect(await store.digests.countOwnedBy(settings.owner)).toBe(1);
  });
});
