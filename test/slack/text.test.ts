import { describe, expect, test } from 'vitest';
import { escaped, isUserId } from '../../src/slack/markup.js';

const zero = '\u200b';

describe('escaped text', () => {
  test.each([
    ['<!channel> & <@U1>', '&lt;!channel&gt; &amp; &lt;@U1&gt;'],
    ['*bold* and _italic_', `${zero}*${zero}bold${zero}*${zero} and ${zero}_${zero}italic${zero}_${zero}`],
    ['by:content_title', 'by:content_title'],
    ['snake_case_word', 'snake_case_word'],
    ['~~~', `${zero}~${zero}${zero}~${zero}${zero}~${zero}`],
    ['> quoted', `${zero}&gt; quoted`],
    [':tada: yes', `:${zero}tada: yes`],
    ['departments:Sales teams:Blue', 'departments:Sales teams:Blue'],
    ['https://a.test', `https:${zero}//a.test`],
  ])('%j becomes %j', (text, safe) => expect(escaped(text)).toBe(safe));

  test('reads the same to a person', () => {
    const text = 'a *b* _c_ ~d~ `e` :f: http://g.test';
    expect(escaped(text).replaceAll(zero, '')).toBe(text);
  });
});

test.each([
  ['U012ABC', true],
  ['W9', true],
  ['!channel', false],
  ['U1> <!here', false],
  ['ada', false],
])('%s is the id of a person: %s', (id, is) => expect(isUserId(id)).toBe(is));
