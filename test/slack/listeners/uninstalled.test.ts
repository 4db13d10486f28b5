import { afterEach, beforeEach, expect, it } from 'vitest';
import { uninstalled } from '../../../src/slack/listeners/events.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { freshFolder } from '../../store/fresh-folder.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.path('rollcall.db'), Date.now);
});
afterEach(() => store.close());

const startedAt = Date.parse('2026-11-20T12:00Z');
const minutes = 60_000;

it.each([
  ['now', startedAt + minutes, true, true],
  ['before the start, repeated after a new installation', startedAt - 10 * minutes, true, false],
  ['before the start, without a new installation', startedAt - 10 * minutes, false, true],
  ['at no known time', Number.NaN, true, true],
])('of an event %s', async (_when, eventAt, isTokenAccepted, isUninstalled) => {
  const client = {
    auth: {
      test: () => (isTokenAccepted ? Promise.resolve({}) : Promise.reject(new Error('account_inactive'))),
    },
  };
  const clock = { now: () => startedAt + 5 };
  const log = { warn() {} };
  const listener = uninstalled({ store, client, clock, log } as never, startedAt);
  await listener({ body: { event_time: eventAt / 1000 } } as never);
  expect(await store.installation.uninstalledAt()).toBe(isUninstalled ? startedAt + 5 : undefined);
});
