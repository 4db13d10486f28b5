import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalSlack, startLocalSlack } from '../../playground/slack/server/local-slack.js';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { endEveryProcess } from '../process.js';
import { answer, type FaultServer, openFaultServer, pieces, status } from '../reporting-api/fault-server.js';
import { botSettings, eventsUrl, startBot, startReadyBot } from './bot-process.js';
import { isSummary } from './watching.js';

let folder = '';
let slack: LocalSlack;
let service: FaultServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-process-'));
  slack = await startLocalSlack({ rateLimits: 'off' });
  service = await openFaultServer();
});

afterEach(async () => {
  await endEveryProcess();
  await slack.stop();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

function settings() {
  return botSettings(slack, service, join(folder, 'rollcall.db'));
}

describe('the program', () => {
  it('lists everything that is wrong with its settings at once, and ends with 78', async () => {
    const bot = startBot(
      { SLACK_BOT_TOKEN: 'nonsense', REPORTING_PARALLEL: 'many', DEFAULT_TIMEZONE: 'Mars/Olympus' },
      folder,
    );
    expect(await bot.ended).toBe(78);
    for (const name of [
      'SLACK_BOT_TOKEN',
      'SLACK_APP_TOKEN',
      'SLACK_SIGNING_SECRET',
      'REPORTING_BASE_URL',
      'REPORTING_API_TOKEN',
      'REPORTING_PARALLEL',
      'DEFAULT_TIMEZONE',
    ]) {
      expect(bot.stderr()).toContain(name);
    }
    expect(bot.stdout()).not.toContain('ready');
    expect(bot.stderr()).not.toContain('nonsense');
  });

  it('ends with 78 where Slack does not take its token', async () => {
    const bot = startBot({ ...settings(), SLACK_BOT_TOKEN: 'xoxb-somebody-elses' }, folder);
    expect(await bot.ended).toBe(78);
    expect(bot.stderr()).toContain('SLACK_BOT_TOKEN');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('stops cleanly at %s, also when it comes twice', async (signal) => {
    const bot = await startReadyBot(settings(), folder);
    await slack.waitForBot(2);
    const began = performance.now();
    bot.signal(signal);
    bot.signal(signal);
    expect(await bot.ended).toBe(0);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('tells whoever waits for an answer when it is stopped', async () => {
    const bot = await startReadyBot(settings(), folder);
    await slack.waitForBot();
    service.behave(pieces('[{"sessions":1}'));
    await slack.as('ada').command('/report engagement', '#learning');
    await service.reached(1);
    bot.signal('SIGTERM');
    const told = await slack.waitForMessage('#learning', (message) => message.says('nothing was posted'));
    expect(told.visibleTo).toBe('U00ADA0001');
    expect(await bot.ended).toBe(0);
  });

  it('does not post an answer again that was on its way to Slack when it was killed', async () => {
    const bot = await startReadyBot(settings(), folder);
    await slack.waitForBot();
    service.behave(answer('[{"sessions":1}]'), answer('[]'));
    slack.faults.set('chat.postMessage', { kind: 'slow', milliseconds: 1000 });
    await slack.as('ada').command('/report engagement', '#learning');
    const database = new Sqlite(join(folder, 'rollcall.db'), { readonly: true });
    const state = () => database.prepare("SELECT state FROM posts WHERE kind = 'answer'").pluck().get();
    await expect.poll(state).toBe('posting');
    bot.signal('SIGKILL');
    await bot.ended;

    const again = await startReadyBot(settings(), folder);
    const told = await slack.waitForMessage('@ada', (message) => message.says('/report engagement'));
    expect(told.words).toContain('If you cannot see it, send it again.');
    expect(state()).toBe('unknown');
    database.close();
    await slack.settled();
    expect(slack.posts.filter(({ channel }) => channel === 'C00LEARN01').length).toBeLessThanOrEqual(1);
    again.signal('SIGTERM');
    await again.ended;
  });

  it('says that it restarted where it was killed while it said why there is no answer', async () => {
    const bot = await startReadyBot(settings(), folder);
    await slack.waitForBot();
    service.behave(status(500));
    slack.faults.set('response_url', { kind: 'slow', milliseconds: 20_000 });
    const database = new Sqlite(join(folder, 'rollcall.db'), { readonly: true });
    const newest = database
      .prepare("SELECT state FROM posts WHERE kind = 'answer' ORDER BY created_at DESC")
      .pluck();
    await slack.as('ada').command('/report engagement last-month', '#learning');
    await expect.poll(() => newest.get()).toBe('failed');
    bot.signal('SIGKILL');
    await bot.ended;

    const again = await startReadyBot(settings(), folder);
    const isTold = ({ text }: SeenMessage) => text.includes('engagement last-month');
    const told = await slack.waitForMessage('@ada', isTold);
    expect(told.words).toContain('If you see no result, run it again.');
    service.behave(answer('[{"sessions":1}]'), answer('[]'));
    await slack.as('ada').click(told, 'Run it now');
    await slack.waitForMessage('@ada', isSummary('Engagement last month'));
    database.close();
    again.signal('SIGTERM');
    await again.ended;
  }, 60_000);

  it('does not post details again that were on their way to Slack when it was killed', async () => {
    const bot = await startReadyBot(settings(), folder);
    await slack.waitForBot();
    service.behave(answer('[{"user_id":"a","sessions":1}]'), answer('[]'));
    await slack.as('ada').command('/report engagement', '#learning');
    const summary = await slack.waitForMessage('#learning', ({ words }) => words.includes('Details'));
    slack.faults.set('chat.postMessage', { kind: 'slow', milliseconds: 1000 });
    const clicked = performance.now();
    await slack.as('ada').click(summary, 'Details');
    const database = new Sqlite(join(folder, 'rollcall.db'), { readonly: true });
    const state = () => database.prepare("SELECT state FROM posts WHERE kind = 'details'").pluck().get();
    await expect.poll(state).toBe('posting');
    bot.signal('SIGKILL');
    await bot.ended;

    const again = await startReadyBot(settings(), folder);
    await slack.waitForBot();
    await expect.poll(state).toBe('unknown');
    const restarted = await slack.waitForMessage('@ada', ({ words }) => words.includes('“Details”'));
    expect(restarted.words).toContain('If you see no result, press it again.');
    await slack.as('ada').click(summary, 'Details');
    const told = await slack.waitForMessage('#learning', ({ visibleTo }) => visibleTo !== undefined);
    expect(told.words).toContain('Delivery of the details is unconfirmed.');
    const below = () => slack.messages('#learning').filter(({ threadTs }) => threadTs === summary.ts);
    // A call that reached Slack before the kill is posted a second later.
    await wait(Math.max(0, clicked + 1500 - performance.now()));
    const before = below().length;
    expect(before).toBeLessThanOrEqual(1);
    await slack.as('ada').click(told, 'Send again');
    await expect.poll(state).toBe('posted');
    expect(below()).toHaveLength(before + 1);
    database.close();
    again.signal('SIGTERM');
    await again.ended;
  });

  it('tells them when it starts again after it was killed, once', async () => {
    const bot = await startReadyBot(settings(), folder);
    await slack.waitForBot();
    service.behave(pieces('[{"sessions":1}'));
    await slack.as('ada').command('/report engagement', '#learning');
    await service.reached(1);
    bot.signal('SIGKILL');
    expect(await bot.ended).toBe('SIGKILL');

    const again = await startReadyBot(settings(), folder);
    const told = await slack.waitForMessage('@ada', (message) => message.says('/report engagement'));
    expect(told.words).toContain('I restarted before answering');
    again.signal('SIGTERM');
    await again.ended;

    const third = await startReadyBot(settings(), folder);
    await slack.waitForBot();
    third.signal('SIGTERM');
    await third.ended;
    expect(
      slack.messages('@ada').filter((message) => message.says('I restarted before answering')),
    ).toHaveLength(1);
  });

  it('answers over HTTP as well, and only what is signed', async () => {
    const overHttp = botSettings(slack, service, join(folder, 'rollcall.db'), 'http');
    const bot = await startReadyBot({ ...overHttp, PERSON_LEVEL_CHANNELS: '*' }, folder);
    const address = await eventsUrl(bot);
    await slack.deliverTo(address);
    service.behave(answer('[{"sessions":1}]'), answer('[]'));
    await slack.as('ada').command('/report engagement csv', '#learning');
    await slack.waitForMessage('#learning', (message) => message.text.startsWith('Engagement'));
    await slack.waitForMessage('#learning', ({ files }) => files.length > 0);

    const unsigned = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'command=/report&text=help',
    });
    expect(unsigned.status).toBe(401);
    bot.signal('SIGTERM');
    expect(await bot.ended).toBe(0);
  });

  it('loses no command while its connections are renewed', async () => {
    const bot = await startReadyBot(settings(), folder);
    await slack.waitForBot(2);
    for (let i = 0; i < 40; i += 1) {
      if (i % 10 === 5) slack.renewConnections(1, 50);
      await slack.as('ada').command('/report help', '#learning');
    }
    const helped = () => slack.messages('#learning').filter((message) => message.says('What you can ask'));
    await slack.waitFor(() => helped().length >= 40);
    await slack.settled();
    expect(helped()).toHaveLength(40);
    bot.signal('SIGTERM');
    await bot.ended;
  });
});
