import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { allReports, fieldOf, type Report, reportNamed } from '../../src/catalogue/index.js';
import { become, chromium, eventually, goTo, say, useBrowser } from './chromium.js';
import { usePlayground } from './playground-process.js';

/** The form that `/report` alone opens. */
async function openForm(page: Page): Promise<Locator> {
  await say(page, '/report');
  const form = page.getByRole('dialog', { name: 'Run a report' });
  await form.getByRole('combobox', { name: 'Report', exact: true }).waitFor();
  return form;
}

/** Chooses one of a select's choices, found by typing it. */
async function choose(form: Locator, label: string | RegExp, choice: string): Promise<void> {
  const field = form.getByRole('combobox', { name: label, exact: typeof label === 'string' });
  await field.click();
  await field.fill(choice);
  await form.page().getByRole('option', { name: choice }).first().click();
  // A list of which several can be chosen stays open, and may cover what comes next.
  await field.press('Tab');
}

function answers(page: Page, command: string): Locator {
  return page.getByRole('article').filter({ hasText: command });
}

function label(report: Report, flag: string): string {
  return fieldOf(report, flag)?.label ?? '';
}

describe.skipIf(!chromium)('the builder in a browser', () => {
  const browser = useBrowser();
  const playground = usePlayground();

  it.each(allReports.map((report) => [report.title, report] as const))(
    'asks for %s with a filter, a breakdown, all columns and the file',
    async (title, report) => {
      const page = await browser.open(playground.url);
      await goTo(page, 'people-team');
      const form = await openForm(page);
      if (report.name !== 'assignments') await choose(form, 'Report', title);
      const isChosen = (flag: string) =>
        form.getByRole('button', { name: `Remove ${label(report, flag)}`, exact: true }).waitFor();
      // The form opens for assignments and is drawn anew for the report; what is pressed before is pressed on the old one.
      const first = reportNamed('assignments').essentials.map((flag) =>
        label(reportNamed('assignments'), flag),
      );
      await isChosen(report.essentials.find((flag) => !first.includes(label(report, flag))) ?? 'email');
      await form.getByRole('button', { name: 'Everything' }).click();
      await isChosen(report.fields.findLast(({ flag }) => !report.essentials.includes(flag))?.flag ?? '');
      if (report.range) {
        await choose(form, 'Range', 'Custom range');
        await form.getByRole('textbox', { name: 'Custom range' }).fill('last 45 days');
      } else {
        await form.getByText(/they have no range/).waitFor();
      }
      await form.getByRole('button', { name: 'Add filters' }).click();
      const filter = report.filters[0]?.members.find(({ common }) => common)?.label ?? '';
      await choose(form, new RegExp(`^${filter}`), 'Sales');
      const by = report.fields[0];
      await choose(form, 'Break down by', by?.label ?? '');
      await form.getByRole('radio', { name: 'CSV', exact: true }).click();
      await form.getByRole('button', { name: 'Run', exact: true }).click();
      await eventually(() => form.count()).toBe(0);
      const command = `/report ${report.name}${report.range ? ' last-45-days' : ''}`;
      const answer = answers(page, command).last();
      await answer.waitFor();
      expect(await answer.textContent()).toContain('Sales');
      expect(await answer.textContent()).toContain(`fields:${report.fields[0]?.flag}`);
    },
  );

  it('keeps typed values when it changes, and shows errors at their inputs', async () => {
    const page = await browser.open(playground.url);
    await goTo(page, 'sales');
    const form = await openForm(page);
    await choose(form, 'Report', 'Engagement');
    await form.getByText('Sessions').waitFor();
    await form.getByRole('button', { name: 'Add filters' }).click();
    await choose(form, /^Departments/, 'Field Operations');
    await choose(form, 'Range', 'Custom range');
    const words = form.getByRole('textbox', { name: 'Custom range' });
    await words.fill('next week');
    await form.getByRole('button', { name: /^More filters/ }).click();
    await form.getByRole('combobox', { name: /^Grades/ }).waitFor();
    expect(await words.inputValue()).toBe('next week');
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    await form.getByRole('alert').filter({ hasText: 'begins in the future' }).waitFor();
    await words.fill('last-month');
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    const answer = answers(page, '/report engagement last-month departments:"Field Operations"').last();
    await answer.getByRole('button', { name: 'Change' }).click();
    await form.getByRole('button', { name: 'Remove Field Operations' }).click();
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    await eventually(() =>
      page.getByRole('article').filter({ hasText: '/report engagement last-month' }).count(),
    ).toBeGreaterThan(1);
    expect(await answers(page, '/report engagement last-month').last().textContent()).not.toContain(
      'departments:',
    );
  });

  it('opens from the shortcut too, and works by keyboard alone', async () => {
    const page = await browser.open(playground.url);
    await become(page, 'Noah Okafor');
    await page.getByRole('button', { name: /shortcut/i }).click();
    await page.getByRole('menuitem', { name: /Run a report/ }).click();
    const form = page.getByRole('dialog', { name: 'Run a report' });
    const report = form.getByRole('combobox', { name: 'Report', exact: true });
    await report.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('Work');
    await page.keyboard.press('Enter');
    await form.getByRole('button', { name: 'Remove Starts', exact: true }).waitFor();
    expect(await form.getByRole('radio', { name: 'Here' }).count()).toBe(0);
    expect(await form.getByRole('radio', { name: /^Me/ }).isChecked()).toBe(true);
    await form.getByRole('button', { name: 'Run', exact: true }).focus();
    await page.keyboard.press('Enter');
    await eventually(() => form.count()).toBe(0);
    await goTo(page, 'Rollcall');
    await page.getByRole('tab', { name: 'Messages' }).click();
    await answers(page, '/report workshops').last().waitFor();
  });
});
