import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite, { type Statement } from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type LocalSlack, startLocalSlack } from '../../playground/slack/server/local-slack.js';
import { type RunningApp, startApp } from '../../src/app.js';
import { configFrom } from '../../src/config/config.js';
import { createLogger } from '../../src/logging/logger.js';
import { realClock } from '../../src/time/clock.js';
import { botSettings } from '../journeys/bot-process.js';

/*
 * The whole bot runs in this process. The local Slack tells which calls it gets, and SQLite which statements it runs.
 * What a person waits for grows with each of them.
 */

// The reading thread runs built code. What it does is the same in this one.
vi.mock('../../src/reporting-api/answer-reader.js', async (original) => {
  const { createLocalReader, ...others } =
    await original<typeof import('../../src/reporting-api/answer-reader.js')>();
  const reading = await import('../../src/reporting-api/answer/read-answer.js');
  const { startCounting } = await import('../../src/figures/reports/count-report.js');
  const { openDispatcher } = await import('../../src/reporting-api/settings.js');
  const createThreadReader = () =>
    createLocalReader((plan) => new reading.AnswerStream(plan, startCounting), openDispatcher(undefined));
  return { ...others, createLocalReader, createThreadReader };
});

const folder = mkdtempSync(join(tmpdir(), 'rollcall-calls-'));
const people = Array.from({ length: 30 }, (_, n) => ({
  email: `p${n}@example.com`,
  sessions: n,
  views: 2 * n,
}));
const service = createServer((request, response) => {
  request.resume().on('end', () => response.end(JSON.stringify(people)));
});
let queries = 0;
service.on('request', () => {
  queries += 1;
});
let slack: LocalSlack;
let app: RunningApp;

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  slack = await startLocalSlack({ rateLimits: 'off' });
  const checked = configFrom({
    environment: {
      ...botSettings(
        slack,
        { url: `http://127.0.0.1:${(service.address() as AddressInfo).port}` },
        join(folder, 'rollcall.db'),
      ),
      REPORTING_PARALLEL: '4',
    },
    readFile: () => '',
  });
  if (!checked.ok) throw new Error('The settings of the test are wrong');
  app = await startApp(checked.value, {
    clock: realClock,
    log: createLogger({ level: 'error', forPeople: false, destination: { write: () => {} } }),
  });
});
afterAll(async () => {
  await app?.stop();
  await slack?.stop();
  service.close();
  service.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

/** The methods of Slack that the bot calls meanwhile, in their order. */
async function callsDuring(act: () => Promise<unknown>): Promise<readonly string[]> {
  await quiet();
  slack.inspector.clear();
  await act();
  await quiet();
  return slack.inspector
    .entries()
    .filter(({ direction }) => direction === 'bot to Slack')
    .map(({ title }) => title.replace(/^\S+ |\?.*$/g, ''))
    .reverse();
}

/** Waits until the bot has called nothing for a moment: what follows an answer may come late. */
async function quiet(): Promise<void> {
  const newest = slack.inspector.entries()[0]?.id;
  await new Promise((resolve) => setTimeout(resolve, 100));
  if (slack.inspector.entries()[0]?.id !== newest) await quiet();
}

/** Has Ada type a command, and waits for the message that it leads to. */
async function answered(line: string, channel = '#learning', answerIn = channel): Promise<void> {
  await quiet();
  await typed(line, channel, answerIn);
}

async function typed(line: string, channel: string, answerIn: string): Promise<void> {
  const before = slack.messages(answerIn).length;
  await slack.as('ada').command(line, channel);
  await slack.waitFor(() => slack.messages(answerIn).length > before, 8000, line);
}

let days = 1;
/** A request that nobody has made before. */
function newRequest(): string {
  days += 1;
  return `/report engagement last-${days}-days`;
}

/** What Slack is asked, not told. */
const lookups = /^(?:auth\.test|users\.|conversations\.|chat\.getPermalink|usergroups\.)/;

describe('the database', () => {
  it('is asked as often for each answer, and commits three times before its post', async () => {
    await answered(newRequest());
    // The delivery before it is acknowledged, the run before its queries, and the state before the post.
    // Other work of the bot may fall into one run, so that the least of several counts.
    const runs: { readonly statements: number; readonly commits: number }[] = [];
    for (let run = 0; run < 5; run += 1) {
      const seen = await statementsUntilPosted(() => typed(newRequest(), '#learning', '#learning'));
      runs.push({
        statements: seen.length,
        commits: seen.filter((sql) => sql.toUpperCase().startsWith('COMMIT')).length,
      });
    }
    expect(Math.min(...runs.map(({ commits }) => commits))).toBe(3);
    expect(Math.min(...runs.map(({ statements }) => statements))).toBeLessThanOrEqual(34);
  });
});

describe('calls to Slack', () => {
  it('are one post for an answer, once people and channels are known', async () => {
    await answered(newRequest());
    expect(await callsDuring(() => answered(newRequest()))).toEqual(['chat.postMessage']);
  });

  it('open no direct messages for an answer through a response URL', async () => {
    await answered(newRequest(), '#watercooler');
    const calls = await callsDuring(() => answered(newRequest(), '#watercooler'));
    expect(calls.filter((call) => call !== 'response_url')).toEqual([]);
  });

  it('open direct messages once, for what is sent there', async () => {
    const direct = 'D00ADABOT';
    const first = await callsDuring(() => answered(`${newRequest()} to:me`, '#learning', direct));
    expect(first.filter((call) => lookups.test(call))).toEqual(['conversations.open']);
    const second = await callsDuring(() => answered(`${newRequest()} to:me`, '#learning', direct));
    expect(second.filter((call) => lookups.test(call))).toEqual([]);
  });

  it('ask once for the preview of a schedule, and no more for its confirmation', async () => {
    const { as, messages, waitForMessage } = slack;
    const asked = await callsDuring(() => answered('/report schedule engagement last-week weekly mon 09:00'));
    expect(asked.filter((call) => lookups.test(call)).sort()).toEqual([
      'auth.test',
      'conversations.info',
      'conversations.members',
    ]);
    const preview = messages('#learning').at(-1);
    if (!preview) throw new Error('There is no preview');
    const confirmed = await callsDuring(async () => {
      await as('ada').click(preview, 'Confirm');
      await waitForMessage('#learning', (message) => message.says('Scheduled.'));
    });
    expect(confirmed.filter((call) => lookups.test(call))).toEqual([]);
  });

  it('ask for no permalink on the Home tab, whose answers have theirs', async () => {
    await answered(newRequest());
    const calls = await callsDuring(async () => {
      const before = slack.as('ada').home()?.hash;
      slack.as('ada').openHome();
      await slack.as('ada').waitForHome(({ hash }) => hash !== before);
    });
    expect(calls).toContain('views.publish');
    expect(calls).not.toContain('chat.getPermalink');
    expect(JSON.stringify(slack.as('ada').home()?.content)).toContain('/archives/C00LEARN01/p');
  });
});

describe('the Reporting Service', () => {
  it('is asked once for the answer and once for the period before', async () => {
    queries = 0;
    await answered(newRequest());
    expect(queries).toBe(2);
  });
});

/** The SQL that ran until the answer was posted. */
async function statementsUntilPosted(act: () => Promise<unknown>): Promise<readonly string[]> {
  await quiet();
  const seen: string[] = [];
  const prototype: Statement = Object.getPrototypeOf(new Sqlite(':memory:').prepare('SELECT 1'));
  const { all, run } = prototype;
  const spies = [
    vi.spyOn(prototype, 'all').mockImplementation(function (this: Statement, ...values) {
      seen.push(this.source);
      return all.apply(this, values);
    }),
    vi.spyOn(prototype, 'run').mockImplementation(function (this: Statement, ...values) {
      seen.push(this.source);
      return run.apply(this, values);
    }),
  ];
  let atPost = Number.NaN;
  const unsubscribe = slack.inspector.subscribe(({ title }) => {
    if (title.includes('chat.postMessage') && Number.isNaN(atPost)) atPost = seen.length;
  });
  try {
    await act();
    return seen.slice(0, atPost);
  } finally {
    unsubscribe();
    for (const spy of spies) spy.mockRestore();
  }
}
