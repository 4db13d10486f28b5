import { describe, expect, test } from 'vitest';
import { createRateLimits } from '../../../../playground/slack/server/web-api/rate-limits.js';
import { clientOf, openSlack } from './test-bot.js';

function limitsAt(scale: number | 'off' = 1, more: { readonly postsPerMinute?: number } = {}) {
  let now = 0;
  const limits = createRateLimits(scale, { ...more, realNow: () => now });
  return {
    post: (channel = 'C1') => limits.take('chat.postMessage', 'post', channel),
    call: (tier: 1 | 2 | 3 | 4, method = 'm') => limits.take(method, tier, undefined),
    wait: (ms: number) => {
      now += ms;
    },
  };
}

/** How many calls pass before the first that has to wait. */
function passing(call: () => number | undefined): number {
  let count = 0;
  while (call() === undefined && count < 1000) count += 1;
  return count;
}

describe('rates', () => {
  test('one post per second and channel, after a small burst', () => {
    const { post, wait } = limitsAt();
    expect(passing(() => post())).toBe(4);
    expect(post()).toBe(1);
    expect(post('C2')).toBeUndefined();
    wait(999);
    expect(post()).toBe(1);
    wait(1);
    expect(post()).toBeUndefined();
    expect(post()).toBe(1);
  });

  test('several hundred posts a minute in the workspace', () => {
    const { post, wait } = limitsAt();
    let channel = 0;
    const next = () => {
      channel += 1;
      return post(`C${channel}`);
    };
    expect(passing(next)).toBe(100);
    wait(60_000);
    expect(passing(next)).toBe(100);
  });

  test('a workspace limit leaves channel limits unchanged', () => {
    const { post, wait } = limitsAt(1, { postsPerMinute: 3000 });
    let channel = 0;
    const next = () => {
      channel += 1;
      return post(`C${channel}`);
    };
    expect(passing(next)).toBe(100);
    wait(1000);
    expect(passing(next)).toBe(50);
    wait(1000);
    expect(passing(() => post('one'))).toBe(4);
  });

  test.each([
    [1, 20, 60],
    [2, 20, 3],
    [3, 50, 2],
    [4, 100, 1],
  ] as const)('tier %i: %i at once, then %i seconds to wait', (tier, burst, seconds) => {
    const { call, wait } = limitsAt();
    expect(passing(() => call(tier))).toBe(burst);
    expect(call(tier)).toBe(seconds);
    expect(call(tier, 'another')).toBeUndefined();
    wait(seconds * 1000);
    expect(call(tier)).toBeUndefined();
  });

  test('scaled, and off', () => {
    expect(passing(() => limitsAt(10).call(2))).toBe(1000);
    const scaled = limitsAt(2);
    expect(passing(() => scaled.call(2))).toBe(40);
    const { post } = limitsAt('off');
    expect(passing(() => post())).toBe(1000);
  });
});

test('a limited call gets 429 with Retry-After and posts nothing', async () => {
  const slack = await openSlack({ rateLimits: 1 });
  const client = clientOf(slack);
  const posts = Array.from({ length: 20 }, (_, index) =>
    client.chat.postMessage({ channel: 'C00LEARN01', text: `${index}` }),
  );
  const settled = await Promise.allSettled(posts);
  const refused = settled.filter((one) => one.status === 'rejected');
  expect(refused.length).toBeGreaterThanOrEqual(1);
  expect(refused[0]?.reason).toMatchObject({ code: 'slack_webapi_rate_limited_error', retryAfter: 1 });
  expect(slack.posts).toHaveLength(settled.length - refused.length);
});
