import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseCommand } from '../../src/language/index.js';
import { parseRangeWords } from '../../src/reports/date-range-words.js';

const page = readFileSync(new URL('../../docs/asking.md', import.meta.url), 'utf8');

describe('the page on asking in words', () => {
  const commands = page.split('\n').filter((line) => /^\/report \w+ /.test(line));
  it('shows commands', () => expect(commands.length).toBeGreaterThan(3));
  it.each(commands)('%s', (line) => {
    expect(parseCommand(line, { savedNames: [] }).kind).toBe('run');
  });

  const quoted = [...page.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  const ranges = quoted.filter((code) => /^(?:last|next|since|20\d\d)\b.*\d/.test(code));
  it('shows ranges', () => expect(ranges.length).toBeGreaterThan(5));
  it.each(ranges)('%s', (range) => expect(parseRangeWords(range)).toHaveProperty('meaning'));

  const filters = quoted.filter((code) => /^(?:departments|groups):./.test(code));
  it.each(filters)('engagement %s', (filter) => {
    expect(parseCommand(`engagement ${filter}`, { savedNames: [] }).kind).toBe('run');
  });
});
