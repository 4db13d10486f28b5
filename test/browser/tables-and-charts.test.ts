import type { AnyBlock } from '@slack/types';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../playground/slack/server/test-bot.js';
import { chromium, eventually, learning, openSlackPage, plain, useBrowser } from './chromium.js';

const text = (words: string) => ({ type: 'raw_text' as const, text: words });
const number = (value: number) => ({ type: 'raw_number' as const, value, text: `${value} h` });

const table: AnyBlock = {
  type: 'data_table',
  caption: 'Hours per department',
  page_size: 3,
  rows: [
    [text('Department'), text('Hours')],
    ...Object.entries({ Sales: 9, Legal: 100, People: 20, Finance: -1 }).map(([name, hours]) => [
      text(name),
      number(hours),
    ]),
  ],
};

const categories = ['Sales', 'Field Operations'];
const series = [
  { name: 'This week', data: [4, 2].map((value, index) => ({ label: categories[index], value })) },
  { name: 'Week before', data: [1, 3].map((value, index) => ({ label: categories[index], value })) },
];
/** A block that @slack/types doesn't have yet. */
function chartBlock(title: string, chart: object) {
  return { type: 'data_visualization', title, chart };
}

const charts: AnyBlock[] = [
  chartBlock('Bars', { type: 'bar', series, axis_config: { categories, y_label: 'Hours' } }),
  chartBlock('Slices', {
    type: 'pie',
    segments: [
      { label: 'Done', value: 3 },
      { label: 'Open', value: 1 },
    ],
  }),
];

describe.skipIf(!chromium)('tables and charts', () => {
  const browser = useBrowser();

  it('sort by a click on a header, numbers by value, and have pages', async () => {
    const { slack, page } = await openSlackPage(browser, () => {});
    await clientOf(slack).chat.postMessage({ channel: learning, text: 'x', blocks: [table] });
    const drawn = page.getByRole('table', { name: 'Hours per department' });
    const names = () => drawn.getByRole('rowheader').allTextContents();
    await eventually(names).toEqual(['Sales', 'Legal', 'People']);
    const hours = drawn.getByRole('columnheader', { name: 'Hours' });
    await hours.getByRole('button').click();
    expect(await names()).toEqual(['Finance', 'Sales', 'People']);
    expect(await hours.getAttribute('aria-sort')).toBe('ascending');
    await page.getByRole('button', { name: 'Next rows' }).click();
    expect(await names()).toEqual(['Legal']);
    await hours.getByRole('button').press('Enter');
    expect(await names()).toEqual(['Legal', 'People', 'Sales']);
    await hours.getByRole('button').press('Enter');
    expect(await names()).toEqual(['Sales', 'Legal', 'People']);
    expect(await hours.getAttribute('aria-sort')).toBe('none');
  });

  it('have charts with a table of the same numbers', async () => {
    const { slack, page } = await openSlackPage(browser, () => {});
    await clientOf(slack).chat.postMessage({ channel: learning, text: 'x', blocks: charts });
    const bars = page.getByRole('figure', { name: 'Bars' });
    await bars.waitFor();
    expect(await bars.locator('path.bar').count()).toBe(4);
    const rows = bars.getByRole('table', { name: 'Bar chart: Bars, Hours' }).getByRole('row');
    expect((await rows.allTextContents()).slice(1)).toEqual(['Sales41', 'Field Operations23']);
    await bars.locator('.band-target').first().hover();
    await bars.getByText('Week before').last().waitFor();
    const slices = page.getByRole('figure', { name: 'Slices' });
    expect(await slices.getByRole('table').getByRole('row').allTextContents()).toEqual([
      'Done375%',
      'Open125%',
    ]);
  });

  it('keep labels inside the chart, also in a narrow thread', async () => {
    const { slack, page } = await openSlackPage(browser, () => {});
    const client = clientOf(slack);
    const { ts = '' } = await client.chat.postMessage({ channel: learning, text: 'x', blocks: charts });
    await client.chat.postMessage({ channel: learning, thread_ts: ts, text: 'y' });
    await page.getByRole('button', { name: /1 reply/ }).click();
    const chart = page.getByRole('complementary', { name: 'Thread' }).locator('.cartesian svg');
    await chart.waitFor();
    const labels = await chart.locator('text').all();
    expect(labels.length).toBeGreaterThan(5);
    const frame = await boxOf(chart);
    for (const label of labels) {
      const box = await boxOf(label);
      expect(box.x).toBeGreaterThanOrEqual(frame.x - 1);
      expect(box.x + box.width).toBeLessThanOrEqual(frame.x + frame.width + 1);
      expect(box.y + box.height).toBeLessThanOrEqual(frame.y + frame.height + 1);
    }
  });

  it('show a note for unsupported blocks', async () => {
    const { slack, page } = await openSlackPage(browser, () => {});
    await clientOf(slack).chat.postMessage({
      channel: learning,
      text: 'x',
      blocks: [
        { type: 'task_card', task_id: '1', title: 'A task', status: 'pending' },
        { type: 'header', text: plain('Still here') },
      ],
    });
    await page.getByRole('heading', { name: 'Still here' }).waitFor();
    await page.getByRole('note').getByText('task_card').waitFor();
  });
});

async function boxOf(drawn: Locator) {
  const box = await drawn.boundingBox();
  if (!box) throw new Error('It is not drawn.');
  return box;
}
