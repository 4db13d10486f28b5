import type { App } from '@slack/bolt';
import type { Page } from 'playwright-core';
import type { LocalSlack, LocalSlackOptions } from '../../playground/slack/server/local-slack.js';
import { openSlack, startBot } from '../playground/slack/server/test-bot.js';
import { type BrowserOfTests, pageFolder, type Window } from './chromium.js';

export interface SlackPage {
  readonly slack: LocalSlack;
  readonly page: Page;
}

/** A local Slack with a bot that does what the test says, seen in a browser as Ada. All of it ends with the test. */
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
