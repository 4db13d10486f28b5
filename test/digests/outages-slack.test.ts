import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunFailure } from '../../src/digests/failure.js';
import { watchOutages } from '../../src/scheduler/outages.js';
import { digestScheduler } from '../../src/scheduler/scheduler.js';
import {
  ada,
  hour,
  learning,
  moreChannel,
  noah,
  openTestWorkspace,
  settings,
  type TestWorkspaceOptions,
} from './test-workspace.js';

const minute = 60_000;
const always = { times: Number.POSITIVE_INFINITY };
const seldom = {
  schedule: { ...settings.schedule, cadence: { kind: 'monthly', day: 28, time: '03:00' } as const },
};

/** A scheduler whose waits in real time can be cut short. */
async function openOffice(options: TestWorkspaceOptions) {
  const work = await openTestWorkspace(options);
  const ahead = { by: 0 };
  // What Slack refused waits again: only then is it known when the next trial is.
  const refused = { times: 0 };
  const { ledger, digestNotifications } = work.store;
  const store: typeof work.store = {
    ...work.store,
    ledger: {
      ...ledger,
      async release(...waits) {
        const written = await ledger.release(...waits);
        refused.times += 1;
        return written;
      },
    },
    digestNotifications: {
      ...digestNotifications,
      async postpone(...waits) {
        await digestNotifications.postpone(...waits);
        refused.times += 1;
      },
    },
  };
  const parts = { ...work.parts, store, monotonic: () => performance.now() + ahead.by };
  const scheduler = digestScheduler(parts);
  onTestFinished(() => scheduler.stop());
  const later = (milliseconds: number) => {
    ahead.by += milliseconds;
    scheduler.checkNow();
  };
  const told = (who: string) =>
    work.slack.messages(who).filter(({ text }) => /Digests (have been|are)/.test(text));
  function outages() {
    const database = new Sqlite(work.path, { readonly: true });
    const rows = database.prepare('SELECT id FROM digest_outages').all();
    database.close();
    return rows.length;
  }
  return { ...work, scheduler, later, told, outages, refused };
}

describe('posts that Slack refuses everywhere with a valid token', () => {
  it('are one outage with one probe at a time and one notification for each person', async () => {
    const office = await openOffice({ admins: [noah], channels: 6 });
    const { slack, scheduler, later, digest, run, told, refused } = office;
    let posts = 0;
    const count = () => {
      posts += 1;
      return true;
    };
    const limit = { kind: 'error', error: 'message_limit_exceeded' } as const;
    slack.faults.set('chat.postMessage', limit, { ...always, when: count });
    const first = await digest(seldom);
    scheduler.start();
    await expect.poll(() => scheduler.outages()).toMatchObject([{ cause: 'slack' }]);
    const others = await Promise.all(
      Array.from({ length: 6 }, (_, n) => digest({ ...seldom, channel: moreChannel(n) })),
    );
    await expect.poll(() => refused.times).toBeGreaterThan(0);
    for (let trials = 1; trials <= 8; trials += 1) {
      const before = { posts, refused: refused.times };
      later(minute);
      await expect.poll(() => refused.times).toBeGreaterThan(before.refused);
      expect(posts).toBe(before.posts + 1);
      expect(scheduler.outages()).toHaveLength(1);
    }
    slack.faults.clear();
    later(minute);
    for (const one of [first, ...others]) await run(one, ({ state }) => state === 'posted', 20_000);
    for (const who of ['@ada', '@noah']) await slack.waitForMessage(who, 'Digests are running again');
    expect([office.outages(), told('@ada').length, told('@noah').length]).toEqual([1, 1, 1]);
    expect(scheduler.outages()).toEqual([]);
  }, 60_000);

  it('resume after a successful direct message if nothing else waits', async () => {
    const { slack, scheduler, later, digest, run, store } = await openOffice({});
    const dead = { kind: 'error', error: 'token_revoked' } as const;
    slack.faults.set('chat.postMessage', dead, { ...always, when: ({ channel }) => channel === ada });
    const archived = await digest({ ...seldom, channel: 'C00OLDAC01' });
    scheduler.start();
    await run(archived, ({ state }) => state === 'failed');
    await expect.poll(() => scheduler.outages()).toMatchObject([{ cause: 'slack' }]);
    expect(await store.ledger.waitingOwners()).toEqual([]);
    slack.faults.clear();
    later(minute);
    await expect.poll(() => scheduler.outages()).toEqual([]);
  }, 30_000);
});

describe('a post that Slack refuses in one channel', () => {
  it('does not delay others, and notifies its owner once', async () => {
    const { slack, scheduler, digest, run, told, outages, store } = await openOffice({
      admins: [noah],
      channels: 1,
    });
    const denied = { kind: 'error', error: 'access_denied' } as const;
    slack.faults.set('chat.postMessage', denied, { ...always, when: ({ channel }) => channel === learning });
    const [bad, good] = [await digest(seldom), await digest({ ...seldom, channel: moreChannel(0) })];
    scheduler.start();
    await run(bad, ({ state }) => state === 'failed');
    await run(good, ({ state }) => state === 'posted');
    await slack.waitForMessage('@ada', 'Not sent: ');
    expect(slack.messages('@ada')).toHaveLength(1);
    expect([slack.messages('@noah'), told('@ada'), outages()]).toEqual([[], [], 0]);
    expect(await store.digests.find(bad.id)).toMatchObject({ state: 'active', failures: 1 });
  });
});

describe('while Slack does not answer the check of the token', () => {
  it('due runs are entered, and a stop does not wait for the check', async () => {
    const { slack, scheduler, later, digest, run } = await openOffice({ channels: 1 });
    slack.faults.set('chat.postMessage', { kind: 'error', error: 'token_revoked' }, always);
    let asked = 0;
    const hanging = { kind: 'done, then silent' } as const;
    slack.faults.set('auth.test', hanging, {
      ...always,
      when: () => {
        asked += 1;
        return true;
      },
    });
    await digest(seldom);
    scheduler.start();
    await expect.poll(() => scheduler.outages()).toHaveLength(1);
    later(minute);
    await expect.poll(() => asked).toBe(1);
    const due = await digest({ ...seldom, channel: moreChannel(0) });
    await run(due, ({ state }) => state === 'queued');
    // The call is given up after thirty seconds only.
    const late = new Promise((resolve) => setTimeout(resolve, 20_000, 'waited'));
    expect(await Promise.race([scheduler.stop().then(() => 'stopped'), late])).toBe('stopped');
    expect(asked).toBe(1);
  }, 90_000);
});

/** Watches with a clock that only the test moves. */
async function watching() {
  const { parts, store, clock } = await openTestWorkspace();
  const time = { now: 0 };
  const outages = watchOutages(
    { ...parts, monotonic: () => time.now },
    () => {},
    new AbortController().signal,
  );
  const refuse = (channel: string, code: string) => {
    const failure: RunFailure = { kind: 'slack', code };
    time.now += 1000;
    return outages.failed(failure, failure, { channel, request: 'a' });
  };
  const take = (channel: string) => {
    time.now += 1000;
    return outages.slackAccepted('run', channel);
  };
  return { outages, refuse, take, store, clock, time };
}

describe('errors of Slack that may affect one channel or all', () => {
  it('are an outage if two channels fail in a row without a success between', async () => {
    const { outages, refuse, take } = await watching();
    for (let tries = 0; tries < 4; tries += 1) {
      expect(await refuse('one', 'ekm_access_denied')).toBe('own');
    }
    await take('good');
    expect(await refuse('one', 'ekm_access_denied')).toBe('own');
    expect(await refuse('two', 'ekm_access_denied')).toBe('own');
    expect(outages.open()).toEqual([]);
    expect(await refuse('three', 'missing_scope')).toBe('all');
    expect(outages.open()).toMatchObject([{ cause: 'slack', code: 'missing_scope' }]);
  });

  it('about the token are an outage at once, and again after a success', async () => {
    const { outages, refuse, take } = await watching();
    expect(await refuse('one', 'token_revoked')).toBe('all');
    await take('two');
    expect(outages.open()).toEqual([]);
    // Others are posted to, so that it cannot be the token.
    expect(await refuse('one', 'token_revoked')).toBe('own');
    await take('one');
    expect(await refuse('one', 'token_revoked')).toBe('all');
  });
});

describe('a failure soon after an outage ended', () => {
  it('reopens the outage; a later failure is a new outage', async () => {
    const { outages, refuse, take, clock } = await watching();
    const ids: unknown[] = [];
    for (const channel of ['a', 'b', 'c']) {
      await refuse(channel, 'message_limit_exceeded');
      ids.push(outages.open()[0]?.id);
      clock.moveBy(minute);
      await take('good');
      clock.moveBy(5 * minute);
    }
    expect(new Set(ids).size).toBe(1);
    clock.moveBy(hour);
    await refuse('d', 'message_limit_exceeded');
    expect(ids).not.toContain(outages.open()[0]?.id);
  });

  it('does not shorten the delay of the next probe', async () => {
    const { outages, refuse, take, time } = await watching();
    for (const channel of ['a', 'b', 'c', 'd']) {
      await refuse(channel, 'message_limit_exceeded');
      await take('good');
    }
    await refuse('e', 'message_limit_exceeded');
    // Slack knows the token; all that is to be waited for is the time of the next trial.
    time.now += 40_000;
    outages.check();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(outages.mayRun()).toBe('none');
    time.now += 6000;
    outages.check();
    await expect.poll(() => outages.mayRun()).toBe('one');
    outages.started('run');
    expect(outages.mayRun()).toBe('none');
  });
});
