import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { become, chromium, goTo, say, useBrowser } from './chromium.js';
import { usePlayground } from './playground-process.js';

const articles = (page: Page, text: string | RegExp) => page.getByRole('article').filter({ hasText: text });

async function choose(form: Locator, label: string, choice: string | RegExp): Promise<void> {
  const field = form.getByRole('combobox', { name: label, exact: true });
  await field.click();
  await form.page().getByRole('option', { name: choice }).first().click();
}

async function moveClock(page: Page, to: string): Promise<void> {
  await page.getByTitle(/^The playground's time/).click();
  await page.getByRole('button', { name: to }).click();
}

/** The people whom a message lists. */
async function namesIn(message: Locator): Promise<readonly string[]> {
  const bold = await message.locator('strong, b').allTextContents();
  return bold.filter((text) => !text.includes('overdue') && text !== 'Rollcall');
}

describe.skipIf(!chromium)('a digest for managers in a browser', () => {
  const browser = useBrowser();
  const playground = usePlayground();

  it('is set up in the form, rehearsed, sent on Monday, and declined', async () => {
    const page = await browser.open(playground.url);
    await goTo(page, 'people-team');
    await say(page, '/report overdue');
    const answer = articles(page, '/report overdue').last();
    await answer.getByRole('button', { name: 'Schedule' }).click();
    const form = page.getByRole('dialog', { name: 'Schedule' });
    await choose(form, 'Send to', 'Each manager, their own team');
    await form.getByText('Channel (leave empty').waitFor({ state: 'hidden' });
    await form.getByRole('button', { name: 'Show next times' }).click();

    // It belongs to no channel, so its preview comes in direct messages, where names are allowed.
    await goTo(page, 'Rollcall');
    await page.getByRole('tab', { name: 'Messages' }).click();
    const preview = articles(page, 'Schedule this?');
    await preview.getByText('each manager, their own team').first().waitFor();
    await preview.getByText(/As of now, 3 managers get a message/).waitFor();
    await preview.getByText(/Not reached: \d+ managers/).waitFor();
    await preview.getByRole('button', { name: 'Confirm' }).click();
    await articles(page, 'Scheduled. Overdue assignments for each manager').waitFor();

    // Nine in Berlin, where two of them are, and six hours later in New York.
    await moveClock(page, 'Next Monday, 9:00 AM');
    const message = articles(page, /ha(s|ve) \d+ overdue assignments?\..*Set up by/s);
    await message.waitFor();
    const link = message.getByRole('link').first();
    expect(await link.getAttribute('href')).toContain('https://learning.example/contents/');
    await articles(page, /sent to 2 managers · nothing to tell/).waitFor();
    for (let hours = 0; hours < 6; hours += 1) await moveClock(page, 'Forward one hour');
    await articles(page, /sent to 1 manager · nothing to tell/).waitFor();
    const own = await namesIn(message);
    expect(own.length).toBeGreaterThan(0);
    for (const name of ['Lena Vogt', 'Noah Okafor']) {
      const theirs = await browser.open(playground.url);
      await become(theirs, name);
      await goTo(theirs, 'Rollcall');
      await theirs.getByRole('tab', { name: 'Messages' }).click();
      const another = articles(theirs, /ha(s|ve) \d+ overdue assignments?\..*Set up by/s);
      await another.waitFor();
      const names = await namesIn(another);
      expect(names.length).toBeGreaterThan(0);
      expect(names).not.toEqual(own);
      expect(await articles(theirs, 'sent to').count()).toBe(0);
    }

    await message.getByRole('button', { name: 'Not for me' }).click();
    await articles(page, 'You get no more of these').waitFor();
    await page.getByRole('tab', { name: 'Home' }).click();
    const home = page.getByRole('tabpanel');
    await home.getByText('You get no more of: Overdue assignments for each manager').waitFor();
    await home.getByRole('button', { name: 'Get it again' }).click();
    await home.getByText('You get no more of:').waitFor({ state: 'hidden' });
  }, 120_000);
});
