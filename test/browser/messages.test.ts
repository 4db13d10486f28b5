import { describe, expect, it } from 'vitest';
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
  option,
  plain,
  say,
  useBrowser,
} from './chromium.js';

const quietBot = () => {};

describe.skipIf(!chromium)('messages', () => {
  const browser = useBrowser();

  it('format by Slack’s rules and nothing else: text from outside stays text', async () => {
    const { slack, page } = await openSlackPage(browser, quietBot);
    const hostile = '<img src=x onerror="document.title=\'broken\'"> *bold* <@U00NOAH001> @here';
    const escaped = hostile.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    await clientOf(slack).chat.postMessage({
      channel: learning,
      text: 'x',
      blocks: [
        { type: 'section', text: { ...plain(hostile), emoji: false } },
        { type: 'section', text: { ...mrkdwn(`> *really bold* ${escaped}`), verbatim: true } },
      ],
    });
    const message = page.getByRole('article').last();
    await message.getByText(hostile, { exact: true }).waitFor();
    expect(await message.locator('img').count()).toBe(0);
    expect(await message.locator('.mention').count()).toBe(0);
    expect(await message.getByRole('blockquote').locator('strong').allTextContents()).toEqual([
      'really bold',
      'bold',
    ]);
    expect(await page.title()).toBe('Rollcall playground');
  });

  it('appear, change and disappear live', async () => {
    const { slack, page } = await openSlackPage(browser, (app) => {
      app.command('/report', async ({ ack, respond }) => {
        await ack();
        await respond({
          response_type: 'ephemeral',
          text: 'Running…',
          blocks: [
            { type: 'section', text: mrkdwn('Running…') },
            { type: 'actions', elements: [{ type: 'button', action_id: 'cancel', text: plain('Cancel') }] },
          ],
        });
      });
      app.action('cancel', async ({ ack, respond }) => {
        await ack();
        await respond({ delete_original: true });
      });
    });
    const client = clientOf(slack);
    const { ts = '' } = await client.chat.postMessage({ channel: learning, text: 'first words' });
    await page.getByText('first words').waitFor();
    await client.chat.update({ channel: learning, ts, text: 'other words' });
    await page.getByRole('article').filter({ hasText: 'other words' }).getByText('(edited)').waitFor();
    await client.chat.postMessage({ channel: learning, thread_ts: ts, text: 'a reply' });
    await page.getByRole('button', { name: /1 reply/ }).click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await thread.getByText('a reply').waitFor();
    await client.chat.delete({ channel: learning, ts });
    await eventually(() => page.getByText('other words').count()).toBe(0);

    await say(page, '/report');
    const running = page.getByRole('article').filter({ hasText: 'Only visible to you' });
    await running.getByRole('button', { name: 'Cancel' }).click();
    await eventually(() => running.count()).toBe(0);
  });

  it('are sent with Enter; Shift+Enter adds a line, @ and # complete', async () => {
    const heard: string[] = [];
    const { page } = await openSlackPage(browser, (app) => {
      app.event('app_mention', async ({ event }) => {
        heard.push(event.text);
      });
    });
    const composer = composerOf(page);
    await composer.pressSequentially('@roll');
    await page.getByRole('option', { name: /Rollcall/ }).waitFor();
    await composer.press('Tab');
    await composer.pressSequentially('see #sal');
    await composer.press('Tab');
    await composer.press('Shift+Enter');
    await composer.pressSequentially('second line');
    expect(await composer.inputValue()).toBe('@rollcall see #sales \nsecond line');
    await composer.press('Enter');
    await eventually(() => heard).toEqual(['<@U00ROLLCAL> see <#C00SALES01|sales> \nsecond line']);
    const sent = page.getByRole('article').filter({ hasText: 'second line' });
    await sent.getByText('@Rollcall').waitFor();
    await sent.getByRole('button', { name: '#sales' }).click();
    await page.getByRole('heading', { name: 'sales' }).waitFor();
  });

  it('show times in the user’s time zone, and only what the user can see', async () => {
    const { slack, page } = await openSlackPage(browser, quietBot);
    await clientOf(slack).chat.postMessage({ channel: learning, text: 'what time is it' });
    const time = page.getByRole('article').filter({ hasText: 'what time is it' }).locator('time').last();
    await time.waitFor();
    const moment = new Date((await time.getAttribute('datetime')) ?? '');
    const written = (timeZone: string) =>
      moment.toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit', timeZone });
    expect(await time.textContent()).toBe(written('Europe/Berlin'));
    await become(page, 'Priya Raman');
    expect(await time.textContent()).toBe(written('Asia/Kolkata'));
    const places = page.getByRole('navigation', { name: 'Channels and direct messages' });
    expect(await places.getByRole('button', { name: 'leadership' }).count()).toBe(0);
    await page.reload();
    await page.getByRole('button', { name: /^You are Priya Raman/ }).waitFor();
  });

  it('show the confirmation dialogs of the bot', async () => {
    const pressed: string[] = [];
    const { slack, page } = await openSlackPage(browser, (app) => {
      app.action('delete', async ({ ack }) => {
        await ack();
        pressed.push('delete');
      });
    });
    const confirm = {
      title: plain('Delete it?'),
      text: mrkdwn('It *goes*.'),
      confirm: plain('Delete'),
      deny: plain('Keep'),
    };
    await clientOf(slack).chat.postMessage({
      channel: learning,
      text: 'x',
      blocks: [
        {
          type: 'actions',
          elements: [
            { type: 'button', action_id: 'delete', style: 'danger', text: plain('Delete'), confirm },
          ],
        },
      ],
    });
    const button = page.getByRole('button', { name: 'Delete' });
    const dialog = page.getByRole('alertdialog', { name: 'Delete it?' });
    await button.click();
    await dialog.getByRole('button', { name: 'Keep' }).click();
    await button.click();
    await page.keyboard.press('Escape');
    await eventually(() => dialog.count()).toBe(0);
    expect(pressed).toEqual([]);
    await button.click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await eventually(() => pressed).toEqual(['delete']);
  });

  it('collapse containers and open menus', async () => {
    const chosen: unknown[] = [];
    const { slack, page } = await openSlackPage(browser, (app) => {
      app.action('more', async ({ ack, action }) => {
        await ack();
        chosen.push('selected_option' in action && action.selected_option?.value);
      });
    });
    await clientOf(slack).chat.postMessage({
      channel: learning,
      text: 'x',
      blocks: [
        {
          type: 'container',
          title: plain('What do these mean?'),
          is_collapsible: true,
          default_collapsed: true,
          child_blocks: [{ type: 'section', text: mrkdwn('Active: above zero.') }],
        },
        {
          type: 'actions',
          elements: [{ type: 'overflow', action_id: 'more', options: [option('Edit'), option('Delete')] }],
        },
      ],
    });
    const head = page.getByRole('button', { name: 'What do these mean?' });
    await head.waitFor();
    expect(await page.getByText('Active: above zero.').isVisible()).toBe(false);
    await head.click();
    expect(await page.getByText('Active: above zero.').isVisible()).toBe(true);
    const more = page.getByRole('button', { name: 'More actions' });
    await more.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await eventually(() => chosen).toEqual(['delete']);
    expect(await more.and(page.locator(':focus')).count()).toBe(1);
  });

  it('stay scrolled to the end, and never scroll a reader further up', async () => {
    const { slack, page } = await openSlackPage(browser, quietBot);
    const post = (last: string) =>
      clientOf(slack).chat.postMessage({ channel: learning, text: `${'a line\n'.repeat(60)}${last}` });
    const endsInSight = async (words: string) => {
      const text = await page.getByText(words).last().boundingBox();
      const composer = await composerOf(page).boundingBox();
      if (!text || !composer) return false;
      const end = text.y + text.height;
      return end > 100 && end <= composer.y;
    };
    await post('first');
    await post('second');
    await eventually(() => endsInSight('second')).toBe(true);
    await page.getByRole('log').hover();
    await page.mouse.wheel(0, -1500);
    await eventually(() => endsInSight('second')).toBe(false);
    await post('third');
    const newer = page.getByRole('button', { name: /New messages/ });
    await newer.waitFor();
    expect(await endsInSight('third')).toBe(false);
    await newer.click();
    await eventually(() => endsInSight('third')).toBe(true);
    await eventually(() => newer.count()).toBe(0);
  });

  it('are unread until they are seen', async () => {
    const { slack, page } = await openSlackPage(browser, quietBot);
    await clientOf(slack).chat.postMessage({ channel: 'C00SALES01', text: 'news' });
    const sales = page
      .getByRole('navigation', { name: 'Channels and direct messages' })
      .getByRole('button', { name: /sales/ });
    await eventually(() => sales.textContent()).toMatch(/1 unread/);
    await goTo(page, 'sales');
    await eventually(() => sales.textContent()).not.toMatch(/unread/);
  });
});
