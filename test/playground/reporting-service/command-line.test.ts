import { describe, expect, it } from 'vitest';
import {
  HelpRequested,
  InvalidOptions,
  readCommandLine,
} from '../../../playground/reporting-service/command-line.js';

const read = (words: string) => readCommandLine(words === '' ? [] : words.split(' '));

function linesFor(words: readonly string[]): readonly string[] {
  try {
    readCommandLine(words);
  } catch (error) {
    if (error instanceof InvalidOptions) return error.lines;
    throw error;
  }
  return [];
}

describe('the command line', () => {
  it('has a default for everything', () => {
    expect(read('')).toMatchObject({
      port: 4010,
      token: 'rollcall-sandbox-token',
      auth: 'raw',
      filterBy: 'names',
    });
    expect(read('').now).toBeUndefined();
    expect(read('').faults).toMatchObject({
      latencyMs: 0,
      errorEvery: 0,
      burstEvery: 0,
      cutEvery: 0,
      shapes: false,
    });
  });

  it('takes every option', () => {
    const all =
      '--port 0 --token t --auth bearer --learners 7 --seed 9 --now 2026-11-20T10:00:00+01:00 --export e --ids --keep k ' +
      '--latency 5 --rate 11 --errors 6 --bursts 7 --burst-length 8 --retry-after 9 --cut 10 --shapes';
    const options = read(all);
    expect(options).toMatchObject({
      port: 0,
      token: 't',
      auth: 'bearer',
      learners: 7,
      seed: 9,
      exportTo: 'e',
      keep: 'k',
    });
    expect(options.now?.()).toBe(Date.UTC(2026, 10, 20, 9));
    expect(options.filterBy).toBe('identifiers');
    expect(options.faults).toEqual({
      ...{
        latencyMs: 5,
        recordsPerSecond: 11,
        errorEvery: 6,
        burstEvery: 7,
        burstLength: 8,
        retryAfterSeconds: 9,
        cutEvery: 10,
        shapes: true,
      },
    });
    expect(read('--data d')).toMatchObject({ data: 'd' });
    expect(read('--port=4711').port).toBe(4711);
  });

  it.each([
    ['2026-11-20', Date.UTC(2026, 10, 20)],
    ['2026-11-20T09:30', Date.UTC(2026, 10, 20, 9, 30)],
    ['2026-11-20T09:30:15Z', Date.UTC(2026, 10, 20, 9, 30, 15)],
    ['2026-11-20T09:30:15.250-05:00', Date.UTC(2026, 10, 20, 14, 30, 15, 250)],
  ])('takes the moment %s', (moment, milliseconds) => {
    expect(read(`--now ${moment}`).now?.()).toBe(milliseconds);
  });

  it.each([
    'yesterday',
    '',
    '2026',
    '2026-13-01',
    '2026-02-30T',
    '1763631000',
    '0001-01-01',
    '2026-11-20 09:30',
  ])('refuses the moment %j', (moment) => {
    expect(linesFor(['--now', moment])).toEqual([expect.stringContaining('--now')]);
  });

  it('lists every problem on a line', () => {
    const lines = linesFor(
      '--port 70000 --auth basic --learners 0 --seed x --errors -1 --data d --keep k'.split(' '),
    );
    for (const name of ['--port', '--auth', '--learners', '--seed', '--errors', '--keep']) {
      expect(lines.filter((line) => line.startsWith(name)).length).toBeGreaterThan(0);
    }
    for (const line of lines) expect(line).not.toContain('\n');
  });

  it.each([['--prot', '1'], ['--port'], ['--ids=yes'], ['extra'], ['--token', ''], ['--token', 'two words']])(
    'refuses %s %s',
    (...words) => {
      const lines = linesFor(words);
      expect(lines).toHaveLength(1);
      expect(lines[0]).not.toContain('\n');
    },
  );

  it('prints help', () => {
    expect(() => read('--help')).toThrow(HelpRequested);
  });
});
