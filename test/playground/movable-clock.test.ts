import { describe, expect, test } from 'vitest';
import { createMovableClock } from '../../playground/movable-clock.js';

const hour = 3_600_000;

describe('a movable clock', () => {
  test('is the machine’s time plus the offset', () => {
    const clock = createMovableClock(() => 1000);
    clock.moveBy(hour);
    clock.moveBy(-600);
    expect([clock.now(), clock.offsetMs()]).toEqual([hour + 400, hour - 600]);
    clock.reset();
    expect([clock.now(), clock.offsetMs()]).toEqual([1000, 0]);
  });

  test('wakes a sleeper when a jump passes its time, and not before', async () => {
    const clock = createMovableClock();
    const woken: string[] = [];
    const long = clock.sleep(2 * hour).then(() => woken.push('two hours'));
    const short = clock.sleep(hour).then(() => woken.push('one hour'));
    clock.moveBy(hour + 1);
    await short;
    expect(woken).toEqual(['one hour']);
    clock.moveBy(hour);
    await long;
  });

  test('a jump back makes the sleep longer', async () => {
    let real = 0;
    const clock = createMovableClock(() => real);
    let awake = false;
    const sleep = clock.sleep(100).then(() => {
      awake = true;
    });
    clock.moveBy(-1000);
    real = 500;
    clock.moveBy(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(awake).toBe(false);
    clock.moveBy(700);
    await sleep;
  });

  test('sleeps longer than the maximum of a timer', async () => {
    const clock = createMovableClock();
    const sleep = clock.sleep(100 * 24 * hour);
    clock.moveBy(101 * 24 * hour);
    await sleep;
  });

  test('sleeps on real time, too', async () => {
    await createMovableClock().sleep(5);
  });

  test('a sleep can be aborted before and during it', async () => {
    const clock = createMovableClock();
    const reason = new Error('enough');
    await expect(clock.sleep(hour, AbortSignal.abort(reason))).rejects.toBe(reason);
    const stopping = new AbortController();
    const sleep = clock.sleep(hour, stopping.signal);
    stopping.abort(reason);
    await expect(sleep).rejects.toBe(reason);
  });

  test('reports jumps until the listener unsubscribes', () => {
    const clock = createMovableClock();
    let jumps = 0;
    const stop = clock.onJump(() => {
      jumps += 1;
    });
    clock.moveBy(hour);
    clock.moveBy(0);
    stop();
    clock.moveBy(hour);
    expect(jumps).toBe(1);
  });
});
