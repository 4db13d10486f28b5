import { afterAll, expect, it } from 'vitest';
import { ada, dueOnce } from '../digests/test-workspace.js';
import { endEveryProcess } from '../process.js';
import { freshFolder } from '../store/fresh-folder.js';
import { channelId, openSeveralBots } from './several-bots.js';

const folder = freshFolder();
afterAll(endEveryProcess);

/** So many that some are posted, and some are not, when the first bot is killed. */
const digests = 12;

it('bots on one SQLite file stand by, take over when the first is killed, and end at once when told to', async () => {
  const channels = Array.from({ length: digests }, (_, i) => `two-${i}`);
  const bots = await openSeveralBots(folder.database(), folder.path('.'), { names: channels });
  const { slack, store } = bots;
  const first = await bots.start();
  const second = bots.startWithoutWaiting();
  const third = bots.startWithoutWaiting();
  for (const bot of [second, third]) await bot.waitFor(/^Standing by$/m);
  third.signal('SIGTERM');
  expect(await third.ended).toBe(0);

  const due = Date.now() + 500;
  const ids = await Promise.all(
    channels.map((name) =>
      store.digests.add({ ...dueOnce(), channel: channelId(name) }, ada, due, Date.now()),
    ),
  );
  await expect.poll(() => slack.posts.length).toBeGreaterThan(0);
  expect(second.stdout()).not.toMatch(/Rollcall ready/);

  await bots.kill(first);
  await second.waitFor(/^Rollcall ready$/m);
  const states = async () =>
    Promise.all(ids.map(async (id) => (await store.ledger.history(id, 1))[0]?.state ?? 'queued'));
  await expect
    .poll(async () => (await states()).filter((state) => state !== 'posted' && state !== 'unknown'), {
      timeout: 40_000,
    })
    .toEqual([]);
  const ended = await states();
  for (const [index, name] of channels.entries()) {
    const posts = slack.posts.filter(({ channel }) => channel === channelId(name)).length;
    // Nobody knows of one that was being posted when the first bot was killed.
    if (ended[index] === 'posted') expect(posts, name).toBe(1);
    else expect(posts, name).toBeLessThanOrEqual(1);
  }
  await bots.close();
}, 80_000);
