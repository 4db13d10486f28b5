import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { recordMessage } from '../../playground/slack/server/workspace/messages.js';
import { defaultSeed } from '../../playground/slack/server/workspace/seed.js';
import type { Digest, DigestDraft, DigestRun } from '../../src/digests/digest.js';
import type { DigestNotification, Outage } from '../../src/digests/store-ports.js';
import type { PostState } from '../../src/posts/states.js';
import type { Suggestion } from '../../src/runner/suggestions.js';
import type { BuilderDraft } from '../../src/slack/modals/builder/state.js';
import type { Approval } from '../../src/store/access/approvals.js';
import type { RequestLogEntry } from '../../src/store/requests/request-log.js';
import type { SavedReport } from '../../src/store/saved-reports/saved-reports.js';
import { openStore } from '../../src/store/store.js';
import { freshFolder } from '../store/fresh-folder.js';
import { type DigestTestWorkspace, openTestWorkspace } from './test-workspace.js';

/** What the store of 0.1 read from the database that it had written. */
interface Written {
  savedReports: SavedReport;
  builderDrafts: { id: string; owner: string; draft: BuilderDraft | 'used' };
  digestDrafts: { id: string; owner: string; draft: DigestDraft | null };
  digests: Digest;
  runs: DigestRun;
  asks: RequestLogEntry;
  approvedChannels: Approval;
  releasedKeys: Approval;
  notices: DigestNotification;
  outages: Outage;
  lastFigures: object;
  seenEnvelopes: string;
  knownValues: Suggestion;
  writtenAt: number;
}

const fixture = (ending: string) =>
  readFileSync(new URL(`../fixtures/database-0.1.${ending}`, import.meta.url), 'utf8');

const lines = fixture('jsonl').trim().split('\n');
const entries: readonly { readonly of: string; readonly is: unknown }[] = lines.map((line) =>
  JSON.parse(line),
);

function written<Kind extends keyof Written>(kind: Kind): Written[Kind][] {
  return entries.filter(({ of }) => of === kind).map(({ is }) => inTodaysWords(is) as Written[Kind]);
}

/** What 0.1 called the states of runs, of their files and of requests. */
const statesOf01: Readonly<Record<string, PostState>> = {
  due: 'queued',
  claimed: 'running',
  delivered: 'posted',
  answered: 'posted',
  sharing: 'posting',
  shared: 'posted',
};

/** Requests and builders of today name a view and a kind of file. */
function withTodaysRequests(is: unknown): unknown {
  if (typeof is !== 'object' || is === null) return is;
  if (Array.isArray(is)) return is.map(withTodaysRequests);
  const { overdueOnly, csv, ...others } = is as { readonly overdueOnly?: boolean; readonly csv?: boolean };
  return {
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, withTodaysRequests(value)])),
    ...(overdueOnly ? { view: 'overdue' } : {}),
    ...(csv ? { file: 'csv' } : {}),
  };
}

/** Rows of today have no team: the whole database belongs to one. */
function inTodaysWords(of01: unknown): unknown {
  const is = withTodaysRequests(of01);
  const written = typeof is === 'object' && is !== null && 'team' in is ? { ...is, team: undefined } : is;
  if (typeof written !== 'object' || written === null || !('state' in written)) return written;
  const state = statesOf01[String(written.state)] ?? written.state;
  const arrived = state === 'unknown' && 'settled' in written && written.settled === 'arrived';
  const { askedAt, ...others } = written as { readonly askedAt?: number; readonly state: unknown };
  return {
    ...others,
    ...(askedAt === undefined ? {} : { requestedAt: askedAt }),
    state: arrived ? 'posted' : state,
    ...('fileState' in written ? { fileState: fileState(String(written.fileState), written) } : {}),
  };
}

/** One that was due was held by its worker, or waited. */
function fileState(written: string, run: object): string {
  if (written === 'due' && !('readyAt' in run)) return 'running';
  return statesOf01[written] ?? written;
}

const minute = 60_000;
const writtenAt = Number(written('writtenAt')[0]);
const bot = defaultSeed.bot.user;
const folder = freshFolder();

/** The bot starts again on the machine where it wrote the database. */
function makeDatabase(path: string): void {
  const database = new Sqlite(path);
  database.exec(fixture('sql').replaceAll("'rollcall-host:", `'${hostname()}:`));
  database.close();
}

/** The fixture's runs by what their digests ask about, `departments:Due` for instance. */
function runAbout(department: string, state?: DigestRun['state']): DigestRun {
  const digest = written('digests').find(({ request }) => request.filters[0]?.entries[0] === department);
  const run = written('runs').find((one) => one.digest === digest?.id && (!state || one.state === state));
  if (!run) throw new Error(`The fixture has no run about ${department}`);
  return run;
}

function digestAbout(department: string): string {
  const found = written('digests').find(({ request }) => request.filters[0]?.entries[0] === department);
  if (!found) throw new Error(`The fixture has no digest about ${department}`);
  return found.id;
}

/** Messages about a department, without replies in threads and without what the owner is told of a run. */
function posted({ slack }: DigestTestWorkspace, department: string) {
  const about = new RegExp(`departments:${department}(?![\\w-])`);
  return slack.posts.filter(
    ({ threadTs, blocks }) =>
      !threadTs && about.test(JSON.stringify(blocks)) && JSON.stringify(blocks).includes('Set up by'),
  );
}

it('keeps all data of a database of 0.1', async () => {
  const path = folder.path('rollcall.db');
  makeDatabase(path);
  const store = await openStore(path, () => writtenAt);
  for (const saved of written('savedReports')) {
    expect(await store.savedReports.find(saved.id)).toEqual(saved);
    const named = await store.savedReports.findByName(saved.channel, saved.name);
    expect(named?.id).toBe(saved.deletedAt === undefined ? saved.id : undefined);
  }
  for (const { id, owner, draft } of written('builderDrafts')) {
    expect(await store.builderDrafts.find(id, owner)).toEqual(draft);
  }
  for (const { id, owner, draft } of written('digestDrafts')) {
    expect((await store.digestDrafts.find(id, owner)) ?? null).toEqual(draft);
  }
  for (const digest of written('digests')) {
    expect(await store.digests.find(digest.id)).toEqual(digest);
    const runs = written('runs').filter((run) => run.digest === digest.id);
    expect(await store.ledger.history(digest.id, 9)).toEqual(runs);
  }
  const asks = written('asks').map((ask) => ({ ...ask, post: ask.id }));
  for (const ask of asks) expect(await store.requestLog.find(ask.id)).toEqual(ask);
  const running = asks.filter(({ state }) => state === 'running');
  expect((await store.requestLog.interrupted()).map(({ entry }) => entry)).toEqual(running);
  expect(await store.approvals.approvedChannels()).toEqual(written('approvedChannels'));
  expect(await store.approvals.releasedKeys()).toEqual(written('releasedKeys'));
  expect(await store.digestNotifications.ready(writtenAt + 99 * 24 * 60 * minute, 99)).toEqual(
    written('notices'),
  );
  expect(await store.digestOutages.open()).toEqual(written('outages'));
  // They were whole answers under other keys, and the next run keeps its numbers.
  expect(written('lastFigures')).not.toHaveLength(0);
  expect(await store.lastFigures.deleteBefore(writtenAt + 1, 99)).toBe(0);
  for (const envelope of written('seenEnvelopes')) expect(await store.seenEnvelopes.has(envelope)).toBe(true);
  // Nobody knew how many people have them, so they are learned again.
  for (const { list } of written('knownValues')) {
    expect(await store.suggestions.all([list], 0)).toEqual([]);
  }
  const deleted = written('savedReports').find(({ deletedAt }) => deletedAt !== undefined);
  expect((await store.savedReports.restore(String(deleted?.id), writtenAt - 10 * minute)).ok).toBe(true);
  await store.close();
});

it('posts each due run of a database of 0.1 once, and does not repeat one that was being posted', {
  timeout: 60_000,
}, async () => {
  const work = await openTestWorkspace({ now: writtenAt + 6 * minute, database: makeDatabase });
  const { store, clock, scheduler, slack } = work;
  // What it had posted stands in Slack.
  for (const { message } of written('runs')) {
    if (!message) continue;
    const { channel, ts } = message;
    const stands = recordMessage(slack.workspace, { channel, user: bot, text: 'Posted by 0.1' });
    slack.workspace.messages.get(channel)?.set(ts, { ...stands, ts });
  }
  scheduler.start();

  const inTheMidst = ['Claimed', 'Running', 'Due', 'Superseded', 'Sent-again'];
  for (const department of inTheMidst) {
    const run = runAbout(department, department === 'Superseded' ? 'queued' : undefined);
    await expectRun(work, run.id, { state: 'posted' });
  }
  for (const department of ['Comes-due', 'Missed-hours']) {
    const id = digestAbout(department);
    await expect
      .poll(async () => (await store.ledger.history(id, 9)).map(({ state }) => state), { timeout: 15_000 })
      .toEqual(['posted']);
  }
  for (const department of ['File-due', 'File-waits', 'File-once-more']) {
    const { id, message } = runAbout(department);
    await expectRun(work, id, { state: 'posted', fileState: 'posted', ...(message && { message }) });
  }
  const filesThen = slack.posts.filter(({ files }) => files.length > 0);
  expect(filesThen.map(({ threadTs }) => threadTs).sort()).toEqual(
    ['File-due', 'File-waits', 'File-once-more'].map((one) => runAbout(one).message?.ts).sort(),
  );

  const waited = ['Waits', 'Limited', 'Retried'];
  clock.moveBy(35 * minute);
  for (const department of waited) {
    await expectRun(work, runAbout(department).id, { state: 'posted' });
  }

  for (const department of [...inTheMidst, ...waited, 'Comes-due', 'Missed-hours']) {
    expect(posted(work, department), department).toHaveLength(1);
  }
  // Nobody can know whether these arrived: their owners are asked, and nothing is sent by itself.
  for (const department of ['Posting', 'Posting-other-owner', 'Posting-unwanted']) {
    await expectRun(work, runAbout(department).id, { state: 'unknown', errorCode: 'interrupted' });
  }
  const sharing = { state: 'posted', fileState: 'unknown', errorCode: 'interrupted' } as const;
  await expectRun(work, runAbout('File-sharing').id, sharing);
  // What was over stays as it was.
  const over = written('runs').filter(
    ({ state, fileState }) =>
      ['skipped', 'failed', 'unknown'].includes(state) ||
      (state === 'posted' && !['queued', 'running', 'posting'].includes(fileState)),
  );
  for (const run of over) expect(await store.ledger.find(run.id)).toEqual(run);
  expect(slack.posts.filter(({ blocks }) => JSON.stringify(blocks).includes('Set up by'))).toHaveLength(
    inTheMidst.length + waited.length + 2,
  );
});

async function expectRun({ store }: DigestTestWorkspace, id: string, wanted: Partial<DigestRun>) {
  await expect.poll(() => store.ledger.find(id), { timeout: 15_000 }).toMatchObject(wanted);
}
