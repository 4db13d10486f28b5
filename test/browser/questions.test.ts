import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { become, chromium, goTo, say, useBrowser } from './chromium.js';
import { usePlayground } from './playground-process.js';

/** The answer to a command, as everybody in the channel sees it. */
const answerTo = (page: Page, command: string) =>
  page
    .getByRole('main')
    .getByRole('article')
    .filter({ hasText: command, hasNotText: 'Only visible to you' })
    .filter({ has: page.getByRole('button', { name: 'CSV', exact: true }) })
    .last();

const onlyForAsker = (page: Page) =>
  page.getByRole('article').filter({ hasText: 'Only visible to you' }).last();

describe.skipIf(!chromium)('questions that people ask', () => {
  const browser = useBrowser();
  const playground = usePlayground();

  it('are asked back where several titles match, and the chosen one runs', async () => {
    const page = await browser.open(playground.url);
    await goTo(page, 'people-team');
    await say(page, '/report assignments content:co');
    const question = onlyForAsker(page);
    await question.getByText('titles match “co”').waitFor();
    expect(await answerTo(page, 'content:').count()).toBe(0);
    await question.getByRole('button', { name: 'Code of Conduct' }).click();
    const answer = answerTo(page, 'content:"Code of Conduct"');
    await answer.waitFor();
    expect(await answer.textContent()).toContain('Content: Code of Conduct');
  });

  it('are asked about where an entry is nearly a known one, and run as typed', async () => {
    const page = await browser.open(playground.url);
    await goTo(page, 'people-team');
    await say(page, '/report engagement last-week');
    await answerTo(page, '/report engagement last-week').waitFor();
    await say(page, '/report assignments departments:Sale');
    const question = onlyForAsker(page);
    await question.getByText('Did you mean “Sales”?').waitFor();
    await question.getByRole('button', { name: 'Run it as typed' }).click();
    const answer = answerTo(page, '/report assignments departments:Sale');
    await answer
      .getByText(/no assignments/i)
      .first()
      .waitFor();
  });

  it('are read from plain words, and run after a press', async () => {
    const page = await browser.open(playground.url);
    await goTo(page, 'people-team');
    await say(page, '/report what’s due next week');
    const reading = onlyForAsker(page);
    await reading.getByText('I read:').waitFor();
    await reading.getByText('/report due next-week', { exact: true }).waitFor();
    expect(await answerTo(page, '/report due next-week').count()).toBe(0);
    await reading.getByRole('button', { name: 'Run', exact: true }).click();
    await answerTo(page, '/report due next-week').waitFor();
  });

  it('have rows in pages, the longest overdue first, with links', async () => {
    const page = await browser.open(playground.url);
    await goTo(page, 'people-team');
    await say(page, '/report overdue rows');
    const answer = answerTo(page, '/report overdue rows');
    const rows = answer.getByRole('table').getByRole('row');
    const days = async () =>
      (await rows.evaluateAll((all) => all.map((row) => row.children[2]?.textContent ?? '')))
        .slice(1)
        .map((text) => Number.parseInt(text, 10));
    await answer.waitFor();
    const first = await days();
    expect(first).toHaveLength(10);
    expect(first).toEqual(first.toSorted((a, b) => b - a));
    const link = rows.nth(1).getByRole('link');
    expect(await link.getAttribute('href')).toMatch(/^https:\/\/learning\.example\/contents\/[\w-]+$/);
    await answer.getByRole('button', { name: 'Next rows' }).click();
    expect((await days())[0]).toBeLessThanOrEqual(first[9] ?? 0);
    await answer.getByText(/^The first \d+ of \d+ rows/).waitFor();
  });

  it('have their details in the thread once, whoever presses', async () => {
    const [ada, noah] = [await browser.open(playground.url), await browser.open(playground.url)];
    await become(noah, 'Noah Okafor');
    await goTo(ada, 'people-team');
    await goTo(noah, 'people-team');
    const command = '/report engagement last-month';
    await say(ada, command);
    await answerTo(noah, command).getByRole('button', { name: 'Details' }).click();
    const answer = answerTo(ada, command);
    await answer.getByRole('button', { name: /1 reply/ }).click();
    const thread = ada.getByRole('complementary', { name: 'Thread' });
    const table = thread.getByRole('table', { name: 'Figures by department' });
    expect(await table.getByRole('row').count()).toBe(1 + 5);
    await thread.getByText('What the figures mean').waitFor();
    await thread.getByRole('button', { name: 'Next rows' }).click();
    await answer.getByRole('button', { name: 'Details' }).click();
    await ada.getByText('Details are in the thread').waitFor();
    expect(await answer.getByRole('button', { name: /1 reply/ }).count()).toBe(1);
  });

  it('of a manager are one press away on Home', async () => {
    const page = await browser.open(playground.url, { width: 390 });
    await become(page, 'Noah Okafor');
    await page.getByRole('button', { name: 'Channels', exact: true }).click();
    await goTo(page, 'Rollcall');
    await page.getByRole('button', { name: 'Show my assignments: what is due next week' }).waitFor();
    await page.getByRole('button', { name: 'Show my team: what is overdue' }).click();
    await page.getByRole('tab', { name: /Messages/ }).click();
    const answer = answerTo(page, '/report overdue manager_email:me');
    await answer.getByText('Limited to your team').waitFor();
  });

  it('put a workbook into the thread', async () => {
    const page = await browser.open(playground.url);
    await become(page, 'Noah Okafor');
    await goTo(page, 'people-team');
    await say(page, '/report assignments last-30-days manager_email:me xlsx');
    const answer = answerTo(page, 'manager_email:me xlsx');
    await answer.getByRole('button', { name: /1 reply/ }).click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    const download = page.waitForEvent('download');
    await thread.getByRole('link', { name: /^Download assignments_.*\.xlsx$/ }).click();
    const bytes = await buffer(await (await download).createReadStream());
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04');
  });
});
