import { createHmac } from 'node:crypto';
import { stringify } from 'node:querystring';
import { afterAll, expect, it } from 'vitest';
import type { LocalSlack } from '../../playground/slack/server/local-slack.js';
import { defaultSeed } from '../../playground/slack/server/workspace/seed.js';
import { ada, records } from '../digests/test-workspace.js';
import { endEveryProcess, type StartedProcess } from '../process.js';
import { answer, silent } from '../reporting-api/fault-server.js';
import { freshFolder, sqlOn } from '../store/fresh-folder.js';
import { eventsUrl } from './bot-process.js';
import { openSeveralBots, type SeveralBots, shared } from './several-bots.js';

const folder = freshFolder();
afterAll(endEveryProcess);

/** The work of a process, and how far its request is. */
interface OpenDelivery {
  readonly request: string;
  readonly process: string;
  readonly state: string | null;
}

function openDeliveries({ location }: SeveralBots): Promise<readonly OpenDelivery[]> {
  return sqlOn<OpenDelivery>(
    location,
    `SELECT request, process, (SELECT state FROM posts WHERE posts.id = inbox.request) AS state
      FROM inbox WHERE payload IS NOT NULL ORDER BY arrived_at`,
  );
}

/** The bot that works on a request which is that far. `null`: it is acknowledged, and not yet recorded. */
async function holderOf(state: string | null, bots: SeveralBots): Promise<StartedProcess> {
  let held: OpenDelivery | undefined;
  const find = async () => {
    const all = await openDeliveries(bots);
    [held] = all;
    return all.map((one) => one.state);
  };
  await expect.poll(find).toEqual([state]);
  return bots.botOf(held?.process);
}

async function allDone(bots: SeveralBots): Promise<void> {
  await expect.poll(() => openDeliveries(bots), { timeout: 30_000 }).toEqual([]);
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

it('a process goes on with what another one had acknowledged, and nothing is answered twice', async () => {
  const bots = await openSeveralBots(folder.database(), folder.path('.'));
  const { slack, service, start, kill } = bots;
  const person = slack.as('ada');
  await Promise.all([start(), start()]);

  // Killed right after the acknowledgement.
  const forEver = { times: Number.POSITIVE_INFINITY };
  slack.faults.set('users.info', { kind: 'slow', milliseconds: 60_000 }, forEver);
  await person.command(`/report ${newCommand()}`, '#shared-work');
  const acknowledging = await holderOf(null, bots);
  slack.faults.clear();
  await kill(acknowledging);
  await slack.waitFor(() => answersIn(slack).length === 1);
  await allDone(bots);
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
    service.always(silent);
    await ask();
    const holder = await holderOf('running', bots);
    await service.reached(queries + 1);
    service.always(answer(records(3)));
    await kill(holder);
    await Promise.all([allDone(bots), start()]);
    expect(answersIn(slack)).toHaveLength(Math.min(2 + asked, 4));
  }
  expect(slack.posts.filter(({ files }) => files.length > 0)).toHaveLength(1);
  expect(told(slack)).toEqual([]);

  // Killed inside chat.postMessage: nobody can know, so it is never repeated, and its asker is asked once.
  for (const fault of [{ kind: 'done, then silent' }, { kind: 'slow', milliseconds: 60_000 }] as const) {
    const before = { answers: answersIn(slack).length, told: told(slack).length };
    slack.faults.set('chat.postMessage', fault, { when: ({ channel }) => channel === shared });
    await person.command(`/report ${newCommand()}`, '#shared-work');
    const sending = await holderOf('posting', bots);
    if (fault.kind !== 'slow') await slack.waitFor(() => answersIn(slack).length === before.answers + 1);
    await kill(sending);
    await Promise.all([slack.waitFor(() => told(slack).length === before.told + 1), start()]);
    await allDone(bots);
    expect(told(slack).at(-1)).toMatch(/^I restarted while sending the answer of .*send it again/);
    expect(answersIn(slack)).toHaveLength(before.answers + (fault.kind === 'slow' ? 0 : 1));
  }

  // A request that ends every process that has it ends two, and its asker is told.
  service.always(silent);
  const before = answersIn(slack).length;
  await person.command(`/report ${newCommand()}`, '#shared-work');
  await kill(await holderOf('running', bots));
  await start();
  await expect.poll(async () => kill(await holderOf('running', bots)).then(() => true)).toBe(true);
  await slack.waitFor(() => told(slack).length === 3);
  expect(told(slack).at(-1)).toMatch(/^I restarted before answering .*Run it again/);
  await allDone(bots);
  expect(answersIn(slack)).toHaveLength(before);
  await bots.close();
}, 180_000);

it('a process that stops hands over its work, and a repetition elsewhere runs nothing', async () => {
  const bots = await openSeveralBots(folder.database(), folder.path('.'));
  const { slack, service, start } = bots;
  const pair = await Promise.all([start({}, 'http'), start({}, 'http')]);
  const urls = await Promise.all(pair.map(eventsUrl));
  const typed = {
    command: '/report',
    text: newCommand(),
    user_id: ada,
    team_id: defaultSeed.team.id,
    channel_id: shared,
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
  service.always(silent);
  // The same request at both, again and again.
  expect(await Promise.all([...urls, ...urls, ...urls].map(send))).toEqual([200, 200, 200, 200, 200, 200]);
  const holder = await holderOf('running', bots);
  expect(await openDeliveries(bots)).toHaveLength(1);
  await service.reached(queries + 1);
  expect(service.seen).toHaveLength(queries + 1);

  service.always(answer(records(3)));
  holder.signal('SIGTERM');
  expect(await holder.ended).toBe(0);
  await slack.waitFor(() => answersIn(slack).length === 1);
  await allDone(bots);
  const left = urls[holder === pair[0] ? 1 : 0];
  expect(await send(left)).toBe(200);
  expect(await openDeliveries(bots)).toEqual([]);
  expect(answersIn(slack)).toHaveLength(1);
  expect(slack.messages('@ada')).toEqual([]);
  await bots.close();
}, 90_000);

it('commands that reach a process that stops are answered by another one', async () => {
  const bots = await openSeveralBots(folder.database(), folder.path('.'));
  const { slack, start } = bots;
  const person = slack.as('ada');
  await Promise.all([start(), start()]);
  // Slack takes its time for an answer, so that the process that posts it cannot stop at once.
  const toShared = { when: ({ channel }: { channel?: unknown }) => channel === shared };
  slack.faults.set('chat.postMessage', { kind: 'slow', milliseconds: 1_500 }, toShared);
  await person.command(`/report ${newCommand()}`, '#shared-work');
  const stopping = await holderOf('posting', bots);
  stopping.signal('SIGTERM');
  await stopping.waitFor(/is stopping/);
  const later = 8;
  await Promise.all(
    Array.from({ length: later }, () => person.command(`/report ${newCommand()}`, '#shared-work')),
  );
  expect(await stopping.ended).toBe(0);
  await slack.waitFor(() => answersIn(slack).length === 1 + later);
  await allDone(bots);
  // Nobody reads that Rollcall is restarting.
  expect(slack.messages('#shared-work').filter(({ visibleTo }) => visibleTo !== undefined)).toEqual([]);
  expect(told(slack)).toEqual([]);
  await bots.close();
}, 90_000);
