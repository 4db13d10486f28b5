import { describe, expect, it } from 'vitest';
import { answer } from '../reporting-api/fault-server.js';
import { ada, learning, openTestWorkspace, settings } from './test-workspace.js';

const person = 'ada.lovelace@example.com';
const usual = answer(JSON.stringify([{ user_id: 'a', email: person, first_name: 'Ada', sessions: 1 }]));
const request = { ...settings.request, showRows: true } as const;
const isRows = ({ words }: { readonly words: string }) => words.includes(person);

describe('the rows of a digest', () => {
  it('are in its message where the channel may get them', async () => {
    const { digest, run, scheduler, slack, parts, clock, store } = await openTestWorkspace({ usual });
    await parts.store.approvals.approveChannel({ subject: learning, by: ada, at: clock.now() });
    await store.channelAges.set(learning, 7, ada, clock.now());
    const one = await digest({ request });
    scheduler.start();
    const { message, fileState } = await run(one, ({ state }) => state === 'posted');
    expect(fileState).toBe('none');
    expect(slack.messages('#learning').filter(isRows)).toMatchObject([{ ts: message?.ts }]);
    expect(slack.messages('@ada').filter(isRows)).toEqual([]);
    // Admins set after how many days rows are deleted there.
    const due = await store.postedItems.due(clock.now() + 7 * 24 * 3_600_000, 9);
    expect(due.map(({ item }) => item)).toEqual([message?.ts]);
  });

  it('go to its owner elsewhere, after the summary', async () => {
    const { digest, run, scheduler, slack, store, clock } = await openTestWorkspace({ usual });
    const one = await digest({ request, keepDays: 7 });
    scheduler.start();
    const { message } = await run(one, ({ fileState }) => fileState === 'posted');
    expect(slack.messages('#learning').filter(isRows)).toEqual([]);
    const [rows, ...others] = slack.messages('@ada').filter(isRows);
    expect(others).toEqual([]);
    expect(rows?.words).toContain('The rows of /report engagement');
    const due = await store.postedItems.due(clock.now() + 7 * 24 * 3_600_000, 9);
    expect(due.map(({ item }) => item).sort()).toEqual([message?.ts, rows?.ts].sort());
  });

  it('are tried again alone if they surely did not arrive', async () => {
    const { digest, run, scheduler, slack, posts, clock } = await openTestWorkspace({ usual });
    const toOwner = ({ channel }: Record<string, unknown>) => String(channel).startsWith('D');
    slack.faults.set('chat.postMessage', { kind: 'ratelimited', retryAfter: 30 }, { when: toOwner });
    const one = await digest({ request });
    scheduler.start();
    await run(one, ({ fileState, readyAt }) => fileState === 'queued' && readyAt !== undefined);
    clock.moveBy(2 * 60_000);
    await run(one, ({ fileState }) => fileState === 'posted');
    expect(posts(learning)).toHaveLength(1);
    expect(slack.messages('@ada').filter(isRows)).toHaveLength(1);
  });

  it('are left unconfirmed if nobody can know whether they arrived', async () => {
    const { digest, run, scheduler, slack } = await openTestWorkspace({ usual });
    const toOwner = ({ channel }: Record<string, unknown>) => String(channel).startsWith('D');
    slack.faults.set('chat.postMessage', { kind: 'done, then cut' }, { when: toOwner });
    const one = await digest({ request });
    scheduler.start();
    await run(one, ({ fileState }) => fileState === 'unknown');
    const asked = await slack.waitForMessage('@ada', ({ words }) => words.includes('is unconfirmed'));
    expect(asked.words).toContain('The rows of Engagement');
    expect(asked.words).toContain('Send rows again');
    expect(slack.messages('@ada').filter(isRows)).toHaveLength(1);
  });
});
