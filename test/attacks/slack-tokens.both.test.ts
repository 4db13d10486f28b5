import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { priya } from '../../playground/slack/server/workspace/seed.js';
import { ada, dueOnce, noah, settings } from '../digests/test-workspace.js';
import { eventsUrl, type Mode, startHostedBot } from '../journeys/bot-process.js';
import { openSeveralBots, type SeveralBots, shared, sharedBots } from '../journeys/several-bots.js';
import { endEveryProcess, type StartedProcess } from '../process.js';
import { answer } from '../reporting-api/fault-server.js';
import { freshFolder } from '../store/fresh-folder.js';

afterAll(endEveryProcess);

/** Several probes of the token, with their delays. */
const withProbes = { timeout: 60_000, interval: 250 };

/** People who are like Priya, for tests that each need somebody whom the bot has not met. */
const strangers = ['pat', 'pim', 'pola', 'pru'].map((handle) => ({
  ...priya,
  id: `U00${handle.toUpperCase().padEnd(7, '0')}`,
  handle,
  email: `${handle}@example.com`,
}));

async function openBot(
  location: string,
  folder: string,
  mode: Mode,
  environment: Readonly<Record<string, string>> = {},
) {
  const bots = await openSeveralBots(location, folder, { people: strangers, start: startHostedBot });
  const bot = await bots.start({ OPERATIONS_PORT: '0', ...environment }, mode);
  const url = mode === 'http' ? await eventsUrl(bot) : '';
  if (mode === 'http') await bots.slack.deliverTo(url);
  return { ...bots, bot, url };
}

/** One bot for all tests with these settings, each of which leaves it as it was. */
const botWith = sharedBots(openBot);

/** A bot of one test, for what makes a bot wait longer the next time. */
const folder = freshFolder();
const ownBot = (mode: Mode) => openBot(folder.database(`${mode}.db`), folder.path('.'), mode);

/** A digest that is due tomorrow, of an installation that works. */
async function withDigest({ store }: Pick<SeveralBots, 'store'>) {
  const { digests, installation } = store;
  const id = await digests.add({ ...settings, channel: shared }, ada, Date.now() + 86_400_000, Date.now());
  const stateOf = async () => (await digests.find(id))?.state;
  const isUninstalled = async () => (await installation.uninstalledAt()) !== undefined;
  expect([await stateOf(), await isUninstalled()]).toEqual(['active', false]);
  return { stateOf, isUninstalled };
}

let events = 0;

function eventOf(event: object, more: object = {}) {
  events += 1;
  return {
    type: 'event_callback',
    team_id: 'T00LEARN01',
    event_id: `EvTokens${events}`,
    event_time: Math.floor(Date.now() / 1000),
    event,
    ...more,
  };
}

const uninstalled = { type: 'app_uninstalled' };
const revoked = { type: 'tokens_revoked', tokens: { oauth: [], bot: ['U00ROLL001'] } };

/** The causes of outages that `/readyz` shows. */
async function outagesOf(bot: StartedProcess): Promise<readonly string[]> {
  const [, port] = await bot.waitFor(/"port":(\d+),"msg":"\/healthz/);
  const page = await (await fetch(`http://127.0.0.1:${port}/readyz`)).json();
  return (page as { outages: { cause: string }[] }).outages.map(({ cause }) => cause);
}

/** A request that the bot has handled after everything that was sent before. */
async function askedAfter({ slack }: Pick<SeveralBots, 'slack'>): Promise<void> {
  const before = new Set(slack.messages('#shared-work').map(({ ts }) => ts));
  await slack.as('ada').command('/report engagement 2026-03-05', '#shared-work');
  // Where the answer takes long, it takes the place of the progress message, and is no new post.
  await slack.waitForMessage(
    '#shared-work',
    (message) =>
      !before.has(message.ts) && !/^Running/.test(message.text) && message.says('engagement 2026-03-05'),
  );
}

describe.each(['socket', 'http'] as const)('over %s', (mode) => {
  it('events of another workspace, repetitions and late events change nothing', async () => {
    const { slack, bot, ...work } = await botWith(mode);
    const { stateOf, isUninstalled } = await withDigest(work);
    const other = { team_id: 'T00OTHER01', authorizations: [{ team_id: 'T00OTHER01' }] };
    for (const event of [uninstalled, revoked]) await slack.deliver('events_api', eventOf(event, other));
    // The token works: this is about tokens of people, or it comes after a new installation.
    await slack.deliver('events_api', eventOf(revoked));
    await slack.deliver('events_api', eventOf({ type: 'tokens_revoked', tokens: { oauth: [noah] } }));
    const late = { event_time: Math.floor(Date.now() / 1000) - 3600 };
    await slack.deliver('events_api', eventOf(uninstalled, late));
    await askedAfter({ slack });
    expect([await stateOf(), await isUninstalled(), await outagesOf(bot)]).toEqual(['active', false, []]);
  }, 120_000);

  it('a revoked token is an outage, whose end needs no restart, and no uninstallation', async () => {
    const { slack, bot, ...work } = await botWith(mode);
    const { stateOf, isUninstalled } = await withDigest(work);
    slack.tokens.revoke('token_revoked');
    await slack.deliver('events_api', eventOf(revoked));
    await expect.poll(() => outagesOf(bot)).toEqual(['slack']);
    expect([await stateOf(), await isUninstalled()]).toEqual(['active', false]);
    slack.tokens.revoke(undefined);
    const before = slack.posts.length;
    await work.store.digests.add({ ...dueOnce(), channel: shared }, ada, Date.now() - 500, Date.now());
    await slack.waitFor(() => slack.posts.slice(before).some(({ channel }) => channel === shared), 90_000);
    await expect.poll(() => outagesOf(bot), withProbes).toEqual([]);
  }, 180_000);

  it.each([
    ['tokens first', [revoked, uninstalled]],
    ['tokens last', [uninstalled, revoked]],
  ])(
    'an uninstallation pauses all, %s, and a new installation continues without a restart',
    async (_how, both) => {
      const { slack, bot, close, ...work } = await ownBot(mode);
      const { stateOf, isUninstalled } = await withDigest(work);
      slack.tokens.revoke('account_inactive');
      for (const event of both) await slack.deliver('events_api', eventOf(event));
      await expect.poll(stateOf).toBe('paused');
      await expect.poll(() => outagesOf(bot)).toEqual(['slack']);
      expect(await isUninstalled()).toBe(true);
      slack.tokens.revoke(undefined);
      await expect.poll(stateOf, withProbes).toBe('active');
      expect(await isUninstalled()).toBe(false);
      await close();
    },
    180_000,
  );

  if (mode === 'http') {
    it('somebody without the signing secret uninstalls nothing: unsigned, signed with another secret, by an old stamp, or for another body', async () => {
      const { slack, url, ...work } = await botWith(mode);
      const { stateOf, isUninstalled } = await withDigest(work);
      const body = JSON.stringify(eventOf(uninstalled));
      const now = Math.floor(Date.now() / 1000);
      const headers = (secret: string, stamp: number, signed = body) => ({
        'content-type': 'application/json',
        'x-slack-request-timestamp': String(stamp),
        'x-slack-signature': `v0=${createHmac('sha256', secret).update(`v0:${stamp}:${signed}`).digest('hex')}`,
      });
      const attempts = [
        { 'content-type': 'application/json' },
        headers('another-secret', now),
        headers('', now),
        headers(slack.signingSecret, now - 3600),
        headers(slack.signingSecret, now, `${body} `),
      ];
      for (const attempt of attempts) {
        const { status } = await fetch(url, { method: 'POST', body, headers: attempt });
        expect(status).toBe(401);
      }
      await askedAfter({ slack });
      expect([await stateOf(), await isUninstalled()]).toEqual(['active', false]);
    }, 120_000);
  }
});

// Both wait for most of a minute, so they wait together.
it('an uninstallation pauses all, and a token that still works afterwards continues without a restart', async () => {
  const continues = async (mode: Mode) => {
    const { slack, close, ...work } = await ownBot(mode);
    const { stateOf, isUninstalled } = await withDigest(work);
    await slack.deliver('events_api', eventOf(uninstalled));
    await expect.poll(stateOf).toBe('paused');
    expect(await isUninstalled()).toBe(true);
    await expect.poll(stateOf, withProbes).toBe('active');
    expect(await isUninstalled()).toBe(false);
    await close();
  };
  await Promise.all([continues('socket'), continues('http')]);
}, 120_000);

/** People of Noah, for whoever has Noah's address. */
const team = JSON.stringify(
  Array.from({ length: 6 }, (_, n) => ({
    email: `p${n}@example.com`,
    manager_email: 'noah@example.com',
    sessions: n,
  })),
);

/** What a person gets for the rows of their team, and how many queries that takes. */
async function rowsOf(who: string, { slack, service }: Pick<SeveralBots, 'slack' | 'service'>) {
  const place = `@${who}`;
  const before = new Set(slack.messages(place).map(({ ts }) => ts));
  const seen = service.seen.length;
  await slack.as(who).command('/report engagement 2026-03-05 rows fields:email,sessions', place);
  const { words } = await slack.waitForMessage(
    place,
    ({ ts, text }) => !before.has(ts) && !/^Running/.test(text),
  );
  return { words, queries: service.seen.length - seen };
}

const unconfirmed = 'no confirmed email address';
type SlackSays = readonly [who: string, said: boolean | 'unsaid', words: string];

const byTrust: Readonly<Record<'no' | 'yes', readonly SlackSays[]>> = {
  no: [
    ['pat', 'unsaid', unconfirmed],
    ['pim', false, unconfirmed],
    ['pola', true, 'p3@example.com'],
  ],
  yes: [
    ['pat', false, unconfirmed],
    ['pim', 'unsaid', 'p3@example.com'],
  ],
};

describe.each([
  ['socket', 'no'],
  ['socket', 'yes'],
  ['http', 'no'],
  ['http', 'yes'],
] as const)('over %s, with TRUST_SLACK_EMAIL=%s, an address of somebody else', (mode, trust) => {
  const environment = { DEFAULT_ACCESS: 'team', SMALLEST_GROUP: '5', TRUST_SLACK_EMAIL: trust };

  it.each(byTrust[trust])(
    'gives %s, of whom Slack calls it confirmed: %s: %s',
    async (who, said, words) => {
      const { slack, service } = await botWith(mode, environment);
      service.always(answer(team));
      slack.as(who).changeProfile({ email: 'noah@example.com', isEmailConfirmed: said });
      await slack.settled();
      const reply = await rowsOf(who, { slack, service });
      expect(reply.words).toContain(words);
      if (words === unconfirmed) {
        expect(reply.words).not.toMatch(/p\d@example/);
        expect(reply.queries).toBe(0);
      }
    },
    120_000,
  );

  if (trust === 'yes') {
    it('gives a guest nothing, confirmed or not', async () => {
      const { slack, service } = await botWith(mode, environment);
      const address = { email: 'noah@example.com', isEmailConfirmed: true } as const;
      slack.as('pru').changeProfile({ ...address, kind: 'guest' });
      await slack.settled();
      const reply = await rowsOf('pru', { slack, service });
      expect(reply.words).toContain('Guests cannot ask for reports.');
      expect(reply.queries).toBe(0);
    }, 120_000);
  }
});

describe.each(['socket', 'http'] as const)('over %s, without the optional scopes', (mode) => {
  const environment = { DEFAULT_ACCESS: 'totals', SMALLEST_GROUP: '5' };

  it('a rule for a user group widens nothing, still narrows, and /report access says why', async () => {
    const { slack, store, service } = await botWith(mode, environment);
    const refused = { kind: 'error', error: 'missing_scope' } as const;
    const always = { times: Number.POSITIVE_INFINITY };
    for (const method of ['usergroups.list', 'usergroups.users.list'])
      slack.faults.set(method, refused, always);
    service.always(answer(team));
    const coaches = { kind: 'group', id: 'S00COACH01' } as const;
    await store.accessRules.set({ subject: coaches, level: 'everything' }, { by: ada, at: Date.now() });
    expect((await rowsOf('priya', { slack, service })).words).not.toMatch(/p\d@example/);
    await slack.as('priya').command('/report access', '@priya');
    await slack.waitForMessage('@priya', (message) => message.says('I may not read who is in user groups'));
    await store.accessRules.set({ subject: coaches, level: 'nothing' }, { by: ada, at: Date.now() });
    expect((await rowsOf('priya', { slack, service })).words).toContain('You may not ask for this report.');
    expect(service.seen).toEqual([]);
  }, 120_000);
});
