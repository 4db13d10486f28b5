import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromium, eventually, goTo, say, useBrowser } from './chromium.js';
import { usePlayground } from './playground-process.js';

const articles = (page: Page, text: string | RegExp) => page.getByRole('article').filter({ hasText: text });

async function moveClock(page: Page, to: string): Promise<void> {
  await page.getByTitle(/^The playground's time/).click();
  await page.getByRole('button', { name: to }).click();
}

/** Chooses one of a select's choices, found by typing its first words. */
async function choose(form: Locator, label: string, choice: string | RegExp): Promise<void> {
  const field = form.getByRole('combobox', { name: label, exact: true });
  await field.click();
  await form.page().getByRole('option', { name: choice }).first().click();
}

async function openList(page: Page): Promise<Locator> {
  const lists = articles(page, /^(?!.*Set up by).*Saved reports/s);
  const before = await lists.count();
  await say(page, '/report list');
  await eventually(() => lists.count()).toBeGreaterThan(before);
  return lists.last();
}

/** More than on a Monday at nine, and fewer than in a week. */
const threshold = 30;

describe.skipIf(!chromium)('an alert in a browser', () => {
  const browser = useBrowser();
  const playground = usePlayground();

  it('is built in the form, checks its baseline, and posts once when it becomes true', async () => {
    const page = await browser.open(playground.url);
    await goTo(page, 'people-team');
    await say(page, '/report completions this-week');
    const answer = articles(page, '/report completions this-week').last();
    await answer.getByRole('button', { name: 'Schedule' }).click();
    const form = page.getByRole('dialog', { name: 'Schedule' });
    await choose(form, 'Only when', 'A figure passes a value');
    await choose(form, 'Figure', /^Completions \(\d+ today\)$/);
    const value = form.getByLabel('Value');
    await value.fill('-5');
    await form.getByRole('button', { name: 'Show next times' }).click();
    await form.getByRole('alert').filter({ hasText: 'always true' }).waitFor();
    await value.fill(String(threshold));
    await choose(form, 'How often', 'Every day');
    await form.getByRole('combobox', { name: 'Days of the week' }).waitFor({ state: 'hidden' });
    // What is filled in stays while a choice hides it.
    await choose(form, 'Only when', 'Always');
    await value.waitFor({ state: 'hidden' });
    await choose(form, 'Only when', 'A figure passes a value');
    expect(await value.inputValue()).toBe(String(threshold));
    await form.getByRole('button', { name: 'Show next times' }).click();

    const preview = articles(page, 'Schedule this?');
    await preview.getByText(`Only when Completions is above ${threshold}.`).waitFor();
    await preview.getByText('The first run posts nothing').waitFor();
    await preview.getByRole('button', { name: 'Confirm' }).click();
    await articles(page, 'Scheduled.').waitFor();

    await moveClock(page, 'Next Monday, 9:00 AM');
    await goTo(page, 'Rollcall');
    await page.getByRole('tab', { name: 'Messages' }).click();
    const first = articles(page, /First check of Completions when completions > 30/);
    await first.waitFor();
    expect(await first.textContent()).toMatch(
      /Completions: \d+, not above 30\. I post when it becomes true\./,
    );

    await goTo(page, 'people-team');
    const posts = articles(page, /^.*Completions: \d+, above 30/s).filter({ hasText: 'Set up by' });
    expect(await posts.count()).toBe(0);
    const quiet = await openList(page);
    expect(await quiet.textContent()).toMatch(/Last: \d+, \d+ below 30, Mon \d+ \w+/);
    for (let day = 0; day < 4; day += 1) {
      await moveClock(page, 'Set time');
      await eventually(async () => (await (await openList(page)).textContent()) ?? '').toMatch(
        new RegExp(`Last: \\d+, (exactly 30|\\d+ (below|above) 30), ${['Tue', 'Wed', 'Thu', 'Fri'][day]}`),
      );
    }
    await eventually(() => posts.count()).toBe(1);
    expect(await posts.textContent()).toMatch(
      /It was \d+ on \w+ \d+ \w+, \d\d:\d\d, and never above 30 until now\./,
    );

    await (await openList(page)).getByRole('button', { name: 'Send me a test' }).click();
    await goTo(page, 'Rollcall');
    await page.getByRole('tab', { name: 'Messages' }).click();
    const test = articles(page, /What this alert would have done at its last 5 runs/);
    await test.waitFor();
    const lines = await test.getByRole('listitem').allTextContents();
    expect(lines[0]).toMatch(/^\d+ \w+: \d+, first run$/);
    expect(lines.filter((line) => line.endsWith(', posted'))).toHaveLength(1);

    await page.getByRole('tab', { name: 'Home' }).click();
    await page
      .getByRole('tabpanel')
      .getByText(/Last: \d+, \d+ above 30, Fri/)
      .waitFor();
  });
});
