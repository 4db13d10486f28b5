import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serialQueue } from '../../../src/slack/transport/deliveries.js';

/** Records in `begun` which work has begun. */
function waitInTurn(work: ReturnType<typeof serialQueue>, names: string[], begun: string[]) {
  return Promise.all(
    names.map(async (name) => {
      await work.waitForTurn();
      begun.push(name);
    }),
  );
}

/** A delivery arrives, and is acknowledged at once. */
function arrive(work: ReturnType<typeof serialQueue>) {
  work.acknowledged(work.arrived());
}

describe('work', () => {
  it('begins at once if nothing else arrives, one piece at each turn of the event loop', async () => {
    const work = serialQueue();
    const begun: string[] = [];
    const all = waitInTurn(work, ['a', 'b', 'c'], begun);
    expect(begun).toEqual([]);
    for (const expected of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
      await nextTurn();
      expect(begun).toEqual(expected);
    }
    await all;
    await waitInTurn(work, ['later'], begun);
  });

  describe('while deliveries arrive', () => {
    beforeEach(() => {
      vi.useFakeTimers({
        toFake: ['setTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'performance'],
      });
    });
    afterEach(() => vi.useRealTimers());

    it('begins at once for one that arrives alone', async () => {
      const work = serialQueue();
      const begun: string[] = [];
      for (const name of ['a', 'b']) {
        arrive(work);
        waitInTurn(work, [name], begun);
        await vi.advanceTimersByTimeAsync(1);
        expect(begun).toContain(name);
        await vi.advanceTimersByTimeAsync(20);
      }
    });

    it('waits until they stop', async () => {
      const work = serialQueue();
      const begun: string[] = [];
      arrive(work);
      arrive(work);
      waitInTurn(work, ['a', 'b'], begun);
      for (let i = 0; i < 40; i += 1) {
        await vi.advanceTimersByTimeAsync(10);
        arrive(work);
      }
      expect(begun).toEqual([]);
      await vi.advanceTimersByTimeAsync(16);
      expect(begun).toEqual(['a', 'b']);
    });

    it('waits until those that arrived are acknowledged', async () => {
      const work = serialQueue();
      const begun: string[] = [];
      arrive(work);
      const arrival = work.arrived();
      waitInTurn(work, ['a'], begun);
      await vi.advanceTimersByTimeAsync(60);
      work.acknowledged(arrival);
      await vi.advanceTimersByTimeAsync(10);
      expect(begun).toEqual([]);
      await vi.advanceTimersByTimeAsync(20);
      expect(begun).toEqual(['a']);
    });

    it('does not wait for a form that takes long', async () => {
      const work = serialQueue();
      const begun: string[] = [];
      work.arrived();
      arrive(work);
      waitInTurn(work, ['a'], begun);
      await vi.advanceTimersByTimeAsync(130);
      expect(begun).toEqual(['a']);
    });

    it('waits at most a second', async () => {
      const work = serialQueue();
      const begun: string[] = [];
      const arriving = setInterval(() => arrive(work), 1);
      work.arrived();
      work.arrived();
      waitInTurn(work, ['a'], begun);
      await vi.advanceTimersByTimeAsync(990);
      expect(begun).toEqual([]);
      await vi.advanceTimersByTimeAsync(20);
      expect(begun).toEqual(['a']);
      clearInterval(arriving);
    });
  });
});
