import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { smallDisk } from '../small-disk.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, isSummary, newIn } from './watching.js';

const disk = smallDisk(6 * 1024 * 1024);

describe.skipIf(!disk)('a disk that is full while the bot runs', () => {
  const path = disk?.path('rollcall.db') ?? '';
  const work = testWorkspace(() => ({
    environment: { DATABASE_URL: `sqlite:${path}`, OPERATIONS_PORT: '0' },
  }));
  afterAll(() => disk?.remove());

  const ask = (wanted: Parameters<typeof newIn>[3]) =>
    newIn(
      work(),
      '#learning',
      () => work().slack.as('ada').command('/report engagement last-week', '#learning'),
      wanted,
      15_000,
    );

  it('gives the asker one sentence, keeps monitoring up, and answers again once there is room', async () => {
    const { bot, slack } = work();
    await ask(isSummary('Engagement'));
    await slack.settled();
    disk?.fill();

    const reply = await ask(isPrivate);
    expect(reply.words).toContain('My database cannot be used: my disk is full. Tell your admin.');
    await slack.settled();
    const answers = () => slack.messages('#learning').filter(isSummary('Engagement')).length;
    expect(answers()).toBe(1);
    const [, port] = await bot.waitFor(/"port":(\d+)/);
    for (const page of ['healthz', 'readyz', 'metrics']) {
      expect((await fetch(`http://127.0.0.1:${port}/${page}`)).status, page).toBe(200);
    }
    const failures = bot
      .stdout()
      .split('\n')
      .filter((line) => line.includes('"level":"error"'))
      .map((line) => JSON.parse(line));
    // What the scheduler of digests writes at that moment fails with it, in the same commit.
    const message = 'A request could not be started';
    expect(failures.filter(({ msg }) => msg === message)).toHaveLength(1);
    for (const { err } of failures) expect(err).toMatchObject({ code: 'database-unusable', trouble: 'full' });

    disk?.free();
    await ask((message) => isSummary('Engagement')(message));
    expect(answers()).toBe(2);

    // Nothing is half done: each request has its post, and each post its end.
    await slack.settled();
    bot.signal('SIGTERM');
    expect(await bot.ended).toBe(0);
    const database = new Sqlite(path, { readonly: true });
    expect(database.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(database.prepare('SELECT state, count(*) AS posts FROM posts GROUP BY state').all()).toEqual([
      { state: 'posted', posts: 2 },
    ]);
    expect(database.prepare('SELECT count(*) AS asks FROM asks').all()).toEqual([{ asks: 2 }]);
    database.close();
  }, 60_000);
});
