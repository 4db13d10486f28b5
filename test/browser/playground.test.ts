import { buffer } from 'node:stream/consumers';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { become, chromium, composerOf, eventually, goTo, say, useBrowser } from './chromium.js';
import { usePlayground } from './playground-process.js';

const savedName = 'Sales this week';

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

describe.skipIf(!chromium)('the playground in a browser', () => {
  const browser = useBrowser();
  const playground = usePlayground();

  it('answers a typed command with its finding and a chart', async () => {
    const page = await browser.open(playground.url);
    await goTo(page, 'people-team');
    await say(page, '/report engagement last-week');
    const summary = page.getByRole('article').filter({ hasText: '/report engagement last-week' }).last();
    await summary.getByText(/^Engagement last week: \d+% active/).waitFor();
    expect(await summary.getByRole('figure').count()).toBeGreaterThanOrEqual(1);
    await summary.getByRole('button', { name: 'CSV' }).waitFor();
    expect(await composerOf(page).inputValue()).toBe('');
  });

  it('attaches the file in the thread of its summary, where it opens as a table and downloads', async () => {
    const page = await browser.open(playground.url);
    await goTo(page, 'people-team');
    await say(page, '/report engagement last-week csv');
    await page.getByRole('button', { name: /1 reply/ }).click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    const download = page.waitForEvent('download');
    await thread.getByRole('link', { name: /^Download engagement_.*\.csv$/ }).click();
    const bytes = await buffer(await (await download).createReadStream());
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    const rows = bytes.toString('utf8').trimEnd().split('\r\n').length - 1;

    await thread.getByRole('button', { name: /^Open engagement_/ }).click();
    const sheet = page.getByRole('dialog', { name: /^engagement_.*\.csv$/ });
    await sheet.getByText(`${rows} rows.`).waitFor();
    await sheet.getByRole('columnheader', { name: 'Email' }).waitFor();
    expect(await sheet.getByRole('row').count()).toBe(rows + 1);
    await page.keyboard.press('Escape');
    await eventually(() => sheet.count()).toBe(0);
    expect(await thread.count()).toBe(1);
  });

  it('shows the first commands, and a click types one and sends it', async () => {
    const page = await browser.open(playground.url);
    const commands = page.getByRole('region', { name: 'Welcome' }).getByRole('listitem').getByRole('button');
    expect(await commands.count()).toBe(3);
    const line = (await commands.first().textContent()) ?? '';
    // The line stays for a moment only, which a busy test would miss.
    const typed = await composerOf(page).evaluateHandle((field: { readonly value: string }) => {
      const values: string[] = [];
      setInterval(() => values.push(field.value), 5);
      return values;
    });
    await commands.first().click();
    await page.getByRole('article').filter({ hasText: line }).getByRole('button', { name: 'CSV' }).waitFor();
    expect(await typed.jsonValue()).toContain(line);
    await eventually(() => composerOf(page).inputValue()).toBe('');
  });

  it('tells only the user what was not understood, with a button for the nearest word', async () => {
    const [ada, noah] = [await browser.open(playground.url), await browser.open(playground.url)];
    await become(noah, 'Noah Okafor');
    await goTo(ada, 'sales');
    await goTo(noah, 'sales');
    await say(ada, '/report enggement');
    const reply = ada.getByRole('article').filter({ hasText: 'Only visible to you' }).last();
    await reply.getByText('enggement').first().waitFor();
    expect(await noah.getByText('enggement').count()).toBe(0);
    await reply.getByRole('button', { name: /run/i }).click();
    await noah.getByRole('article').filter({ hasText: '/report engagement' }).last().waitFor();
  });

  it('refuses a guest', async () => {
    const page = await browser.open(playground.url);
    await become(page, 'Gil Santos');
    await say(page, '/report engagement last-week');
    await page
      .getByRole('article')
      .filter({ hasText: 'Only visible to you' })
      .getByText(/guests cannot/i)
      .waitFor();
  });

  it('shows what the bot asked the Reporting Service', async () => {
    const page = await browser.open(playground.url);
    await goTo(page, 'watercooler');
    await page.getByRole('button', { name: 'Inspector' }).click();
    const inspector = page.getByRole('complementary', { name: 'Inspector' });
    await say(page, '/report tracks last-month');
    // Months begin on the hour. The daily look, which asks for other fields, ends at any second.
    const asked = inspector
      .getByRole('button', { name: /POST \/api\/v1\/reports\/track-status\/\d+00\/\d+00/ })
      .first();
    await asked.click();
    await inspector.getByRole('heading', { name: 'Request' }).waitFor();
    await eventually(() => inspector.getByText('track_status').count()).toBeGreaterThan(0);
    expect(await inspector.getByText(/xoxb-|xapp-/).count()).toBe(0);

    await inspector.getByRole('button', { name: 'Bot → Reporting Service' }).click();
    await eventually(() => asked.count()).toBe(0);
    await inspector.getByRole('searchbox').fill('users.info');
    await inspector
      .getByRole('button', { name: /users\.info/ })
      .first()
      .waitFor();
    expect(await inspector.getByRole('listitem').filter({ hasNotText: 'users.info' }).count()).toBe(0);
  });

  it('has saved reports, which are saved from the form, listed, changed, run, renamed, deleted and restored', async () => {
    const page = await browser.open(playground.url);
    await goTo(page, 'sales');
    await say(page, '/report');
    await page.getByRole('dialog').getByRole('radio', { name: 'Save under a name' }).click();
    const form = page.getByRole('dialog', { name: 'Save a report' });
    await form.getByRole('textbox', { name: 'Name' }).fill('this-week');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByRole('alert').filter({ hasText: 'begins with a range' }).waitFor();
    await form.getByRole('textbox', { name: 'Name' }).fill(savedName);
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await posts(page, `/report ${savedName}`).getByRole('button', { name: 'Run', exact: true }).waitFor();

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

  it('moves its clock to next Monday at nine, and back', async () => {
    const page = await browser.open(playground.url);
    await page.getByTitle(/^The playground's time/).click();
    await page.getByRole('button', { name: 'Next Monday, 9:00 AM' }).click();
    const clock = page.getByTitle(/^The playground's time/);
    await eventually(() => clock.textContent()).toMatch(/Mon, .*9:0\d AM.*ahead/);
    await clock.click();
    await page.getByRole('button', { name: 'Back to real time' }).click();
    await eventually(() => clock.textContent()).not.toMatch(/ahead/);
  });
});
