import { describe, expect, test } from 'vitest';
import { postWelcome } from '../../../../playground/slack/server/people/messages.js';
import { clientOf, openSlack, startBot } from './test-bot.js';
import { openPage } from './test-page.js';

const learning = 'C00LEARN01';

describe('acts', () => {
  test('commands, buttons of the welcome, and clicks go to the bot', async () => {
    const slack = await openSlack();
    const commands: string[] = [];
    await startBot(slack, (app) => {
      app.command('/report', async ({ ack, command }) => {
        commands.push(`${command.user_id} ${command.channel_id} ${command.text}`);
        await ack();
      });
    });
    const welcome = postWelcome(
      slack.workspace,
      [
        {
          user: 'U00ADA0001',
          text: 'You are Ada.',
          commands: [{ line: '/report help' }, { line: '/report overdue', channel: 'C00SALES01' }],
        },
      ],
      'A note.',
    );
    const page = await openPage(slack);
    const shown = page.snapshot().messages.at(-1);
    expect(shown).toMatchObject({
      user: 'USLACKBOT',
      blocks: [{}, { text: { text: 'You are Ada.' } }, {}, {}],
    });
    await page.act({ type: 'command', channel: learning, line: '/report engagement' });
    const { block, element } = { block: shown?.blocks[2], element: 'run 1 C00SALES01' };
    const pressed = await page.act({
      type: 'action',
      surface: { kind: 'message', channel: learning, ts: welcome.ts },
      blockId: String(block?.block_id),
      actionId: element,
      value: {},
    });
    expect(pressed).toMatchObject({ ok: true });
    expect(commands).toEqual(['U00ADA0001 C00LEARN01 engagement', 'U00ADA0001 C00SALES01 overdue']);
  });

  test('messages, direct messages, threads, joining, what has been seen', async () => {
    const slack = await openSlack();
    const page = await openPage(slack);
    const posted = await page.act({ type: 'post', channel: learning, text: '<b>hi</b>' });
    await page.act({ type: 'post', channel: learning, text: 'reply', threadTs: String(posted.ts) });
    await page.act({ type: 'mark-seen', channel: learning, ts: String(posted.ts) });
    expect(page.news('channel').at(-1)?.channel).toMatchObject({ id: learning, seen: posted.ts });
    expect(slack.messages('#learning').map((one) => [one.text, one.threadTs])).toEqual([
      ['&lt;b&gt;hi&lt;/b&gt;', undefined],
      ['reply', posted.ts],
    ]);
    expect(await page.act({ type: 'open-dm', user: 'U00PRIYA01' })).toMatchObject({
      ok: true,
      channel: expect.stringMatching(/^D/),
    });
    expect(await page.act({ type: 'open-app', tab: 'messages' })).toMatchObject({ channel: 'D00ADABOT' });
    await page.act({ type: 'switch-user', user: 'U00PRIYA01' });
    await page.act({ type: 'join', channel: 'C00SALES01' });
    expect(page.news('channel').at(-1)?.channel).toMatchObject({ id: 'C00SALES01', joined: true });
  });

  test('what cannot be done is answered with a sentence', async () => {
    const slack = await openSlack();
    const page = await openPage(slack);
    expect(await page.act({ type: 'post', channel: 'C00OLDAC01', text: 'x' })).toMatchObject({
      ok: false,
      problem: 'This channel is archived.',
    });
    expect(await page.act({ type: 'switch-user', user: 'U0NOBODY01' })).toMatchObject({ ok: false });
    const { ts } = slack.as('ada').message('mine', '#learning');
    expect(await page.act({ type: 'dismiss', channel: learning, ts })).toMatchObject({ ok: false });
  });

  test('an ephemeral message can be dismissed by its reader', async () => {
    const slack = await openSlack();
    await clientOf(slack).chat.postEphemeral({ channel: learning, user: 'U00ADA0001', text: 'ada' });
    const page = await openPage(slack);
    const ts = String(page.snapshot().messages[0]?.ts);
    await page.act({ type: 'dismiss', channel: learning, ts });
    expect(page.news('message-removed')).toHaveLength(1);
  });

  test('modals come, show errors, take values, and go', async () => {
    const slack = await openSlack();
    await startBot(slack, (app) => {
      app.command('/report', async ({ ack, command, client }) => {
        await ack();
        await client.views.open({
          trigger_id: command.trigger_id,
          view: {
            type: 'modal',
            callback_id: 'ask',
            title: { type: 'plain_text', text: 'Ask' },
            submit: { type: 'plain_text', text: 'Go' },
            blocks: [
              {
                type: 'input',
                block_id: 'name',
                label: { type: 'plain_text', text: 'Name' },
                element: { type: 'plain_text_input', action_id: 'text' },
              },
            ],
          },
        });
      });
      app.view('ask', async ({ ack }) => ack());
    });
    const page = await openPage(slack);
    await page.act({ type: 'command', channel: learning, line: '/report' });
    await slack.waitFor(() => page.news('modals').length === 1);
    const [modal] = page.news('modals')[0]?.modals ?? [];
    expect(modal).toMatchObject({ title: 'Ask', submit: 'Go', close: 'Cancel', errors: {}, waiting: false });
    const submit = (value: string) =>
      page.act({
        type: 'submit',
        view: String(modal?.id),
        state: { name: { text: { type: 'plain_text_input', value } } },
      });
    expect(await submit('')).toMatchObject({ ok: false });
    expect(page.news('modals').at(-1)?.modals[0]?.errors).toEqual({ name: expect.any(String) });
    expect(await submit('Ada')).toMatchObject({ ok: true });
    expect(page.news('modals').at(-1)?.modals).toEqual([]);
  });
});
