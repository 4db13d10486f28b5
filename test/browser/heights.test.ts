import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromium, goTo, say, useBrowser } from './chromium.js';
import { usePlayground } from './playground-process.js';

const commands = [
  '/report assignments last-90-days',
  '/report tracks last-quarter',
  '/report completions last-month',
  '/report assessments',
  '/report engagement last-week',
  '/report workshops this-month',
  '/report overdue',
  '/report due next-week',
];

/** Widths of windows, with the height of an answer that fits beside what was said before. */
const limits = [
  { width: 1440, height: 420 },
  { width: 1000, height: 420 },
  { width: 760, height: 420 },
  { width: 390, height: 640 },
];

describe.skipIf(!chromium)('answers in a channel', () => {
  const browser = useBrowser();
  const playground = usePlayground();

  it('are short at every width, and begin in sight', async () => {
    const page = await browser.open(playground.url, { width: 1440, height: 885 });
    await goTo(page, 'people-team');
    for (const command of commands) {
      await say(page, command);
      await answerTo(page, command).waitFor();
    }
    for (const { width, height } of limits) {
      await page.setViewportSize({ width, height: 885 });
      // Charts follow the width a moment later.
      await expect
        .poll(() => tooHigh(page, height), { timeout: 5000, message: `${width} px wide` })
        .toEqual([]);
      await page.getByRole('log').evaluate((log) => log.lastElementChild?.scrollIntoView({ block: 'end' }));
      const finding = page.getByRole('article').last().locator('strong').nth(1);
      await expect.poll(async () => (await finding.boundingBox())?.y ?? 0).toBeGreaterThan(90);
    }
  });
});

describe.skipIf(!chromium)('what leads to an answer', () => {
  const browser = useBrowser();
  const playground = usePlayground();

  it('is a help that is as short, and a form that shows what comes next without scrolling', async () => {
    const page = await browser.open(playground.url, { width: 1440, height: 885 });
    await goTo(page, 'people-team');
    await say(page, '/report help');
    const help = page.getByRole('article').filter({ hasText: 'What you can ask' }).last();
    await help.getByRole('button', { name: 'Run', exact: true }).nth(5).waitFor();
    expect((await help.boundingBox())?.height).toBeLessThan(420);
    await say(page, '/report help overdue');
    const ofView = page.getByRole('article').filter({ hasText: 'Suspended people too' }).last();
    await ofView.waitFor();
    expect((await ofView.boundingBox())?.height).toBeLessThan(420);

    await say(page, '/report');
    const form = page.getByRole('dialog', { name: 'Run a report' });
    const inSight = (await form.getByRole('button', { name: 'Run', exact: true }).boundingBox())?.y ?? 0;
    for (const name of ['Run now', 'Schedule', 'Here', 'Another channel', 'Me']) {
      const box = await form.getByRole('radio', { name: new RegExp(`^${name}`) }).boundingBox();
      expect((box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0), name).toBeLessThan(inSight);
    }
  });
});

const answerTo = (page: Page, command: string) =>
  page
    .getByRole('article')
    .filter({ has: page.getByText(command, { exact: true }) })
    .filter({ has: page.getByRole('button', { name: 'CSV', exact: true }) })
    .last();

/** The answers that are higher than a limit, with their heights. */
async function tooHigh(page: Page, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (const command of commands) {
    const height = Math.ceil(
      (await answerTo(page, command).boundingBox())?.height ?? Number.POSITIVE_INFINITY,
    );
    if (height > limit) found.push(`${command}: ${height} px`);
  }
  return found;
}
