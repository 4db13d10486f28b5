// Makes the pictures in docs/images by driving the built playground in a browser, so that none is made by hand.
//   npm run build && node scripts/screenshots.js [name…]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { pictures } from './screenshots-pictures.js';
import { sheets, takeSheet } from './screenshots-sheets.js';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (place) => existsSync(place),
);
if (!executablePath) {
  console.error('No Chromium was found. Debian: apt-get install chromium.');
  process.exit(1);
}

const images = fileURLToPath(new URL('../docs/images/', import.meta.url));
mkdirSync(images, { recursive: true });
const wanted = process.argv.slice(2);
const isWanted = ({ name }) => wanted.length === 0 || wanted.includes(name);

const playground = spawn(process.execPath, ['dist/playground-app/main.js'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { ...process.env, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const browser = await chromium.launch({
  executablePath,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
  ],
});
try {
  const url = await readyAddress(playground);
  for (const picture of pictures.filter(isWanted)) {
    const context = await browser.newContext({
      viewport: picture.window,
      colorScheme: picture.theme,
      deviceScaleFactor: picture.pixelRatio ?? 1.5,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.goto(url);
    const part = await picture.pose(page);
    await page.evaluate('document.fonts.ready');
    await page.screenshot({
      path: `${images}${picture.name}.png`,
      ...(part && { clip: await around(part) }),
    });
    await context.close();
    console.log(`docs/images/${picture.name}.png`);
  }
  for (const sheet of sheets.filter(isWanted)) {
    writeFileSync(`${images}${sheet.name}.webp`, await takeSheet(browser, url, sheet));
    console.log(`docs/images/${sheet.name}.webp`);
  }
} finally {
  await browser.close();
  playground.kill('SIGTERM');
  await once(playground, 'exit');
}

/** The part of the page that an element takes, with a little room around it. */
async function around(part) {
  const { x, y, width, height } = await part.boundingBox();
  // A whole message has its own margins.
  const isMessage = await part.evaluate((element) => element.matches('article, [role=article]'));
  const [beside, above] = [isMessage ? 0 : 20, 4];
  return { x: x - beside, y: y - above, width: width + 2 * beside, height: height + 2 * above };
}

async function readyAddress(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /^Playground ready: (http:\S+)$/.exec(line)?.[1];
    if (address) return address;
  }
  throw new Error('The playground did not start.');
}
