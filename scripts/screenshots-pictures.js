// What each picture shows: the window, and how the page gets there. A pose may return the part to take.

const wide = { width: 1440, height: 1000 };
// Tall enough for a whole answer, so that the picture holds all of it.
const tall = { width: 1360, height: 2200 };

const reports = {
  assignments: '/report assignments last-90-days',
  tracks: '/report tracks last-quarter',
  completions: '/report completions last-month',
  assessments: '/report assessments',
  engagement: '/report engagement last-month',
  workshops: '/report workshops this-month',
};

export const pictures = [
  { name: 'playground', theme: 'light', window: wide, pixelRatio: 1, pose: playground },
  { name: 'playground-dark', theme: 'dark', window: wide, pixelRatio: 1, pose: playground },
  ...Object.entries(reports).map(([name, line]) => ({
    name: `report-${name}`,
    theme: 'light',
    window: tall,
    pose: async (page) => (await summaryOf(page, line, 'people-team')).locator('.blocks').first(),
  })),
  { name: 'my-record', theme: 'light', window: { width: 1200, height: 900 }, pixelRatio: 1, pose: ownRecord },
  {
    name: 'rules-of-today',
    theme: 'light',
    window: wide,
    pixelRatio: 1,
    pose: rules,
  },
];

/** The first command asked and answered, with the inspector beside it. */
async function playground(page) {
  await page.getByRole('button', { name: 'Inspector' }).click();
  const summary = await summaryOf(page, '/report engagement last-week', 'learning');
  await summary.evaluate((message) => message.scrollIntoView({ block: 'start' }));
  // Away from the message, so that nothing is drawn as pointed at.
  await page.mouse.move(700, 20);
}

/** What Noah reads after Ada asked about him. */
async function ownRecord(page) {
  await openMessages(page);
  for (const [line, button] of [
    ['/report engagement last-month email:noah@example.com', 'CSV'],
    ['/report assignments last-90-days email:noah@example.com rows', 'CSV'],
    // Its file is in the thread.
    ['/report engagement last-month csv', /repl/],
  ]) {
    const has = page.getByRole('button', { name: button });
    await ask(page, line, page.getByRole('article').filter({ hasText: line, has }));
  }
  await page.getByRole('button', { name: /Switch user/ }).click();
  await page.getByRole('menuitemradio', { name: /Noah Okafor/ }).click();
  await openMessages(page);
  const record = page.getByRole('article').filter({ hasText: 'What was asked about you' });
  await ask(page, '/report record', record);
  await page.mouse.move(700, 20);
  return record.last();
}

/** The first part of the page for a works council. */
async function rules(page) {
  await openMessages(page);
  const access = page
    .getByRole('article')
    .filter({ has: page.getByRole('button', { name: 'Rules of today' }) });
  await ask(page, '/report access', access);
  await access.last().getByRole('button', { name: 'Rules of today' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make the file' }).click();
  const link = page.getByRole('link', { name: /rules_.*\.html/ }).last();
  await link.waitFor();
  const file = await page.request.get(new URL((await link.getAttribute('href')) ?? '', page.url()).href);
  await page.setViewportSize({ width: 960, height: 1085 });
  await page.setContent(await file.text());
}

/** The direct messages with Rollcall. */
async function openMessages(page) {
  await page.getByRole('navigation').getByRole('button', { name: 'Rollcall' }).first().click();
  await page.getByRole('tab', { name: 'Messages' }).click();
}

/** Asks in the conversation that the page shows, and waits for one more of these messages. */
async function ask(page, line, answers) {
  const composer = page.getByRole('textbox', { name: /^Message to/ });
  await composer.waitFor();
  const before = await answers.count();
  await composer.fill(line);
  await composer.press('Enter');
  await answers.nth(before).waitFor({ timeout: 60_000 });
}

/** Asks, and resolves with the message that answers. */
async function summaryOf(page, line, channel) {
  await page.getByRole('navigation').getByRole('button', { name: channel }).first().click();
  const composer = page.getByRole('textbox', { name: /^Message to/ });
  const answers = page.getByRole('article').filter({ hasText: line });
  const before = await answers.count();
  await composer.fill(line);
  await composer.press('Enter');
  const answer = answers.nth(before);
  await answer.getByRole('button', { name: 'CSV' }).waitFor({ timeout: 60_000 });
  return answer;
}
