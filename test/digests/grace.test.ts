import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Level } from '../../src/access/levels.js';
import { digestScheduler } from '../../src/digests/scheduler.js';
import { startGrace } from '../../src/slack/digests/grace.js';
import { migrate } from '../../src/store/migrate.js';
import { migrations } from '../../src/store/migrations/index.js';
import { ada, hour, learning, noah, openTestWorkspace, settings, withSlack } from './test-workspace.js';

const day = 24 * hour;
const beforeLevels = migrations.findIndex(({ name }) => name === 'digest-grace');

/** A database from before the upgrade, with one digest of Ada that has a file. */
function oldDatabase(path: string): void {
  const db = new Sqlite(path);
  migrate(db, Date.now, migrations.slice(0, beforeLevels));
  const request = JSON.stringify({ ...settings.request, file: 'csv' as const });
  db.prepare(
    `INSERT INTO digests
      (workspace, id, channel, owner, made_by, request, schedule, skip_empty, state, revision, failures, made_at)
      VALUES ('', 'old', ?, ?, ?, ?, ?, 0, 'active', 1, 0, 1)`,
  ).run(learning, ada, ada, request, JSON.stringify(settings.schedule));
  db.close();
}

/** The workspace after the upgrade, with levels that a test changes. */
async function upgraded(level: Level) {
  const workspace = await openTestWorkspace({ admins: [noah], database: oldDatabase });
  const { parts, store, clock, service, slack } = workspace;
  await store.approvals.approveChannel({ subject: learning, by: noah, at: 1 });
  const now: { level: Level; unknown: boolean } = { level, unknown: false };
  const access = {
    accessOf: async () => ({ level: now.level, address: 'ada@example.com', isUncertain: now.unknown }),
  };
  const withLevels = withSlack({ ...parts, access, smallestGroup: 5 });
  const scheduler = digestScheduler(withLevels);
  onTestFinished(() => scheduler.stop());
  const start = () => {
    const stop = startGrace(withLevels);
    onTestFinished(stop);
    return stop;
  };
  return {
    ...workspace,
    now,
    start,
    scheduler,
    /** Runs the digest once, and returns its run with what the service was asked for. */
    async runOnce() {
      const digest = await store.digests.find('old');
      if (!digest) throw new Error('The digest is not there');
      const before = service.seen.length;
      await store.digests.change('old', digest.revision, { nextDue: clock.now() - 1000 });
      scheduler.checkNow();
      const ended = await workspace.run(
        digest,
        ({ state, dueAt, errorCode }) =>
          dueAt > clock.now() - 60_000 && (state === 'posted' || errorCode !== undefined),
      );
      return { ended, asked: service.seen.slice(before).map(({ body }) => body) };
    },
    told: (who: string) => slack.messages(who).filter(({ text }) => text.startsWith('On ')),
  };
}

describe('a digest from before there were levels of access', () => {
  it('runs as before for 14 days, and is limited then; its owner and the admins are told once', async () => {
    const { start, scheduler, slack, clock, runOnce, told } = await upgraded('team');
    scheduler.start();
    const stop = start();
    const toOwner = await slack.waitForMessage('@ada', 'access levels change 1 digest of yours');
    expect(toOwner.words).toContain('Until then, they run as before.');
    expect(toOwner.words).toContain(': limited to your team.');
    const toAdmin = await slack.waitForMessage('@noah', 'access levels limit 1 digest and stop 0.');
    expect(toAdmin.words).toContain('/report access');
    const before = await runOnce();
    expect(before.ended.state).toBe('posted');
    expect(before.asked.length).toBeGreaterThan(0);
    expect(before.asked.join()).not.toContain('manager_email');

    await stop();
    clock.moveBy(13 * day);
    start();
    expect((await runOnce()).asked.join()).not.toContain('manager_email');
    clock.moveBy(day);
    const limited = await runOnce();
    // The service of this test ignores filters, so that its rows are refused.
    expect(limited.ended.errorCode).toBe('rows-outside-scope');
    expect(limited.asked.join()).toContain('manager_email":"ada@example.com');
    expect(told('@ada')).toHaveLength(1);
    expect(told('@noah')).toHaveLength(1);
  });

  it('stops after 14 days if the level does not allow it, and its owner is told before', async () => {
    const { start, scheduler, slack, clock, store, runOnce } = await upgraded('totals');
    scheduler.start();
    start();
    await slack.waitForMessage('@ada', (one) => one.says('stops, because your level does not allow it.'));
    await slack.waitForMessage('@noah', 'access levels limit 0 digests and stop 1.');
    expect((await runOnce()).ended.state).toBe('posted');
    clock.moveBy(14 * day);
    expect((await runOnce()).ended).toMatchObject({ state: 'failed', errorCode: 'access-refused' });
    expect(await store.digests.find('old')).toMatchObject({ state: 'paused' });
  });

  it('is limited at once by a level that narrows after the upgrade', async () => {
    const { start, scheduler, slack, now, runOnce } = await upgraded('team');
    scheduler.start();
    start();
    await slack.waitForMessage('@ada', 'access levels change 1 digest of yours');
    now.level = 'totals';
    expect((await runOnce()).ended).toMatchObject({ state: 'failed', errorCode: 'access-refused' });
  });

  it('is not told of while Slack does not say what its owner’s level is', async () => {
    const { start, scheduler, slack, now, clock, store, told } = await upgraded('team');
    now.unknown = true;
    scheduler.start();
    start();
    await vi.waitFor(async () => expect((await store.digestGrace.find('old'))?.since).toBeDefined());
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await store.digestGrace.listPending(9)).toEqual(['old']);
    now.unknown = false;
    clock.moveBy(hour);
    await slack.waitForMessage('@ada', 'access levels change 1 digest of yours');
    expect(told('@ada')).toHaveLength(1);
  });

  it('has no notice and no grace if nothing changes, or once it is edited', async () => {
    const same = await upgraded('everything');
    same.start();
    await vi.waitFor(async () => expect(await same.store.digestGrace.find('old')).toBeUndefined());

    const edited = await upgraded('team');
    const digest = await edited.store.digests.find('old');
    await edited.store.digests.change('old', digest?.revision ?? 0, { ...settings, nextDue: null });
    expect(await edited.store.digestGrace.find('old')).toBeUndefined();
  });
});
