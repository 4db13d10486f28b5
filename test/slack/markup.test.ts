import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escaped, isUserId, splitAtMentions, stripSlackMarkup } from '../../src/slack/markup.js';

describe('stripping Slack’s markup', () => {
  it.each([
    ['departments:R&amp;D', 'departments:R&D'],
    ['a &lt; b &gt; c', 'a < b > c'],
    ['&amp;lt;', '&lt;'],
    ['&amp;amp;', '&amp;'],
    ['&quot; &nbsp; &', '&quot; &nbsp; &'],
    ['email:<mailto:ada@example.com|ada@example.com>', 'email:ada@example.com'],
    ['email:<mailto:ada@example.com>', 'email:ada@example.com'],
    [
      'email:<mailto:a@b.example|a@b.example>,<mailto:c@d.example|c@d.example>',
      'email:a@b.example,c@d.example',
    ],
    ['<http://example.com|example.com>', 'example.com'],
    ['<https://example.com/?a=1&amp;b=2>', 'https://example.com/?a=1&b=2'],
    ['departments:<http://x.example|x.example>', 'departments:x.example'],
    ['<tel:+4930123|030 123>', '030 123'],
    ['<@U123|ada> engagement', '@ada engagement'],
    ['<@U123|engagement>', '@engagement'],
    ['<@U123>', '@U123'],
    ['first_name:<@U123|ada>', 'first_name:ada'],
    ['first_name:Bob, <@U123|ada>', 'first_name:Bob, ada'],
    ['first_name:"<@U123|ada>"', 'first_name:"ada"'],
    ['<#C123|general>', '#general'],
    ['<#C123>', '#C123'],
    ['<#C123|>', '#C123'],
    ['audit <@U123|ada> last-week', 'audit @U123 last-week'],
    ['/report  Audit <#C123|general>', '/report  Audit #C123'],
    ['audited <@U123|ada>', 'audited @ada'],
    ['<!here>', '@here'],
    ['<!channel|channel>', '@channel'],
    ['<!subteam^S1|@sales>', '@sales'],
    ['<!subteam^S1>', '@S1'],
    ['<!date^1392734382^{date}|18 Feb 2014>', '18 Feb 2014'],
    ['<> <|> <foo> <a|b>', '<> <|> <foo> <a|b>'],
    ['a < b', 'a < b'],
    ['<<@U1|ada>>', '<@ada>'],
    ['<@U1|a&lt;@U2&gt;>', '@a<@U2>'],
  ])('%s', (dressed, plain) => expect(stripSlackMarkup(dressed)).toBe(plain));

  it('restores any text that Slack escaped', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('&', '<', '>', 'amp;', 'lt;', '@U1', '|', 'a', ':') }),
        (text) => {
          const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
          expect(stripSlackMarkup(escaped)).toBe(text);
        },
      ),
    );
  });
});

const zero = '\u200b';

describe('escaped text', () => {
  it.each([
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

  it('looks the same to people', () => {
    const text = 'a *b* _c_ ~d~ `e` :f: http://g.test';
    expect(escaped(text).replaceAll(zero, '')).toBe(text);
  });
});

it.each([
  ['U012ABC', true],
  ['W9', true],
  ['!channel', false],
  ['U1> <!here', false],
  ['ada', false],
])('%s is the id of a person: %s', (id, is) => expect(isUserId(id)).toBe(is));

it('finds mentions with and without a label', () => {
  const text = 'Hey <@U1|rollcall> engagement <@U10> <@U1> csv';
  expect(splitAtMentions(text, 'U1')).toEqual(['Hey ', ' engagement <@U10> ', ' csv']);
});
