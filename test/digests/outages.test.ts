import { describe, expect, it } from 'vitest';
import { answer, type Behaviour, status } from '../reporting-api/fault-server.js';
import { hour, learning, noah, openTestWorkspace, records } from './test-workspace.js';

const minute = 60_000;

describe('a service that fails', () => {
  it('pauses no digest, notifies each person once, and delivers the latest runs after the first success', async () => {
    let usual = status(401);
    const { digest, run, scheduler, slack, store, clock, posts, wait } = await openTestWorkspace({
      admins: [noah],
      usual: (response, socket) => usual(response, socket),
    });
    const all = [await digest(), await digest({ channel: 'C00PEOPL01' })];
    scheduler.start();
    await slack.waitForMessage('@noah', 'Digests have been waiting since');
    await slack.waitForMessage('@ada', 'Digests have been waiting since');
    expect(scheduler.outages()).toMatchObject([{ cause: 'service', code: 'token-refused' }]);
    // Two more runs come due meanwhile.
    for (let i = 0; i < 2; i += 1) {
      const before = (await store.ledger.history(all[0]?.id ?? '', 1))[0]?.dueAt;
      clock.moveBy(hour);
      await expect
        .poll(async () => (await store.ledger.history(all[0]?.id ?? '', 1))[0]?.dueAt)
        .not.toBe(before);
    }
    expect(posts(learning)).toHaveLength(0);
    usual = answer(records(3));
    wait(minute);
    const [first] = all;
    if (!first) throw new Error('There is no digest');
    const done = await run(first, ({ state }) => state === 'posted', 30_000);
    expect(done.missed).toBeGreaterThan(0);
    expect(scheduler.outages()).toEqual([]);
    expect(posts(learning)).toHaveLength(1);
    const states = (await store.ledger.history(first.id, 9)).map(({ state }) => state);
    expect(states).toEqual(['posted', 'skipped', 'skipped']);
    expect(await store.digests.find(first.id)).toMatchObject({ state: 'active', failures: 0 });
    // Who was told is told in the same message that it is over.
    for (const who of ['@ada', '@noah']) {
      await slack.waitForMessage(who, 'Digests are running again');
      const told = slack.messages(who).filter(({ text }) => /Digests (have been|are)/.test(text));
      expect(told).toHaveLength(1);
      expect(told[0]?.text).toContain('The Reporting Service refused my token (status 401).');
    }
    expect(slack.refusals).toEqual([]);
  }, 60_000);

  it('an invalid token of Slack loses nothing, and notifications follow when it works again', async () => {
    const { digest, run, scheduler, slack, posts, wait } = await openTestWorkspace();
    const dead = { kind: 'error', error: 'token_revoked' } as const;
    slack.faults.set('chat.postMessage', dead, { times: Number.POSITIVE_INFINITY });
    slack.faults.set('auth.test', dead, { times: 1 });
    const one = await digest();
    scheduler.start();
    await expect.poll(() => scheduler.outages()).toMatchObject([{ cause: 'slack' }]);
    expect(await run(one, ({ state }) => state === 'queued')).toMatchObject({ errorCode: 'token_revoked' });
    slack.faults.clear();
    wait(minute);
    await run(one, ({ state }) => state === 'posted', 20_000);
    expect(posts(learning)).toHaveLength(1);
    await slack.waitForMessage('@ada', 'Digests are running again');
  }, 40_000);

  it('a refused query is the failure of its digest, with the message of the service', async () => {
    const gone: Behaviour = (response) =>
      void response.writeHead(422).end(JSON.stringify({ message: 'Unknown field *cohort* <!channel>' }));
    const { digest, run, scheduler, slack } = await openTestWorkspace({ usual: gone });
    const one = await digest();
    scheduler.start();
    const reason =
      'The Reporting Service did not accept this request (status 422). It says: “Unknown field *cohort* <!channel>”';
    expect(await run(one, ({ state }) => state === 'failed')).toMatchObject({
      errorCode: 'query-refused',
      reason,
    });
    const told = await slack.waitForMessage('@ada', 'Not sent: ');
    expect(told.words).toMatch(/Unknown field .*cohort.* &lt;!channel&gt;/);
    expect(scheduler.outages()).toEqual([]);
  });
});
