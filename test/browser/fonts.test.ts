import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clientOf } from '../playground/slack/server/test-bot.js';
import { chromium, learning, openSlackPage, useBrowser } from './chromium.js';

/** Emoji by name are drawn only where the computer has a font for them. */
const emojiTable = 'playground/slack/web/text/inline-parts.tsx';

/** Characters that Rollcall and the page write themselves, but for letters of the alphabet. */
function charactersWritten(): string[] {
  const files = ['src', 'playground/slack'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path}`)
      .filter((path) => /\.(tsx?|css|html)$/.test(path) && path !== emojiTable),
  );
  const text = [...files, 'manifest.yml'].map((path) => readFileSync(path, 'utf8')).join('');
  return [...new Set(text.match(/[^\0-\x7f\p{M}\p{Cf}]/gu))];
}

describe.skipIf(!chromium)('characters on the page', () => {
  const browser = useBrowser();

  it('are in the fonts of every computer, where Rollcall or the page writes them', async () => {
    const { page } = await openSlackPage(browser, () => {});
    const written = charactersWritten();
    expect(written).toEqual(expect.arrayContaining(['…', '’', '✓']));
    const missing = await page.evaluate<string[]>(
      `(() => {
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        const draw = (character, font) => {
          canvas.canvas.width = canvas.canvas.height = 48;
          canvas.font = '24px ' + font;
          canvas.fillText(character, 4, 32);
          return canvas.canvas.toDataURL();
        };
        const fonts = ['var(--font)', 'var(--mono)'].map((family) => {
          document.body.style.fontFamily = family;
          return getComputedStyle(document.body).fontFamily;
        });
        return ${JSON.stringify(written)}.filter((character) =>
          fonts.some((font) => draw(character, font) === draw('\u{10ffff}', font)));
      })()`,
    );
    expect(missing).toEqual([]);
  });

  it('are never boxes: what no font has is named in view, and stays in the text', async () => {
    const { slack, page } = await openSlackPage(browser, () => {});
    await clientOf(slack).chat.postMessage({
      channel: learning,
      text: 'before \u{10fffd}\u{10fffd} after 1️⃣',
    });
    const text = page.getByText('before \u{10fffd}\u{10fffd} after');
    await text.waitFor();
    const missing = text.locator('.undrawable');
    expect(await missing.count()).toBe(1);
    expect(
      await page.evaluate("getComputedStyle(document.querySelector('.undrawable'), '::before').content"),
    ).toBe('"[other script]"');
    expect((await missing.locator('span').boundingBox())?.width ?? 0).toBe(0);
  });
});
