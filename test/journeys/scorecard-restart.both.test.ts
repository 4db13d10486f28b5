import { afterAll, expect, it } from 'vitest';
import { scorecardOf } from '../../src/requests/parse-scorecard.js';
import { plainRequest } from '../../src/requests/request.js';
import { ada, dueOnce, records } from '../digests/test-workspace.js';
import { endEveryProcess } from '../process.js';
import { answer, silent } from '../reporting-api/fault-server.js';
import { freshFolder, onPostgres } from '../store/fresh-folder.js';
import { openSeveralBots, shared } from './several-bots.js';

const folder = freshFolder();
afterAll(endEveryProcess);

it('a scorecard whose bot is killed between its lines comes once and whole, or its asker is told once', async () => {
  const bots = await openSeveralBots(folder.database(), folder.path('.'));
  const { slack, service, store } = bots;
  const cards = () =>
    slack
      .messages('#shared-work')
      .filter(({ text, visibleTo }) => visibleTo === undefined && text.startsWith('Monday numbers.'));

  /** The first line is answered. The service says nothing to the second one until the bot is dead. */
  async function killBetweenLines(start: () => Promise<unknown>) {
    const bot = await bots.start();
    const before = service.seen.length;
    service.always((...call) => {
      const isFirst = service.seen.at(-1)?.path.includes('user-engagement') ?? false;
      return (isFirst ? answer(records(3)) : silent)(...call);
    });
    await start();
    await expect
      .poll(() => service.seen.slice(before).some(({ path }) => path.includes('workshop-engagement')), {
        timeout: 40_000,
      })
      .toBe(true);
    expect(cards()).toHaveLength(0);
    await bots.kill(bot);
    service.always(answer(records(3)));
  }

  /** Another bot goes on, and has nothing more to do after that. */
  async function goesOn(isDone: () => Promise<boolean>, comes = true) {
    const bot = await bots.start();
    await expect.poll(isDone, { timeout: 40_000 }).toBe(true);
    await bots.deliverOne();
    expect(cards()).toHaveLength(comes ? 1 : 0);
    for (const { text } of cards())
      expect(text).toMatch(/1\. Engagement last week: .*2\. Workshops this month: .*3\. Engagement/s);
    expect(slack.messages('#shared-work').filter(({ text }) => text.startsWith('Running'))).toEqual([]);
    for (const { ts } of cards()) slack.workspace.messages.get(shared)?.delete(ts);
    bot.signal('SIGTERM');
    await bot.ended;
  }

  const first = await bots.start();
  const command = 'Monday numbers: engagement last-week; workshops; engagement last-month';
  await slack.as('ada').command(`/report save ${command}`, '#shared-work');
  await slack.waitForMessage('#shared-work', ({ text }) => text.startsWith('Saved'));
  first.signal('SIGTERM');
  await first.ended;

  await killBetweenLines(() => slack.as('ada').command('/report Monday numbers', '#shared-work'));
  // Where one process works alone, nobody goes on with what people typed. They are told, and ask again.
  const told = () => slack.messages('@ada').filter(({ text }) => text.startsWith('I restarted'));
  await goesOn(
    async () => (onPostgres ? (await bots.answerStates()).join() === 'posted' : told().length > 0),
    onPostgres,
  );
  expect(told().map(({ text }) => text)).toHaveLength(onPostgres ? 0 : 1);

  const lines = [
    { ...plainRequest('engagement'), range: 'last-week' },
    plainRequest('workshops'),
    { ...plainRequest('engagement'), range: 'last-month' },
  ].map((request) => ({ request }));
  let id = '';
  await killBetweenLines(async () => {
    const settings = { ...dueOnce(), channel: shared, request: scorecardOf('Monday numbers', lines) };
    id = await store.digests.add(settings, ada, Date.now(), Date.now());
  });
  await goesOn(async () => (await store.ledger.history(id, 1))[0]?.state === 'posted');
  expect(slack.refusals).toEqual([]);
  await bots.close();
}, 120_000);
