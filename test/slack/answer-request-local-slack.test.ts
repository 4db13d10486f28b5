import { afterEach, describe, expect, it, vi } from 'vitest';
import { randomId } from '../../src/logging/logger.js';
import { filePostId } from '../../src/posts/states.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import { type AnswerParts, answerRequest } from '../../src/slack/answers/answer-request.js';
import { editBudget } from '../../src/slack/answers/progress.js';
import { runningRequests } from '../../src/slack/answers/running-requests.js';
import { notifyInterrupted } from '../../src/slack/answers/take-over.js';
import type { Store } from '../../src/store/store.js';
import {
  ada,
  type DigestTestWorkspace,
  learning,
  openTestWorkspace,
  records,
} from '../digests/test-workspace.js';
import { answer } from '../reporting-api/fault-server.js';

afterEach(() => vi.restoreAllMocks());

const request = { ...plainRequest('engagement'), range: 'last-week' } as const;

const member = { id: ada, zone: 'Europe/Berlin' };

/** A request of Ada in a channel that may get person-level data. */
function ask(parts: AnswerParts, file?: ReportRequest['file']): Promise<void> {
  return answerRequest(
    { ...request, file },
    { channel: learning, asker: ada, member, requestId: randomId() },
    parts,
  );
}

/** The parts that answer a request, with some of the ledger replaced. */
function answering(
  { parts, store }: DigestTestWorkspace,
  ledger: Partial<Store['ledger']> = {},
): AnswerParts {
  return {
    ...parts,
    personLevelChannels: '*',
    store: { ...store, ledger: { ...store.ledger, ...ledger } },
    edits: editBudget(30, () => performance.now()),
    running: runningRequests(),
    learningLinks: {},
    log: { info() {}, warn() {}, error() {} },
    requestsChanged() {},
    handOver: async () => false,
    ended() {},
  };
}

const summaries = ({ posts }: DigestTestWorkspace) =>
  posts(learning).filter(({ blocks }) => JSON.stringify(blocks).includes('Engagement'));
const privateMessages = ({ slack }: DigestTestWorkspace) =>
  slack.messages('#learning').filter(({ visibleTo }) => visibleTo === ada);
const newest = async ({ store }: DigestTestWorkspace) => (await store.requestLog.recentOf(ada, 1))[0];

/** The states of a post and of its file in the ledger. */
async function states(work: DigestTestWorkspace): Promise<readonly (string | undefined)[]> {
  const entry = await newest(work);
  const left = await work.store.requestLog.interrupted();
  return [entry?.state, ...left.filter(({ what }) => what === 'file').map(({ state }) => state)];
}

describe('an answer to a person', () => {
  it('is posting before Slack is called, and posted after Slack confirms it', async () => {
    const work = await openTestWorkspace();
    work.slack.faults.set('chat.postMessage', { kind: 'slow', milliseconds: 500 });
    const done = ask(answering(work));
    await expect.poll(async () => (await newest(work))?.state).toBe('posting');
    await done;
    const [summary] = summaries(work);
    expect(await newest(work)).toMatchObject({
      state: 'posted',
      rows: 3,
      range: { words: 'last-week' },
      message: { channel: learning, ts: summary?.ts },
    });
  });

  it('has a separate post for its file', async () => {
    const work = await openTestWorkspace();
    const written: string[] = [];
    const markPosting: Store['ledger']['markPosting'] = (held, facts) => {
      written.push(held.id);
      return work.store.ledger.markPosting(held, facts);
    };
    await ask(answering(work, { markPosting }), 'csv');
    const id = (await newest(work))?.id ?? '';
    expect(written).toEqual([id, filePostId(id)]);
    expect(await work.store.requestLog.interrupted()).toEqual([]);
    expect(work.slack.posts.filter(({ files }) => files.length > 0)).toHaveLength(1);
  });

  it.each([
    ['is cut before its answer', { kind: 'done, then cut' } as const, 'Delivery of the file is unconfirmed'],
    [
      'is refused',
      { kind: 'error', error: 'storage_limit_reached' } as const,
      'could not be uploaded to Slack',
    ],
  ])('stands where only its file %s', async (_what, fault, words) => {
    const work = await openTestWorkspace();
    work.slack.faults.set('files.completeUploadExternal', fault);
    await ask(answering(work), 'csv');
    expect(await states(work)).toEqual(['posted']);
    expect(summaries(work)).toHaveLength(1);
    expect(
      privateMessages(work)
        .map((message) => message.words)
        .join(),
    ).toContain(words);
  });

  it.each([
    ['refuses it', { kind: 'error', error: 'is_archived' } as const, 'failed'],
    ['does not answer', { kind: 'done, then cut' } as const, 'unknown'],
  ])('ends where Slack %s', async (_what, fault, state) => {
    const work = await openTestWorkspace();
    work.slack.faults.set('chat.postMessage', fault);
    await ask(answering(work));
    expect((await newest(work))?.state).toBe(state);
    expect(privateMessages(work)).toHaveLength(1);
  });

  it('is not posted if another process has ended it', async () => {
    const work = await openTestWorkspace();
    const markPosting: Store['ledger']['markPosting'] = async (held, facts) => {
      await work.store.ledger.markFailed(held, { code: 'interrupted' }, 1);
      return work.store.ledger.markPosting(held, facts);
    };
    await ask(answering(work, { markPosting }));
    expect(work.posts(learning)).toEqual([]);
    expect((await newest(work))?.state).toBe('failed');
  });
});

describe('a database that fails after the answer is posted', () => {
  const broken = () => Promise.reject(new Error('disk full'));

  it('is reported as such, not as a failed answer', async () => {
    const work = await openTestWorkspace();
    await ask(answering(work, { markPosted: broken }), 'csv');
    expect(summaries(work)).toHaveLength(1);
    const words = privateMessages(work).map(({ text }) => text);
    expect(words).toEqual([
      'The answer is posted, but it could not be saved. Its buttons may not work, and its file is missing; run it again if you need them.',
    ]);
  });

  it('is retried, so that the outcome from Slack is saved', async () => {
    const work = await openTestWorkspace();
    let tries = 0;
    const markPosted: Store['ledger']['markPosted'] = (...facts) => {
      tries += 1;
      return tries < 3 ? broken() : work.store.ledger.markPosted(...facts);
    };
    await ask(answering(work, { markPosted }));
    expect((await newest(work))?.state).toBe('posted');
    expect(privateMessages(work)).toEqual([]);
  });

  it('is not reported if only suggestions could not be saved', async () => {
    const work = await openTestWorkspace();
    const parts = answering(work);
    const suggestions = { ...parts.store.suggestions, remember: broken };
    await ask({ ...parts, store: { ...parts.store, suggestions } });
    expect(summaries(work)).toHaveLength(1);
    expect(privateMessages(work)).toEqual([]);
  });
});

describe('a progress message that can no longer be edited', () => {
  it('is deleted after the answer is posted', { timeout: 20_000 }, async () => {
    const work = await openTestWorkspace({
      usual: async (...request) => {
        await work.slack.waitForMessage('#learning', 'Cancel');
        await answer(records(3))(...request);
      },
    });
    const always = { times: Number.POSITIVE_INFINITY };
    work.slack.faults.set('chat.update', { kind: 'error', error: 'edit_window_closed' }, always);
    const done = ask(answering(work));
    await work.slack.waitForMessage('#learning', 'Cancel');
    await done;
    const shown = work.slack.messages('#learning').filter((message) => message.says('Engagement'));
    expect(shown.map((message) => message.says('Cancel'))).toEqual([false]);
  });
});

describe('a run that was interrupted when the bot was killed', () => {
  it('is reported once, and an unconfirmed post is not repeated', async () => {
    const work = await openTestWorkspace();
    const { store, parts } = work;
    const entry = { channel: learning, asker: ada, request, requestedAt: 1 };
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.push(await store.requestLog.record({ ...entry, requestedAt: n }));
    const [, posting, ...withFile] = ids.map((id) => ({ id, worker: null }));
    if (posting) await store.ledger.markPosting(posting);
    for (const held of withFile) {
      await store.ledger.markPosting(held);
      await store.ledger.markPosted(held, { fileFollows: true }, 2);
    }
    await store.ledger.markPosting({ id: filePostId(ids[3] ?? ''), worker: null });

    const interrupted = await store.requestLog.interrupted();
    // A second start finds nothing to report.
    await notifyInterrupted(interrupted, parts);
    await notifyInterrupted(interrupted, parts);
    const words = work.slack.messages('@ada').map(({ text }) => text);
    expect(words.map((text) => text.replace('/report engagement last-week', '…'))).toEqual([
      'I restarted before answering …. Run it again.',
      'I restarted while sending the answer of …. If you cannot see it, send it again.',
      'I restarted before sending the file of …. Press CSV under the answer to get it.',
      'I restarted while sending the file of …. If you cannot see it, press CSV under the answer.',
    ]);
    expect(await Promise.all(ids.map(async (id) => (await store.requestLog.find(id))?.state))).toEqual([
      'failed',
      'unknown',
      'posted',
      'posted',
    ]);
    expect(work.posts(learning)).toEqual([]);
  });
});
