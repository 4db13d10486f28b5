import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import type { LocalSlack } from '../../playground/slack/server/local-slack.js';
import { ada, dueOnce, noah, settings } from '../digests/test-workspace.js';
import { eventsUrl } from '../journeys/bot-process.js';
import { openSeveralBots, type SeveralBots, shared } from '../journeys/several-bots.js';
import { endEveryProcess, type StartedProcess } from '../process.js';
import { answer } from '../reporting-api/fault-server.js';
import { freshFolder } from '../store/fresh-folder.js';

const folder = freshFolder();
afterAll(endEveryProcess);

/** Several probes of the token, with their delays. */
const withProbes = { timeout: 60_000, interval: 250 };

/** A bot with a digest that is due tomorrow. */
async function openWorkspace(mode: 'socket' | 'http', environment: Record<string, string> = {}) {
  const bots = await openSeveralBots(folder.database(), folder.path('.'));
  const bot = await bots.start({ OPERATIONS_PORT: '0', ...environment }, mode);
  const url = mode === 'http' ? await eventsUrl(bot) : undefined;
  if (url !== undefined) await bots.slack.deliverTo(url);
  const { digests } = bots.store;
  const id = await digests.add({ ...settings, channel: shared }, ada, Date.now() + 86_400_000, Date.now());
  return {
    ...bots,
    bot,
    url,
    stateOf: async () => (await digests.find(id))?.state,
    isUninstalled: async () => (await bots.store.installation.uninstalledAt()) !== undefined,
  };
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
  const before = slack.posts.length;
  await slack.as('ada').command('/report engagement 2026-03-05', '#shared-work');
  await slack.waitFor(() => slack.posts.length > before);
}

describe.each(['socket', 'http'] as const)('over %s', (mode) => {
  it('a revoked token is an outage, whose end needs no restart, and no uninstallation', async () => {
    const work = await openWorkspace(mode);
    const { slack, bot } = work;
    slack.tokens.revoke('token_revoked');
    await slack.deliver('events_api', eventOf(revoked));
    await expect.poll(() => outagesOf(bot)).toEqual(['slack']);
    expect([await work.stateOf(), await work.isUninstalled()]).toEqual(['active', false]);
    slack.tokens.revoke(undefined);
    await work.store.digests.add({ ...dueOnce(), channel: shared }, ada, Date.now() - 500, Date.now());
    await slack.waitFor(() => slack.posts.some(({ channel }) => channel === shared), 90_000);
    await expect.poll(() => outagesOf(bot), withProbes).toEqual([]);
    await work.close();
  }, 180_000);

  it.each([
    ['tokens first', [revoked, uninstalled]],
    ['tokens last', [uninstalled, revoked]],
  ])(
    'an uninstallation pauses all, %s, and a new installation continues without a restart',
    async (_how, both) => {
      const work = await openWorkspace(mode);
      const { slack, bot } = work;
      slack.tokens.revoke('account_inactive');
      for (const event of both) await slack.deliver('events_api', eventOf(event));
      await expect.poll(work.stateOf).toBe('paused');
      await expect.poll(() => outagesOf(bot)).toEqual(['slack']);
      expect(await work.isUninstalled()).toBe(true);
      slack.tokens.revoke(undefined);
      await expect.poll(work.stateOf, withProbes).toBe('active');
      expect(await work.isUninstalled()).toBe(false);
      await work.close();
    },
    180_000,
  );

  it('an uninstallation pauses all, and a token that still works afterwards continues without a restart', async () => {
    const work = await openWorkspace(mode);
    const { slack } = work;
    await slack.deliver('events_api', eventOf(uninstalled));
    await expect.poll(work.stateOf).toBe('paused');
    expect(await work.isUninstalled()).toBe(true);
    await expect.poll(work.stateOf, withProbes).toBe('active');
    expect(await work.isUninstalled()).toBe(false);
    await work.close();
  }, 120_000);

  it('events of another workspace, repetitions and late events change nothing', async () => {
    const work = await openWorkspace(mode);
    const { slack, bot } = work;
    const other = { team_id: 'T00OTHER01', authorizations: [{ team_id: 'T00OTHER01' }] };
    for (const event of [uninstalled, revoked]) await slack.deliver('events_api', eventOf(event, other));
    // The token works: this is about tokens of people, or it comes after a new installation.
    await slack.deliver('events_api', eventOf(revoked));
    await slack.deliver('events_api', eventOf({ type: 'tokens_revoked', tokens: { oauth: [noah] } }));
    const late = { event_time: Math.floor(Date.now() / 1000) - 3600 };
    await slack.deliver('events_api', eventOf(uninstalled, late));
    await askedAfter(work);
    expect([await work.stateOf(), await work.isUninstalled(), await outagesOf(bot)]).toEqual([
      'active',
      false,
      [],
    ]);
    await work.close();
  }, 120_000);
});

describe('over HTTP, somebody without the signing secret', () => {
  it('uninstalls nothing: unsigned, signed with another secret, by an old stamp, or for another body', async () => {
    const work = await openWorkspace('http');
    const { slack, url = '' } = work;
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
    await askedAfter(work);
    expect([await work.stateOf(), await work.isUninstalled()]).toEqual(['active', false]);
    await work.close();
  }, 120_000);
});

/** People of Noah, for whoever has Noah's address. */
const team = JSON.stringify(
  Array.from({ length: 6 }, (_, n) => ({
    email: `p${n}@example.com`,
    manager_email: 'noah@example.com',
    sessions: n,
  })),
);

/** What Priya gets for the rows of “her” team. */
async function rowsOf({ slack }: { readonly slack: LocalSlack }) {
  const before = new Set(slack.messages('@priya').map(({ ts }) => ts));
  await slack.as('priya').command('/report engagement 2026-03-05 rows fields:email,sessions', '@priya');
  return slack.waitForMessage('@priya', ({ ts, text }) => !before.has(ts) && !/^Running/.test(text));
}

describe.each(['socket', 'http'] as const)('over %s, an address of somebody else', (mode) => {
  it.each([
    ['unsaid', 'no', 'no confirmed email address'],
    [false, 'no', 'no confirmed email address'],
    [false, 'yes', 'no confirmed email address'],
    ['unsaid', 'yes', 'p3@example.com'],
    [true, 'no', 'p3@example.com'],
  ] as const)(
    'that Slack calls confirmed: %s, with TRUST_SLACK_EMAIL=%s, gives: %s',
    async (said, trust, words) => {
      const work = await openWorkspace(mode, {
        DEFAULT_ACCESS: 'team',
        SMALLEST_GROUP: '5',
        TRUST_SLACK_EMAIL: trust,
      });
      work.service.always(answer(team));
      work.slack.as('priya').changeProfile({ email: 'noah@example.com', isEmailConfirmed: said });
      await work.slack.settled();
      const reply = await rowsOf(work);
      expect(reply.words).toContain(words);
      if (words !== 'p3@example.com') {
        expect(reply.words).not.toMatch(/p\d@example/);
        expect(work.service.seen).toEqual([]);
      }
      await work.close();
    },
    120_000,
  );

  it('gives a guest nothing, confirmed or not', async () => {
    const work = await openWorkspace(mode, { DEFAULT_ACCESS: 'team', TRUST_SLACK_EMAIL: 'yes' });
    const address = { email: 'noah@example.com', isEmailConfirmed: true } as const;
    work.slack.as('priya').changeProfile({ ...address, kind: 'guest' });
    await work.slack.settled();
    const reply = await rowsOf(work);
    expect(reply.words).toContain('Guests cannot ask for reports.');
    expect(work.service.seen).toEqual([]);
    await work.close();
  }, 120_000);
});

describe.each(['socket', 'http'] as const)('over %s, without the optional scopes', (mode) => {
  it('a rule for a user group widens nothing, still narrows, and /report access says why', async () => {
    const work = await openWorkspace(mode, { DEFAULT_ACCESS: 'totals', SMALLEST_GROUP: '5' });
    const { slack, store, service } = work;
    const refused = { kind: 'error', error: 'missing_scope' } as const;
    const always = { times: Number.POSITIVE_INFINITY };
    for (const method of ['usergroups.list', 'usergroups.users.list'])
      slack.faults.set(method, refused, always);
    service.always(answer(team));
    const group = { kind: 'group', id: 'S00COACH01' } as const;
    await store.accessRules.set({ subject: group, level: 'everything' }, { by: ada, at: Date.now() });
    expect((await rowsOf(work)).words).not.toMatch(/p\d@example/);
    await slack.as('priya').command('/report access', '@priya');
    await slack.waitForMessage('@priya', (message) => message.says('I may not read who is in user groups'));
    await store.accessRules.set({ subject: group, level: 'nothing' }, { by: ada, at: Date.now() });
    expect((await rowsOf(work)).words).toContain('You may not ask for this report.');
    expect(service.seen).toEqual([]);
    await work.close();
  }, 120_000);
});
