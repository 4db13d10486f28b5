import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromium, eventually, goTo, say, useBrowser } from './chromium.js';
import { usePlayground } from './playground-process.js';

/** What came by itself, of one report. */
function digests(page: Page, command: string): Locator {
  return page.getByRole('article').filter({ hasText: 'Set up by' }).filter({ hasText: command });
}

/** Presses Confirm under the newest preview, and waits until it says that it is scheduled. */
async function confirm(page: Page, times: RegExp): Promise<void> {
  const preview = page.getByRole('article').filter({ hasText: 'Schedule this?' }).last();
  await preview.waitFor();
  expect(
    (await preview.getByRole('listitem').allTextContents()).filter((line) => times.test(line)),
  ).toHaveLength(3);
  const scheduled = page.getByRole('article').filter({ hasText: 'Scheduled.' });
  const before = await scheduled.count();
  await preview.getByRole('button', { name: 'Confirm' }).click();
  await eventually(() => scheduled.count()).toBe(before + 1);
}

async function moveClock(page: Page, to: string): Promise<void> {
  await page.getByTitle(/^The playground's time/).click();
  await page.getByRole('button', { name: to }).click();
}

/** `/report list`, as it stands at the end of the conversation. */
async function openList(page: Page): Promise<Locator> {
  const lists = page.getByRole('article').filter({ hasText: /^(?!.*Set up by).*Saved reports/s });
  const before = await lists.count();
  await say(page, '/report list');
  await eventually(() => lists.count()).toBeGreaterThan(before);
  return lists.last();
}

/** Chooses from the menu of the oldest digest that is listed. */
async function chooseOfFirst(page: Page, action: string): Promise<void> {
  const list = await openList(page);
  await list.getByRole('button', { name: 'More actions' }).first().click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

describe.skipIf(!chromium)('digests in a browser', () => {
  const browser = useBrowser();
  const playground = usePlayground();

  it('are scheduled by command and form, arrive on time, are paused, resumed, edited and deleted', async () => {
    const page = await browser.open(playground.url);
    await goTo(page, 'sales');
    await say(page, '/report schedule engagement last-week weekdays 09:00');
    await confirm(page, /^(Mon|Tue|Wed|Thu|Fri) .*, 09:00, Europe\/Berlin$/);

    await say(page, '/report');
    await page.getByRole('dialog').getByRole('radio', { name: 'Schedule' }).click();
    const form = page.getByRole('dialog', { name: 'Schedule a report' });
    const often = form.getByRole('combobox', { name: 'How often' });
    await often.click();
    await often.fill('Monday to Friday');
    await page.getByRole('option', { name: 'Monday to Friday' }).click();
    await form.getByRole('button', { name: 'Show next times' }).click();
    await confirm(page, /^(Mon|Tue|Wed|Thu|Fri) .*, 09:00, Europe\/Berlin$/);

    await moveClock(page, 'Next Monday, 9:00 AM');
    await eventually(() => digests(page, '/report assignments').count()).toBe(1);
    await eventually(() => digests(page, '/report engagement').count()).toBe(1);
    const [first] = await digests(page, '/report engagement').allTextContents();
    expect(first).toContain('Comes Monday to Friday at 09:00, Europe/Berlin.');
    expect(first).not.toContain('Late');

    await chooseOfFirst(page, 'Pause');
    const paused = await openList(page);
    await eventually(() => paused.textContent()).toContain('Paused');
    // The proposed moment is tomorrow at nine: one comes, and what is paused does not.
    await moveClock(page, 'Set time');
    await eventually(() => digests(page, '/report assignments').count()).toBe(2);
    expect(await digests(page, '/report engagement').count()).toBe(1);

    await chooseOfFirst(page, 'Resume');
    await page
      .getByRole('article')
      .filter({ hasText: /Resumed.*Next: Wed/ })
      .waitFor();
    await moveClock(page, 'Set time');
    await eventually(() => digests(page, '/report engagement').count()).toBe(2);
    await eventually(() => digests(page, '/report assignments').count()).toBe(3);

    await chooseOfFirst(page, 'Edit');
    const editing = page.getByRole('dialog', { name: 'Edit a digest' });
    await editing.getByLabel('Time', { exact: true }).fill('10:00');
    await editing.getByRole('button', { name: 'Show next times' }).click();
    const change = page.getByRole('article').filter({ hasText: 'Change this digest?' });
    await change
      .getByText(/, 10:00, Europe\/Berlin/)
      .first()
      .waitFor();
    await change.getByRole('button', { name: 'Confirm' }).click();
    await page
      .getByRole('article')
      .filter({ hasText: /Changed.*10:00/ })
      .waitFor();

    await chooseOfFirst(page, 'History');
    const history = page.getByRole('article').filter({ hasText: 'History of Engagement' });
    await eventually(() => history.getByRole('link', { name: 'message' }).count()).toBe(2);

    await chooseOfFirst(page, 'Delete');
    await page.getByRole('article').filter({ hasText: 'Deleted: Engagement' }).waitFor();
    const left = await openList(page);
    expect(await left.textContent()).not.toContain('Engagement');
    expect(await left.textContent()).toContain('Assignments');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('article').filter({ hasText: 'Restored' }).waitFor();
    expect(await (await openList(page)).textContent()).toContain('Engagement');

    await goTo(page, 'Rollcall');
    await page.getByRole('tab', { name: 'Home' }).click();
    await page.getByRole('tabpanel').getByText('Engagement, Monday to Friday at 10:00').waitFor();
  });
});
