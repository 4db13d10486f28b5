import { describe, expect, test } from 'vitest';
import type { LocalSlack } from '../../../../playground/slack/server/local-slack.js';
import { clientOf, openSlack, startBot } from './test-bot.js';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const option = (value: string) => ({ text: plain(value.toUpperCase()), value });
const blocks = [
  {
    type: 'actions' as const,
    block_id: 'choices',
    elements: [
      { type: 'button' as const, action_id: 'go', text: plain('Go'), value: 'v' },
      { type: 'overflow' as const, action_id: 'more', options: [option('a'), option('b')] },
      {
        type: 'static_select' as const,
        action_id: 'pick',
        options: [option('a'), option('b')],
        initial_option: option('a'),
      },
      { type: 'checkboxes' as const, action_id: 'tick', options: [option('a'), option('b')] },
      { type: 'datepicker' as const, action_id: 'day' },
    ],
  },
];

type Heard = Record<string, unknown> & { actions: Record<string, unknown>[] };

async function posted(slack: LocalSlack, ephemeral = false) {
  const heard: Heard[] = [];
  await startBot(slack, (app) => {
    app.action(/.*/, async ({ ack, body }) => {
      heard.push(body as unknown as Heard);
      await ack();
    });
  });
  const content = { channel: 'C00LEARN01', text: 'Choose', blocks };
  const { chat } = clientOf(slack);
  await (ephemeral ? chat.postEphemeral({ ...content, user: 'U00ADA0001' }) : chat.postMessage(content));
  return { heard, message: await slack.waitForMessage('#learning', 'Choose') };
}

describe('on a message', () => {
  test('a button sends its surface, a trigger and a response URL', async () => {
    const slack = await openSlack();
    const { heard, message } = await posted(slack);
    await slack.as('noah').click(message, 'Go');
    expect(heard[0]).toMatchObject({
      type: 'block_actions',
      user: { id: 'U00NOAH001', username: 'noah', team_id: 'T00LEARN01' },
      team: { id: 'T00LEARN01' },
      api_app_id: 'A00ROLLCAL',
      container: { type: 'message', message_ts: message.ts, channel_id: 'C00LEARN01', is_ephemeral: false },
      channel: { id: 'C00LEARN01', name: 'learning' },
      message: { ts: message.ts, text: 'Choose', bot_id: 'B00ROLLCAL' },
      state: { values: { choices: { pick: { selected_option: option('a') } } } },
      trigger_id: expect.any(String),
      response_url: expect.stringContaining('/actions/'),
    });
    expect(heard[0]?.actions).toEqual([
      {
        type: 'button',
        block_id: 'choices',
        action_id: 'go',
        text: plain('Go'),
        value: 'v',
        action_ts: expect.any(String),
      },
    ]);
  });

  test('an ephemeral message is sent by ts only', async () => {
    const slack = await openSlack();
    const { heard, message } = await posted(slack, true);
    await slack.as('ada').click(message, 'Go');
    expect(heard[0]).toMatchObject({ container: { is_ephemeral: true, message_ts: message.ts } });
    expect(heard[0]).not.toHaveProperty('message');
    await expect(slack.as('noah').click(message, 'Go')).rejects.toThrow('only someone else can see it');
  });

  test('an external person is sent with their own workspace', async () => {
    const slack = await openSlack();
    const heard: Heard[] = [];
    await startBot(slack, (app) => {
      app.action('go', async ({ ack, body }) => {
        heard.push(body as unknown as Heard);
        await ack();
      });
    });
    await clientOf(slack).chat.postMessage({ channel: 'C00PARTN01', text: 'Choose', blocks });
    await slack.as('sofia').click(await slack.waitForMessage('#partner-academy', 'Choose'), 'go');
    expect(heard[0]).toMatchObject({ user: { id: 'U00SOFIA01', team_id: 'T00OTHER01' } });
  });

  test.each([
    ['more', 'b', { selected_option: option('b') }],
    ['pick', 'B', { selected_option: option('b') }],
    ['tick', ['a', 'b'], { selected_options: [option('a'), option('b')] }],
    ['day', '2026-11-20', { selected_date: '2026-11-20' }],
  ])('%s carries what was chosen', async (element, choice, expected) => {
    const slack = await openSlack();
    const { heard, message } = await posted(slack);
    await slack.as('ada').choose(message, element, choice);
    expect(heard[0]?.actions).toMatchObject([{ action_id: element, block_id: 'choices', ...expected }]);
    await slack.as('ada').click(message, 'Go');
    // An overflow menu keeps nothing.
    const kept = element === 'more' ? {} : { choices: { [element]: expected } };
    expect(heard[1]?.state).toMatchObject({ values: kept });
  });

  test('only options of the element can be chosen', async () => {
    const slack = await openSlack();
    const { message } = await posted(slack);
    await expect(slack.as('ada').choose(message, 'pick', 'z')).rejects.toThrow('not offered');
    await expect(slack.as('ada').click(message, 'Stop')).rejects.toThrow('There are: Go (go)');
  });

  test('a click without an answer shows an error to the person who clicked', async () => {
    const slack = await openSlack({ ackMs: 50 });
    await clientOf(slack).chat.postMessage({ channel: 'C00LEARN01', text: 'Choose', blocks });
    const message = await slack.waitForMessage('#learning', 'Choose');
    await slack.as('ada').click(message, 'Go');
    const stored = slack.workspace.messages.get('C00LEARN01')?.get(message.ts);
    expect([...(stored?.failed ?? [])]).toEqual([['U00ADA0001', expect.stringContaining('in time')]]);
  });
});

describe('people', () => {
  test.each([
    ['write in an archived channel', '#old-academy', 'archived'],
    ['write where only admins may', '#announcements', 'admins'],
    ['write where they are not', '#sales', 'Join'],
    ['write where they see nothing', '#leadership', 'no such channel'],
  ])('cannot %s', async (_what, channel, said) => {
    const slack = await openSlack();
    expect(() => slack.as('priya').message('hello', channel)).toThrow(said);
  });

  test('a guest sees only their channels; an unknown command is refused', async () => {
    const slack = await openSlack();
    expect(() => slack.as('gil').message('hello', '#watercooler')).toThrow('no such channel');
    await expect(slack.as('ada').command('/reprot', '#learning')).rejects.toThrow('/reprot is not a command');
  });

  test('invite the bot with the command of Slack', async () => {
    const slack = await openSlack();
    await slack.as('ada').command('/invite @Rollcall', '#leadership');
    expect((await clientOf(slack).conversations.info({ channel: 'C00BOARD01' })).channel?.is_member).toBe(
      true,
    );
    await expect(slack.as('ada').command('/invite @nobody', '#leadership')).rejects.toThrow('nobody');
  });
});
