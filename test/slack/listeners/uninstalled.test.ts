import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventRoutes } from '../../../src/slack/listeners/events.js';
import { createRouter, routeTable } from '../../../src/slack/listeners/router.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder } from '../../store/fresh-folder.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now);
});
afterEach(() => store.close());

const startedAt = Date.parse('2026-11-20T12:00Z');
const minutes = 60_000;

/** What the listeners need, of a Slack that answers the check of the token so. */
function partsWith(check: () => Promise<object>) {
  const sent: object[] = [];
  const log = { info() {}, warn() {}, error() {} };
  const clock = { now: () => startedAt + 5 };
  const signals = { send: (signal: object) => void sent.push(signal) };
  return { sent, parts: { store, client: { auth: { test: check } }, clock, log, signals } as never };
}

/** Delivers an event to a bot that started at that time. */
function deliver(body: Record<string, unknown>, parts: never): Promise<void> {
  const handle = createRouter(routeTable(eventRoutes(startedAt)), parts);
  return handle({ kind: 'event', body, ack: async () => {}, requestId: 'r1', receivedAtMs: 0 });
}

const accepted = async () => ({});
const refused = (error: string) => () => Promise.reject(Object.assign(new Error(error), { data: { error } }));

it.each([
  ['now', startedAt + minutes, true, true],
  ['before the start, repeated after a new installation', startedAt - 10 * minutes, true, false],
  ['before the start, without a new installation', startedAt - 10 * minutes, false, true],
  ['at no known time', Number.NaN, true, true],
])('of an event %s', async (_when, eventAt, isTokenAccepted, isUninstalled) => {
  const { parts, sent } = partsWith(isTokenAccepted ? accepted : refused('account_inactive'));
  await deliver({ event: { type: 'app_uninstalled' }, event_time: eventAt / 1000 }, parts);
  expect(await store.installation.uninstalledAt()).toBe(isUninstalled ? startedAt + 5 : undefined);
  // A token that Slack refuses is tried from then on, so that a new installation shows.
  expect(sent).toEqual(isTokenAccepted ? [] : [{ kind: 'token-refused' }]);
});

describe('revoked tokens', () => {
  it.each([
    ['that Slack refuses since are an outage', { bot: ['U0BOT'] }, refused('token_revoked'), true],
    ['of an account that is off are an outage', { bot: ['U0BOT'] }, refused('account_inactive'), true],
    ['that Slack accepts again are nothing', { bot: ['U0BOT'] }, accepted, false],
    ['of people are nothing', { oauth: ['U1'], bot: [] }, refused('token_revoked'), false],
    ['that are not named are nothing', {}, refused('token_revoked'), false],
    ['prove nothing while Slack is down', { bot: ['U0BOT'] }, refused('internal_error'), false],
    [
      'prove nothing while the network is down',
      { bot: ['U0BOT'] },
      () => Promise.reject(new Error('ECONNRESET')),
      false,
    ],
  ] as const)('%s, and never an uninstallation', async (_what, tokens, check, isOutage) => {
    const { parts, sent } = partsWith(check);
    await deliver({ event: { type: 'tokens_revoked', tokens } }, parts);
    expect(sent).toEqual(isOutage ? [{ kind: 'token-refused' }] : []);
    expect(await store.installation.uninstalledAt()).toBeUndefined();
  });
});
