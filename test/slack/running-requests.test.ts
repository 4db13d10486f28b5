import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runningRequests } from '../../src/slack/answers/running-requests.js';
import { propertyRuns } from '../property-runs.js';

/** Begins runs of a person, and lists those whose turn has come. */
function beginning(running: ReturnType<typeof runningRequests>) {
  const started: string[] = [];
  const failed: unknown[] = [];
  return {
    started,
    failed,
    begin(id: string, asker = 'U1') {
      running.begin(id, asker).turn.then(
        () => started.push(id),
        (error: unknown) => failed.push(error),
      );
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the requests of one person', () => {
  it('run three at a time, the oldest first, and delay nobody else', async () => {
    const running = runningRequests();
    const { begin, started } = beginning(running);
    for (const id of ['1', '2', '3', '4', '5']) begin(id);
    begin('other', 'U2');
    await settled();
    expect(started).toEqual(['1', '2', '3', 'other']);
    running.end('2');
    await settled();
    expect(started).toEqual(['1', '2', '3', 'other', '4']);
  });

  it('can be cancelled while they wait', async () => {
    const running = runningRequests();
    const { begin, started, failed } = beginning(running);
    for (const id of ['1', '2', '3', '4', '5']) begin(id);
    expect(running.cancel('4', 'U1')).toBe('cancelled');
    running.end('4');
    running.end('1');
    await settled();
    expect(started).toEqual(['1', '2', '3', '5']);
    expect(failed).toEqual([expect.objectContaining({ code: 'cancelled' })]);
  });

  it('end where they are no longer wanted, unless no log knows them', async () => {
    const running = runningRequests();
    const { signal: logged } = running.begin('logged', 'U1');
    const { signal: unlogged } = running.begin('search', 'U1', false);
    const stillWanted = async (ids: readonly string[]) => {
      expect(ids).toEqual(['logged']);
      return [];
    };
    await running.endUnwanted({ stillWanted, cancelled: async () => [] });
    expect([logged.aborted, unlogged.aborted]).toEqual([true, false]);
  });

  it('are not looked for in the log before they are in it, and end where they cannot be', async () => {
    const running = runningRequests();
    const reason = new Error('disk full');
    running.begin('logged', 'U1', Promise.resolve());
    const { signal: unlogged } = running.begin('failed', 'U1', Promise.reject(reason));
    const lookedFor: string[][] = [];
    const stillWanted = async (ids: readonly string[]) => {
      lookedFor.push([...ids]);
      return [...ids];
    };
    const look = () => running.endUnwanted({ stillWanted, cancelled: async () => [] });
    await look();
    await settled();
    await look();
    expect(lookedFor).toEqual([['logged']]);
    expect(unlogged.reason).toBe(reason);
  });

  it('get no place beyond three that run and ten that wait, until one ends', () => {
    const running = runningRequests();
    const releases = Array.from({ length: 13 }, () => running.reserve('U1'));
    expect(releases.every((release) => release !== undefined)).toBe(true);
    expect(running.reserve('U1')).toBeUndefined();
    expect(running.reserve('U2')).toBeDefined();
    releases[0]?.();
    expect(running.reserve('U1')).toBeDefined();
  });

  it('keep the place that they had in a process that has ended', () => {
    const running = runningRequests();
    for (let count = 0; count < 13; count += 1) running.reserve('U1');
    expect(running.reserve('U1', true)).toBeDefined();
    expect(running.reserve('U1')).toBeUndefined();
  });

  it('are at most three, and none waits beside a free place, whatever begins and ends', async () => {
    const step = fc.oneof(fc.constant('begin' as const), fc.nat(20));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const running = runningRequests();
        const { begin, started } = beginning(running);
        const open: string[] = [];
        let count = 0;
        for (const one of steps) {
          if (one === 'begin') {
            count += 1;
            open.push(String(count));
            begin(String(count));
          } else {
            const [ended] = open.splice(one % Math.max(1, open.length), 1);
            if (ended !== undefined) running.end(ended);
          }
          await settled();
          const active = open.filter((id) => started.includes(id));
          expect(active).toHaveLength(Math.min(3, open.length));
        }
      }),
      { numRuns: propertyRuns(60) },
    );
  });
});
