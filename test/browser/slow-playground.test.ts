import { describe, expect, it } from 'vitest';
import { chromium, eventually, goTo, say, useBrowser } from './chromium.js';
import { usePlayground } from './playground-process.js';

describe.skipIf(!chromium)('the large, slow playground', () => {
  const browser = useBrowser();
  const playground = usePlayground('--people', '3000', '--slow');

  it('shows progress after three seconds, and Cancel ends it', async () => {
    const page = await browser.open(playground.url);
    await goTo(page, 'people-team');
    await say(page, '/report engagement last-week');
    const running = page.getByRole('article').filter({ hasText: 'Running Engagement' });
    await running.getByText('Waiting for the Reporting Service.').waitFor();
    await running.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled: /report engagement last-week').waitFor();
    await eventually(() => running.count()).toBe(0);
    expect(await page.getByRole('button', { name: 'CSV' }).count()).toBe(0);
  });
});
