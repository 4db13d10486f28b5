import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite, { type Statement } from 'better-sqlite3';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type LocalSlack, startLocalSlack } from '../../playground/slack/server/local-slack.js';
import { type RunningApp, startApp } from '../../src/app.js';
import { configFrom } from '../../src/config/config.js';
import { createLogger } from '../../src/logging/logger.js';
import { plainRequest } from '../../src/requests/request.js';
import { openStore, type Store } from '../../src/store/store.js';
import { realClock } from '../../src/time/clock.js';
import { botSettings } from '../journeys/bot-process.js';

/*
 * The whole bot runs in this process, so that the test sees its SQL statements. Each view needs the same number of them
 * for any amount of data.
 */

const folder = mkdtempSync(join(tmpdir(), 'rollcall-queries-'));
const path = join(folder, 'rollcall.db');
const ada = 'U00ADA0001';
const noah = 'U00NOAH001';
const learning = 'C00LEARN01';
// Statements are prepared once and kept, so that the runs are what counts.
const ofStatements: Statement = Object.getPrototypeOf(new Sqlite(':memory:').prepare('SELECT 1'));
const statements: string[] = [];
const { all } = ofStatements;
vi.spyOn(ofStatements, 'all').mockImplementation(function (this: Statement, ...values) {
  statements.push(this.source);
  return all.apply(this, values);
});
let slack: LocalSlack;
let app: RunningApp;
let store: Store;

beforeAll(async () => {
  slack = await startLocalSlack({ rateLimits: 'off' });
  const checked = configFrom({
    environment: {
      ...botSettings(slack, { url: 'http://127.0.0.1:9' }, path),
      ROLLCALL_ADMINS: ada,
    },
    readFile: () => '',
  });
  if (!checked.ok) throw new Error('The settings of the test are wrong');
  app = await startApp(checked.value, {
    clock: realClock,
    log: createLogger({ level: 'error', forPeople: false, destination: { write: () => {} } }),
  });
  store = await openStore(path, Date.now);
});
afterAll(async () => {
  await app?.stop();
  await store?.close();
  await slack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Digests that are due in a year, with one ended run each, and saved reports, of two people in one channel. */
async function keep(names: readonly string[]) {
  const request = { ...plainRequest('engagement'), range: 'last-week' };
  const schedule = {
    cadence: { kind: 'daily', time: '09:00' },
    zone: 'Europe/Berlin',
    firstDay: '2026-11-20',
  } as const;
  for (const [n, name] of names.entries()) {
    const owner = n % 2 === 0 ? ada : noah;
    const settings = { channel: learning, owner, request, schedule, skipEmpty: false };
    const later = Date.now() + 365 * 24 * 3_600_000;
    const digest = await store.digests.find(await store.digests.add(settings, owner, later, n));
    if (digest) await store.ledger.enterNow(digest, name, later + n);
    await store.savedReports.save({ channel: learning, name, request, createdBy: owner }, n);
    await store.events.append({
      kind: 'asked',
      at: Date.now(),
      person: owner,
      report: 'engagement',
      details: { origin: 'request', level: 'team' },
    });
  }
  // The scheduler would read a waiting run.
  const endRuns = () => {
    // A transaction of this process holds its lock over some turns, and waiting here would let none of them come.
    const file = new Sqlite(path, { timeout: 0 });
    try {
      file.prepare("UPDATE posts SET state = 'posted', ready_at = NULL").run();
    } finally {
      file.close();
    }
  };
  await vi.waitFor(endRuns, { timeout: 20_000 });
}

/** The statements of a view on these tables, without those of the scheduler. */
async function statementsOf(show: () => Promise<unknown>): Promise<readonly string[]> {
  statements.length = 0;
  await show();
  await slack.settled();
  return statements
    .filter((sql) =>
      /^select\b.*"(?:digests|posts|saved_reports|asks|event_chain|event_details|digest_outages)"/is.test(
        sql,
      ),
    )
    .filter((sql) => !/next_due" <=|"ready_at" [<>]|lease_until|"id" > \?/.test(sql));
}

async function showList() {
  const before = slack.messages('#learning').length;
  await slack.as('ada').command('/report list', '#learning');
  await slack.waitFor(() => slack.messages('#learning').length > before);
}

async function showHome() {
  const before = slack.as('ada').home()?.hash;
  slack.as('ada').openHome();
  await slack.as('ada').waitForHome(({ hash }) => hash !== before);
}

it('the list and the Home tab need the same number of queries for any amount of data', async () => {
  await keep(['Name00', 'Name01', 'Name02', 'Name03']);
  const few = { list: await statementsOf(showList), home: await statementsOf(showHome) };
  expect(few.list.length).toBeGreaterThan(2);
  expect(few.home.length).toBeGreaterThan(4);
  await keep(Array.from({ length: 40 }, (_, n) => `Name0 of many ${10 + n}`));
  const seen =
    JSON.stringify(slack.messages('#learning').at(-1)?.blocks) +
    JSON.stringify(slack.as('ada').home()?.content);
  expect(seen.match(/Name0/g)?.length).toBeGreaterThan(4);
  const many = { list: await statementsOf(showList), home: await statementsOf(showHome) };
  // A query for each item would add 40. A run that the scheduler works on meanwhile adds two.
  const maxMore = 6;
  expect(many.list.length, many.list.join('\n')).toBeLessThanOrEqual(few.list.length + maxMore);
  expect(many.home.length, many.home.join('\n')).toBeLessThanOrEqual(few.home.length + maxMore);
  // An admin also sees the requests and digests of others.
  expect(JSON.stringify(slack.as('ada').home()?.content)).toContain('engagement: 44 requests (Team 44)');
}, 30_000);
