import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { longQuestions } from '../../src/assistants/long-questions.js';

const limits = { answerWithinMs: 50_000, askAgainWithinMs: 60_000 };

/** Questions whose work ends when the test says so, on a clock of the test. */
function setUp() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const questions = longQuestions<string>(limits);
  const runs: { answer: (text: string) => void; fail: (error: Error) => void; signal: AbortSignal }[] = [];
  const work = (signal: AbortSignal) =>
    new Promise<string>((answer, fail) => {
      runs.push({ answer, fail, signal });
      signal.addEventListener('abort', () => fail(new Error('cancelled')));
    });
  const ask = (key = 'a', hungUp = new AbortController().signal, endsAlone = false) =>
    questions.ask({ key, hungUp, endsAlone }, work);
  return { ask, runs };
}

describe('a question', () => {
  it('gets its answer in time, and runs again when it is asked later', async () => {
    const { ask, runs } = setUp();
    const asked = ask();
    runs[0]?.answer('41%');
    expect(await asked).toBe('41%');
    void ask();
    expect(runs).toHaveLength(2);
  });

  it('runs once for all who ask it meanwhile', async () => {
    const { ask, runs } = setUp();
    const all = [ask(), ask(), ask('b')];
    expect(runs).toHaveLength(2);
    for (const run of runs) run.answer('41%');
    expect(await Promise.all(all)).toEqual(['41%', '41%', '41%']);
  });

  it('that takes longer goes on, and its answer waits for the next time', async () => {
    const { ask, runs } = setUp();
    const first = ask();
    await vi.advanceTimersByTimeAsync(50_000);
    expect(await first).toBeUndefined();
    await vi.advanceTimersByTimeAsync(20_000);
    runs[0]?.answer('late');
    await vi.advanceTimersByTimeAsync(35_000);
    expect(await ask()).toBe('late');
    expect(runs).toHaveLength(1);
    expect(runs[0]?.signal.aborted).toBe(false);
  });

  it('is cancelled a minute after it said how far it is, unless it is asked again', async () => {
    const { ask, runs } = setUp();
    void ask();
    await vi.advanceTimersByTimeAsync(50_000 + 59_000);
    expect(runs[0]?.signal.aborted).toBe(false);
    void ask();
    await vi.advanceTimersByTimeAsync(50_000 + 59_000);
    expect(runs[0]?.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs[0]?.signal.aborted).toBe(true);
    void ask();
    expect(runs).toHaveLength(2);
  });

  it('is cancelled when its only client hangs up before any answer', async () => {
    const { ask, runs } = setUp();
    const [one, other] = [new AbortController(), new AbortController()];
    const asked = [ask('a', one.signal), ask('a', other.signal)];
    one.abort();
    expect(await asked[0]).toBeUndefined();
    expect(runs[0]?.signal.aborted).toBe(false);
    other.abort();
    expect(await asked[1]).toBeUndefined();
    expect(runs[0]?.signal.aborted).toBe(true);
    expect(await Promise.race([ask('c', AbortSignal.abort()), 'none'])).toBe('none');
  });

  it('whose client hangs up later has a minute to be asked again', async () => {
    const { ask, runs } = setUp();
    void ask();
    await vi.advanceTimersByTimeAsync(50_000);
    const hangUp = new AbortController();
    const second = ask('a', hangUp.signal);
    hangUp.abort();
    expect(await second).toBeUndefined();
    expect(runs[0]?.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs[0]?.signal.aborted).toBe(true);
  });

  it('that ends alone is not cancelled for want of a client, but for one that never had an answer', async () => {
    const { ask, runs } = setUp();
    void ask('rows', undefined, true);
    await vi.advanceTimersByTimeAsync(500_000);
    expect(runs[0]?.signal.aborted).toBe(false);
    runs[0]?.answer('sent');
    await vi.advanceTimersByTimeAsync(0);
    void ask('rows', AbortSignal.abort(), true);
    await vi.advanceTimersByTimeAsync(0);
    expect(runs[1]?.signal.aborted).toBe(true);
  });

  it('that fails, fails for its client', async () => {
    const { ask, runs } = setUp();
    const asked = ask();
    runs[0]?.fail(new Error('down'));
    await expect(asked).rejects.toThrow('down');
  });
});
