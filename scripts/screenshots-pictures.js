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
];

/** The first command asked and answered, with the inspector beside it. */
async function playground(page) {
  await page.getByRole('button', { name: 'Inspector' }).click();
  const summary = await summaryOf(page, '/report engagement last-week', 'learning');
  await summary.evaluate((message) => message.scrollIntoView({ block: 'start' }));
  // Away from the message, so that nothing is drawn as pointed at.
  await page.mouse.move(700, 20);
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
