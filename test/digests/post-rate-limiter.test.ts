import { expect, it } from 'vitest';
import { postRateLimiter } from '../../src/scheduler/post-rate-limiter.js';

const now = () => performance.now();
const { signal } = new AbortController();

/** The channels in the order in which their posts had their turn. */
async function turns(pace: ReturnType<typeof postRateLimiter>, channels: readonly string[]) {
  const order: string[] = [];
  await Promise.all(channels.map((channel) => pace.turn(channel, signal).then(() => order.push(channel))));
  return order;
}

it('a rate-limited channel waits alone', async () => {
  const pace = postRateLimiter(1000, now);
  pace.limited('C1', 0.3);
  const [first, second, last] = await turns(pace, ['C1', 'C2', 'C3']);
  expect([[first, second].sort(), last]).toEqual([['C2', 'C3'], 'C1']);
});

it('all channels wait if a second channel is limited meanwhile', async () => {
  const pace = postRateLimiter(1000, now);
  const began = now();
  pace.limited('C1', 60);
  pace.limited('C2', 0.3);
  await pace.turn('C3', signal);
  expect(now() - began).toBeGreaterThanOrEqual(300);
});

it('all channels continue if the same channel is limited twice, or another one later', async () => {
  let time = 0;
  const pace = postRateLimiter(1000, () => time);
  pace.limited('C1', 60);
  pace.limited('C1', 60);
  await pace.turn('C3', signal);
  time = 61_000;
  pace.limited('C2', 60);
  await pace.turn('C4', signal);
});

it('lists only channels that wait for their next turn', async () => {
  let time = 0;
  const pace = postRateLimiter(1000, () => time);
  await pace.turn('C1', signal);
  time = 500;
  await pace.turn('C2', signal);
  pace.limited('C3', 60);
  expect(pace.waitingChannels()).toEqual(['C1', 'C2', 'C3']);
  time = 1000;
  expect(pace.waitingChannels()).toEqual(['C2', 'C3']);
  time = 1500;
  expect(pace.waitingChannels()).toEqual(['C3']);
});
