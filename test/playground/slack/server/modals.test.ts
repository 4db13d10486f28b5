import type { ViewResponseAction } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import type { LocalSlack } from '../../../../playground/slack/server/local-slack.js';
import { openSlack, startBot } from './test-bot.js';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const option = (value: string) => ({ text: plain(value.toUpperCase()), value });
const view = (title: string, more: object = {}) => ({
  type: 'modal' as const,
  callback_id: 'ask',
  notify_on_close: true,
  title: plain(title),
  submit: plain('Send'),
  blocks: [
    {
      type: 'input' as const,
      block_id: 'name',
      label: plain('Name'),
      element: { type: 'plain_text_input' as const, action_id: 'text', min_length: 2, max_length: 5 },
    },
    {
      type: 'input' as const,
      block_id: 'kind',
      optional: true,
      label: plain('Kind'),
      element: { type: 'static_select' as const, action_id: 'pick', options: [option('a'), option('b')] },
    },
    {
      type: 'section' as const,
      block_id: 'live',
      text: plain('Live'),
      accessory: { type: 'multi_external_select' as const, action_id: 'people', min_query_length: 2 },
    },
    {
      type: 'input' as const,
      block_id: 'where',
      optional: true,
      label: plain('Where'),
      element: { type: 'conversations_select' as const, action_id: 'to', response_url_enabled: true },
    },
  ],
  ...more,
});

type Heard = Record<string, unknown> & { view: { state: { values: object } } };

/** A bot whose `/report` opens the view, and which answers submissions as the test says. */
async function openModal(slack: LocalSlack, answer: ViewResponseAction | undefined, opened = view('Ask')) {
  const submitted: Heard[] = [];
  const closed: Record<string, unknown>[] = [];
  await startBot(slack, (app) => {
    app.command('/report', async ({ ack, command, client }) => {
      await ack();
      await client.views.open({ trigger_id: command.trigger_id, view: opened });
    });
    app.view('ask', async ({ ack, body }) => {
      submitted.push(body as unknown as Heard);
      await (answer ? ack(answer) : ack());
    });
    app.view({ callback_id: 'ask', type: 'view_closed' }, async ({ ack, body }) => {
      closed.push(body as unknown as Record<string, unknown>);
      await ack();
    });
    app.options('people', async ({ ack, options }) => ack({ options: [option(options.value)] }));
    app.action('people', async ({ ack }) => ack());
  });
  const ada = slack.as('ada');
  await ada.command('/report', '#learning');
  await ada.waitForModal();
  return { ada, submitted, closed };
}

describe('a submission', () => {
  test('carries every value, and an empty answer closes the view', async () => {
    const slack = await openSlack();
    const { ada, submitted } = await openModal(slack, undefined);
    expect(await ada.options('modal', 'people', 'n')).toEqual([]);
    expect(await ada.options('modal', 'people', 'no')).toMatchObject([{ value: 'no' }]);
    await ada.choose('modal', 'people', ['no']);
    await ada.submit({ Name: 'Ada', kind: 'b', where: 'C00SALES01' });
    expect(ada.modals()).toEqual([]);
    expect(submitted[0]).toMatchObject({
      type: 'view_submission',
      user: { id: 'U00ADA0001', team_id: 'T00LEARN01' },
      view: { callback_id: 'ask', root_view_id: expect.any(String) },
      response_urls: [
        { block_id: 'where', channel_id: 'C00SALES01', response_url: expect.stringContaining('http') },
      ],
    });
    expect(submitted[0]?.view.state.values).toMatchObject({
      name: { text: { type: 'plain_text_input', value: 'Ada' } },
      kind: { pick: { type: 'static_select', selected_option: option('b') } },
      live: { people: { type: 'multi_external_select', selected_options: [{ value: 'no' }] } },
      where: { to: { selected_conversation: 'C00SALES01' } },
    });
  });

  test.each([
    ['nothing', {}],
    ['too short', { name: 'A' }],
    ['too long', { name: 'Adaaaa' }],
  ])('is held back by Slack itself: %s', async (_what, values) => {
    const slack = await openSlack();
    const { ada, submitted } = await openModal(slack, undefined);
    await expect(ada.submit(values)).rejects.toThrow('fields');
    expect(Object.keys(ada.modal()?.errors ?? {})).toEqual(['name']);
    expect(submitted).toEqual([]);
  });

  test('answered with errors shows them under their inputs', async () => {
    const slack = await openSlack();
    const { ada } = await openModal(slack, { response_action: 'errors', errors: { name: 'Taken' } });
    await ada.submit({ name: 'Ada' });
    expect(ada.modal()).toMatchObject({ errors: { name: 'Taken' }, waiting: false });
  });

  test('answered with an update, a push, or a clear', async () => {
    const updated = await openModal(await openSlack(), { response_action: 'update', view: view('New') });
    await updated.ada.submit({ name: 'Ada' });
    expect(updated.ada.modals().map((one) => one.content.title)).toEqual([plain('New')]);

    const pushed = await openModal(await openSlack(), { response_action: 'push', view: view('Next') });
    await pushed.ada.submit({ name: 'Ada' });
    expect(pushed.ada.modals().map((one) => one.content.title)).toEqual([plain('Ask'), plain('Next')]);

    const cleared = await openModal(await openSlack(), { response_action: 'clear' });
    await cleared.ada.submit({ name: 'Ada' });
    expect(cleared.ada.modals()).toEqual([]);
  });

  test.each<[string, ViewResponseAction]>([
    ['errors for a block that is no input', { response_action: 'errors', errors: { live: 'x' } }],
    [
      'a view that Slack would refuse',
      { response_action: 'update', view: view('A title beyond all measure') },
    ],
  ])('answered badly shows trouble, and the rule: %s', async (_what, answer) => {
    const slack = await openSlack();
    const { ada } = await openModal(slack, answer);
    await ada.submit({ name: 'Ada' });
    expect(ada.modal()?.failed).toContain('trouble');
    expect(slack.refusals).toMatchObject([
      { method: 'answer to view_submission', error: 'invalid_arguments' },
    ]);
  });

  test('without an answer in time shows an error', async () => {
    const slack = await openSlack({ ackMs: 100 });
    await startBot(slack, (app) => {
      app.command('/report', async ({ ack, command, client }) => {
        await ack();
        await client.views.open({ trigger_id: command.trigger_id, view: view('Ask') });
      });
    });
    const ada = slack.as('ada');
    await ada.command('/report', '#learning');
    await ada.waitForModal();
    await ada.submit({ name: 'Ada' });
    expect(ada.modal()).toMatchObject({ waiting: false, failed: expect.stringContaining('trouble') });
  });
});

describe('closing', () => {
  test('Cancel sends the view; the X button sends the root view', async () => {
    const slack = await openSlack();
    const { ada, closed } = await openModal(slack, { response_action: 'push', view: view('Next') });
    await ada.submit({ name: 'Ada' });
    const [root] = ada.modals();
    await ada.close();
    expect(closed).toMatchObject([
      { type: 'view_closed', is_cleared: false, view: { previous_view_id: root?.id } },
    ]);
    expect(ada.modals()).toHaveLength(1);
    await ada.submit({ name: 'Ada' });
    await ada.close(true);
    expect(closed[1]).toMatchObject({ is_cleared: true, view: { id: root?.id } });
    expect(ada.modals()).toEqual([]);
  });
});
