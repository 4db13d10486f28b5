import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../src/errors/failure.js';
import { createLogger } from '../../src/logging/logger.js';

function linesOf(write: (log: ReturnType<typeof createLogger>) => void, level: 'debug' | 'info' = 'info') {
  const lines: string[] = [];
  write(createLogger({ level, forPeople: false, destination: { write: (line) => lines.push(line) } }));
  return lines;
}

const bot = 'xoxb-1234-abcdef';
const app = 'xapp-1-A1-99';
const secrets = [bot, app, 'ada@example.com', 'zoë.müller@schule.köln', 'Lovelace'];

describe('the log', () => {
  it('never holds a token of the settings, whatever its form', () => {
    const lines: string[] = [];
    const tokens = ['plain-token', 'with "quotes" \\ and (signs)', 'short'];
    const destination = { write: (line: string) => void lines.push(line) };
    const log = createLogger({ level: 'info', forPeople: false, tokens, destination });
    log.info({ note: `with ${tokens[1]}.`, short: 'short' }, `sent plain-token, PLAIN-TOKEN`);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      note: 'with [hidden].',
      short: 'short',
      msg: 'sent [hidden], [hidden]',
    });
  });

  it('hides what type and range errors quote', () => {
    const row: Record<string, { views: number } | undefined> = {};
    const fail = (work: () => unknown) => {
      try {
        return work();
      } catch (error) {
        return error;
      }
    };
    const errors = [
      fail(() => (row.none as unknown as Record<string, unknown>)['Ada Lovelace']),
      fail(() => new Intl.DateTimeFormat('en', { timeZone: 'Ada/Lovelace' })),
    ];
    const lines = linesOf((log) => {
      for (const err of errors) log.error({ err }, 'failed');
    });
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line).toContain('[hidden]');
      expect(line).not.toContain('Lovelace');
    }
  });

  it('is JSON lines with a time, a level and a message', () => {
    const [line = ''] = linesOf((log) => log.info({ rows: 12 }, 'An answer was read'));
    expect(JSON.parse(line)).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      rows: 12,
      msg: 'An answer was read',
    });
  });

  it.each<[string, (log: ReturnType<typeof createLogger>) => void]>([
    ['a message', (log) => log.info(`with ${bot} and ada@example.com`)],
    [
      'a message after a line break',
      (log) => log.info(`for\nada@example.com "${app}" \\ zoë.müller@schule.köln`),
    ],
    ['a gap in a message', (log) => log.info('to %s with %j', 'ada@example.com', { row: 'Lovelace' })],
    ['a header', (log) => log.info({ headers: { Authorization: 'Lovelace' } }, 'asked with Bearer Lovelace')],
    ['members with telling names', (log) => log.info({ a: { row: ['Lovelace'], body: { x: 'Lovelace' } } })],
    [
      'any member',
      (log) => log.info({ a: [{ b: { note: `${bot} ada@example.com` } }], 'ada@example.com': 1 }),
    ],
    ['a child', (log) => log.child({ for: 'ada@example.com' }).info('x')],
    ['an error', (log) => log.error(new Error(`${app} of ada@example.com`))],
    ['an error as a member', (log) => log.error({ error: new Error(bot) }, 'failed')],
    [
      'what an error carries',
      (log) =>
        log.error(
          Object.assign(new Error('no', { cause: new Error(bot) }), {
            data: { error: 'invalid_blocks', response_metadata: { messages: ['Lovelace'] } },
            original: { row: 'Lovelace' },
          }),
        ),
    ],
    [
      'what could not be parsed',
      (log) => {
        try {
          JSON.parse('{"last_name": Lovelace}');
        } catch (error) {
          log.error(error);
          log.error({ err: error }, 'failed');
        }
      },
    ],
  ])('contains no secret of %s', (_, write) => {
    const lines = linesOf(write);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(() => JSON.parse(line)).not.toThrow();
      for (const secret of secrets) expect(line).not.toContain(secret);
    }
  });

  it('keeps error codes, Slack’s reason and the stack', () => {
    const error = Object.assign(new Error('An API error occurred'), {
      code: 'slack_webapi_platform_error',
      data: { ok: false, error: 'channel_not_found' },
    });
    const [line = ''] = linesOf((log) => log.error(error));
    expect(JSON.parse(line)).toMatchObject({
      msg: 'An API error occurred',
      err: { code: 'slack_webapi_platform_error', slack: 'channel_not_found', stack: /logger\.test/ },
    });
  });

  it('keeps the code of a known failure, and none of its details', () => {
    const failure = new Failure('file-not-written', { reason: 'ENOSPC' });
    const [line = ''] = linesOf((log) => log.error({ err: failure }, 'failed'));
    const { err } = JSON.parse(line);
    expect(err).toMatchObject({ code: 'file-not-written', scope: 'ours', isRetryable: true });
    expect(err.details).toBeUndefined();
  });

  it('leaves out lines below its level', () => {
    expect(linesOf((log) => log.debug('x'))).toEqual([]);
    expect(linesOf((log) => log.debug('x'), 'debug')).toHaveLength(1);
  });

  it('can be formatted for people', () => {
    let text = '';
    const destination = new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk);
        done();
      },
    });
    createLogger({ level: 'info', forPeople: true, destination }).info({ port: 1 }, `Hello ${bot}`);
    expect(text).toMatch(/INFO.*Hello \[hidden\].*\n\s+.*port.*: .*1/);
  });
});
