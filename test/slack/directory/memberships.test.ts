import { type WebAPICallResult, WebClient } from '@slack/web-api';
import { expect, it } from 'vitest';
import { defaultSeed } from '../../../playground/slack/server/workspace/seed.js';
import { membershipsOf } from '../../../src/slack/directory/channels.js';
import { openSlack, quiet } from '../../playground/slack/server/test-bot.js';

const ada = 'U00ADA0001';
const noah = 'U00NOAH001';
const learning = 'C00LEARN01';
const archived = 'C00OLDAC01';
const minute = 60_000;

/** Records its calls. */
class CountingClient extends WebClient {
  readonly called: string[] = [];
  override apiCall(method: string, options?: Record<string, unknown>): Promise<WebAPICallResult> {
    this.called.push(method);
    return super.apiCall(method, options);
  }
}

async function opened(channels = 0) {
  const many = Array.from({ length: channels }, (_, i) => ({
    id: `C1${String(i).padStart(8, '0')}`,
    kind: 'public' as const,
    name: `many-${i}`,
    members: [ada, defaultSeed.bot.user],
  }));
  const seed = { ...defaultSeed, channels: [...defaultSeed.channels, ...many] };
  const slack = await openSlack({ seed });
  const client = new CountingClient(slack.botToken, {
    slackApiUrl: slack.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: quiet,
  });
  const time = { now: 0 };
  return { slack, client, time, many, memberships: membershipsOf(client, () => time.now) };
}

it('one list answers for all channels of a person', async () => {
  const { client, many, memberships } = await opened(2500);
  for (const { id } of many) expect(await memberships.isMember(id, ada)).toBe(true);
  expect(client.called).toEqual(['users.conversations', 'users.conversations', 'users.conversations']);
});

it('checks the members of a channel before it says no, because archived channels are not listed', async () => {
  const { client, memberships } = await opened();
  expect(await memberships.isMember(archived, ada)).toBe(true);
  expect(await memberships.isMember('C00SALES01', 'U00PRIYA01')).toBe(false);
  expect(client.called.filter((method) => method === 'conversations.members')).toHaveLength(2);
});

it('drops only the person who left', async () => {
  const { slack, client, memberships } = await opened();
  expect(await memberships.isMember(learning, ada)).toBe(true);
  expect(await memberships.isMember(learning, noah)).toBe(true);
  slack.as('ada').cleanUp('#learning');
  memberships.invalidate(learning, ada);
  const before = client.called.length;
  expect(await memberships.isMember(learning, noah)).toBe(true);
  expect(client.called).toHaveLength(before);
  expect(await memberships.isMember(learning, ada)).toBe(false);
});

it('asks Slack again after ten minutes, and at once for a fresh answer', async () => {
  const { slack, time, memberships } = await opened();
  expect(await memberships.isMember(learning, ada)).toBe(true);
  // Slack reported no change.
  slack.as('ada').cleanUp('#learning');
  time.now = 9 * minute;
  expect(await memberships.isMember(learning, ada)).toBe(true);
  expect(await memberships.isMember(learning, ada, true)).toBe(false);
  time.now = 11 * minute;
  expect(await memberships.isMember(learning, ada)).toBe(false);
});

it('is unknown if Slack does not say, and does not cache that', async () => {
  const { slack, memberships } = await opened();
  slack.faults.set('users.conversations', { kind: 'ratelimited', retryAfter: 9 });
  slack.faults.set('conversations.members', { kind: 'ratelimited', retryAfter: 9 });
  expect(await memberships.isMember(learning, ada)).toBe('unknown');
  expect(await memberships.isMember(learning, ada)).toBe(true);
});

it('limits the calls of digests per minute', async () => {
  const { client, time, many, memberships } = await opened(150);
  const owners = many.map((_, i) => `U00NOBODY${i}`);
  const answers = [];
  for (const [i, owner] of owners.entries()) {
    answers.push(await memberships.isMember(many[i]?.id ?? '', owner));
  }
  const count = (method: string) => client.called.filter((one) => one === method).length;
  expect(count('users.conversations')).toBe(15);
  expect(count('conversations.members')).toBe(60);
  expect(answers.filter((answer) => answer === 'unknown')).toHaveLength(90);
  time.now += minute + 1;
  expect(await memberships.isMember(many[149]?.id ?? '', owners[149] ?? '')).toBe(false);
});
