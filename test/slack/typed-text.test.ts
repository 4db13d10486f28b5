import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCommand } from '../../src/requests/parse-command.js';
import { noKnownNames } from '../../src/requests/sentences/known-names.js';
import { readSentence } from '../../src/requests/sentences/read-sentence.js';
import { maxInputLength, maxMarkedUpLength, readTypedText } from '../../src/slack/markup.js';
import { keptDelivery, withClippedTexts } from '../../src/slack/transport/deliveries.js';
import { propertyRuns } from '../property-runs.js';

const pieces = fc.constantFrom(
  ...[
    '"',
    '“',
    "'",
    ',',
    ':',
    '<',
    '>',
    '<@',
    '<@U1|',
    '<http://',
    '|',
    '&amp;',
    '&',
    '*',
    '_',
    '-',
    '..',
    '\\',
    '(',
    ')',
  ],
  ...[
    ' ',
    '\t',
    '\n',
    '\u0000',
    '\u200b',
    '😀',
    'e\u0301',
    '9',
    '99999999999',
    '2026-03-01',
    'last-',
    'january ',
    'not ',
  ],
  ...[
    'assignments ',
    'asignments ',
    'departments:',
    'departmnts:',
    'score:>',
    'only:',
    'by:',
    'fields:',
    'content:"',
    'save x: ',
  ],
  ...[
    'schedule ',
    'daily 9:00 ',
    'cron "',
    'who has ',
    'overdue ',
    'audit ',
    '/report ',
    ';',
    '!',
    '@a ',
    'ABC ',
  ],
);
/** A word repeated, words at random, or both. */
const nasty = (length: number) =>
  fc
    .array(fc.tuple(pieces, fc.integer({ min: 1, max: length })), { minLength: 1, maxLength: 12 })
    .map((parts) =>
      parts
        .map(([piece, times]) => piece.repeat(times))
        .join('')
        .slice(0, length),
    );

describe('a typed text', () => {
  it('is not read where it is too long', () => {
    expect(readTypedText('a'.repeat(4_001)).ok).toBe(false);
    expect(readTypedText(`<mailto:${'a'.repeat(3_990)}|b>`)).toEqual({ ok: true, value: 'b' });
    expect(readTypedText('&amp;'.repeat(4_000))).toMatchObject({ ok: false });
    expect(readTypedText('&lt;'.repeat(3_000))).toEqual({ ok: true, value: '<'.repeat(3_000) });
  });

  it('is read without an error, into a problem that is not much longer, whatever it is', () => {
    fc.assert(
      fc.property(nasty(40_000), (text) => {
        const typed = readTypedText(text);
        if (!typed.ok) return;
        expect(typed.value.length).toBeLessThanOrEqual(4_000);
        const parsed = parseCommand(typed.value, { savedNames: ['Quarterly', 'sales by team'] });
        if (parsed.ok) return;
        const { corrected = '', understood = '', nearest: near = '', word } = parsed.refusal;
        // Quotes and separators may be added to each word, and nothing is repeated.
        for (const said of [corrected, understood, near, word])
          expect(said.length).toBeLessThanOrEqual(4 * typed.value.length + 200);
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  it('is read as a sentence with three readings at most, whatever it is', () => {
    const context = {
      known: noKnownNames,
      savedNames: ['Quarterly'],
      request: undefined,
      now: Date.UTC(2026, 10, 20),
      zone: 'Europe/Berlin',
      weekStart: 'monday',
    } as const;
    fc.assert(
      fc.property(nasty(600), (text) => {
        const { readings } = readSentence(text, context);
        expect(readings.length).toBeLessThanOrEqual(3);
        for (const reading of readings) expect(reading.length).toBeLessThanOrEqual(4 * text.length + 200);
      }),
      { numRuns: propertyRuns(60) },
    );
  });
});

describe('a delivery', () => {
  const longest = (value: unknown): number => {
    if (typeof value === 'string') return value.length;
    if (typeof value !== 'object' || value === null) return 0;
    return Math.max(0, ...Object.values(value).map(longest));
  };
  const long = 'x'.repeat(40_000);
  const person = { user: { id: 'U1', team_id: 'T1' }, team: { id: 'T1' } };

  it.each<[string, Record<string, unknown>]>([
    ['a command', { command: '/report', text: long, user_id: 'U1', channel_id: 'C1' }],
    ['a mention', { event: { type: 'app_mention', user: 'U1', channel: 'C1', text: long, ts: '1.1' } }],
    [
      'a direct message',
      { event: { type: 'message', channel_type: 'im', user: 'U1', channel: 'D1', text: long, ts: '1.1' } },
    ],
    ['a press', { type: 'block_actions', ...person, actions: [{ action_id: 'run_words', value: long }] }],
    ['a suggestion', { type: 'block_suggestion', ...person, value: long, view: { state: { values: {} } } }],
    [
      'a form',
      {
        type: 'view_submission',
        ...person,
        view: { state: { values: { name: { name: { type: 'plain_text_input', value: long } } } } },
      },
    ],
    [
      'a choice in a form',
      {
        type: 'block_actions',
        ...person,
        actions: [{ action_id: 'builder_input' }],
        view: { type: 'modal', state: { values: { a: { b: { value: long } } } } },
      },
    ],
  ])('of %s has no longer text than its limit allows, and is stored so', (_what, body) => {
    const clipped = withClippedTexts(body);
    expect(longest(clipped)).toBeLessThanOrEqual(maxMarkedUpLength + 1);
    if ('actions' in body || 'view' in body) expect(longest(clipped)).toBe(maxInputLength + 1);
    const payload = JSON.parse(keptDelivery(clipped, 'd1', 'r1', 1)?.payload ?? '{}');
    expect(longest(payload)).toBeLessThanOrEqual(maxMarkedUpLength + 1);
    // What is not too long stays as it was.
    const short = JSON.parse(JSON.stringify(body).replaceAll(long, 'short'));
    expect(withClippedTexts(short)).toEqual(short);
  });
});
