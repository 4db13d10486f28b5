import type { AnyBlock, View } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../playground/slack/server/test-bot.js';
import {
  chromium,
  composerOf,
  eventually,
  learning,
  mrkdwn,
  openSlackPage,
  option,
  plain,
  say,
  useBrowser,
} from './chromium.js';

const button = (action_id: string, text: string) => ({
  type: 'button' as const,
  action_id,
  text: plain(text),
});
const leaf = (text: string, style = {}) => ({ type: 'text' as const, text, style });

/** One of each kind that a message can hold beside those that have tests of their own. */
const everything: AnyBlock[] = [
  { type: 'header', text: plain('A header :tada:') },
  {
    type: 'section',
    text: mrkdwn('A section with <https://example.com/page|a link> and `code`'),
    fields: [mrkdwn('*Key*\nfigure'), plain('*plain*')],
    accessory: button('beside', 'Beside'),
  },
  { type: 'context', elements: [mrkdwn('a _context_ line'), plain('another')] },
  { type: 'divider' },
  {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          leaf('rich ', { bold: true }),
          leaf('struck', { strike: true }),
          { type: 'user', user_id: 'U00NOAH001' },
          { type: 'channel', channel_id: 'C00SALES01' },
          { type: 'emoji', name: 'wave' },
          { type: 'link', url: 'https://example.com/rich', text: 'rich link' },
          { type: 'date', timestamp: 1_795_000_000, format: '{date_num}', fallback: 'then' },
        ],
      },
      {
        type: 'rich_text_list',
        style: 'ordered',
        elements: [
          { type: 'rich_text_section', elements: [leaf('one')] },
          { type: 'rich_text_section', elements: [leaf('two')] },
        ],
      },
      { type: 'rich_text_quote', elements: [leaf('a quotation')] },
      { type: 'rich_text_preformatted', elements: [leaf('x  =  1')] },
    ],
  },
  { type: 'markdown', text: '**Strong** and [linked](https://example.com/md)\n\n- point' },
  {
    type: 'table',
    rows: [
      [
        { type: 'raw_text', text: 'Name' },
        { type: 'raw_text', text: 'Count' },
      ],
      [
        { type: 'raw_text', text: '*Ada*' },
        { type: 'raw_number', value: 3, text: '3' },
      ],
    ],
  },
  {
    type: 'card',
    title: mrkdwn('A *card*'),
    body: mrkdwn('Its body'),
    actions: [button('on_card', 'On the card')],
  },
  {
    type: 'context_actions',
    elements: [{ type: 'icon_button', icon: 'trash', action_id: 'bin', text: plain('Remove') }],
  },
] as AnyBlock[];

describe.skipIf(!chromium)('blocks', () => {
  const browser = useBrowser();

  it('are each rendered', async () => {
    const { slack, page } = await openSlackPage(browser, () => {});
    await clientOf(slack).chat.postMessage({ channel: learning, text: 'x', blocks: everything });
    const message = page.getByRole('article').last();
    await message.getByRole('heading', { name: 'A header' }).waitFor();
    expect(await message.getByRole('note').count()).toBe(0);
    const links = await Promise.all(
      (await message.getByRole('link').all()).map((link) => link.getAttribute('href')),
    );
    expect(links).toEqual(['https://example.com/page', 'https://example.com/rich', 'https://example.com/md']);
    const heard = await message.ariaSnapshot();
    for (const words of [
      'img "tada"',
      'strong: Key',
      '*plain*',
      'emphasis: context',
      'separator',
      '@Noah Okafor',
      'button "#sales"',
      'img "wave"',
      '2026-11-18',
      'listitem: two',
      'blockquote: a quotation',
      'strong: Strong',
      'columnheader "Count"',
      'cell "*Ada*"',
      'button "On the card"',
      'button "Remove"',
      'button "Beside"',
    ])
      expect(heard).toContain(words);
  });

  it('are rendered in modals from a shortcut, with every input', async () => {
    const submitted: View['type'][] = [];
    let values: Record<string, unknown> = {};
    const input = (block_id: string, element: object, optional = false) => ({
      type: 'input',
      block_id,
      optional,
      label: plain(block_id),
      element: { action_id: 'x', ...element },
    });
    const view = {
      type: 'modal',
      callback_id: 'all',
      title: plain('All inputs'),
      submit: plain('Go'),
      blocks: [
        { type: 'alert', level: 'warning', text: mrkdwn('Mind *this*.') },
        input('Text', { type: 'plain_text_input', multiline: true, max_length: 10 }),
        input('Number', { type: 'number_input', is_decimal_allowed: false, min_value: '1' }),
        input('Mail', { type: 'email_text_input' }),
        input('Address', { type: 'url_text_input' }),
        input('Rich', { type: 'rich_text_input' }),
        input('Day', { type: 'datepicker' }, true),
        input('How', { type: 'radio_buttons', options: [option('Here'), option('There')] }),
      ],
    } as unknown as View;
    const { page } = await openSlackPage(
      browser,
      (app) => {
        app.shortcut('open_all', async ({ ack, client, body }) => {
          await ack();
          await client.views.open({ trigger_id: body.trigger_id, view });
        });
        app.view('all', async ({ ack, view: { state, type } }) => {
          await ack();
          submitted.push(type as View['type']);
          values = Object.fromEntries(Object.entries(state.values).map(([block, { x }]) => [block, x]));
        });
      },
      {
        app: {
          shortcuts: [
            { callbackId: 'open_all', type: 'global', name: 'Open all inputs', description: 'All of them' },
          ],
        },
      },
    );
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await page.getByRole('menuitem', { name: /Open all inputs/ }).click();
    const dialog = page.getByRole('dialog', { name: 'All inputs' });
    await dialog.getByText('Mind this.').waitFor();
    await dialog.getByRole('textbox', { name: 'Text' }).fill('more than ten characters');
    await dialog.getByRole('textbox', { name: 'Number' }).fill('half');
    await dialog.getByRole('textbox', { name: 'Mail' }).fill('ada@example.com');
    await dialog.getByRole('textbox', { name: 'Address' }).fill('https://example.com');
    await dialog.getByRole('textbox', { name: 'Rich' }).fill('two\nlines');
    await dialog.getByRole('radio', { name: 'There' }).check();
    await dialog.getByRole('button', { name: 'Go' }).click();
    await dialog.getByRole('textbox', { name: 'Number', description: 'Enter a number.' }).fill('12');
    await dialog.getByRole('button', { name: 'Go' }).click();
    await eventually(() => submitted).toEqual(['modal']);
    expect(values).toMatchObject({
      Text: { value: 'more than ' },
      Number: { value: '12' },
      Mail: { value: 'ada@example.com' },
      Address: { value: 'https://example.com' },
      Rich: {
        rich_text_value: {
          type: 'rich_text',
          elements: [{ elements: [{ type: 'text', text: 'two\nlines' }] }],
        },
      },
      Day: { selected_date: null },
      How: { selected_option: { value: 'there' } },
    });
  });

  it('keep a draft while another channel is open', async () => {
    const { page } = await openSlackPage(browser, () => {});
    await composerOf(page).fill('half of it');
    await page.getByRole('navigation').getByRole('button', { name: 'sales' }).click();
    expect(await composerOf(page).inputValue()).toBe('');
    await say(page, 'all of it');
    await page.getByRole('article').filter({ hasText: 'all of it' }).waitFor();
    await page.getByRole('navigation').getByRole('button', { name: 'learning' }).click();
    expect(await composerOf(page).inputValue()).toBe('half of it');
  });
});
