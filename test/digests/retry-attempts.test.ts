import { describe, expect, it } from 'vitest';
import { answer, type Behaviour, status } from '../reporting-api/fault-server.js';
import { runProcessor } from './process-one-run.js';
import { ada, hour, learning, openTestWorkspace, records, settings } from './test-workspace.js';

const limited = { kind: 'ratelimited', retryAfter: 7 } as const;
const withFile = { request: { ...settings.request, file: 'csv' as const } };

describe('a run in progress when the next run of its digest is due', () => {
  it('is skipped if it fails, and the later run says so', async () => {
    let meanwhile = async () => {};
    let answers = status(500);
    const usual: Behaviour = async (response, socket) => {
      await meanwhile();
      await answers(response, socket);
    };
    const workspace = await openTestWorkspace({ usual });
    const { store, clock, posts, slack } = workspace;
    const due = clock.now() - 2 * hour;
    const digest = await workspace.digest({}, due);
    const enter = async (dueAt: number) => {
      const now = await store.digests.find(digest.id);
      const run = { dueAt, dedupeKey: 'a', missed: 0, late: true };
      if (now) await store.ledger.enter([{ digest: now, run, nextDue: dueAt + hour }], dueAt);
    };
    await enter(due);
    const processor = runProcessor(workspace);
    const first = await processor.claim();
    meanwhile = async () => {
      meanwhile = async () => {};
      await enter(due + hour);
    };
    expect(await processor.finish(first)).toMatchObject({ state: 'skipped', errorCode: 'superseded' });
    answers = answer(records(3));
    clock.moveBy(hour);
    const done = await processor.finish(await processor.claim());
    expect(done).toMatchObject({ state: 'posted', dueAt: due + hour, missed: 1 });
    expect(posts(learning)).toHaveLength(1);
    expect(slack.messages('#learning').at(-1)?.words).toContain('1 earlier run was missed.');
    await expect(processor.claim()).rejects.toThrow('Nothing waits');
  });
});

describe('the request log of a digest', () => {
  it('has one entry for one delivery, after any number of rate limits', async () => {
    const workspace = await openTestWorkspace();
    const { store, slack, clock } = workspace;
    slack.faults.set('chat.postMessage', limited, { times: 4 });
    const processor = runProcessor(workspace);
    await processor.finish(await processor.begin(await workspace.digest()));
    expect(await store.requestLog.recentOf(ada, 9)).toEqual([]);
    for (let tries = 0; tries < 4; tries += 1) {
      clock.moveBy(7000);
      await processor.finish(await processor.claim());
    }
    const [ask, ...others] = await store.requestLog.recentOf(ada, 9);
    expect(others).toEqual([]);
    expect(ask).toMatchObject({ state: 'posted', message: { channel: learning } });
  });

  it('keeps the entry of an unconfirmed delivery, because its buttons may exist', async () => {
    const workspace = await openTestWorkspace();
    workspace.slack.faults.set('chat.postMessage', { kind: 'done, then cut' });
    const processor = runProcessor(workspace);
    const run = await processor.finish(await processor.begin(await workspace.digest()));
    expect(run.state).toBe('unknown');
    expect(await workspace.store.requestLog.recentOf(ada, 9)).toHaveLength(1);
  });
});

describe('a Slack that rate-limits', () => {
  it.each(['files.getUploadURLExternal', 'files.completeUploadExternal'])(
    'gets the file after as long as it says: %s',
    async (step) => {
      const workspace = await openTestWorkspace();
      workspace.slack.faults.set(step, limited);
      const processor = runProcessor(workspace);
      const before = workspace.clock.now();
      const run = await processor.finish(await processor.begin(await workspace.digest(withFile)));
      expect(run).toMatchObject({
        fileState: 'queued',
        errorCode: 'ratelimited',
        rateLimited: 1,
        attempts: 0,
      });
      expect(run.readyAt).toBeGreaterThanOrEqual(before + 7000);
      expect(run.readyAt).toBeLessThanOrEqual(workspace.clock.now() + 7000);
      workspace.clock.moveBy(7000);
      expect((await processor.finish(await processor.claim())).fileState).toBe('posted');
    },
  );

  it('six times uses up no attempt of a message or its file', async () => {
    let answers: Behaviour = answer(records(3));
    const workspace = await openTestWorkspace({ usual: (response, socket) => answers(response, socket) });
    const { slack, clock } = workspace;
    slack.faults.set('chat.postMessage', limited, { times: 6 });
    const processor = runProcessor(workspace);
    await processor.finish(await processor.begin(await workspace.digest(withFile)));
    for (let tries = 0; tries < 5; tries += 1) {
      clock.moveBy(7000);
      await processor.finish(await processor.claim());
    }
    // The first processor shares the answer of its first try.
    const anew = { ...workspace, parts: { ...workspace.parts, source: workspace.unshared } };
    const another = runProcessor(anew);
    answers = answer('[oops]');
    clock.moveBy(7000);
    const failed = await another.finish(await another.claim());
    expect(failed).toMatchObject({
      state: 'queued',
      errorCode: 'answer-not-json',
      attempts: 1,
      rateLimited: 6,
    });
    answers = answer(records(3));
    slack.faults.set('upload', { kind: 'status', status: 500 });
    clock.moveBy(60_000);
    const third = runProcessor(anew);
    const done = await third.finish(await third.claim());
    expect(done).toMatchObject({ state: 'posted', fileState: 'queued', attempts: 1, rateLimited: 0 });
  });
});

describe('a claimed run whose digest was deleted', () => {
  it('is recorded as deleted, not as empty', async () => {
    const workspace = await openTestWorkspace();
    const { store, clock, posts } = workspace;
    const digest = await workspace.digest();
    const processor = runProcessor(workspace);
    const run = await processor.begin(digest);
    await store.digests.delete(digest.id, clock.now());
    const done = await processor.finish(run);
    expect(done).toMatchObject({ state: 'skipped', errorCode: 'deleted' });
    expect(done.rows).toBeUndefined();
    expect(posts(learning)).toEqual([]);
  });
});
