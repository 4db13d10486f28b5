// One sheet per report, and one for a trend, a target and a scorecard: the answer in a channel, its details, and the answer
// in direct messages, each in both themes and at three widths. The pictures are joined in the browser, because it writes
// WebP.

const widths = [1280, 700, 390];
const themes = ['light', 'dark'];
/** Of a picture in its sheet. */
const scale = 0.6;
/** Messages end here, so that wide windows add only empty space. */
const maxWidth = 860;

const year = new Date().getFullYear();
const target = `target:95%@${year}-12-31`;

export const sheets = [
  ['assignments', '/report assignments last-90-days'],
  ['tracks', '/report tracks last-quarter'],
  ['completions', '/report completions last-month'],
  ['assessments', '/report assessments'],
  ['engagement', '/report engagement last-week'],
  ['workshops', '/report workshops this-month'],
  ['over-time', '/report engagement over:12w figure:active-share'],
  ['target', `/report assignments since:${year} ${target}`],
  [
    'scorecard',
    '/report Monday numbers',
    `/report save Monday numbers: assignments ${year} ${target}; overdue; engagement last-week; workshops this-month`,
  ],
].map(([name, line, before]) => ({ name: `answers-${name}`, line, before }));

/** @returns the bytes of the sheet, as WebP */
export async function takeSheet(browser, url, { line, before }) {
  const rows = [];
  for (const theme of themes) {
    const columns = [];
    for (const width of widths) columns.push(await takeAnswers(browser, url, { line, before, theme, width }));
    for (const [index, title] of ['In a channel', 'Details', 'In direct messages'].entries())
      rows.push({ title: `${title}, ${theme}`, pictures: columns.map((column) => column[index]) });
  }
  return joinPictures(browser, rows);
}

/** The answer in a channel, its details, and the answer in direct messages: one picture each. */
async function takeAnswers(browser, url, { line, before, theme, width }) {
  const context = await browser.newContext({
    // Details of a scorecard are those of its lines.
    viewport: { width, height: before ? 4200 : 2600 },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  try {
    const page = await context.newPage();
    await page.goto(`${url}#C00LEARN01`);
    if (before) await sayHere(page, before);
    const inChannel = await askHere(page, line);
    const channel = await take(page, inChannel);
    await inChannel.getByRole('button', { name: 'Details', exact: true }).click();
    await inChannel.getByRole('button', { name: /\d repl/ }).click();
    const replies = page.getByRole('complementary', { name: 'Thread' }).getByRole('log');
    await replies.getByRole('article').nth(1).waitFor();
    await page.mouse.move(0, 0);
    const details = await take(page, replies.getByRole('article').last());
    await page.goto(`${url}#app/messages`);
    await page.reload();
    if (before) await sayHere(page, before);
    const direct = await take(page, await askHere(page, line));
    return [channel, details, direct];
  } finally {
    await context.close();
  }
}

/** Asks in the conversation that the page shows, and resolves with the message that answers. */
async function askHere(page, line) {
  const composer = page.getByRole('textbox', { name: /^Message to/ });
  const answers = page.getByRole('article').filter({ hasText: line });
  await composer.waitFor();
  const before = await answers.count();
  await composer.fill(line);
  await composer.press('Enter');
  const answer = answers.nth(before);
  await answer.getByRole('button', { name: 'Schedule' }).waitFor({ timeout: 60_000 });
  await page.mouse.move(0, 0);
  return answer;
}

/** Says something, and waits for the reply. */
async function sayHere(page, line) {
  const composer = page.getByRole('textbox', { name: /^Message to/ });
  await composer.waitFor();
  const before = await page.getByRole('article').count();
  await composer.fill(line);
  await composer.press('Enter');
  await page.getByRole('article').nth(before).waitFor({ timeout: 60_000 });
}

async function take(page, message) {
  const { x, y, width, height } = await message.boundingBox();
  return page.screenshot({ clip: { x, y, width: Math.min(width, maxWidth), height } });
}

async function joinPictures(browser, rows) {
  const page = await browser.newPage();
  try {
    const given = rows.map(({ title, pictures }) => ({
      title,
      pictures: pictures.map((bytes) => `data:image/png;base64,${bytes.toString('base64')}`),
    }));
    const encoded = await page.evaluate(drawSheet, { rows: given, widths, scale });
    return Buffer.from(encoded, 'base64');
  } finally {
    await page.close();
  }
}

/** Runs in the browser. Pictures of a column have the width of its widest. */
async function drawSheet({ rows, widths, scale }) {
  const [gap, titleHeight] = [16, 30];
  const images = [];
  for (const { pictures } of rows) {
    const row = [];
    for (const source of pictures) {
      const image = new Image();
      image.src = source;
      await image.decode();
      row.push(image);
    }
    images.push(row);
  }
  const columnWidths = widths.map((_, column) =>
    Math.max(...images.map((row) => Math.ceil(row[column].width * scale))),
  );
  const rowHeights = images.map((row) => Math.max(...row.map(({ height }) => Math.ceil(height * scale))));
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  const canvas = document.createElement('canvas');
  canvas.width = sum(columnWidths) + gap * (widths.length + 1);
  canvas.height = sum(rowHeights) + (titleHeight + gap) * rows.length + gap;
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#e7eaeb';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.imageSmoothingQuality = 'high';
  pen.font = '600 15px sans-serif';
  pen.fillStyle = '#1b2124';
  let top = gap;
  for (const [index, { title }] of rows.entries()) {
    let left = gap;
    for (const [column, image] of images[index].entries()) {
      pen.fillText(`${title}, window of ${widths[column]} px`, left, top + 16, columnWidths[column]);
      pen.drawImage(image, left, top + titleHeight, image.width * scale, image.height * scale);
      left += columnWidths[column] + gap;
    }
    top += titleHeight + rowHeights[index] + gap;
  }
  return canvas.toDataURL('image/webp', 0.62).split(',')[1];
}
