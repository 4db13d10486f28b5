import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { slackReach } from '../../../src/slack/delivery/clients.js';
import { watchReach } from '../../../src/slack/transport/reach.js';
import type { PubSubEvents } from '../../../src/store/postgres/pub-sub.js';
import { type Signals, signalsOver } from '../../../src/store/signals.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Network = 'works' | 'hangs' | 'fails' | 'answers 502';

/** A process with a network of its own to Slack. */
function aProcess(name: string, signals: Signals) {
  let network: Network = 'works';
  let calls = 0;
  const fetch = () => {
    calls += 1;
    if (network === 'hangs') return new Promise<never>(() => {});
    if (network === 'fails') return Promise.reject(new TypeError('fetch failed'));
    return Promise.resolve(new Response('{}', { status: network === 'works' ? 200 : 502 }));
  };
  const reach = slackReach(fetch as never, () => performance.now());
  const call = () =>
    Promise.race([
      reach.fetch('https://slack.com/api/auth.test'),
      new Promise((_, reject) => setTimeout(() => reject(new Error('It takes too long')), 2500)),
    ]);
  const onCutOff = vi.fn();
  const stop = watchReach({ reach, probe: call, signals, process: name, log: { warn() {} }, onCutOff });
  return {
    call: () => call().catch(() => {}),
    becomes(next: Network) {
      network = next;
    },
    calls: () => calls,
    reach,
    onCutOff,
    stop,
  };
}

function twoProcesses() {
  const all: PubSubEvents[] = [];
  const [one, two] = ['one', 'two'].map((name) =>
    aProcess(
      name,
      signalsOver((events) => {
        all.push(events);
        return {
          async send(text) {
            for (const { received } of all) received(text);
          },
          async close() {},
        };
      }, name),
    ),
  ) as [ReturnType<typeof aProcess>, ReturnType<typeof aProcess>];
  return { one, two };
}

it.each<Network>(['hangs', 'fails', 'answers 502'])(
  'a process whose network to Slack %s hears it from another one within ten seconds',
  async (network) => {
    const { one, two } = twoProcesses();
    one.becomes(network);
    void one.call();
    await vi.advanceTimersByTimeAsync(6_000);
    expect(one.onCutOff).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(4_000);
    expect(one.onCutOff).toHaveBeenCalledOnce();
    expect(two.onCutOff).not.toHaveBeenCalled();
  },
);

it('nobody is cut off where Slack answers nobody, and nobody is where nobody else is there', async () => {
  const { one, two } = twoProcesses();
  for (const each of [one, two]) {
    each.becomes('hangs');
    void each.call();
  }
  await vi.advanceTimersByTimeAsync(60_000);
  expect(one.onCutOff).not.toHaveBeenCalled();
  expect(two.onCutOff).not.toHaveBeenCalled();
  // The first one that Slack answers again makes the other one end.
  two.becomes('works');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(one.onCutOff).toHaveBeenCalledOnce();
  expect(two.onCutOff).not.toHaveBeenCalled();

  const alone = aProcess('alone', signalsOver(undefined, 'alone'));
  alone.becomes('hangs');
  void alone.call();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(alone.onCutOff).not.toHaveBeenCalled();
});

it('a slow or a failed call is no cut, and a process without calls makes none', async () => {
  const { one, two } = twoProcesses();
  one.becomes('hangs');
  void one.call();
  await vi.advanceTimersByTimeAsync(1_000);
  one.becomes('works');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(one.reach.unansweredMs()).toBe(0);
  expect(one.onCutOff).not.toHaveBeenCalled();
  expect(two.calls()).toBe(0);
});
