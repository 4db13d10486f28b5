import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../playground/command-line.js';

const read = (words: string, port?: string) =>
  readCommandLine(
    words.split(' ').filter((word) => word !== ''),
    port,
  );

describe('the options of the playground', () => {
  it('have defaults', () => {
    expect(read('')).toEqual({ ok: true, value: { port: 3000, people: 400, slow: false, processes: 1 } });
    expect(read('', '')).toMatchObject({ value: { port: 3000 } });
  });

  it('make it large and slow', () => {
    expect(read('--people 20000 --slow', '0')).toEqual({
      ok: true,
      value: { port: 0, people: 20_000, slow: true, processes: 1 },
    });
  });

  it.each([
    ['--people 19', '--people is "19". It must be a number from 20 to 100000.'],
    ['--people 100001', '--people is "100001". It must be a number from 20 to 100000.'],
    ['--people 1e3', '--people is "1e3". It must be a number from 20 to 100000.'],
    ['--people', "Option '--people <number>' argument missing."],
    ['--peple 40', "Unknown option '--peple' (Did you mean --people?)"],
    ['--slow=yes', "Unknown option '--slow=yes'."],
    ['20000', 'Too many arguments. Expected 0 arguments but got 1.'],
  ])('refuse %s', (words, sentence) => {
    expect(read(words)).toEqual({ ok: false, refusal: sentence });
  });

  it.each(['3000x', '70000', '-1'])('refuse the port %s', (port) => {
    expect(read('', port)).toEqual({
      ok: false,
      refusal: `PORT is "${port}". It must be a number from 0 to 65535.`,
    });
  });

  it('are listed by --help, with the variable PORT', () => {
    const help = read('--help');
    expect(help).toMatchObject({ ok: true, value: { help: expect.stringContaining('--people <number>') } });
    expect(help).toMatchObject({ value: { help: expect.stringMatching(/--slow[\s\S]*PORT/) } });
  });
});
