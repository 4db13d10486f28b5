import { describe, expect, it, onTestFinished } from 'vitest';
import { digestScheduler } from '../../src/scheduler/scheduler.js';
import { answer } from '../reporting-api/fault-server.js';
import {
  ada,
  hour,
  learning,
  noah,
  openTestWorkspace,
  records,
  settings,
  withSlack,
} from './test-workspace.js';

const priya = 'U00PRIYA01';

describe('an owner who can no longer request reports', () => {
  it('is notified once, like the admins, and the digest pauses until it has a new owner', async () => {
    const { digest, run, scheduler, slack, store, posts, clock, parts } = await openTestWorkspace({
      admins: [noah],
    });
    slack.as('ada').changeProfile({ kind: 'guest' });
    parts.people.invalidate(ada);
    const one = await digest();
    scheduler.start();
    const failed = await run(one, ({ state }) => state === 'failed');
    expect(failed.reason).toBe('Its owner can no longer request reports.');
    for (const who of ['@ada', '@noah']) {
      const told = await slack.waitForMessage(who, 'is paused. Its owner can no longer request');
      expect(told.words).toContain('Hand over');
    }
    expect(await store.digests.find(one.id)).toMatchObject({
      state: 'paused',
      pauseReason: 'owner-may-not-ask',
    });
    clock.moveBy(3 * hour);
    const other = await digest({ owner: noah });
    await run(other, ({ state }) => state === 'posted');
    expect(posts(learning)).toHaveLength(1);
    expect(await store.ledger.history(one.id, 9)).toHaveLength(1);
    const told = [...slack.messages('@ada'), ...slack.messages('@noah')];
    expect(told.filter(({ text }) => text.includes('is paused.'))).toHaveLength(2);
    expect(slack.refusals).toEqual([]);
  });
});

describe('an owner who has left the workspace', () => {
  it.each([
    ['the admins', [priya], '@priya'],
    ['its creator if there are no admins', [], '@ada'],
  ])('notifies %s once for each owner who leaves', async (_name, admins, told) => {
    const { digest, run, parts, slack, store, clock } = await openTestWorkspace({ admins });
    const gone = new Set([noah]);
    const people = {
      ...parts.people,
      find: async (id: string) => (gone.has(id) ? { id, standing: 'gone' as const } : parts.people.find(id)),
    };
    const scheduler = digestScheduler(withSlack({ ...parts, people }));
    onTestFinished(() => scheduler.stop());
    const one = await digest({ owner: noah });
    scheduler.start();
    await run(one, ({ state }) => state === 'failed');
    const asked = () => slack.messages(told).filter(({ text }) => text.includes('has left this workspace'));
    await slack.waitFor(() => asked().length === 1);

    // Handed over to somebody who leaves as well: that is news.
    const paused = await store.digests.find(one.id);
    if (!paused) throw new Error('The digest is not there');
    gone.add('U00GIL0001');
    const handed = { owner: 'U00GIL0001', state: 'active', nextDue: clock.now() + hour } as const;
    await store.digests.change(one.id, paused.revision, handed);
    clock.moveBy(2 * hour);
    await slack.waitFor(() => asked().length === 2);
    expect(slack.messages('@noah')).toEqual([]);
  });
});

const withFile = { request: { ...settings.request, file: 'csv' as const } };

describe('an owner whose level of access narrows', () => {
  it('is notified with the fix, and the digest pauses at its first run', async () => {
    const { digest, parts, run, slack, store, posts, service } = await openTestWorkspace();
    const access = { accessOf: async () => ({ level: 'totals' }) as const };
    const scheduler = digestScheduler(withSlack({ ...parts, access }));
    onTestFinished(() => scheduler.stop());
    const one = await digest(withFile);
    scheduler.start();
    const failed = await run(one, ({ state }) => state === 'failed');
    const why = 'Its owner’s access level allows totals only, and it has a file.';
    expect(failed).toMatchObject({ errorCode: 'access-refused', attempts: 1, reason: why });
    const told = await slack.waitForMessage('@ada', why);
    expect(told.words).toContain('It is paused. Ask an admin for access, hand it over, or change it.');
    for (const name of ['Resume', 'Hand over', 'Change']) expect(told.words).toContain(name);
    expect(told.words).not.toContain('Try again');
    expect(await store.digests.find(one.id)).toMatchObject({
      state: 'paused',
      pauseReason: 'access-refused',
    });
    expect(posts(learning)).toEqual([]);
    expect(service.seen).toEqual([]);
  });

  it('is not notified while Slack does not say who is in a group, and the run waits', async () => {
    const { digest, parts, run, slack, store } = await openTestWorkspace();
    const access = { accessOf: async () => ({ level: 'nothing', isUncertain: true }) as const };
    const scheduler = digestScheduler(withSlack({ ...parts, access }));
    onTestFinished(() => scheduler.stop());
    const one = await digest(withFile);
    scheduler.start();
    const waits = await run(one, ({ state, errorCode }) => state === 'queued' && errorCode !== undefined);
    expect(waits).toMatchObject({ errorCode: 'owner-level-unknown' });
    expect(await store.digests.find(one.id)).toMatchObject({ state: 'active' });
    expect(slack.messages('@ada')).toEqual([]);
  });
});

describe('an owner whose level is the team', () => {
  const rows = [1, 2, 3].map((each) => ({
    email: `p${each}@example.com`,
    manager_email: 'Ada@Example.com',
    status: 'completed',
  }));

  it.each([
    ['#learning', "Limited to the owner's team."],
    ['@ada', 'Limited to your team.'],
  ])('gets the file in %s with words on whose rows it has', async (place, words) => {
    const { digest, parts, run, slack, store, clock } = await openTestWorkspace({
      usual: answer(JSON.stringify(rows)),
    });
    if (place === '#learning')
      await store.approvals.approveChannel({ subject: learning, by: ada, at: clock.now() });
    const access = { accessOf: async () => ({ level: 'team', address: 'ada@example.com' }) as const };
    const scheduler = digestScheduler(withSlack({ ...parts, access }));
    onTestFinished(() => scheduler.stop());
    scheduler.start();
    await run(await digest(withFile), ({ fileState }) => fileState === 'posted');
    const [file, ...more] = slack.messages(place).filter(({ files }) => files.length > 0);
    expect(more).toEqual([]);
    expect(file?.text).toContain(words);
  });
});

describe('an owner who leaves the channel', () => {
  it('while the report runs gets nothing posted', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { digest, run, scheduler, slack, service, parts, posts } = await openTestWorkspace({
      usual: async (response, socket) => {
        await held;
        await answer(records(3))(response, socket);
      },
    });
    const one = await digest();
    scheduler.start();
    await service.reached(1);
    slack.as('ada').cleanUp('#learning');
    parts.memberships.invalidate(learning, ada);
    release();
    const failed = await run(one, ({ state }) => state === 'failed');
    expect(failed).toMatchObject({ errorCode: 'owner-not-member' });
    const told = await slack.waitForMessage('@ada', 'Its owner is no longer a member of the channel.');
    expect(told.words).toContain('Hand over');
    expect(posts(learning)).toEqual([]);
  });
});

describe('if Slack does not return the members of the channel', () => {
  it('totals are posted, and anything with names is held', async () => {
    const { digest, run, scheduler, slack, posts, store, clock } = await openTestWorkspace();
    await store.approvals.approveChannel({ subject: learning, by: ada, at: clock.now() });
    const silent = { kind: 'error', error: 'internal_error' } as const;
    slack.faults.set('users.conversations', silent, { times: Number.POSITIVE_INFINITY });
    slack.faults.set('conversations.members', silent, { times: Number.POSITIVE_INFINITY });
    const sums = await digest();
    const names = await digest({
      request: { ...settings.request, file: 'csv' as const },
      schedule: { ...settings.schedule, cadence: { kind: 'monthly', day: 28, time: '03:00' } },
    });
    scheduler.start();
    await run(sums, ({ state }) => state === 'posted');
    const waits = await run(names, ({ state, errorCode }) => state === 'queued' && errorCode !== undefined);
    expect(waits).toMatchObject({ errorCode: 'channel-not-described', attempts: 1 });
    expect(posts(learning)).toHaveLength(1);

    slack.faults.clear();
    clock.moveBy(2 * 60_000);
    await run(names, ({ state }) => state === 'posted');
    expect(posts(learning)).toHaveLength(2);
  });
});
