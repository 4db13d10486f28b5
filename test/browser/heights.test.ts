import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { formatRequest } from '../../src/requests/parse-request.js';
import { plainRequest } from '../../src/requests/request.js';
import { scorecardVariants } from '../../src/slack/messages/scorecard.js';
import { summaryVariants } from '../../src/slack/messages/summary.js';
import { resultOf } from '../figures/fixed-answers.js';
import { clientOf } from '../playground/slack/server/test-bot.js';
import { inputOf } from '../slack/messages/messages.js';
import { chromium, goTo, learning, openSlackPage, say, useBrowser } from './chromium.js';
import { usePlayground } from './playground-process.js';

const thisYear = new Date().getUTCFullYear();

const commands = [
  '/report assignments last-90-days',
  '/report tracks last-quarter',
  '/report completions last-month',
  '/report assessments',
  '/report engagement last-week',
  '/report workshops this-month',
  '/report engagement over:12w figure:active-share',
  '/report completions over:8w against:last-year',
  '/report overdue',
  '/report due next-week',
  '/report overdue departments:!Sales days_overdue:>30',
  `/report assignments since:${thisYear - 1} target:95%@${thisYear + 1}`,
];

/** Widths of windows, with the height of an answer that fits beside what was said before. */
const limits = [
  { width: 1440, height: 420 },
  { width: 1000, height: 420 },
  { width: 760, height: 420 },
  { width: 390, height: 640 },
];

/** In direct messages, people may also ask for themselves, their team and groups. */
const directCommands = [
  ...commands,
  '/report overdue manager_email:me',
  '/report due next-week email:me',
  '/report engagement last-week by:departments',
];

describe.skipIf(!chromium)('answers, and what leads to them', () => {
  const browser = useBrowser();
  const playground = usePlayground();

  it.each([
    ['a channel', 'people-team', commands],
    ['direct messages', 'Rollcall', directCommands],
  ])('in %s, are short at every width, and begin in sight', async (_, place, commands) => {
    const page = await browser.open(playground.url, { width: 1440, height: 885 });
    await goTo(page, place);
    if (place === 'Rollcall') await page.getByRole('tab', { name: 'Messages' }).click();
    for (const command of commands) {
      await say(page, command);
      await answerTo(page, command).waitFor();
    }
    for (const { width, height } of limits) {
      await page.setViewportSize({ width, height: 885 });
      // Charts follow the width a moment later.
      await expect
        .poll(() => tooHigh(page, commands, height), { timeout: 5000, message: `${width} px wide` })
        .toEqual([]);
      await page.getByRole('log').evaluate((log) => log.lastElementChild?.scrollIntoView({ block: 'end' }));
      const finding = page.getByRole('article').last().locator('strong').nth(1);
      await expect.poll(async () => (await finding.boundingBox())?.y ?? 0).toBeGreaterThan(90);
    }
  });

  it('begin with a help that is as short, and a form that shows what comes next without scrolling', async () => {
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

const longTitle = 'Working Safely at Height and in Confined Spaces: a Refresher for Everybody on Site';
const longName = 'Maria Magdalena Alexandrovna Katarzyna Wojciechowska-Brzęczyszczykiewicz';

/** Overdue assignments with long names and titles. */
const longRecords = Array.from({ length: 60 }, (_, n) => ({
  userid: `u${n}`,
  first_name: longName,
  last_name: `of the Northern Branch ${n}`,
  content_title: `${longTitle}, part ${n % 9}`,
  assignment_status: n % 2 === 0 ? 'in_progress' : 'not_started',
  due_date: new Date(Date.parse('2026-11-15T00:00:00Z') - n * 86_400_000).toISOString(),
}));

const manyFilters = ['departments', 'teams', 'locations'].map((member) => ({
  object: 'user_filter',
  member,
  entries: Array.from({ length: 12 }, (_, n) => `The ${member} of the Northern Branch, ${n}`),
}));

describe.skipIf(!chromium).each([
  ['direct messages', true],
  ['a channel', false],
])('an answer in %s with long names, long titles and many filters', (_, isDirect) => {
  const browser = useBrowser();

  it('is as short', async () => {
    const { slack, page } = await openSlackPage(browser, () => {});
    const filtered = { ...plainRequest('assignments'), view: 'overdue' as const, filters: manyFilters };
    for (const request of [filtered, { ...filtered, by: 'content_title' }]) {
      const command = `/report ${formatRequest(request)}`;
      const result = resultOf(request, longRecords, { before: longRecords.slice(9), people: isDirect });
      const [message] = summaryVariants(inputOf(result, { command, isDirect }));
      await clientOf(slack).chat.postMessage({
        channel: learning,
        text: message.text,
        blocks: [...(message.blocks ?? [])],
      });
    }
    const answers = page.getByRole('article').filter({ has: page.getByRole('button', { name: 'CSV' }) });
    await answers.nth(1).waitFor();
    for (const { width, height } of limits) {
      await page.setViewportSize({ width, height: 885 });
      const [people, breakdown] = await answers.all();
      // On a phone, the labels of charts are slanted. Only people have no chart.
      const withoutChart = isDirect ? [people] : [];
      for (const answer of width > 390 ? [people, breakdown] : withoutChart)
        await expect
          .poll(async () => (await answer?.boundingBox())?.height, { message: `${width} px wide` })
          .toBeLessThanOrEqual(height);
    }
  });
});

describe.skipIf(!chromium)('a scorecard of eight lines with long names', () => {
  const browser = useBrowser();

  it.each([false, true])('is as short, with its buttons (in direct messages: %s)', async (isDirect) => {
    const { slack, page } = await openSlackPage(browser, () => {});
    const lines = Array.from({ length: 8 }, (_, n) =>
      n === 6
        ? { subject: `${longTitle}, ${n}`, refusal: 'Its saved report no longer exists.' }
        : {
            name: `${longTitle}, the monthly look of the branch ${n}`,
            subject: `Assignments in 2026, Departments: ${longName}`,
            finding: `${40 + n}% completed (165,${100 + n} of 400,000)`,
            change: n === 2 ? '▲ 11.5 points from a year before' : '▲ 11.5 points',
            target: '13.4 points to 95% by 31 Dec 2026',
          },
    );
    const [message] = scorecardVariants({
      name: `${longTitle} numbers`.slice(0, 60),
      lines,
      requestedAt: Date.now(),
      zone: 'America/Argentina/Buenos_Aires',
      readersZone: 'Europe/Berlin',
      askedBy: 'U00ADA0001',
      isDirect,
      canShare: isDirect,
      remarks: [],
      requestId: 'request-1',
    });
    await clientOf(slack).chat.postMessage({
      channel: learning,
      text: message.text,
      blocks: [...(message.blocks ?? [])],
    });
    const card = page.getByRole('article').filter({ has: page.getByRole('button', { name: 'Details' }) });
    await card.waitFor();
    for (const { width, height } of limits.filter(({ width }) => width > 390)) {
      await page.setViewportSize({ width, height: 885 });
      await expect
        .poll(async () => (await card.boundingBox())?.height, { message: `${width} px wide` })
        .toBeLessThanOrEqual(height);
      expect(await card.innerText()).toMatch(/to 95% by 31 Dec 2026/);
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
async function tooHigh(page: Page, commands: readonly string[], limit: number): Promise<string[]> {
  const found: string[] = [];
  for (const command of commands) {
    const height = Math.ceil(
      (await answerTo(page, command).boundingBox())?.height ?? Number.POSITIVE_INFINITY,
    );
    if (height > limit) found.push(`${command}: ${height} px`);
  }
  return found;
}
