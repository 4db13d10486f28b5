import { get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { clientOf, openSlack, startBot } from './test-bot.js';
import { openPage } from './test-page.js';

const learning = 'C00LEARN01';

describe('a snapshot', () => {
  test('has only what its person sees', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    await client.chat.postMessage({ channel: learning, text: 'all' });
    await client.chat.postEphemeral({ channel: learning, user: 'U00ADA0001', text: 'ada' });
    await client.chat.postEphemeral({ channel: learning, user: 'U00NOAH001', text: 'noah' });
    const page = await openPage(slack);
    const ada = page.snapshot();
    expect(ada).toMatchObject({
      me: 'U00ADA0001',
      openChannel: learning,
      bot: { name: 'Rollcall', connected: false },
    });
    expect(ada.messages.map((one) => [one.text, one.ephemeral])).toEqual([
      ['all', false],
      ['ada', true],
    ]);
    expect(ada.channels.map((one) => one.name)).toContain('leadership');
    expect(ada.commands).toMatchObject([{ command: '/report', usageHint: expect.any(String) }]);

    expect(await page.act({ type: 'switch-user', user: 'U00GIL0001' })).toMatchObject({ ok: true });
    expect(page.snapshot().channels.map((one) => one.name)).toEqual(['learning', 'Rollcall']);
    expect(page.snapshot().messages.map((one) => one.text)).toEqual(['all']);
  });

  test('is refused to pages of other sites and to other host names', async () => {
    const slack = await openSlack();
    const foreign = await openPage(slack, { origin: 'https://elsewhere.test' });
    expect([foreign.isClosed(), foreign.heard]).toEqual([true, []]);
    const own = await openPage(slack, { origin: slack.url });
    expect(own.snapshot().me).toBe('U00ADA0001');
    const status = await new Promise((resolve) => {
      get(slack.apiUrl, { headers: { host: 'elsewhere.test' } }, ({ statusCode }) => resolve(statusCode));
    });
    expect(status).toBe(403);
  });
});

describe('updates', () => {
  test('of messages: new, edited, answered, deleted, only to people who see them', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const page = await openPage(slack);
    const { ts } = await client.chat.postMessage({ channel: learning, text: 'one' });
    await client.chat.update({ channel: learning, ts: String(ts), text: 'two' });
    await client.chat.postMessage({ channel: learning, text: 'reply', thread_ts: String(ts) });
    await client.chat.postEphemeral({ channel: learning, user: 'U00NOAH001', text: 'noah' });
    await client.chat.delete({ channel: learning, ts: String(ts) });
    await slack.waitFor(() => page.news('message-removed').length === 1);
    expect(
      page
        .news('message')
        .map(({ message }) => [message.text, message.replyCount, message.editedAt !== undefined]),
    ).toEqual([
      ['one', 0, false],
      ['two', 0, true],
      ['reply', 0, false],
      ['two', 1, true],
    ]);
    expect(page.news('message-removed')).toEqual([{ type: 'message-removed', channel: learning, ts }]);
  });

  test('of a private channel after an invitation, with its messages, and after a removal', async () => {
    const slack = await openSlack();
    slack.as('ada').message('before', '#people-team');
    const page = await openPage(slack);
    await page.act({ type: 'switch-user', user: 'U00PRIYA01' });
    slack.as('ada').invite('#people-team', 'priya');
    await slack.waitFor(() => page.news('message').length >= 2);
    expect(page.news('channel')[0]?.channel).toMatchObject({ name: 'people-team', joined: true });
    expect(page.news('message').map(({ message }) => message.text)).toContain('before');
    slack.as('ada').remove('#people-team', 'priya');
    await slack.waitFor(() => page.news('channel-removed').length === 1);
  });

  test('of refused payloads, with the rule, but not of expected errors', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const page = await openPage(slack);
    await client.chat.postMessage({ channel: 'C00WATER01', text: 'x' }).catch(() => {});
    const blocks = [{ type: 'header', text: { type: 'plain_text', text: 'x'.repeat(151) } }];
    await client.chat.postMessage({ channel: learning, text: 'x', blocks }).catch(() => {});
    await slack.waitFor(() => page.news('refusal').length > 0);
    expect(page.news('refusal').map(({ refusal }) => refusal)).toMatchObject([
      {
        method: 'chat.postMessage',
        error: 'invalid_blocks',
        channel: learning,
        rules: [{ message: 'must be less than 151 characters', pointer: '/blocks/0/text/text' }],
      },
    ]);
    const seen = slack.inspector.entries().map((entry) => [entry.title, entry.state, entry.error]);
    expect(seen).toEqual([
      ['chat.postMessage', 'refused', 'invalid_blocks'],
      ['chat.postMessage', 'refused', 'not_in_channel'],
    ]);
    expect((await openPage(slack)).snapshot().refusals).toHaveLength(1);
  });

  test('of the inspector: first waiting, then answered', async () => {
    const slack = await openSlack();
    const page = await openPage(slack);
    await clientOf(slack).auth.test();
    await slack.waitFor(() => page.news('inspector').length === 2);
    const [asked, answered] = page.news('inspector').map(({ entry }) => entry);
    expect(asked).toMatchObject({ direction: 'bot to Slack', title: 'auth.test', state: 'waiting' });
    expect(answered).toMatchObject({
      id: asked?.id,
      state: 'ok',
      answer: expect.stringContaining('U00ROLLCAL'),
    });
  });

  test('of the clock, and of the bot', async () => {
    const slack = await openSlack();
    const page = await openPage(slack);
    await page.act({ type: 'move-clock', by: 3_600_000 });
    expect(page.news('clock').at(-1)?.clock).toMatchObject({ offsetMs: 3_600_000 });
    await page.act({ type: 'reset-clock' });
    expect(page.news('clock').at(-1)?.clock.offsetMs).toBe(0);
    await startBot(slack, () => {});
    await slack.waitFor(() => page.news('bot').some((one) => one.connected));
    expect(await page.act({ type: 'renew-connections' })).toMatchObject({ ok: true });
  });
});
