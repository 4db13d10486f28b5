import { describe, expect, it } from 'vitest';
import { savedNameKey, validateSavedName } from '../../src/requests/saved-names.js';
import { accepted, refusalOf } from '../results.js';

describe('a name for a saved report', () => {
  it.each([
    ['Weekly sales', 'Weekly sales'],
    ['  Weekly\u00a0 sales ', 'Weekly sales'],
    ['engagements', 'engagements'],
    ['My engagement', 'My engagement'],
    ['Lists', 'Lists'],
    ['weekly', 'weekly'],
    ['last weeks', 'last weeks'],
    ['Team "Blue", & <co>', 'Team "Blue", & <co>'],
    ['x'.repeat(60), 'x'.repeat(60)],
    ['😀'.repeat(60), '😀'.repeat(60)],
  ])('can be %s', (typed, name) => expect(accepted(validateSavedName(typed))).toBe(name));

  it.each([
    ['', 'empty'],
    [' \u00a0\n', 'empty'],
    ['x'.repeat(61), 'too-long'],
    ['x'.repeat(300), 'too-long'],
    ['a:b', 'colon'],
    ['Engagement', 'begins-with-report'],
    ['user-engagement in May', 'begins-with-report'],
    ['tracks of mine', 'begins-with-report'],
    ['list', 'begins-with-command'],
    ['Help me', 'begins-with-command'],
    ['overdue ones', 'begins-with-command'],
    ['last-week', 'begins-with-range'],
    ['Last Week in sales', 'begins-with-range'],
    ['2026 plan', 'begins-with-range'],
    ['2026-02-30 plan', 'begins-with-range'],
    ['last 30 days of sales', 'begins-with-range'],
    ['2026-01 .. 2026-03 sales', 'begins-with-range'],
    ['tomorrow', 'begins-with-range'],
  ])('cannot be %j: %s', (typed, reason) => expect(refusalOf(validateSavedName(typed))).toBe(reason));

  it('is the same in another case and with other blanks', () => {
    expect(savedNameKey(' Weekly  SALES')).toBe(savedNameKey('weekly sales'));
    expect(savedNameKey('U\u0308berblick')).toBe(savedNameKey('überblick'));
    expect(savedNameKey('Weekly sales')).not.toBe(savedNameKey('Weeklysales'));
  });
});
