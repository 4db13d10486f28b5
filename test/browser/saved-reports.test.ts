import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromium, eventually, goTo, say, useBrowser } from './chromium.js';
import { usePlayground } from './playground-process.js';

const name = 'Sales this week';

function posts(page: Page, text: string | RegExp): Locator {
  return page.getByRole('article').filter({ hasText: text });
}

/** `/report list`, as it stands at the end of the conversation. */
async function openList(page: Page): Promise<Locator> {
  const lists = page.getByRole('article').filter({ hasText: 'Saved reports' });
  const before = await lists.count();
  await say(page, '/report list');
  await eventually(() => lists.count()).toBeGreaterThan(before);
  return lists.last();
}

async function chooseAction(list: Locator, action: string): Promise<void> {
  await list.getByRole('button', { name: 'More actions' }).first().click();
  await list.page().getByRole('menuitem', { name: action }).click();
}

describe.skipIf(!chromium)('saved reports in a browser', () => {
  const browser = useBrowser();
  const playground = usePlayground();

  it('are saved from the form, listed, changed, run, renamed, deleted and restored', async () => {
    const page = await browser.open(playground.url);
    await goTo(page, 'sales');
    await say(page, '/report');
    await page.getByRole('dialog').getByRole('radio', { name: 'Save under a name' }).click();
    const form = page.getByRole('dialog', { name: 'Save a report' });
    await form.getByRole('textbox', { name: 'Name' }).fill('this-week');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByRole('alert').filter({ hasText: 'begins with a range' }).waitFor();
    await form.getByRole('textbox', { name: 'Name' }).fill(name);
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await posts(page, `/report ${name}`).getByRole('button', { name: 'Run', exact: true }).waitFor();

    await chooseAction(await openList(page), 'Edit');
    const editing = page.getByRole('dialog', { name: 'Edit a saved report' });
    const range = editing.getByRole('combobox', { name: 'Range', exact: true });
    await range.click();
    await range.fill('This week');
    await page.getByRole('option', { name: 'This week' }).first().click();
    await editing.getByRole('button', { name: 'Save', exact: true }).click();
    await eventually(() => editing.count()).toBe(0);

    const list = await openList(page);
    expect(await list.textContent()).toContain('/report assignments this-week');
    await list.getByRole('button', { name: 'Run', exact: true }).click();
    await posts(page, 'this week').getByRole('button', { name: 'CSV' }).waitFor();

    await chooseAction(list, 'Rename');
    const renaming = page.getByRole('dialog', { name: 'Rename' });
    await renaming.getByRole('textbox', { name: 'Name' }).fill('Running week');
    await renaming.getByRole('button', { name: 'Rename', exact: true }).click();
    await eventually(() => renaming.count()).toBe(0);

    const renamed = await openList(page);
    await chooseAction(renamed, 'Delete');
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.click();
    await eventually(() => undo.count()).toBe(0);
    expect(await (await openList(page)).textContent()).toContain('Running week');

    await goTo(page, 'Rollcall');
    await page.getByRole('tab', { name: 'Home' }).click();
    const home = page.getByRole('tabpanel');
    await home.getByText('Running week').waitFor();
    await home.getByText('/report assignments this-week').first().waitFor();
  });
});
