import { describe, expect, it } from 'vitest';
import type { Digest } from '../../src/digests/digest.js';
import { pauseDigest } from '../../src/slack/list/manage.js';
import type { Store } from '../../src/store/store.js';
import { answer, type Behaviour, status } from '../reporting-api/fault-server.js';
import { runProcessor } from './process-one-run.js';
import {
  ada,
  type DigestTestWorkspace,
  hour,
  learning,
  moreChannel,
  noah,
  openTestWorkspace,
  records,
  settings,
} from './test-workspace.js';

const good = answer(records(3));
const fails = status(500);

/** A run at work whose digest somebody does something about while the service answers. */
async function whileAtWork(
  act: (workspace: DigestTestWorkspace, digest: Digest) => Promise<unknown>,
  last = good,
) {
  let meanwhile: () => Promise<unknown> = async () => {};
  const usual: Behaviour = async (response, socket) => {
    await meanwhile();
    await last(response, socket);
  };
  const workspace = await openTestWorkspace({ usual, channels: 1 });
  const digest = await workspace.digest();
  const processor = runProcessor(workspace);
  const begun = await processor.begin(digest);
  meanwhile = async () => {
    meanwhile = async () => {};
    await act(workspace, digest);
  };
  return { workspace, processor, run: await processor.finish(begun) };
}

/** As their buttons do. */
async function deleteIt({ store, clock }: DigestTestWorkspace, { id }: Digest) {
  await store.digests.delete(id, clock.now());
  await store.ledger.skipWaiting(id, 'deleted', clock.now());
}
const pauseIt = ({ store, clock }: DigestTestWorkspace, digest: Digest) =>
  pauseDigest(digest, { store, clock });
const changeIt =
  (changes: { channel?: string; owner?: string }) => (workspace: DigestTestWorkspace, digest: Digest) =>
    workspace.store.digests.change(digest.id, digest.revision, {
      ...changes,
      nextDue: digest.nextDue ?? null,
    });

/** Nothing comes of it later either. */
async function expectNothingMore({ slack, clock, scheduler, parts, digest, run }: DigestTestWorkspace) {
  clock.moveBy(3 * hour);
  const other = await digest({ channel: moreChannel(0) });
  scheduler.start();
  await run(other, ({ state }) => state === 'posted');
  expect(slack.posts.filter(({ channel }) => channel === learning)).toEqual([]);
  expect(await parts.store.requestLog.recent(0, 9)).toHaveLength(1);
}

describe('a digest with a run in progress', () => {
  it.each([
    ['deleted', deleteIt, good],
    ['deleted', deleteIt, fails],
    ['by-hand', pauseIt, good],
    ['by-hand', pauseIt, fails],
  ] as const)('sends nothing any more: %s', async (why, act, last) => {
    const { workspace, run } = await whileAtWork(act, last);
    expect(run).toMatchObject({ state: 'skipped', errorCode: why });
    expect(await workspace.store.digestNotifications.open(ada, ['failed', 'unknown'])).toEqual([]);
    if (last === good) await expectNothingMore(workspace);
  });

  it('is not retried after a pause if Slack refused its message', async () => {
    const workspace = await openTestWorkspace();
    const { store, parts, slack } = workspace;
    const digest = await workspace.digest();
    const posting: Store['ledger']['markPosting'] = async (...facts) => {
      const may = await store.ledger.markPosting(...facts);
      await pauseIt(workspace, digest);
      return may;
    };
    const watched = { ...parts, store: { ...store, ledger: { ...store.ledger, markPosting: posting } } };
    slack.faults.set('chat.postMessage', { kind: 'ratelimited', retryAfter: 1 });
    const processor = runProcessor({ ...workspace, parts: watched });
    const run = await processor.finish(await processor.begin(digest));
    expect(run).toMatchObject({ state: 'skipped', errorCode: 'by-hand' });
  });

  it.each([
    ['deleted', deleteIt, { fileState: 'failed', errorCode: 'deleted' }, 0],
    ['paused', pauseIt, { fileState: 'posted' }, 1],
    ['moved to another channel', changeIt({ channel: moreChannel(0) }), { fileState: 'posted' }, 1],
  ] as const)('and whose message stands when it is %s', async (_name, act, outcome, files) => {
    const workspace = await openTestWorkspace({ channels: 1 });
    const { store, parts, slack, clock } = workspace;
    await store.approvals.approveChannel({ subject: learning, by: ada, at: clock.now() });
    const digest = await workspace.digest({ request: { ...settings.request, file: 'csv' as const } });
    const posted: Store['ledger']['markPosted'] = async (...facts) => {
      const written = await store.ledger.markPosted(...facts);
      if (facts[1].message) await act(workspace, digest);
      return written;
    };
    const watched = { ...parts, store: { ...store, ledger: { ...store.ledger, markPosted: posted } } };
    const processor = runProcessor({ ...workspace, parts: watched });
    const run = await processor.finish(await processor.begin(digest));
    expect(run).toMatchObject({ state: 'posted', ...outcome });
    const shown = slack.messages('#learning').filter((message) => message.files.length > 0);
    expect(shown.map(({ threadTs }) => threadTs)).toEqual(files ? [run.message?.ts] : []);
    expect(await store.digestNotifications.open(ada, ['file-failed', 'file-unknown'])).toEqual([]);
  });

  it('goes to its new channel', async () => {
    const { workspace, processor, run } = await whileAtWork(changeIt({ channel: moreChannel(0) }));
    expect(run).toMatchObject({ state: 'queued', attempts: 0 });
    const done = await processor.finish(await processor.claim());
    expect(done).toMatchObject({ state: 'posted', attempts: 1, message: { channel: moreChannel(0) } });
    expect(workspace.posts(learning)).toEqual([]);
  });

  it('runs with the rights of its new owner', async () => {
    const { workspace, processor } = await whileAtWork(changeIt({ owner: noah }));
    const done = await processor.finish(await processor.claim());
    expect(done.state).toBe('posted');
    expect(workspace.posts(learning)).toHaveLength(1);
    expect(workspace.slack.messages('#learning').at(-1)?.words).toContain(`Set up by <@${noah}>`);
  });
});

describe('a database that does not take that Slack has the file of a run', () => {
  it('leaves the file unconfirmed, and it is not sent again', async () => {
    const workspace = await openTestWorkspace();
    const { store, parts, slack, clock } = workspace;
    await store.approvals.approveChannel({ subject: learning, by: ada, at: clock.now() });
    const digest = await workspace.digest({ request: { ...settings.request, file: 'csv' as const } });
    const posted: Store['ledger']['markPosted'] = async (claim, ...facts) => {
      if (claim.id.endsWith('-file')) throw new Error('database is locked');
      return store.ledger.markPosted(claim, ...facts);
    };
    const watched = { ...parts, store: { ...store, ledger: { ...store.ledger, markPosted: posted } } };
    const processor = runProcessor({ ...workspace, parts: watched });
    const run = await processor.finish(await processor.begin(digest));
    expect(run).toMatchObject({ state: 'posted', fileState: 'unknown' });
    expect(slack.messages('#learning').filter(({ files }) => files.length > 0)).toHaveLength(1);
  });
});
