import { describe, expect, test } from 'vitest';
import { clientOf, openSlack, refusal } from './test-bot.js';

const channel = 'C00LEARN01';
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });

describe('posting', () => {
  test('timestamps are unique and increase, also after the clock moves back', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const stamps: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const { ts } = await client.chat.postMessage({ channel, text: `${index}` });
      stamps.push(String(ts));
      slack.clock.moveBy(-3_600_000);
    }
    expect(new Set(stamps).size).toBe(5);
    expect([...stamps].sort()).toEqual(stamps);
    expect(stamps.every((ts) => /^\d{10}\.\d{6}$/.test(ts))).toBe(true);
  });

  test('invalid blocks are refused with reasons, and nothing is posted', async () => {
    const slack = await openSlack();
    const blocks = [section('x'.repeat(3001)), { type: 'header', text: { type: 'mrkdwn', text: 'x' } }];
    const data = await refusal(clientOf(slack).chat.postMessage({ channel, text: 'x', blocks }));
    expect(data).toMatchObject({
      error: 'invalid_blocks',
      errors: [
        'must be less than 3001 characters [json-pointer:/blocks/0/text/text]',
        'unsupported type: mrkdwn [json-pointer:/blocks/1/text]',
      ],
      response_metadata: {
        messages: [
          '[ERROR] must be less than 3001 characters [json-pointer:/blocks/0/text/text]',
          '[ERROR] unsupported type: mrkdwn [json-pointer:/blocks/1/text]',
        ],
      },
    });
    expect(slack.posts).toEqual([]);
    expect(slack.refusals).toMatchObject([{ method: 'chat.postMessage', error: 'invalid_blocks' }]);
  });

  test('too much text and a second table have their own errors', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const long = Array.from({ length: 5 }, () => section('x'.repeat(2601)));
    expect(await refusal(client.chat.postMessage({ channel, text: 'x', blocks: long }))).toMatchObject({
      error: 'msg_blocks_too_long',
    });
    const table = { type: 'table', rows: [[{ type: 'raw_text', text: 'x' }]] };
    expect(
      await refusal(client.chat.postMessage({ channel, text: 'x', blocks: [table, table] })),
    ).toMatchObject({
      error: 'invalid_attachments',
      response_metadata: { messages: ['[ERROR] only_one_table_allowed'] },
    });
  });

  test('blocks get IDs, also inside containers', async () => {
    const slack = await openSlack();
    const container = {
      type: 'container',
      title: { type: 'plain_text', text: 'x' },
      child_blocks: [section('x')],
    };
    const { message } = await clientOf(slack).chat.postMessage({ channel, text: 'x', blocks: [container] });
    expect(message?.blocks).toMatchObject([
      { block_id: expect.any(String), child_blocks: [{ block_id: expect.any(String) }] },
    ]);
  });

  test('a text over 40,000 characters is cut, with a warning', async () => {
    const slack = await openSlack();
    const answer = await clientOf(slack).chat.postMessage({ channel, text: 'x'.repeat(40_001) });
    expect(answer).toMatchObject({ ok: true, warning: 'message_truncated' });
    expect(slack.posts[0]?.text).toHaveLength(40_000);
  });

  test('a user ID posts to the direct message', async () => {
    const slack = await openSlack();
    const posted = await clientOf(slack).chat.postMessage({ channel: 'U00PRIYA01', text: 'Hello' });
    expect(posted.channel).toBe(slack.messages('@priya')[0]?.channel);
  });

  test('a reply goes to its thread, also by the ts of another reply', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const parent = await client.chat.postMessage({ channel, text: 'parent' });
    const reply = await client.chat.postMessage({ channel, text: 'reply', thread_ts: String(parent.ts) });
    await client.chat.postMessage({ channel, text: 'second', thread_ts: String(reply.ts) });
    expect(slack.messages('#learning').map((one) => one.threadTs)).toEqual([undefined, parent.ts, parent.ts]);
  });
});

describe('changing', () => {
  test('a text without blocks removes blocks and shows as edited; blocks do not', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const posted = await client.chat.postMessage({ channel, text: 'one', blocks: [section('one')] });
    const ts = String(posted.ts);
    await client.chat.update({ channel, ts, text: 'two', blocks: [section('two')] });
    expect(slack.messages('#learning')[0]).toMatchObject({ text: 'two', edited: false });
    expect(slack.messages('#learning')[0]?.says('two')).toBe(true);
    await client.chat.update({ channel, ts, text: 'three' });
    expect(slack.messages('#learning')[0]).toMatchObject({ text: 'three', blocks: [], edited: true });
  });

  test('messages of others and ephemeral messages cannot be changed', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const { ts } = slack.as('ada').message('Mine', '#learning');
    expect(await refusal(client.chat.update({ channel, ts, text: 'x' }))).toMatchObject({
      error: 'cant_update_message',
    });
    expect(await refusal(client.chat.delete({ channel, ts }))).toMatchObject({
      error: 'cant_delete_message',
    });
    const whispered = await client.chat.postEphemeral({ channel, user: 'U00ADA0001', text: 'Psst' });
    const update = client.chat.update({ channel, ts: String(whispered.message_ts), text: 'x' });
    expect(await refusal(update)).toMatchObject({ error: 'message_not_found' });
    expect(slack.messages('#learning').at(-1)).toMatchObject({ text: 'Psst', visibleTo: 'U00ADA0001' });
  });

  test('a deleted message stays in the log of posts', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const { ts } = await client.chat.postMessage({ channel, text: 'Gone' });
    await client.chat.delete({ channel, ts: String(ts) });
    expect(slack.messages('#learning')).toEqual([]);
    expect(slack.posts).toMatchObject([{ ts, text: 'Gone', answered: true }]);
  });

  test('a permalink opens the message', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const { ts } = await client.chat.postMessage({ channel, text: 'Here' });
    const { permalink } = await client.chat.getPermalink({ channel, message_ts: String(ts) });
    expect(permalink).toBe(`${slack.url}/archives/${channel}/p${String(ts).replace('.', '')}`);
  });
});
