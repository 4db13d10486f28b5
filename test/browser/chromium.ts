import { fileURLToPath } from 'node:url';
import type { App } from '@slack/bolt';
import { type Browser, chromium as engine, type Page } from 'playwright-core';
import { afterEach, beforeAll, expect, inject, vi } from 'vitest';
import type { LocalSlack, LocalSlackOptions } from '../../playground/slack/server/local-slack.js';
import { openSlack, startBot } from '../playground/slack/server/test-bot.js';

/** The address of the browser; undefined: the browser tests are skipped. */
export const chromium = inject('browserAddress');

/** Long, so that a slow machine makes the tests slow and not wrong. */
const patience = 60_000;

/** Repeats a look until its expectation holds. */
export function eventually<Value>(look: () => Value) {
  return expect.poll(look, { timeout: patience });
}

/** The built page. */
export const pageFolder = fileURLToPath(new URL('../../dist/page', import.meta.url));

export interface Window {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** True: the test stops the server, which the browser's console reports. */
  readonly losesServer?: boolean;
}

export interface BrowserOfTests {
  /** A page without stored state. Errors on the page fail the test. */
  open(url: string, window?: Window): Promise<Page>;
}

// A new page takes as much work as a short test, so a worker uses its pages again.
let connected: Browser | undefined;
const blankPages: Page[] = [];

/** Removes what a test stored and hears on a page. A page that cannot do that any more is closed. */
async function leave(page: Page): Promise<void> {
  page.removeAllListeners('pageerror');
  try {
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await page.mouse.move(0, 0);
    page.removeAllListeners('console');
    await page.goto('about:blank');
    blankPages.push(page);
  } catch {
    await page.context().close();
  }
}

/** The browser, for the tests of a file. Call inside a `describe`. */
export function useBrowser(): BrowserOfTests {
  vi.setConfig({ testTimeout: 3 * patience, hookTimeout: 2 * patience });
  const problems: string[] = [];
  const opened: Page[] = [];
  beforeAll(async () => {
    if (chromium) connected ??= await engine.connect(chromium);
  });
  afterEach(async () => {
    for (const page of opened.splice(0)) await leave(page);
    expect(problems.splice(0)).toEqual([]);
  });
  return {
    async open(url, { theme = 'light', width = 1440, height = 900, losesServer = false } = {}) {
      if (!connected) throw new Error('There is no browser.');
      const page = blankPages.pop() ?? (await connected.newPage());
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: theme });
      page.setDefaultTimeout(patience);
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error' && !losesServer) problems.push(message.text());
      });
      opened.push(page);
      await page.goto(url);
      await page.getByRole('main').waitFor();
      return page;
    },
  };
}

/** The field for a new message. */
export function composerOf(page: Page) {
  return page.getByRole('textbox', { name: /^Message to/ });
}

/** Types a text into the composer and sends it. */
export async function say(page: Page, text: string): Promise<void> {
  await composerOf(page).fill(text);
  await composerOf(page).press('Enter');
}

export async function goTo(page: Page, place: string): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Channels and direct messages' })
    .getByRole('button', { name: place })
    .click();
}

/** Switches the user of the page. */
export async function become(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: /Switch user/ }).click();
  await page.getByRole('menuitemradio', { name: new RegExp(name) }).click();
  await page.getByRole('button', { name: `You are ${name}. Switch user` }).waitFor();
}

export interface SlackPage {
  readonly slack: LocalSlack;
  readonly page: Page;
}

/** A local Slack with a bot that the test controls, in a browser as Ada. Everything is closed with the test. */
export async function openSlackPage(
  browser: BrowserOfTests,
  listen: (app: App) => void,
  { window = {}, ...options }: LocalSlackOptions & { window?: Window } = {},
): Promise<SlackPage> {
  const slack = await openSlack({ pageFolder, ackMs: 60_000, triggerMs: 60_000, ...options });
  await startBot(slack, listen);
  return { slack, page: await browser.open(slack.url, window) };
}

export const plain = (text: string) => ({ type: 'plain_text' as const, text });
export const mrkdwn = (text: string) => ({ type: 'mrkdwn' as const, text });
export const option = (text: string, value = text.toLowerCase()) => ({ text: plain(text), value });

/** The bot's own channel in these tests. */
export const learning = 'C00LEARN01';
