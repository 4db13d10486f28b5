import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainTextOf, safeReply } from '../../src/slack/assistants/safe-reply.js';
import { escaped } from '../../src/slack/markup.js';

const reply = (text: string) => ({
  text,
  data: { sentence: text, deep: [{ text }] },
  outcome: 'answered' as const,
});

describe('a reply to an assistant', () => {
  it.each([
    ['ada@example.com is overdue', '… is overdue'],
    ['“ada.moreau+x@mail.example.co.uk”, “noah@example.com”.', '“…”, “…”.'],
    ['mailto:ada@example.com|x', 'mailto:…|x'],
    ['5 @ 3 and score:<60 <!', '5 @ 3 and score:<60 <\u200b!'],
    [
      '<@U1> <!channel> <#C1> <https://evil.example|x>',
      '<\u200b@U1> <\u200b!channel> <\u200b#C1> <\u200bhttps://evil.example|x>',
    ],
  ])('holds no address and no markup: %s', (given, shown) => {
    expect(safeReply(reply(given))).toEqual(reply(shown));
  });

  it('holds no address, whatever is around it', () => {
    const around = fc.string({ unit: fc.constantFrom(...' "“”\'(),;:<>[]|=\n.') });
    fc.assert(
      fc.property(fc.emailAddress(), around, around, (email, before, after) => {
        expect(safeReply(reply(`${before}${email}${after}`)).text).not.toContain(email);
      }),
    );
  });

  it('has the text of a message without what kept Slack from formatting it', () => {
    for (const text of [
      'overdue by:departments',
      'a < b & c > d',
      '*bold* _x_ `y`',
      ':smile: https://x.example',
    ])
      expect(plainTextOf(escaped(text))).toBe(text);
  });
});
