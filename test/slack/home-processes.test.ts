import { expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from '../../src/logging/logger.js';
import { runningRequests, watchOtherProcesses } from '../../src/slack/answers/running-requests.js';
import type { HomeParts } from '../../src/slack/home/home-facts.js';
import { invalidateChanged } from '../../src/slack/listeners/events.js';
import { homeOf } from '../../src/slack/listeners/home.js';
import type { PubSubEvents } from '../../src/store/postgres/pub-sub.js';
import { type Signals, signalsOver } from '../../src/store/signals.js';

const log = createLogger({ level: 'error', forPeople: false, destination: { write() {} } });

/** Processes that tell each other everything, at once and in order. */
function connected(...names: readonly string[]): readonly Signals[] {
  const all: PubSubEvents[] = [];
  return names.map((name) =>
    signalsOver((events) => {
      all.push(events);
      return {
        async send(text) {
          for (const { received } of all) received(text);
        },
        async close() {},
      };
    }, name),
  );
}

const sent = () => new Promise((resolve) => setTimeout(resolve, 20));

/** The Home tabs of two processes, and who draws them. */
function twoHomes() {
  const drawn: string[] = [];
  const ended = new Set<string>();
  const homes = connected('one', 'two').map((signals, index) => {
    const name = index === 0 ? 'one' : 'two';
    return homeOf({
      signals,
      membership: { process: name, hasEnded: async (other: string) => ended.has(other) },
      log,
      // Nobody whom Slack describes: their tab says so.
      people: { find: async (id: string) => ({ id, standing: 'gone' }), invalidate() {} },
      client: {
        views: {
          async publish({ user_id: user }: { user_id: string }) {
            drawn.push(`${name} ${user}`);
          },
        },
      },
    } as unknown as HomeParts);
  });
  const [one, two] = homes as [ReturnType<typeof homeOf>, ReturnType<typeof homeOf>];
  return { one, two, drawn, ended };
}

it('a Home tab is drawn again by the process that showed it last, whichever one changed something', async () => {
  const { one, two, drawn } = twoHomes();
  await one.show('U1');
  await sent();
  two.changed('U1');
  await sent();
  expect(drawn).toEqual(['one U1', 'one U1']);

  await two.show('U1');
  await sent();
  drawn.length = 0;
  one.changed('U1');
  one.changed('U2');
  await sent();
  expect(drawn).toEqual(['two U1']);
});

it('a Home tab whose process has ended is drawn again by the one that changed something', async () => {
  const { one, two, drawn, ended } = twoHomes();
  await two.show('U1');
  await sent();
  // A process that is gone draws nothing.
  ended.add('two');
  drawn.length = 0;
  one.changed('U1');
  await expect.poll(() => drawn).toContain('one U1');
  one.changed('U1');
  await expect.poll(() => drawn.filter((by) => by === 'one U1')).toHaveLength(2);
});

it('what one process hears of Slack leaves the caches of all', async () => {
  const [one, two] = connected('one', 'two') as [Signals, Signals];
  const dropped: string[] = [];
  const note =
    (cache: string) =>
    (...of: readonly (string | undefined)[]) => {
      dropped.push([cache, ...of.filter(Boolean)].join(' '));
    };
  invalidateChanged(two, {
    channels: { invalidate: note('channels') },
    people: { invalidate: note('people') },
    memberships: { invalidate: note('memberships') },
    access: { invalidateGroup: note('groups') },
  } as unknown as Parameters<typeof invalidateChanged>[1]);
  one.send({ kind: 'person-changed', user: 'U1' });
  one.send({ kind: 'channel-changed', channel: 'C1', user: 'U1' });
  one.send({ kind: 'group-changed', group: 'S1' });
  await sent();
  expect(dropped).toEqual(['people U1', 'channels C1', 'memberships C1 U1', 'groups S1']);

  dropped.length = 0;
  for (let n = 0; n < 2000; n += 1) one.send({ kind: 'person-changed', user: `U${n}` });
  await sent();
  expect(new Set(dropped)).toEqual(new Set(['channels', 'memberships', 'people', 'groups']));
});

it('a request that is cancelled through another process ends before the next look at the database', async () => {
  // The database is never looked at by time.
  vi.useFakeTimers({ toFake: ['setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const [one, two] = connected('one', 'two') as [Signals, Signals];
  const running = runningRequests();
  const { signal } = running.begin('R1', 'U1');
  const requestLog = { stillWanted: async (ids: readonly string[]) => ids, cancelled: async () => ['R1'] };
  const stop = watchOtherProcesses(running, requestLog, two, log);
  one.send({ kind: 'cancelled' });
  await expect.poll(() => signal.aborted, { interval: 5 }).toBe(true);
  running.end('R1');
  await stop();
});
