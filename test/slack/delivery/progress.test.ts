import type { WebClient } from '@slack/web-api';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  editBudget,
  type ProgressDestination,
  progressDestination,
  showProgress,
} from '../../../src/slack/answers/progress.js';
import type { ResponseUrl } from '../../../src/slack/context/request-context.js';

describe('the edits of progress messages', () => {
  it('never exceed the budget in any minute', () => {
    const asks = fc.array(fc.tuple(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 8 })), {
      maxLength: 400,
    });
    fc.assert(
      fc.property(asks, (steps) => {
        let now = 1_000_000;
        const budget = editBudget(30, () => now);
        const taken: number[] = [];
        for (const [passed, run] of steps) {
          now += passed;
          if (budget.take(`run ${run}`)) taken.push(now);
        }
        for (const at of taken) {
          expect(taken.filter((other) => other > at - 60_000 && other <= at).length).toBeLessThanOrEqual(30);
        }
      }),
    );
  });

  it('are shared fairly: when they run short, each run gets one before any gets two', () => {
    let now = 1_000_000;
    const budget = editBudget(30, () => now);
    const served = new Map<string, number>();
    for (let second = 0; second < 60; second += 2) {
      now += 2000;
      for (const run of ['a', 'b', 'c', 'd']) {
        if (budget.take(run)) served.set(run, (served.get(run) ?? 0) + 1);
      }
    }
    const counts = [...served.values()];
    expect(counts).toHaveLength(4);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(30);
  });

  it('are not reserved for runs that have ended', () => {
    let now = 1_000_000;
    const budget = editBudget(4, () => now);
    expect(budget.take('gone')).toBe(true);
    now += 1;
    expect(budget.take('here')).toBe(true);
    now += 1;
    expect(budget.take('here')).toBe(false);
    budget.release('gone');
    expect(budget.take('here')).toBe(true);
  });
});

describe('the progress of a run', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Shows progress with a client that records its calls; `failing` lists methods that fail. */
  function shown(
    destination: ProgressDestination = { kind: 'message', channel: 'C1', thread: '1.1' },
    failing: readonly string[] = [],
    mayShow?: Promise<void>,
  ) {
    const calls: string[] = [];
    const method = (name: string) => async (args: { channel: string; ts?: string; text?: string }) => {
      calls.push([name, args.channel, args.ts, args.text].filter(Boolean).join(' '));
      if (failing.includes(name)) throw new Error(`${name} failed`);
      return { ok: true, ts: '5.5' };
    };
    const chat = { postMessage: method('post'), update: method('update'), delete: method('delete') };
    const client = { chat } as unknown as WebClient;
    const edits = editBudget(30, () => performance.now());
    const progress = showProgress('ID', () => 'Engagement', destination, { client, edits }, mayShow);
    return { progress, calls };
  }

  const first = 'post C1 Running Engagement. Waiting for the Reporting Service.';

  it('is not shown for an answer within three seconds', async () => {
    const { progress, calls } = shown();
    await vi.advanceTimersByTimeAsync(2_999);
    expect(await progress.finishFor('C1')).toBeUndefined();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toEqual([]);
  });

  it('is not shown before it may be, and then at once', async () => {
    let allow = () => {};
    const allowed = new Promise<void>((resolve) => {
      allow = resolve;
    });
    const { calls } = shown(undefined, [], allowed);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls).toEqual([]);
    allow();
    await vi.advanceTimersByTimeAsync(0);
    expect(calls).toEqual([first]);
  });

  it('is not shown where it may never be, nor is a wait', async () => {
    const reply = vi.fn(async () => {});
    const refused = Promise.reject(new Error('disk full'));
    refused.catch(() => {});
    for (const destination of [undefined, { kind: 'reply', reply } as const]) {
      const { progress, calls } = shown(destination, [], refused);
      progress.waits(120_000);
      await vi.advanceTimersByTimeAsync(10_000);
      await progress.remove();
      expect(calls).toEqual([]);
    }
    expect(reply).not.toHaveBeenCalled();
  });

  it('is posted after three seconds, and edited every two seconds if it has changed', async () => {
    const { progress, calls } = shown();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(calls).toEqual([first]);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(calls).toHaveLength(1);
    progress.records(1_200);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls[1]).toBe('update C1 5.5 Running Engagement. 1,200 records so far.');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls).toHaveLength(2);
    await progress.remove();
  });

  it('shows how long the run waits for the service', async () => {
    const { progress, calls } = shown();
    await vi.advanceTimersByTimeAsync(3_000);
    progress.waits(150_000);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(calls[1]).toContain('in about 3 minutes');
    await progress.remove();
  });

  it('passes its message to the answer, and does not delete it then', async () => {
    const { progress, calls } = shown();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await progress.finishFor('C1')).toBe('5.5');
    progress.markReplaced();
    await progress.remove();
    progress.records(7);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls).toEqual([first]);
  });

  it('is deleted if the answer goes to another channel', async () => {
    const { progress, calls } = shown();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await progress.finishFor('D1')).toBeUndefined();
    expect(calls).toEqual([first, 'delete C1 5.5']);
  });

  it('does not fail the run if Slack rejects it', async () => {
    const { progress, calls } = shown(undefined, ['post']);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(calls).toEqual([first]);
    expect(await progress.finishFor('C1')).toBeUndefined();
    await progress.remove();
    expect(calls).toEqual([first]);
  });

  it('is one reply to the asker, and one about a wait, if the bot is not a member', async () => {
    const toAsker = vi.fn(async (_message: { text: string }) => ({ kind: 'posted' }));
    const { progress, calls } = shown({ kind: 'reply', reply: toAsker });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(toAsker).toHaveBeenCalledTimes(1);
    for (const wait of [120_000, 180_000]) progress.waits(wait);
    await vi.advanceTimersByTimeAsync(0);
    expect(toAsker.mock.lastCall?.[0].text).toContain('in about 2 minutes');
    expect(toAsker).toHaveBeenCalledTimes(2);
    await progress.remove();
    expect(calls).toEqual([]);
  });
});

describe('where progress is shown', () => {
  const responseUrl = {} as ResponseUrl;
  const conversation = { channel: 'C1', thread: '1.1', personLevel: 'allowed', responseUrl } as const;

  it.each([
    [
      'in the thread of the request',
      'member',
      undefined,
      undefined,
      { kind: 'message', channel: 'C1', thread: '1.1' },
    ],
    [
      'in the thread of the summary',
      'member',
      '9.9',
      undefined,
      { kind: 'message', channel: 'C1', thread: '9.9' },
    ],
    ['as a reply', 'elsewhere', undefined, undefined, { kind: 'reply', reply: expect.any(Function) }],
    ['in the direct messages', 'member', undefined, 'D1', { kind: 'message', channel: 'D1' }],
  ] as const)('%s', (_where, kind, fileInto, direct, destination) => {
    const run = { conversation: { ...conversation, kind }, fileInto };
    expect(progressDestination(run, direct)).toEqual(destination);
  });
});
