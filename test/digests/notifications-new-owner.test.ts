import { describe, expect, it } from 'vitest';
import type { Digest } from '../../src/digests/digest.js';
import { notifyNewOwner } from '../../src/scheduler/notifications.js';
import { ada, hour, noah, openTestWorkspace, settings } from './test-workspace.js';

const day = 24 * hour;
const gil = 'U00GIL0001';
const seldom = {
  schedule: { ...settings.schedule, cadence: { kind: 'monthly', day: 28, time: '03:00' } as const },
};

/** Nobody knows whether two runs of Ada's arrived, and she was asked about both. */
async function inDoubt(admins: readonly string[] = []) {
  const work = await openTestWorkspace({ admins });
  const { slack, digest, run, scheduler, store, clock } = work;
  const toChannel = ({ channel }: { channel?: unknown }) => String(channel).startsWith('C');
  slack.faults.set('chat.postMessage', { kind: 'cut' }, { times: 2, when: toChannel });
  const [one, other] = [await digest(seldom), await digest({ ...seldom, channel: 'C00PEOPL01' })];
  scheduler.start();
  for (const each of [one, other]) await run(each, ({ state }) => state === 'unknown');
  await expect
    .poll(async () =>
      (await store.digestNotifications.open(ada, ['unknown'])).map(({ sentAt }) => sentAt !== undefined),
    )
    .toEqual([true, true]);
  async function give(digest: Digest, owner: string) {
    const now = await store.digests.find(digest.id);
    expect(await store.digests.change(digest.id, now?.revision ?? 0, { owner, nextDue: null })).toBe(true);
    scheduler.checkNow();
  }
  const asked = (who: string) => slack.messages(who).filter(({ text }) => text.includes('is unconfirmed'));
  /** Moves the clock on, once it is written down that everything was told. */
  async function later(milliseconds: number) {
    await expect.poll(() => store.digestNotifications.ready(clock.now(), 9)).toEqual([]);
    clock.moveBy(milliseconds);
    scheduler.checkNow();
  }
  return { ...work, one, other, give, asked, later };
}

const aboutOne = 'Delivery of one digest is unconfirmed';

describe('an unconfirmed run whose digest is handed over', () => {
  it('notifies the new owner instead of the former one', async () => {
    const { slack, store, parts, one, other, give, asked, later } = await inDoubt();
    const before = asked('@ada').length;
    await give(one, noah);
    await notifyNewOwner({ id: one.id, owner: noah }, ada, parts);
    await slack.waitForMessage('@noah', aboutOne);
    expect(asked('@ada')).toHaveLength(before);
    await give(other, noah);
    await notifyNewOwner({ id: other.id, owner: noah }, ada, parts);
    await slack.waitForMessage('@noah', 'Delivery of 2 digests is unconfirmed');
    await later(day + hour);
    await slack.waitFor(() => asked('@noah').length === 3);
    expect(asked('@ada')).toHaveLength(before);
    expect(await store.digestNotifications.open(ada, ['unknown'])).toEqual([]);
  });

  it('notifies the new owner within a day, and the former owner if the digest returns', async () => {
    const { slack, one, give, asked, later } = await inDoubt();
    await give(one, noah);
    await later(day + hour);
    await slack.waitForMessage('@noah', aboutOne);
    expect(asked('@ada').at(-1)?.text).toContain(aboutOne);
    const before = asked('@ada').length;
    await give(one, ada);
    await later(day + hour);
    await slack.waitFor(() => asked('@ada').length > before);
    await later(day + hour);
    await slack.waitForMessage('@ada', 'Delivery of 2 digests is unconfirmed');
    expect(asked('@noah')).toHaveLength(1);
  });

  it('notifies admins if the owner cannot be reached', async () => {
    const { slack, one, give, asked, later } = await inDoubt([noah]);
    slack.faults.set(
      'chat.postMessage',
      { kind: 'error', error: 'user_disabled' },
      { times: Number.POSITIVE_INFINITY, when: ({ channel }) => channel === gil },
    );
    await give(one, gil);
    await later(day + hour);
    await slack.waitForMessage('@noah', aboutOne);
    await later(day + hour);
    await slack.waitFor(() => asked('@noah').length === 2);
  });
});
