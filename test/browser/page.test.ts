import { describe, expect, it } from 'vitest';
import { startLocalSlack } from '../../playground/slack/server/local-slack.js';
import { clientOf } from '../playground/slack/server/test-bot.js';
import {
  become,
  chromium,
  composerOf,
  eventually,
  goTo,
  learning,
  mrkdwn,
  openSlackPage,
  pageFolder,
  plain,
  say,
  useBrowser,
} from './chromium.js';

describe.skipIf(!chromium)('the page', () => {
  const browser = useBrowser();

  it('works by keyboard alone: a command, a button on its answer, another channel', async () => {
    const pressed: string[] = [];
    const { page, slack } = await openSlackPage(browser, (app) => {
      app.command('/report', async ({ ack, client, command }) => {
        await ack();
        await client.chat.postMessage({
          channel: command.channel_id,
          text: `asked: ${command.text}`,
          blocks: [
            { type: 'section', text: mrkdwn(`asked: ${command.text}`) },
            { type: 'actions', elements: [{ type: 'button', action_id: 'csv', text: plain('CSV') }] },
          ],
        });
      });
      app.action('csv', async ({ ack }) => {
        await ack();
        pressed.push('csv');
      });
    });
    const { keyboard } = page;
    const focused = async () => {
      const element = page.locator(':focus');
      return (await element.getAttribute('aria-label')) ?? (await element.textContent());
    };
    slack.as('noah').message('before', '#learning');
    await page.getByText('before').waitFor();
    expect(await focused()).toBe('Message to #learning');
    await keyboard.type('/rep');
    await page.getByRole('option', { name: /\/report/ }).waitFor();
    await keyboard.press('Tab');
    await page.getByText('[report | help]').waitFor();
    await keyboard.type('engagement last-week');
    await keyboard.press('Enter');
    await page.getByText('asked: engagement last-week').waitFor();
    await keyboard.press('Shift+Tab');
    for (let press = 0; press < 10 && (await focused()) !== 'CSV'; press += 1)
      await keyboard.press('Shift+Tab');
    await keyboard.press('Enter');
    await eventually(() => pressed).toEqual(['csv']);
    await keyboard.press('Shift+Tab');
    expect(await focused()).toMatch(/^Rollcall, /);
    await keyboard.press('ArrowUp');
    expect(await focused()).toMatch(/^Noah Okafor, /);
    await keyboard.press('End');
    expect(await focused()).toMatch(/^Rollcall, /);

    await page.getByRole('navigation').getByRole('button', { name: 'learning' }).focus();
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'general' }).waitFor();
    await eventually(focused).toBe('Message to #general');
  });

  it('gives the focus back when a thread or the inspector closes', async () => {
    const { slack, page } = await openSlackPage(browser, () => {});
    const client = clientOf(slack);
    const { ts = '' } = await client.chat.postMessage({ channel: learning, text: 'first' });
    await client.chat.postMessage({ channel: learning, thread_ts: ts, text: 'second' });
    const replies = page.getByRole('button', { name: /1 reply/ });
    await replies.press('Enter');
    await eventually(() => page.locator(':focus').getAttribute('aria-label')).toBe('Reply');
    await page.keyboard.press('Escape');
    await eventually(() => replies.and(page.locator(':focus')).count()).toBe(1);
    const inspector = page.getByRole('button', { name: 'Inspector', exact: true });
    await inspector.press('Enter');
    await page.getByRole('button', { name: 'Close inspector' }).press('Enter');
    await eventually(() => inspector.and(page.locator(':focus')).count()).toBe(1);
  });

  it('has landmarks, a live log, and accessible names for all controls', async () => {
    const { slack, page } = await openSlackPage(browser, () => {});
    await clientOf(slack).chat.postMessage({ channel: learning, text: 'hello' });
    await page
      .getByRole('log', { name: 'Messages in #learning' })
      .getByRole('article', { name: /^Rollcall, \d/ })
      .waitFor();
    expect(await page.getByRole('main').count()).toBe(1);
    expect(await page.getByRole('banner').count()).toBe(1);
    await page.getByRole('button', { name: 'Inspector' }).click();
    const heard = (await page.locator('body').ariaSnapshot()).split('\n');
    const pressable = heard.filter((line) => /^\s*- (button|link|textbox|searchbox|combobox)\b/.test(line));
    expect(pressable.length).toBeGreaterThan(20);
    expect(pressable.filter((line) => !/^\s*- \w+ "[^"]/.test(line))).toEqual([]);
  });

  it('follows the system’s theme until one is chosen, and remembers that', async () => {
    const { page } = await openSlackPage(browser, () => {}, { window: { theme: 'dark' } });
    const lightness = async () => {
      const colour = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
      return (red + green + blue) / 3;
    };
    expect(await lightness()).toBeLessThan(60);
    await page.getByRole('button', { name: 'Light theme' }).click();
    await eventually(lightness).toBeGreaterThan(240);
    await page.reload();
    await page.getByRole('button', { name: 'Dark theme' }).waitFor();
    expect(await lightness()).toBeGreaterThan(240);
  });

  it('shows in red what Slack would refuse, with the rule', async () => {
    const { slack, page } = await openSlackPage(browser, () => {});
    const tooLong = { type: 'header' as const, text: plain('x'.repeat(151)) };
    await expect(
      clientOf(slack).chat.postMessage({ channel: learning, text: 'x', blocks: [tooLong] }),
    ).rejects.toThrow();
    const refusal = page.getByRole('region', { name: 'Slack would refuse chat.postMessage' });
    await refusal.getByText('invalid_blocks').waitFor();
    await refusal.getByText('/blocks/0/text/text').waitFor();
    await page.getByRole('button', { name: '1 refused' }).click();
    const entry = page
      .getByRole('complementary', { name: 'Inspector' })
      .getByRole('button', { name: /chat\.postMessage.*refused/ });
    await entry.waitFor();
  });

  it('shows a modal that Slack would not open, until it is dismissed', async () => {
    const { page } = await openSlackPage(browser, (app) => {
      app.command('/report', async ({ ack, client, body }) => {
        await ack();
        const title = plain('A title that is longer than Slack allows');
        await client.views
          .open({ trigger_id: body.trigger_id, view: { type: 'modal', title, blocks: [] } })
          .catch(() => {});
      });
    });
    await say(page, '/report');
    const refusal = page.getByRole('region', { name: 'Slack would refuse views.open' });
    await refusal.getByText('/title/text').first().waitFor();
    await refusal.getByRole('button', { name: 'Dismiss' }).click();
    await eventually(() => refusal.count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('shows the kind of a channel, and who can post there', async () => {
    const { page } = await openSlackPage(browser, () => {});
    await goTo(page, 'old-academy');
    await page.getByText('This channel is archived. Nobody can post here.').waitFor();
    expect(await composerOf(page).count()).toBe(0);
    await goTo(page, 'partner-academy');
    await page.getByRole('main').getByText('shared with another organization').waitFor();
    await goTo(page, 'leadership');
    await page.getByRole('main').getByText('private', { exact: true }).waitFor();
    await page.getByRole('button', { name: /without Rollcall/ }).click();
    await page.getByRole('menuitem', { name: 'Add Rollcall' }).click();
    await page.getByRole('button', { name: '3 members' }).waitFor();
    await become(page, 'Priya Raman');
    await goTo(page, 'sales');
    await page.getByRole('button', { name: 'Join channel' }).click();
    await composerOf(page).waitFor();
  });

  it('shows the Home tab as the bot publishes it, and the messages with the bot', async () => {
    let opened = 0;
    const { slack, page } = await openSlackPage(browser, (app) => {
      app.event('app_home_opened', async ({ event, client }) => {
        if (event.tab !== 'home') return;
        opened += 1;
        const blocks = [
          { type: 'header' as const, text: plain(`Opened ${opened}`) },
          {
            type: 'actions' as const,
            elements: [{ type: 'button' as const, action_id: 'go', text: plain('Run a report') }],
          },
        ];
        await client.views.publish({ user_id: event.user, view: { type: 'home', blocks } });
      });
      app.action('go', async ({ ack, body, client }) => {
        await ack();
        await client.chat.postMessage({ channel: body.user.id, text: 'from Home' });
      });
    });
    await goTo(page, 'Rollcall');
    await page.getByRole('heading', { name: 'Opened 1' }).waitFor();
    await page.getByRole('tabpanel').getByRole('button', { name: 'Run a report' }).click();
    await page.getByRole('tab', { name: 'Messages' }).click();
    await page.getByRole('tabpanel').getByText('from Home').waitFor();
    await say(page, 'thanks');
    await slack.waitForMessage('@ada', 'thanks');
    await page.getByRole('tab', { name: 'Home' }).click();
    await page.getByRole('heading', { name: 'Opened 2' }).waitFor();
  });

  it('reconnects by itself', async () => {
    const first = await startLocalSlack({ pageFolder });
    const page = await browser.open(first.url, { losesServer: true });
    await composerOf(page).fill('half a sentence');
    await first.stop();
    await page.getByText('The playground is not answering.').first().waitFor();
    const second = await startLocalSlack({ pageFolder, port: Number(new URL(first.url).port) });
    try {
      await eventually(() => page.getByText('The playground is not answering.').count()).toBe(0);
      expect(await composerOf(page).inputValue()).toBe('half a sentence');
      await composerOf(page).press('Enter');
      await second.waitForMessage('#learning', 'half a sentence');
    } finally {
      await second.stop();
    }
  });
});
