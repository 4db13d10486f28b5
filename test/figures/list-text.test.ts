import { describe, expect, test } from 'vitest';
import { KnownEntries } from '../../src/figures/list-text.js';

function split(text: string, listed: readonly string[] = []): readonly string[] {
  const whole = new KnownEntries();
  whole.add(listed);
  return whole.split(text);
}

describe('a list that came as one text', () => {
  test.each([
    ['Sales; Finance', ['Sales', 'Finance']],
    ['A, B', ['A', 'B']],
    ['Field Operations;Engineering', ['Field Operations', 'Engineering']],
    ['Legal, Tax; Sales', ['Legal, Tax', 'Sales']],
    [' ;; Sales ; ', ['Sales']],
    ['Sales', ['Sales']],
    [',', []],
  ])('%s', (text, entries) => expect(split(text)).toEqual(entries));

  test.each([
    ['A, B', ['A, B'], ['A, B']],
    ['A, B, C', ['A, B'], ['A, B', 'C']],
    ['C; A, B', ['A, B'], ['C', 'A, B']],
    ['A, B; C', ['A, B; C', 'A, B'], ['A, B; C']],
    ['R&D; Labs , Sales', ['R&D; Labs'], ['R&D; Labs', 'Sales']],
    ['A, Bergen', ['A, B'], ['A', 'Bergen']],
    ['A, B', ['A', 'B'], ['A', 'B']],
  ])('%s where a list held %j', (text, listed, entries) => expect(split(text, listed)).toEqual(entries));

  test('a long text of separators takes no long time', () => {
    const listed = ['x,'.repeat(200)];
    const text = `${'a,'.repeat(20_000)}b`;
    expect(split(text, listed)).toHaveLength(20_001);
  });
});
