import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { become, chromium, goTo, say, useBrowser } from './chromium.js';
import { usePlayground } from './playground-process.js';

const questions = [
  '/report overdue by:grade',
  '/report overdue manager_email:me',
  '/report assignments email:me',
  '/report completions last-month csv',
] as const;

type Answers = readonly [grades: RegExp, team: RegExp, own: RegExp, file: RegExp];

const inDirectMessages = /is in your direct messages with me/;
/** Details has the smaller groups. */
const fiveBars = /Overdue by grade, top 5 of \d/;
const totalsOnly = /You may ask for totals only/;

/** What each person reads for each question, in #general and in direct messages. */
const readers: readonly (readonly [name: string, general: Answers, direct: Answers])[] = [
  [
    'Ada Moreau',
    [fiveBars, inDirectMessages, inDirectMessages, /The file names people/],
    [fiveBars, /Longest overdue/, /Your own records/, /completions_.*\.csv|1 reply/],
  ],
  [
    'Noah Okafor',
    [fiveBars, inDirectMessages, inDirectMessages, /The file names people/],
    [fiveBars, /Limited to your team/, /Your own records/, /Limited to your team/],
  ],
  [
    'Priya Raman',
    [fiveBars, totalsOnly, inDirectMessages, totalsOnly],
    [fiveBars, totalsOnly, /Your own records/, totalsOnly],
  ],
];

/** Asks, and waits for something new with these words. */
async function askAndRead(page: Page, question: string, words: RegExp): Promise<void> {
  const answers = page.getByRole('article').filter({ hasText: words });
  const before = await answers.count();
  await say(page, question);
  await answers.nth(before).waitFor();
}

/** Opens `/report access`, and returns the new page. */
async function openAccess(page: Page): Promise<Locator> {
  const pages = page.getByRole('article').filter({ hasText: 'Set access' });
  const before = await pages.count();
  await say(page, '/report access');
  await pages.nth(before).waitFor();
  return pages.nth(before);
}

describe.skipIf(!chromium)('the levels of access in a browser', () => {
  const browser = useBrowser();
  const playground = usePlayground();

  it.each(readers)(
    '%s gets what the level allows, in #general and in direct messages',
    async (name, general, direct) => {
      const page = await browser.open(playground.url);
      await become(page, name);
      await goTo(page, 'general');
      for (const [index, question] of questions.entries())
        await askAndRead(page, question, general[index] ?? /^$/);
      await goTo(page, 'Rollcall');
      await page.getByRole('tab', { name: 'Messages' }).click();
      for (const [index, question] of questions.entries())
        await askAndRead(page, question, direct[index] ?? /^$/);
    },
  );

  it('the welcome and the list of people say who sees what', async () => {
    const page = await browser.open(playground.url);
    await page.getByRole('region', { name: 'Welcome' }).getByText('You are Ada Moreau, an admin.').waitFor();
    await page.getByRole('button', { name: /Switch user/ }).click();
    const noah = page.getByRole('menuitemradio', {
      name: /Noah Okafor.*Manager: sees the team, and totals/s,
    });
    await noah.click();
    const welcome = page.getByRole('region', { name: 'Welcome' });
    await welcome.getByText('You are Noah Okafor, a manager.').waitFor();
    await welcome.getByRole('button', { name: /manager_email:me/ }).click();
    await page.getByRole('article').filter({ hasText: 'Limited to your team' }).last().waitFor();
  });

  it('a manager shares totals to #general, and no answer that is limited to the team', async () => {
    const page = await browser.open(playground.url);
    await become(page, 'Noah Okafor');
    await goTo(page, 'Rollcall');
    await page.getByRole('tab', { name: 'Messages' }).click();
    const latest = (words: string | RegExp) => page.getByRole('article').filter({ hasText: words }).last();
    const share = { name: 'Share to channel' };

    await askAndRead(page, '/report tracks last-month csv', /Limited to your team/);
    const limited = latest('/report tracks last-month csv');
    await limited.getByRole('button', { name: 'Change' }).waitFor();
    expect(await limited.getByRole('button', share).count()).toBe(0);

    const chart = /Started and completed by grade/;
    await askAndRead(page, '/report tracks last-month by:grade', chart);
    const totals = latest('/report tracks last-month by:grade');
    const countedBy = async () => /^([\d,]+) track enrolments/m.exec(await totals.innerText())?.[1];
    const counted = await countedBy();
    expect(counted).toBeDefined();
    await totals.getByRole('button', share).click();
    const form = page.getByRole('dialog', share);
    await form.getByRole('combobox', { name: 'Channel' }).click();
    await page
      .getByRole('option', { name: /general/ })
      .first()
      .click();
    await form.getByRole('button', { name: 'Share', exact: true }).click();
    await form.waitFor({ state: 'detached' });
    await goTo(page, 'general');
    await totals.getByText(chart).first().waitFor();
    expect(await countedBy()).toBe(counted);
    expect(await totals.textContent()).not.toContain('Limited to');
  });

  it('CSV under an answer of somebody else follows the level of whoever presses', async () => {
    const page = await browser.open(playground.url);
    await goTo(page, 'learning');
    await say(page, '/report tracks last-month');
    const answer = () => page.getByRole('article').filter({ hasText: '/report tracks last-month' }).last();
    await answer().getByRole('button', { name: 'CSV' }).waitFor();
    await become(page, 'Priya Raman');
    await answer().getByRole('button', { name: 'CSV' }).click();
    await page.getByRole('article').filter({ hasText: totalsOnly }).last().waitFor();
    expect(await answer().getByRole('button', { name: /reply/ }).count()).toBe(0);
    await become(page, 'Noah Okafor');
    await answer().getByRole('button', { name: 'CSV' }).click();
    await answer()
      .getByRole('button', { name: /1 reply/ })
      .click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await thread.getByText('Limited to your team.').waitFor();
    await thread.getByRole('button', { name: /^Open tracks_/ }).click();
    const sheet = page.getByRole('dialog', { name: /^tracks_.*\.csv$/ });
    const text = (await sheet.getByText(/^[\d,]+ rows?\./).textContent()) ?? '';
    const rows = Number.parseInt(text.replace(',', ''), 10);
    const counted = /([\d,]+) track enrolments/.exec((await answer().textContent()) ?? '')?.[1] ?? '';
    // The answer is about all 400 people, and the file about one team of nine.
    expect(rows).toBeLessThan(Number(counted.replace(',', '')) / 2);
  });

  it('a rule is previewed, saved and removed, and each change holds at the next question', async () => {
    const page = await browser.open(playground.url);
    const question = '/report overdue manager_email:me';
    await become(page, 'Priya Raman');
    await goTo(page, 'general');
    await askAndRead(page, question, totalsOnly);

    await become(page, 'Ada Moreau');
    await (await openAccess(page)).getByRole('button', { name: 'Set access' }).click();
    const form = page.getByRole('dialog', { name: 'Set access' });
    await form.getByRole('radio', { name: 'A person' }).click();
    await form.getByRole('combobox', { name: 'Person' }).click();
    await page.keyboard.type('Priya');
    await page.getByRole('option', { name: /Priya/ }).first().click();
    await form.getByRole('radio', { name: /^Team/ }).click();
    await form.getByRole('button', { name: 'Next' }).click();
    await form.getByText('Priya Raman, all reports: team.').waitFor();
    await form.getByText(/limited to the people they manage and themselves/).waitFor();
    await form.getByText(/Nothing is saved yet/).waitFor();
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('article').filter({ hasText: 'Saved. Priya Raman' }).last().waitFor();

    await become(page, 'Priya Raman');
    await askAndRead(page, question, /Nobody reports to priya/);

    await become(page, 'Ada Moreau');
    const rule = (await openAccess(page))
      .locator('*')
      .filter({ hasText: 'Priya Raman, all reports: team' })
      .filter({ has: page.getByRole('button', { name: 'Remove' }) });
    await rule.last().getByRole('button', { name: 'Remove' }).click();
    await page
      .getByRole('article')
      .filter({ hasText: /Removed the rule of Priya Raman/ })
      .last()
      .waitFor();

    await become(page, 'Priya Raman');
    await askAndRead(page, question, totalsOnly);
    await say(page, '/report');
    const builder = page.getByRole('dialog', { name: 'Run a report' });
    await builder.getByText('work for your own records only').waitFor();
  });
});
