import { describe, expect, it } from 'vitest';
import { removePerson } from '../../src/requests/erased-people.js';
import { parseCommand } from '../../src/requests/parse-command.js';
import { applyToSaved, formatRequest } from '../../src/requests/parse-request.js';
import { maskPeople } from '../../src/requests/person-level.js';
import { problemMessageText } from '../../src/requests/problem-messages.js';
import { accepted, refusalOf } from '../results.js';
import { requestOf } from './request-of.js';

const parse = (words: string) => parseCommand(words, { savedNames: [] });

describe('a condition', () => {
  it.each([
    ['assignments departments:!Sales,HR'],
    ['assessments score:<60'],
    ['tracks progress:>=50'],
    ['engagement views:=0'],
    ['engagement hired_on:this-year'],
    ['engagement last_login:none'],
    ['overdue suspended:any days_overdue:>30'],
    ['engagement departments:"none"'],
    ['engagement departments:"!Sales"'],
    ['engagement departments:Ops departments:!Sales,HR'],
    ['completions content_metadata."cost center":>5'],
    ['engagement email:!me'],
  ])('is read back as it is written: %s', (words) => expect(formatRequest(requestOf(words))).toBe(words));

  it.each([
    ['engagement grades:≥5', 'engagement grade:>=5'],
    ['engagement departments:!none', 'engagement departments:any'],
    ['engagement departments:!Sales departments:!HR', 'engagement departments:!Sales,HR'],
    ['engagement hired_on:last 30 days', 'engagement hired_on:last-30-days'],
    ['assignments content:!"Security, part 2"', 'assignments content_title:!"Security, part 2"'],
  ])('has one way to be written: %s', (words, canonical) =>
    expect(formatRequest(requestOf(words))).toBe(canonical),
  );

  it.each([
    ['assessments score:<', 'value-missing', 'a shell takes < and > away'],
    ['assessments score:', 'value-missing', 'a shell takes < and > away'],
    ['assessments score:< 60', 'value-missing', 'Did you mean “score:<60”?'],
    ['assessments score:60', 'sign-missing', 'Did you mean “score:=60”?'],
    ['assessments score:＞60', 'sign-missing', 'needs a sign before its value: =, !, >, >=, < or <=.'],
    ['assessments score:>60 score:<50', 'contradiction', '“score:>60” and “score:<50”'],
    ['engagement departments:Sales departments:!Sales', 'contradiction', '“departments:Sales”'],
    ['assessments score:>1,5', 'one-value', 'Did you mean “score:>1.5”?'],
    ['assessments score:>=12%', 'not-a-number', 'Did you mean “score:>=12”?'],
    ['engagement departments:Sales,!HR', 'sign-first', 'Did you mean “departments:!Sales,HR”?'],
    ['engagement departments:>5', 'no-order', 'holds words'],
    ['engagement hired_on:>2026-03-05T10:00', 'date-with-time', 'whole days'],
    ['tracks track.departments:!Sales', 'no-field', 'No row says'],
    ['completions content_metadata:none', 'key-missing', 'an admin has released'],
    [
      `engagement ${Array.from({ length: 51 }, (_, i) => `views:!${i} views:<${i + 100}`).join(' ')}`,
      'too-many',
      '50',
    ],
  ])('that cannot be is refused with the way out: %s', (words, reason, said) => {
    const problem = refusalOf(parse(words));
    expect(problem).toMatchObject({ kind: 'condition', reason });
    expect(problemMessageText(problem)).toContain(said);
  });
});

describe('fifty conditions', () => {
  const words = (many: number) =>
    `engagement ${Array.from({ length: many }, (_, i) => `views:<${i + 100}`).join(' ')}`;

  it('are read back as they are written, and one more is refused', () => {
    expect(formatRequest(requestOf(words(50)))).toBe(words(50));
    expect(refusalOf(parse(words(51)))).toMatchObject({ reason: 'too-many' });
  });
});

describe('on top of a saved report', () => {
  const saved = requestOf('engagement departments:Sales grade:!A views:>5');
  const onTop = (text: string) =>
    formatRequest(accepted(applyToSaved(saved, { text, from: 0, until: text.length })).request);

  it.each([
    ['departments:!HR', 'engagement departments:!HR grade:!A views:>5'],
    ['grades:B', 'engagement departments:Sales grades:B views:>5'],
    ['views:<3', 'engagement departments:Sales grade:!A views:<3'],
  ])('a member replaces both kinds: %s', (text, words) => {
    expect(new Set(onTop(text).split(' '))).toEqual(new Set(words.split(' ')));
  });
});

describe('a condition on people', () => {
  const request = requestOf('engagement email:!ada@example.com,bob@example.com departments:!Sales');

  it('is masked for others', () =>
    expect(formatRequest(maskPeople(request))).toBe('engagement email:!… departments:!Sales'));

  it('loses whoever is erased, and blocks the request with the last one', () => {
    const once = removePerson(request, 'ada@example.com');
    expect(once?.isBlocked).toBe(false);
    expect(once && formatRequest(once.request)).toContain('email:!bob@example.com');
    expect(once && removePerson(once.request, 'bob@example.com')?.isBlocked).toBe(true);
  });
});
