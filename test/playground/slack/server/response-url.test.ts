import { describe, expect, test } from 'vitest';
import type { LocalSlack } from '../../../../playground/slack/server/local-slack.js';
import { openSlack, startBot } from './test-bot.js';

const button = {
  type: 'actions' as const,
  elements: [{ type: 'button' as const, action_id: 'go', text: { type: 'plain_text' as const, text: 'Go' } }],
};

/** A bot that hands out the response addresses it was given. */
async function addressesOf(slack: LocalSlack) {
  const addresses: string[] = [];
  await startBot(slack, (app) => {
    app.command('/report', async ({ ack, command }) => {
      addresses.push(command.response_url);
      await ack();
    });
    app.action('go', async ({ ack, body }) => {
      if ('response_url' in body) addresses.push(String(body.response_url));
      await ack();
    });
  });
  return {
    async byCommand(channel = '#learning') {
      await slack.as('ada').command('/report', channel);
      return addresses.at(-1) ?? '';
    },
    async byClick(text: string, channel = '#learning') {
      await slack.as('ada').click(await slack.waitForMessage(channel, text), 'Go');
      return addresses.at(-1) ?? '';
    },
  };
}

const post = (url: string, body: object | string) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('response URLs', () => {
  test('answer five times, by default to the user alone', async () => {
    const slack = await openSlack();
    const url = await (await addressesOf(slack)).byCommand();
    expect(await (await post(url, { text: 'alone' })).text()).toBe('ok');
    await post(url, { text: 'all', response_type: 'in_channel' });
    const statuses: number[] = [];
    for (let index = 3; index <= 6; index += 1) statuses.push((await post(url, { text: `${index}` })).status);
    expect(statuses).toEqual([200, 200, 200, 404]);
    expect(slack.messages('#learning').map((one) => one.visibleTo)).toEqual([
      'U00ADA0001',
      undefined,
      'U00ADA0001',
      'U00ADA0001',
      'U00ADA0001',
    ]);
    expect(slack.refusals).toMatchObject([{ method: 'response_url', error: 'used_url' }]);
  });

  test('expire after 30 minutes of the workspace clock', async () => {
    const slack = await openSlack();
    const url = await (await addressesOf(slack)).byCommand();
    slack.clock.moveBy(29 * 60_000);
    expect((await post(url, { text: 'in time' })).status).toBe(200);
    slack.clock.moveBy(2 * 60_000);
    const late = await post(url, { text: 'late' });
    expect([late.status, await late.json()]).toEqual([404, { ok: false, error: 'expired_url' }]);
  });

  test('work without the bot in the channel, but not in an archived channel', async () => {
    const slack = await openSlack();
    const addresses = await addressesOf(slack);
    await post(await addresses.byCommand('#watercooler'), { text: 'hello', response_type: 'in_channel' });
    await post(await addresses.byCommand('D00ADANOAH'), { text: 'hello', response_type: 'in_channel' });
    for (const channel of ['#watercooler', 'D00ADANOAH'])
      expect(slack.messages(channel)).toMatchObject([{ text: 'hello', user: 'U00ROLLCAL' }]);
    const url = await addresses.byCommand('#watercooler');
    slack.as('ada').archive('#watercooler');
    expect(await (await post(url, { text: 'hello' })).json()).toMatchObject({ error: 'is_archived' });
  });

  test('of a click replace and delete the message that was clicked', async () => {
    const slack = await openSlack();
    const addresses = await addressesOf(slack);
    await post(await addresses.byCommand(), { text: 'one', blocks: [button] });
    const url = await addresses.byClick('one');
    await post(url, { text: 'two', replace_original: true, response_type: 'in_channel' });
    const replaced = slack.messages('#learning');
    expect(replaced).toMatchObject([{ text: 'two', visibleTo: 'U00ADA0001', blocks: [] }]);
    await post(url, { delete_original: true });
    expect(slack.messages('#learning')).toEqual([]);
    expect(await (await post(url, { delete_original: true })).json()).toMatchObject({
      error: 'message_not_found',
    });
  });

  test('answer into a thread', async () => {
    const slack = await openSlack();
    const url = await (await addressesOf(slack)).byCommand();
    const { ts } = slack.as('ada').message('parent', '#learning');
    await post(url, { text: 'reply', thread_ts: ts, response_type: 'in_channel' });
    expect(slack.messages('#learning').at(-1)).toMatchObject({ text: 'reply', threadTs: ts });
  });

  test.each([
    ['broken blocks', { text: 'x', blocks: [{ type: 'x' }] }, 'invalid_blocks'],
    ['nothing', {}, 'no_text'],
    ['no JSON', 'hello', 'invalid_payload'],
  ])('refuse %s', async (_what, body, error) => {
    const slack = await openSlack();
    const response = await post(await (await addressesOf(slack)).byCommand(), body);
    expect([response.status, await response.json()]).toEqual([400, expect.objectContaining({ error })]);
    expect(slack.messages('#learning')).toEqual([]);
  });

  test('that were not issued are refused', async () => {
    const slack = await openSlack();
    expect((await post(`${slack.url}/commands/T00LEARN01/nowhere`, { text: 'x' })).status).toBe(400);
  });
});
