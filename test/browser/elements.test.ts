import type { AnyBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../playground/slack/server/test-bot.js';
import { chromium, eventually, learning, openSlackPage, option, plain, useBrowser } from './chromium.js';

const elements: AnyBlock[] = [
  {
    type: 'actions',
    block_id: 'first',
    elements: [
      {
        type: 'static_select',
        action_id: 'report',
        placeholder: plain('Report'),
        options: [option('Tracks'), option('Workshops')],
      },
      {
        type: 'multi_static_select',
        action_id: 'columns',
        placeholder: plain('Columns'),
        max_selected_items: 2,
        option_groups: [
          { label: plain('Person'), options: [option('Email'), option('Name')] },
          { label: plain('Activity'), options: [option('Views')] },
        ],
      },
      { type: 'users_select', action_id: 'person', placeholder: plain('Person') },
      {
        type: 'conversations_select',
        action_id: 'where',
        placeholder: plain('Where'),
        filter: { include: ['public'] },
      },
    ],
  },
  {
    type: 'actions',
    block_id: 'second',
    elements: [
      { type: 'datepicker', action_id: 'day', placeholder: plain('Day') },
      { type: 'timepicker', action_id: 'time', placeholder: plain('Time') },
      { type: 'datetimepicker', action_id: 'moment' },
      { type: 'radio_buttons', action_id: 'how', options: [option('Summary'), option('File')] },
      { type: 'checkboxes', action_id: 'extras', options: [option('Late'), option('Early')] },
    ],
  },
];

describe.skipIf(!chromium)('elements', () => {
  const browser = useBrowser();

  it('send the chosen values in Slack’s format', async () => {
    const told: Record<string, unknown>[] = [];
    const { slack, page } = await openSlackPage(browser, (app) => {
      app.action(/./, async ({ ack, action, body }) => {
        await ack();
        const { action_id, type, action_ts, block_id, placeholder, ...value } = action as unknown as Record<
          string,
          unknown
        >;
        told.push({ [String(action_id)]: value });
        if (action_id !== 'extras' || body.type !== 'block_actions') return;
        told.push({ state: Object.keys(body.state?.values.first ?? {}) });
      });
    });
    await clientOf(slack).chat.postMessage({ channel: learning, text: 'x', blocks: elements });
    const choose = async (field: string, ...names: string[]) => {
      await page.getByRole('combobox', { name: field, exact: true }).click();
      for (const name of names) await page.getByRole('option', { name }).click();
      await page.keyboard.press('Escape');
    };
    await choose('Report', 'Workshops');
    await choose('Columns', 'Email', 'Views');
    await choose('Person', 'Noah Okafor');
    await page.getByRole('combobox', { name: 'Where' }).click();
    expect(await page.getByRole('option').allTextContents()).not.toContain('# leadership');
    await page.getByRole('option', { name: '# sales' }).click();
    await page.getByLabel('Day').fill('2026-11-20');
    await page.getByLabel('Time', { exact: true }).fill('09:30');
    await page.getByLabel('Date and time').fill('2026-11-20T09:00');
    await page.getByRole('radio', { name: 'File' }).check();
    await page.getByRole('checkbox', { name: 'Early' }).check();
    await eventually(() => told).toEqual([
      { report: { selected_option: option('Workshops') } },
      { columns: { selected_options: [option('Email')] } },
      { columns: { selected_options: [option('Email'), option('Views')] } },
      { person: { selected_user: 'U00NOAH001' } },
      { where: { selected_conversation: 'C00SALES01' } },
      { day: { selected_date: '2026-11-20' } },
      { time: { selected_time: '09:30' } },
      { moment: { selected_date_time: Date.UTC(2026, 10, 20, 8) / 1000 } },
      { how: { selected_option: option('File') } },
      { extras: { selected_options: [option('Early')] } },
      { state: ['report', 'columns', 'person', 'where'] },
    ]);
    // What was chosen stays chosen, and no more than the bot allows.
    await page.getByRole('combobox', { name: 'Columns' }).click();
    await page.getByText('You can choose at most 2.').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Remove Views' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Report' }).inputValue()).toBe('Workshops');
  });
});
