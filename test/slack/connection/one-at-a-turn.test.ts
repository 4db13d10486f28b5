import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { oneAtATurn } from '../../../src/slack/connection/one-at-a-turn.js';

it('lets one after the other go on, each at a turn of its own', async () => {
  const myTurn = oneAtATurn();
  const log: string[] = [];
  const works = ['a', 'b', 'c'].map(async (name) => {
    await myTurn();
    log.push(name);
  });
  expect(log).toEqual([]);
  for (const expected of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
    await nextTurn();
    expect(log).toEqual(expected);
  }
  await Promise.all(works);
  await myTurn();
});
