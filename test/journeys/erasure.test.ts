import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalSlack, startLocalSlack } from '../../playground/slack/server/local-slack.js';
import { scorecardOf } from '../../src/requests/parse-scorecard.js';
import { hasErasedFilter, plainRequest } from '../../src/requests/request.js';
import { openStore, type Store } from '../../src/store/store.js';
import { processes, runBuiltRollcall } from '../process.js';
import { answer, type FaultServer, openFaultServer, pieces } from '../reporting-api/fault-server.js';
import { addDigest } from '../store/digest-setup.js';
import { botSettings, startHostedBot, startReadyBot } from './bot-process.js';
import { openSeveralBots, sharedBots } from './several-bots.js';

const ada = 'U00ADA0001';

describe('rollcall forget, while the bot runs', () => {
  /**
   * A bot that runs while the command line erases. Most tests share one. Those of shared answers have their own, since an
   * erasure shortly before ends that sharing.
   */
  const runningBot = sharedBots(
    async (location, folder, _of: 'erasures' | 'all data' | 'shared answers' | 'details' = 'erasures') => {
      const bots = await openSeveralBots(location, folder, { start: startHostedBot });
      await bots.start();
      await bots.slack.waitForBot();
      const settings = botSettings(bots.slack, bots.service, location);
      return {
        ...bots,
        /** Everything that the database has on the disk. */
        bytes: () => ['', '-wal', '-shm'].map((end) => readFileSync(`${location}${end}`, 'latin1')).join(''),
        async rollcall(words: readonly string[]): Promise<string> {
          const { status, stdout, stderr } = await runBuiltRollcall(words, settings, folder);
          expect(status, stderr).toBe(0);
          return stdout;
        },
      };
    },
  );

  it.each([
    [['forget', ada], 'of the person', 'erasures'],
    [['forget', 'grace@example.com'], 'about the person', 'erasures'],
    [['forget', '--all', '--yes'], 'of anybody', 'all data'],
  ] as const)('%j ends a request %s, and the bot stores nothing more of it', async (words, _of, bot) => {
    const { slack, service, bytes, rollcall } = await runningBot(bot);
    const told = new Set(slack.messages('@ada').map(({ ts }) => ts));
    service.behave(pieces('[{"sessions":1}'));
    await slack.as('ada').command('/report engagement email:grace@example.com', '@rollcall');
    await service.reached(service.seen.length + 1);
    expect(bytes()).toContain('grace@example.com');
    await rollcall(words);
    const erased = await slack.waitForMessage(
      '@ada',
      (message) => !told.has(message.ts) && message.says('Data was erased'),
    );
    expect(erased.words).toContain('nothing was posted');
    await slack.settled();
    if (words[1] !== 'grace@example.com') expect(bytes()).not.toContain(ada);
    if (words[1] !== ada) expect(bytes()).not.toContain('grace@example.com');
  });

  it('takes the address, the names and the learner ID of a person with one command', async () => {
    const { slack, store, bytes, rollcall } = await runningBot();
    const { email, name } = slack.workspace.people.get(ada) ?? {};
    if (!email || !name) throw new Error('Ada has an address and a name');
    const request = {
      ...plainRequest('engagement'),
      filters: [
        { object: 'user_filter', member: 'email', entries: [email] },
        { object: 'user_filter', member: 'id', entries: ['471199'] },
      ],
    };
    const channel = 'C00LEARN01';
    await store.savedReports.save({ channel, name: `All of ${name}`, request, createdBy: 'U00NOAH001' }, 1);
    const said = await rollcall(['forget', ada, '--also', '471199']);
    expect(said).toContain(`Slack knows ${ada} as ${ada}, ${email}, ${name}.`);
    const where = `of the saved report “All of ${name}” in ${channel}`;
    for (const what of ['the name', 'a filter']) expect(said).toContain(`- ${what} ${where}`);
    expect(said).toContain(`Erased ${ada} from `);
    for (const text of [ada, email, name, '471199']) {
      expect(bytes().toLowerCase(), text).not.toContain(text.toLowerCase());
    }
  });

  it('queries the service again for what equal requests would have shared', async () => {
    const { slack, service, rollcall } = await runningBot('shared answers');
    const people = Array.from({ length: 10 }, (_, i) => ({
      user_id: `${i}`,
      email: `p${i}@x.test`,
      sessions: 1,
    }));
    service.always(answer(JSON.stringify(people)));
    const ask = async (who: string, count: number) => {
      await slack.as(who).command('/report engagement last-week', '#learning');
      await slack.waitFor(
        () => slack.messages('#learning').filter(({ text }) => text.includes('(10 of 10)')).length === count,
      );
      await slack.settled();
    };
    // In the same time zone, and so with the same range.
    await ask('ada', 1);
    await ask('ada', 2);
    expect(service.seen).toHaveLength(2);
    await ask('noah', 3);
    expect(service.seen).toHaveLength(4);
    await rollcall(['forget', 'U00NOAH001']);
    await ask('ada', 4);
    expect(service.seen).toHaveLength(6);
  });

  it('queries the service for Details of a direct answer only after an erasure, or later', async () => {
    const { slack, service, rollcall } = await runningBot('details');
    const people = Array.from({ length: 10 }, (_, i) => ({
      userid: `${i}`,
      first_name: `Person ${i}`,
      email: `p${i}@x.test`,
      sessions: 0,
    }));
    service.always(answer(JSON.stringify(people)));
    const detailsOf = async (range: string, beforeDetails: () => Promise<void>) => {
      const ada = slack.as('ada');
      await ada.command(`/report engagement ${range}`, '@rollcall');
      const shown = await slack.waitForMessage('@ada', ({ words }) => words.includes(`engagement ${range}`));
      await slack.settled();
      await beforeDetails();
      const seen = service.seen.length;
      await ada.click(shown, 'Details');
      const details = await slack.waitForMessage('@ada', ({ threadTs }) => threadTs === shown.ts);
      await slack.settled();
      expect(details.words).toContain('Person 7');
      expect(details.words).not.toContain('Run again');
      return service.seen.length - seen;
    };
    expect(await detailsOf('last-week', async () => {})).toBe(0);
    const erased = async () => void (await rollcall(['forget', 'U00NOAH001']));
    expect(await detailsOf('last-month', erased)).toBeGreaterThan(0);
  });

  it('tells the owners of digests and saved reports that would cover everybody', async () => {
    const { slack, store, rollcall } = await runningBot();
    const request = {
      ...plainRequest('engagement'),
      filters: [{ object: 'user_filter', member: 'email', entries: ['grace@example.com'] }],
    };
    const channel = 'C00LEARN01';
    await addDigest(store, Date.now() + 3_600_000, { owner: ada, channel, request });
    await store.savedReports.save({ channel, name: 'Grace', request, createdBy: ada }, 1);
    const card = scorecardOf('Some numbers', [{ request: plainRequest('tracks') }, { request }]);
    await store.savedReports.save({ channel, name: 'Some numbers', request: card, createdBy: ada }, 1);
    await rollcall(['forget', 'grace@example.com']);
    const digest = await slack.waitForMessage('@ada', (message) => message.says('Paused: '));
    expect(digest.words).toContain('A filter named a person whose data was erased. Change the filters');
    await slack.waitForMessage('@ada', (message) => message.says('The saved report “Grace” in '));
    // The other line of a scorecard still runs.
    const kept = await store.savedReports.findByName(channel, 'Some numbers');
    expect(JSON.stringify(kept?.request)).not.toContain('grace');
    expect(
      kept?.request.scorecard?.lines.map((line) => 'request' in line && hasErasedFilter(line.request)),
    ).toEqual([false, true]);
    // Nobody runs it for everybody.
    await slack.as('ada').command('/report grace', '#learning');
    const told = await slack.waitForMessage('#learning', (message) => message.says('Change the filter.'));
    expect(told.visibleTo).toBe(ada);
  });
});

describe('an app that is uninstalled', () => {
  const { start, folder } = processes();
  let slack: LocalSlack;
  let service: FaultServer;
  let store: Store | undefined;

  beforeEach(async () => {
    slack = await startLocalSlack({ rateLimits: 'off' });
    service = await openFaultServer();
  });
  afterEach(async () => {
    await store?.close();
    store = undefined;
    await slack.stop();
    await service.close();
  });

  const settings = () => botSettings(slack, service, 'rollcall.db');
  async function startBot() {
    const bot = await startReadyBot(settings(), folder());
    await slack.waitForBot();
    return bot;
  }

  async function opened(): Promise<Store> {
    store ??= await openStore(join(folder(), 'rollcall.db'), Date.now);
    return store;
  }

  const event = () => ({
    type: 'event_callback',
    team_id: 'T00LEARN01',
    event_id: 'Ev1',
    event_time: Math.floor(Date.now() / 1000),
    event: { type: 'app_uninstalled' },
  });

  it('pauses its digests, and continues them once it is installed again', async () => {
    const bot = await startBot();
    const { id } = await addDigest(await opened(), Date.now() + 3_600_000);
    await slack.deliver('events_api', event());
    const state = async () => (await (await opened()).digests.find(id))?.state;
    await expect.poll(state).toBe('paused');
    slack.tokens.revoke('account_inactive');
    bot.signal('SIGTERM');
    await bot.ended;
    // Without the app, nothing changes.
    expect(await start('dist/bot/main.js', [], settings()).ended).toBe(78);
    expect(await state()).toBe('paused');
    slack.tokens.revoke(undefined);
    await startBot();
    expect(await state()).toBe('active');
  });

  it('loses its data after 30 days, although Slack refuses the token', async () => {
    const { requestLog, installation } = await opened();
    const entry = { channel: 'C1', asker: ada, request: plainRequest('tracks'), requestedAt: Date.now() };
    const id = await requestLog.record(entry);
    slack.tokens.revoke('account_inactive');
    // A refused token alone erases nothing.
    expect(await start('dist/bot/main.js', [], settings()).ended).toBe(78);
    expect(await requestLog.find(id)).toBeDefined();
    await installation.markUninstalled(Date.now() - 31 * 24 * 3_600_000);
    expect(await start('dist/bot/main.js', [], settings()).ended).toBe(78);
    expect(await requestLog.find(id)).toBeUndefined();
    for (const end of ['', '-wal', '-shm'])
      expect(readFileSync(join(folder(), `rollcall.db${end}`), 'latin1')).not.toContain(ada);
  });
});
