import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { ada, records, settings } from '../digests/test-workspace.js';
import { endEveryProcess } from '../process.js';
import { answer, silent } from '../reporting-api/fault-server.js';
import { freshFolder, sqlOn } from '../store/fresh-folder.js';
import { openHangingProxy } from './hanging-proxy.js';
import { openSeveralBots, shared } from './several-bots.js';

const folder = freshFolder();
afterAll(endEveryProcess);

const leads = /This process leads/;

it('bots on one PostgreSQL share the work, and go on when one is killed or frozen', async () => {
  const bots = await openSeveralBots(folder.database(), folder.path('.'));
  const { slack, service, location, store, start, answerStates, deliverOne } = bots;

  // The clocks of their machines are five minutes apart. PostgreSQL's time counts.
  const clockAhead = fileURLToPath(new URL('clock-ahead.mjs', import.meta.url));
  const first = await start({ NODE_OPTIONS: `--import ${clockAhead}`, AHEAD_MS: '300000' });
  await first.waitFor(/The clock of this machine is wrong/);
  await first.waitFor(leads);
  const inThreeMinutes = Date.now() + 180_000;
  const notDue = await store.digests.add(settings, ada, inThreeMinutes, Date.now());
  const second = await start();
  expect(second.stdout()).not.toMatch(leads);
  expect(await deliverOne()).toBe(1);

  // Slack spreads commands over the connections of both.
  const ask = (range: string) => slack.as('ada').command(`/report workshops ${range}`, '#shared-work');
  for (let n = 0; n < 12; n += 1) await ask('this-month');
  await expect.poll(answerStates, { timeout: 30_000 }).toEqual(Array.from({ length: 12 }, () => 'posted'));
  const holders = await sqlOn(location, 'SELECT DISTINCT process FROM posts WHERE process IS NOT NULL');
  expect(holders).toHaveLength(2);

  // Slack tells one of them that somebody became a guest, and neither answers that person any more.
  const answered = async () => (await answerStates()).filter((state) => state === 'posted').length;
  const refused = () =>
    slack.messages('#shared-work').filter(({ text }) => text.startsWith('Guests cannot ask for reports'))
      .length;
  const countRefused = async () => {
    const before = [await answered(), refused()] as const;
    for (let n = 0; n < 6; n += 1) await slack.as('noah').command('/report workshops', '#shared-work');
    const replies = async () => (await answered()) + refused() - before[0] - before[1];
    await expect.poll(replies).toBe(6);
    return refused() - before[1];
  };
  expect(await countRefused()).toBe(0);
  slack.as('noah').changeProfile({ kind: 'guest' });
  await expect.poll(countRefused).toBe(6);

  // Otherwise the second one would refuse again what the first had not yet noted as refused.
  const inWork = () => sqlOn(location, 'SELECT delivery FROM inbox WHERE payload IS NOT NULL');
  await expect.poll(inWork).toEqual([]);
  await bots.kill(first);
  await second.waitFor(leads);
  expect(await deliverOne()).toBe(1);
  if (Date.now() < inThreeMinutes) expect(await store.ledger.history(notDue, 1)).toEqual([]);

  // The leader freezes while it works on a request. The answer of the service waits for it when it wakes up.
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  service.always(async (...call) => {
    await released;
    await answer(records(3))(...call);
  });
  const [posts, queries, answers] = [slack.posts.length, service.seen.length, await answered()];
  const before = new Set(slack.messages('#shared-work').map(({ ts }) => ts));
  await ask('last-month');
  await service.reached(queries + 1);
  // The query does not wait until it is saved.
  await expect.poll(answerStates).toContain('running');
  const third = await start();
  second.signal('SIGSTOP');
  service.always(answer(records(3)));
  release();
  await third.waitFor(leads);
  await expect.poll(answered, { timeout: 30_000 }).toBe(answers + 1);
  expect(await deliverOne()).toBe(1);
  second.signal('SIGCONT');
  // It notices that others went on without it, sends nothing, and its supervisor starts it again.
  expect(await second.ended).toBe(1);
  // A slow start of the third leaves time for a progress message, which the answer may replace.
  const since = slack.messages('#shared-work').filter(({ ts }) => !before.has(ts));
  const said = since.map(({ text }) => text.split(' ', 1)[0]).filter((word) => word !== 'Running');
  expect(said.sort()).toEqual(['Engagement', 'Workshops']);
  expect(new Set(slack.posts.slice(posts).map(({ channel }) => channel))).toEqual(new Set([shared]));
  expect(slack.messages('@ada')).toEqual([]);
  expect(slack.messages('#shared-work').filter(({ visibleTo }) => visibleTo === ada)).toEqual([]);
  await bots.close();
}, 120_000);

it('a bot that Slack no longer answers ends, and one that Slack answers does its work', async () => {
  const bots = await openSeveralBots(folder.database(), folder.path('.'));
  const { slack, service, start, answerStates, deliverOne } = bots;
  const proxy = await openHangingProxy();
  const through = {
    HTTP_PROXY: proxy.url,
    HTTPS_PROXY: proxy.url,
    NO_PROXY: `127.0.0.1:${service.port}`,
  };
  const first = await start(through);
  await first.waitFor(leads);
  // It works on a request, too.
  service.always(silent);
  await slack.as('ada').command('/report workshops last-month', '#shared-work');
  await expect.poll(answerStates).toEqual(['running']);
  service.always(answer(records(3)));
  const second = await start();
  proxy.hang();
  await deliverOne();
  expect(second.stdout()).toMatch(leads);
  expect(await first.ended).toBe(1);
  await expect.poll(answerStates).toEqual(['posted']);
  const posted = slack.posts.filter(({ channel }) => channel === shared).map(({ text }) => text);
  for (const report of ['Engagement', 'Workshop'])
    expect(posted.filter((text) => text.includes(report))).toHaveLength(1);

  await proxy.close();

  // Its supervisor starts it again. Until Slack answers, it does not lead, even if other processes end.
  const again = bots.startWithoutWaiting(through);
  await again.waitFor(/Slack cannot be reached/);
  second.signal('SIGTERM');
  expect(await second.ended).toBe(0);
  const third = await start();
  await third.waitFor(leads);
  expect(again.stdout()).not.toMatch(leads);
  expect(slack.refusals).toEqual([]);
  await bots.close();
}, 120_000);
