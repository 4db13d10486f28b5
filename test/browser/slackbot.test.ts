import { describe, expect, it } from 'vitest';
import { chromium, useBrowser } from './chromium.js';
import { usePlayground } from './playground-process.js';

describe.skipIf(!chromium)('Slackbot in the playground', () => {
  const browser = useBrowser();
  const playground = usePlayground();

  it('lists the tools, calls one once it is allowed, and its buttons call tools again', async () => {
    const page = await browser.open(playground.url);
    await page.getByRole('button', { name: 'Slackbot', exact: true }).click();
    const tools = page.getByLabel('Tool', { exact: true });
    await tools.locator('option[value=send_rows]').waitFor({ state: 'attached' });
    expect(await tools.locator('option').count()).toBe(5);
    await page.getByLabel('Question').fill('engagement last-week');
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    const permission = page.getByRole('region', { name: 'Permission' });
    expect(await permission.textContent()).toContain('which only reads');
    await permission.getByRole('button', { name: 'Deny' }).click();
    await permission.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await permission.getByRole('button', { name: 'Allow once' }).click();
    const answer = page.getByRole('region', { name: 'Answer' });
    await answer
      .getByText(/^Engagement last week: /)
      .first()
      .waitFor();
    expect(await answer.getByRole('table').count()).toBe(1);
    await answer.getByRole('button', { name: 'Send me the rows' }).click();
    expect(await permission.textContent()).toContain('which sends');
    await permission.getByRole('button', { name: 'Allow once' }).click();
    await answer.getByText(/^Sent\./).waitFor();
  });
});
