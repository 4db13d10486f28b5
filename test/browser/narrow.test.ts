import type { AnyBlock } from '@slack/types';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createMovableClock } from '../../playground/movable-clock.js';
import { clientOf } from '../playground/slack/server/test-bot.js';
import {
  chromium,
  composerOf,
  eventually,
  goTo,
  learning,
  mrkdwn,
  openSlackPage,
  option,
  plain,
  say,
  useBrowser,
} from './chromium.js';

const window = { width: 360, height: 720 };

const long = 'a-very-long-word-without-any-blank-'.repeat(4);
const cell = (text: string) => ({ type: 'raw_text' as const, text });
const columns = ['Name', 'Department', 'Content', 'Days overdue', 'Due date', 'Manager'];

/** One of everything that could be wider than a phone. */
const blocks: AnyBlock[] = [
  { type: 'section', text: mrkdwn(`*${long}*`) },
  { type: 'context', elements: [mrkdwn(long), mrkdwn('`/report assignments last-90-days`')] },
  { type: 'section', fields: columns.map((name) => mrkdwn(`*${name}*\n${long}`)) },
  {
    type: 'section',
    text: mrkdwn('Which report'),
    accessory: {
      type: 'static_select',
      action_id: 'a',
      placeholder: plain('Report'),
      options: [option(long.slice(0, 70))],
    },
  },
  {
    type: 'data_table',
    caption: 'Overdue',
    rows: [columns.map(cell), columns.map((name) => cell(`${name} of somebody`))],
  },
  {
    type: 'data_visualization',
    title: 'Share',
    chart: {
      type: 'pie',
      segments: [
        { label: 'Department long name', value: 3 },
        { label: 'Open', value: 1 },
      ],
    },
  } as unknown as AnyBlock,
  {
    type: 'actions',
    elements: [
      'Details',
      'CSV',
      'Excel',
      'Change',
      'Save',
      'Schedule',
      'A button with very many words on it, up to a limit',
    ].map((text, index) => ({ type: 'button' as const, action_id: `b${index}`, text: plain(text) })),
  },
];

/** What the window cuts off, but for what scrolls sideways. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('body *')].flatMap((element) => {
    if (element.closest('.table-scroll, .drawer-closed, .for-screen-readers, [popover]')) return [];
    const { left, right, width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0) return [];
    return right > innerWidth + 1 || left < -1 ? [element.tagName + '.' + element.className + ' ' + left + '-' + right] : [];
  })`);
}

describe.skipIf(!chromium)('a narrow window', () => {
  const browser = useBrowser();

  it('has the channels in a drawer, by keyboard and by pointer', async () => {
    const { page } = await openSlackPage(browser, () => {}, { window });
    const channels = page.getByRole('navigation', { name: 'Channels and direct messages' });
    const button = page.getByRole('button', { name: 'Channels', exact: true });
    const isFocused = (name: string) =>
      page.locator(':focus').and(page.getByRole('button', { name })).count();
    expect([await channels.count(), await button.getAttribute('aria-expanded')]).toEqual([0, 'false']);

    await button.press('Enter');
    await channels.waitFor();
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    await eventually(() => isFocused('learning')).toBe(1);
    expect(await page.getByRole('main').getAttribute('inert')).toBe('');
    await page.keyboard.press('Escape');
    await eventually(() => channels.count()).toBe(0);
    expect(await isFocused('Channels')).toBe(1);

    await button.click();
    await goTo(page, 'sales');
    await page.getByRole('heading', { name: 'sales' }).waitFor();
    expect(await channels.count()).toBe(0);
    await eventually(() => page.locator(':focus').getAttribute('aria-label')).toBe('Message to #sales');

    await button.click();
    await page.mouse.click(340, 400);
    await eventually(() => channels.count()).toBe(0);
    await page.setViewportSize({ width: 1000, height: 720 });
    await channels.waitFor();
    expect(await button.count()).toBe(0);
  });

  it('cuts nothing off: messages, tables, the moved clock, threads, the inspector', async () => {
    const clock = createMovableClock();
    const { slack, page } = await openSlackPage(browser, () => {}, { window, clock });
    const client = clientOf(slack);
    const { ts = '' } = await client.chat.postMessage({ channel: learning, text: 'x', blocks });
    await client.chat.postMessage({ channel: learning, thread_ts: ts, text: 'y', blocks });
    await client.chat
      .postMessage({
        channel: learning,
        text: 'x',
        blocks: [{ type: 'header', text: plain('x'.repeat(151)) }],
      })
      .catch(() => {});
    clock.moveBy(40 * 24 * 3_600_000);
    const table = page.getByRole('table', { name: 'Overdue' });
    await table.waitFor();
    await page.getByRole('button', { name: '1 refused' }).waitFor();
    expect(await cutOff(page)).toEqual([]);
    const edges = page.locator('.table-edges').first();
    await eventually(() => edges.getAttribute('class')).toBe('table-edges more-right');
    await page.getByRole('region', { name: 'Overdue' }).evaluate((frame) => frame.scrollTo({ left: 40 }));
    await eventually(() => edges.getAttribute('class')).toBe('table-edges more-left more-right');

    await page.getByRole('button', { name: /1 reply/ }).click();
    await page.getByRole('complementary', { name: 'Thread' }).waitFor();
    expect(await cutOff(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close thread' }).click();
    await page.getByRole('button', { name: 'Inspector', exact: true }).click();
    await page.getByRole('complementary', { name: 'Inspector' }).waitFor();
    expect(await cutOff(page)).toEqual([]);
  });

  it('fills the screen with a modal', async () => {
    const { page } = await openSlackPage(
      browser,
      (app) => {
        app.command('/report', async ({ ack, client, body }) => {
          await ack();
          const input: AnyBlock = {
            type: 'input',
            label: plain('Departments'),
            element: {
              type: 'multi_static_select',
              action_id: 'd',
              options: ['Sales', 'Legal'].map((name) => option(name)),
            },
          };
          const view = {
            type: 'modal' as const,
            title: plain('Run a report'),
            submit: plain('Run'),
            blocks: [input, ...blocks.slice(0, 3)],
          };
          await client.views.open({ trigger_id: body.trigger_id, view });
        });
      },
      { window },
    );
    await say(page, '/report');
    const modal = page.getByRole('dialog', { name: 'Run a report' });
    await modal.waitFor();
    expect(await modal.boundingBox()).toEqual({ x: 0, y: 0, ...window });
    expect(await cutOff(page)).toEqual([]);
    await modal.getByRole('combobox', { name: 'Departments' }).click();
    const list = await page.getByRole('listbox').boundingBox();
    expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThanOrEqual(window.width);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await eventually(() => modal.count()).toBe(0);
    await composerOf(page).waitFor();
  });
});
