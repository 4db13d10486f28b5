import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cadenceWords } from '../../src/requests/cadence-words.js';
import { parseCadence } from '../../src/requests/parse-cadence.js';
import { parseCommand } from '../../src/requests/parse-command.js';
import { parseRangeWords } from '../../src/requests/range-words.js';
import { findZone } from '../../src/schedule/time-zones.js';
import { accepted } from '../results.js';

const page = readFileSync(new URL('../../docs/asking.md', import.meta.url), 'utf8');

/** By the first word of a command. */
const kindOf: Record<string, string> = {
  schedule: 'schedule',
  save: 'save',
  list: 'list',
  weekly: 'saved',
  monday: 'saved',
};

const savedNames = ['Weekly views', 'Monday numbers', 'Team pulse'];

describe('the page on asking in words', () => {
  const commands = page.split('\n').filter((line) => /^\/report \w+/.test(line));
  it('shows commands', () => expect(commands.length).toBeGreaterThan(3));
  it.each(commands)('%s', (line) => {
    const [, first = ''] = line.split(' ');
    expect(accepted(parseCommand(line, { savedNames })).kind).toBe(kindOf[first.toLowerCase()] ?? 'run');
  });

  const quoted = [...page.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  const ranges = quoted.filter((code) => /^(?:last|next|since|20\d\d)\b.*\d/.test(code));
  it('shows ranges', () => expect(ranges.length).toBeGreaterThan(5));
  it.each(ranges)('%s', (range) => expect(parseRangeWords(range)).toHaveProperty('ok', true));

  const filters = quoted.filter((code) => /^(?:departments|groups):./.test(code));
  it.each(filters)('engagement %s', (filter) => {
    expect(accepted(parseCommand(`engagement ${filter}`, { savedNames: [] })).kind).toBe('run');
  });

  const cadences = quoted.filter((code) => /^(?:hourly|daily|week|every\b|month|quarter|cron)/.test(code));
  it('shows every kind of cadence', () => {
    for (const word of cadenceWords) expect(cadences.some((code) => code.startsWith(word))).toBe(true);
  });
  it.each(cadences)('%s', (cadence) => expect(parseCadence(cadence)).toHaveProperty('ok', true));

  const times = quoted.filter((code) => /^\d\d?(?::\d\d)?(?:am|pm)?$/.test(code));
  it.each(times)('daily %s', (time) => expect(parseCadence(`daily ${time}`)).toHaveProperty('ok', true));

  const zones = quoted.filter((code) => /^[A-Z]\w+\/\w+$/.test(code));
  it('shows zones', () => expect(zones.length).toBeGreaterThan(1));
  it.each(zones)('%s', (zone) => expect(findZone(zone)).toBe(zone));
});
