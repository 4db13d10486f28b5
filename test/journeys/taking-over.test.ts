import { createHmac } from 'node:crypto';
import { stringify } from 'node:querystring';
import { afterAll, expect, inject, it } from 'vitest';
import { type LocalSlack, startLocalSlack } from '../../playground/slack/server/local-slack.js';
import { defaultSeed } from '../../playground/slack/server/workspace/seed.js';
import { openStore } from '../../src/store/store.js';
import { ada, records } from '../digests/test-workspace.js';
import { answer, type Behaviour, openFaultServer, silent } from '../reporting-api/fault-server.js';
import { freshFolder, sqlOn } from '../store/fresh-folder.js';
import { type BotProcess, endEveryBot, startBot } from './bot-process.js';

const folder = freshFolder();
afterAll(endEveryBot);

const shared = {
  id: 'C00SHARED',
  kind: 'public' as const,
  name: 'shared-work',
  members: [ada, defaultSeed.bot.user],
};

/** What a process has in hand, and how far its request is. */
interface InHand {
  readonly request: string;
  readonly process: string;
  readonly state: string | null;
}

/** Bots that share a workspace, a database and a service. */
async function openOffice() {
  const seed = { ...defaultSeed, channels: [...defaultSeed.channels, shared] };
  const slack = await startLocalSlack({ rateLimits: 'off', seed });
  const service = await openFaultServer();
  let behaviour: Behaviour = answer(records(3));
  service.behave(
    ...Array.from(
      { length: 500 },
      (): Behaviour =>
        (...call) =>
          behaviour(...call),
    ),
  );
  const location = folder.database();
  const store = await openStore(location, Date.now);
  await store.useWorkspace(defaultSeed.team.id);
  const bots = new Set<BotProcess>();
  const environment = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_API_URL: slack.apiUrl,
    REPORTING_BASE_URL: service.url,
    REPORTING_API_TOKEN: 'a-token',
    DEFAULT_ACCESS: 'everything',
    SMALLEST_GROUP: '1',
    REPORTING_REQUESTS_PER_MINUTE: '60000',
    DATABASE_URL: location,
  };
  const start = async (transport: Record<string, string> = { SLACK_APP_TOKEN: slack.appToken }) => {
    const bot = startBot({ ...environment, ...transport }, folder.path('.'));
    bots.add(bot);
    await bot.waitFor(/^Rollcall ready$/m);
    return bot;
  };
  const inHand = () =>
    sqlOn<InHand>(
      location,
      `SELECT request, process, (SELECT state FROM posts WHERE posts.id = inbox.request) AS state
        FROM inbox WHERE payload IS NOT NULL ORDER BY arrived_at`,
    );
  return {
    slack,
    service,
    store,
    start,
    inHand,
    serviceDoes(what: Behaviour) {
      behaviour = what;
    },
    /** The bot that has a request in hand which is that far. `null`: it is acknowledged, and not yet recorded. */
    async holderOf(state: string | null): Promise<BotProcess> {
      let held: InHand | undefined;
      const find = async () => {
        const all = await inHand();
        [held] = all;
        return all.map((one) => one.state);
      };
      await expect.poll(find, { timeout: 15_000 }).toEqual([state]);
      const holder = [...bots].find(({ pid }) => held?.process.includes(`:${pid}:`));
      if (!holder) throw new Error(`No bot has ${JSON.stringify(held)}`);
      return holder;
    },
    async kill(bot: BotProcess) {
      bot.signal('SIGKILL');
      await bot.ended;
      bots.delete(bot);
    },
    /** Resolves when nobody has anything in hand. */
    allDone: () => expect.poll(inHand, { timeout: 30_000 }).toEqual([]),
    async close() {
      for (const bot of bots) bot.signal('SIGTERM');
      const ends = await Promise.all([...bots].map(({ ended }) => ended));
      await store.close();
      await service.close();
      await slack.stop();
      return ends;
    },
  };
}

const told = (slack: LocalSlack) =>
  slack
    .messages('@ada')
    .map(({ text }) => text)
    .filter((text) => text.startsWith('I restarted'));
/** Progress is a message too, and an answer may take its place. */
const answersIn = (slack: LocalSlack) =>
  slack.messages('#shared-work').filter(({ text }) => text.includes('workshop sessions'));

let days = 1;
/** Another one each time, because equal queries within some seconds share an answer. */
const newCommand = () => {
  days += 1;
  return `workshops last-${days}-days`;
};

it('a process goes on with what another one had acknowledged, and nothing is answered twice', async ({
  skip,
}) => {
  if (inject('postgresUrl') === undefined) return skip();
  const { slack, service, start, holderOf, kill, allDone, serviceDoes, close } = await openOffice();
  const person = slack.as('ada');
  await Promise.all([start(), start()]);

  // Killed right after the acknowledgement.
  const forEver = { times: Number.POSITIVE_INFINITY };
  slack.faults.set('users.info', { kind: 'slow', milliseconds: 60_000 }, forEver);
  await person.command(`/report ${newCommand()}`, '#shared-work');
  const acknowledging = await holderOf(null);
  slack.faults.clear();
  await kill(acknowledging);
  await slack.waitFor(() => answersIn(slack).length === 1, 20_000);
  await allDone();
  await start();

  // Killed while the report is made, for a command, an event, a form and a button.
  const [first] = answersIn(slack);
  const asks = [
    () => person.command(`/report ${newCommand()}`, '#shared-work'),
    async () => void person.message(`@rollcall ${newCommand()}`, '#shared-work'),
    async () => {
      await person.click(first ?? 'home', 'Change');
      await person.waitForModal((view) => view.content.callback_id === 'builder');
      await person.submit({ 'range-words': 'last-40-days' });
    },
    () => person.click(first ?? 'home', 'CSV'),
  ];
  for (const [asked, ask] of asks.entries()) {
    const queries = service.seen.length;
    serviceDoes(silent);
    await ask();
    const holder = await holderOf('running');
    await service.reached(queries + 1);
    serviceDoes(answer(records(3)));
    await kill(holder);
    await Promise.all([allDone(), start()]);
    expect(answersIn(slack)).toHaveLength(Math.min(2 + asked, 4));
  }
  expect(slack.posts.filter(({ files }) => files.length > 0)).toHaveLength(1);
  expect(told(slack)).toEqual([]);

  // Killed inside chat.postMessage: nobody can know, so it is never repeated, and its asker is asked once.
  for (const fault of [{ kind: 'done, then silent' }, { kind: 'slow', milliseconds: 60_000 }] as const) {
    const before = { answers: answersIn(slack).length, told: told(slack).length };
    slack.faults.set('chat.postMessage', fault, { when: ({ channel }) => channel === shared.id });
    await person.command(`/report ${newCommand()}`, '#shared-work');
    const sending = await holderOf('posting');
    if (fault.kind !== 'slow') await slack.waitFor(() => answersIn(slack).length === before.answers + 1);
    await kill(sending);
    await Promise.all([slack.waitFor(() => told(slack).length === before.told + 1, 20_000), start()]);
    await allDone();
    expect(told(slack).at(-1)).toMatch(/^I restarted while sending the answer of .*send it again/);
    expect(answersIn(slack)).toHaveLength(before.answers + (fault.kind === 'slow' ? 0 : 1));
  }

  // A request that ends every process that has it ends two, and its asker is told.
  serviceDoes(silent);
  const before = answersIn(slack).length;
  await person.command(`/report ${newCommand()}`, '#shared-work');
  await kill(await holderOf('running'));
  await start();
  await expect
    .poll(async () => kill(await holderOf('running')).then(() => true), { timeout: 20_000 })
    .toBe(true);
  await slack.waitFor(() => told(slack).length === 3, 20_000);
  expect(told(slack).at(-1)).toMatch(/^I restarted before answering .*Run it again/);
  await allDone();
  expect(answersIn(slack)).toHaveLength(before);
  expect(await close()).toEqual([0]);
}, 180_000);

it('a frozen process sends nothing once it wakes up, and others have gone on', async ({ skip }) => {
  if (inject('postgresUrl') === undefined) return skip();
  const { slack, service, start, holderOf, allDone, serviceDoes, close } = await openOffice();
  const person = slack.as('ada');
  await Promise.all([start(), start()]);
  // The answer of the service waits for the process when it wakes up.
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  serviceDoes(async (...call) => {
    await released;
    await answer(records(3))(...call);
  });
  await person.command(`/report ${newCommand()}`, '#shared-work');
  const frozen = await holderOf('running');
  await service.reached(1);
  frozen.signal('SIGSTOP');
  serviceDoes(answer(records(3)));
  release();
  await slack.waitFor(() => answersIn(slack).length === 1, 30_000);
  await allDone();
  frozen.signal('SIGCONT');
  expect(await frozen.ended).toBe(1);
  expect(answersIn(slack)).toHaveLength(1);
  expect(slack.messages('@ada')).toEqual([]);
  expect(slack.messages('#shared-work').filter(({ visibleTo }) => visibleTo !== undefined)).toEqual([]);
  await close();
}, 90_000);

it('a process that stops hands over what it has in hand, and a repetition elsewhere runs nothing', async ({
  skip,
}) => {
  if (inject('postgresUrl') === undefined) return skip();
  const { slack, service, start, holderOf, allDone, serviceDoes, inHand, close } = await openOffice();
  const http = { SLACK_SIGNING_SECRET: slack.signingSecret, PORT: '0' };
  const bots = await Promise.all([start(http), start(http)]);
  const urls = await Promise.all(
    bots.map(async (bot) => {
      const [, port] = await bot.waitFor(/"mode":"http".*"port":(\d+)/);
      return `http://127.0.0.1:${port}/slack/events`;
    }),
  );
  const typed = {
    command: '/report',
    text: newCommand(),
    user_id: ada,
    team_id: defaultSeed.team.id,
    channel_id: shared.id,
    token: 'a-verification-token',
    trigger_id: '1.2.3',
  };
  const body = stringify(typed);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const hash = createHmac('sha256', slack.signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  const send = async (url = '') => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${hash}`,
    };
    return (await fetch(url, { method: 'POST', headers, body })).status;
  };
  const queries = service.seen.length;
  serviceDoes(silent);
  // The same request at both, again and again.
  expect(await Promise.all([...urls, ...urls, ...urls].map(send))).toEqual([200, 200, 200, 200, 200, 200]);
  const holder = await holderOf('running');
  expect(await inHand()).toHaveLength(1);
  await service.reached(queries + 1);
  expect(service.seen).toHaveLength(queries + 1);

  serviceDoes(answer(records(3)));
  holder.signal('SIGTERM');
  expect(await holder.ended).toBe(0);
  await slack.waitFor(() => answersIn(slack).length === 1, 20_000);
  await allDone();
  const left = urls[holder === bots[0] ? 1 : 0];
  expect(await send(left)).toBe(200);
  expect(await inHand()).toEqual([]);
  expect(answersIn(slack)).toHaveLength(1);
  expect(slack.messages('@ada')).toEqual([]);
  await close();
}, 90_000);
