import { describe, expect, test } from 'vitest';
import type { LocalSlack } from '../../../../playground/slack/server/local-slack.js';
import { clientOf, openSlack, refusal, startBot } from './test-bot.js';

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const modal = (title: string, more: object = {}) => ({
  type: 'modal' as const,
  title: plain(title),
  blocks: [
    {
      type: 'actions' as const,
      block_id: 'act',
      elements: [{ type: 'button' as const, action_id: 'go', text: plain('Go') }],
    },
  ],
  ...more,
});
const home = (text: string) => ({
  type: 'home' as const,
  blocks: [{ type: 'section' as const, text: plain(text) }],
});

/** A bot that hands out the triggers of commands and of clicks in modals. */
async function triggersOf(slack: LocalSlack) {
  const triggers: string[] = [];
  await startBot(slack, (app) => {
    app.command('/report', async ({ ack, command }) => {
      triggers.push(command.trigger_id);
      await ack();
    });
    app.action('go', async ({ ack, body }) => {
      if ('trigger_id' in body) triggers.push(String(body.trigger_id));
      await ack();
    });
  });
  const last = () => triggers.at(-1) ?? '';
  return {
    async byCommand() {
      await slack.as('ada').command('/report', '#learning');
      return last();
    },
    async byClick() {
      await slack.as('ada').click('modal', 'go');
      return last();
    },
  };
}

describe('triggers', () => {
  test('open one view, once', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const trigger_id = await (await triggersOf(slack)).byCommand();
    const opened = await client.views.open({ trigger_id, view: modal('One', { callback_id: 'one' }) });
    expect(opened.view).toMatchObject({ callback_id: 'one', previous_view_id: null, bot_id: 'B00ROLLCAL' });
    expect(slack.as('ada').modal()?.id).toBe(opened.view?.id);
    expect(await refusal(client.views.open({ trigger_id, view: modal('Two') }))).toMatchObject({
      error: 'trigger_exchanged',
    });
  });

  test('die, and must exist', async () => {
    const slack = await openSlack({ triggerMs: -1 });
    const client = clientOf(slack);
    const trigger_id = await (await triggersOf(slack)).byCommand();
    expect(await refusal(client.views.open({ trigger_id, view: modal('One') }))).toMatchObject({
      error: 'trigger_expired',
    });
    expect(await refusal(client.views.open({ trigger_id: 'x', view: modal('One') }))).toMatchObject({
      error: 'invalid_trigger_id',
    });
  });

  test('live on real time, whatever the workspace clock says', async () => {
    const slack = await openSlack();
    const trigger_id = await (await triggersOf(slack)).byCommand();
    slack.clock.moveBy(86_400_000);
    await clientOf(slack).views.open({ trigger_id, view: modal('One') });
    expect(slack.as('ada').modals()).toHaveLength(1);
  });

  test('a broken view does not use one up', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const trigger_id = await (await triggersOf(slack)).byCommand();
    const broken = modal('A title that is far too long');
    expect(await refusal(client.views.open({ trigger_id, view: broken }))).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: {
        messages: ['[ERROR] must be less than 25 characters [json-pointer:/view/title/text]'],
      },
    });
    await client.views.open({ trigger_id, view: modal('Short') });
  });
});

test('a view that is too large has an error of its own', async () => {
  const slack = await openSlack();
  const trigger_id = await (await triggersOf(slack)).byCommand();
  const section = { type: 'section' as const, text: plain('x'.repeat(2900)) };
  const large = { ...modal('Large'), blocks: Array.from({ length: 90 }, () => section) };
  expect(await refusal(clientOf(slack).views.open({ trigger_id, view: large }))).toMatchObject({
    error: 'view_too_large',
  });
});

describe('the stack', () => {
  test('holds three views; a push needs a trigger of the modal', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const triggers = await triggersOf(slack);
    const first = await client.views.open({ trigger_id: await triggers.byCommand(), view: modal('1') });
    const outside = client.views.push({ trigger_id: await triggers.byCommand(), view: modal('2') });
    expect(await refusal(outside)).toMatchObject({ error: 'not_found' });
    for (const title of ['2', '3'])
      await client.views.push({ trigger_id: await triggers.byClick(), view: modal(title) });
    const fourth = client.views.push({ trigger_id: await triggers.byClick(), view: modal('4') });
    expect(await refusal(fourth)).toMatchObject({ error: 'push_limit_reached' });
    const stack = slack.as('ada').modals();
    expect(stack.map((view) => view.content.title)).toEqual([plain('1'), plain('2'), plain('3')]);
    expect(stack.map((view) => view.rootId)).toEqual(Array(3).fill(first.view?.id));
    expect(stack[2]?.previousId).toBe(stack[1]?.id);
  });

  test('a view that is closed cannot be updated', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const trigger_id = await (await triggersOf(slack)).byCommand();
    const { view } = await client.views.open({ trigger_id, view: modal('1') });
    await slack.as('ada').close();
    const update = client.views.update({ view_id: String(view?.id), view: modal('2') });
    expect(await refusal(update)).toMatchObject({ error: 'not_found' });
  });
});

describe('updates', () => {
  test('with a stale hash are refused', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const trigger_id = await (await triggersOf(slack)).byCommand();
    const { view } = await client.views.open({ trigger_id, view: modal('1') });
    const again = (hash: string | undefined, title: string) =>
      client.views.update({ view_id: String(view?.id), view: modal(title), ...(hash && { hash }) });
    const updated = await again(view?.hash, '2');
    expect(updated.view?.hash).not.toBe(view?.hash);
    expect(await refusal(again(view?.hash, '3'))).toMatchObject({ error: 'hash_conflict' });
    await again(undefined, '4');
  });

  test('find a view by its external_id, which only one may have', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const triggers = await triggersOf(slack);
    const named = modal('1', { external_id: 'mine' });
    await client.views.open({ trigger_id: await triggers.byCommand(), view: named });
    await client.views.update({ external_id: 'mine', view: named });
    const twice = client.views.push({ trigger_id: await triggers.byClick(), view: named });
    expect(await refusal(twice)).toMatchObject({ error: 'duplicate_external_id' });
  });

  test('keep what was typed where block_id and action_id stay', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const trigger_id = await (await triggersOf(slack)).byCommand();
    const input = (block_id: string, action_id: string) => ({
      type: 'input' as const,
      block_id,
      label: plain('Name'),
      element: { type: 'plain_text_input' as const, action_id, initial_value: 'first' },
    });
    const asking = (...blocks: ReturnType<typeof input>[]) => ({
      ...modal('1', { submit: plain('Save') }),
      blocks,
    });
    const { view } = await client.views.open({ trigger_id, view: asking(input('a', 'x'), input('b', 'x')) });
    slack.as('ada').fill({ a: 'typed', b: 'typed' });
    await client.views.update({ view_id: String(view?.id), view: asking(input('a', 'x'), input('c', 'x')) });
    expect(slack.as('ada').modal()?.state).toMatchObject({
      a: { x: { value: 'typed' } },
      c: { x: { value: 'first' } },
    });
  });
});

describe('Home', () => {
  test('is published per person, with a hash', async () => {
    const slack = await openSlack();
    const client = clientOf(slack);
    const user_id = 'U00ADA0001';
    const { view } = await client.views.publish({ user_id, view: home('one') });
    await client.views.publish({ user_id, view: home('two'), hash: String(view?.hash) });
    expect(slack.as('ada').home()?.content.blocks).toMatchObject([{ text: { text: 'two' } }]);
    expect(slack.as('noah').home()).toBeUndefined();
    const stale = client.views.publish({ user_id, view: home('three'), hash: String(view?.hash) });
    expect(await refusal(stale)).toMatchObject({ error: 'hash_conflict' });
  });

  test('is refused for nobody, as a modal, and where it is off', async () => {
    const slack = await openSlack();
    const publish = (user_id: string, view: ReturnType<typeof home>) =>
      clientOf(slack).views.publish({ user_id, view });
    expect(await refusal(publish('U0NOBODY01', home('x')))).toMatchObject({ error: 'user_not_found' });
    const asModal = modal('x') as unknown as ReturnType<typeof home>;
    expect(await refusal(publish('U00ADA0001', asModal))).toMatchObject({ error: 'invalid_arguments' });
    const without = await openSlack({ app: { homeTab: false } });
    const off = clientOf(without).views.publish({ user_id: 'U00ADA0001', view: home('x') });
    expect(await refusal(off)).toMatchObject({ error: 'not_enabled' });
  });
});
