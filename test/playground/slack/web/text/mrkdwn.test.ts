import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeEntities,
  type Inline,
  type MrkdwnBlock,
  parseMrkdwn,
} from '../../../../../playground/slack/web/text/mrkdwn.js';
import { anyCharacter } from '../../../../any-character.js';

const rules = { verbatim: false };

/** One line's pieces in a short notation: `b(bold) i() s() code[] link[]`, text as it stands. */
function pieces(text: string, verbatim = false): string {
  return parseMrkdwn(text, { verbatim }).map(written).join('¶');
}

function written(block: MrkdwnBlock): string {
  if (block.type === 'preformatted') return `pre[${block.text}]`;
  if (block.type === 'quote') return `quote{${block.blocks.map(written).join('¶')}}`;
  return block.children.map(inline).join('');
}

function inline(piece: Inline): string {
  switch (piece.type) {
    case 'text':
      return piece.text;
    case 'bold':
    case 'italic':
    case 'strike':
      return `${piece.type.charAt(0)}(${piece.children.map(inline).join('')})`;
    case 'code':
      return `code[${piece.text}]`;
    case 'link':
      return `link[${piece.url}|${piece.label}]`;
    case 'user':
    case 'channel':
    case 'usergroup':
      return `${piece.type}[${piece.id}]`;
    case 'broadcast':
      return `broadcast[${piece.range}]`;
    case 'date':
      return `date[${piece.seconds}|${piece.format}|${piece.fallback}]`;
    case 'emoji':
      return `emoji[${piece.name}]`;
  }
}

describe('mrkdwn', () => {
  it.each([
    ['*bold* and _italic_ and ~gone~', 'b(bold) and i(italic) and s(gone)'],
    ['*bold _both_*', 'b(bold i(both))'],
    ['snake_case_word and 2*3*4', 'snake_case_word and 2*3*4'],
    ['* not bold*', '* not bold*'],
    ['*not bold *', '*not bold *'],
    ['*over\nlines*', '*over\nlines*'],
    ['(*hugged*)', '(b(hugged))'],
    ['*bold*tail', '*bold*tail'],
    ['`*code*`', 'code[*code*]'],
    ['`a &lt; b`', 'code[a < b]'],
    ['# no heading', '# no heading'],
    ['- no\n- list', '- no\n- list'],
    ['1. no list', '1. no list'],
    ['**not markdown**', '**not markdown**'],
    ['[label](https://example.com/x)', '[label](link[https://example.com/x|https://example.com/x])'],
  ])('reads %j as Slack does', (text, expected) => {
    expect(pieces(text)).toBe(expected);
  });

  it.each([
    ['<@U01ABC>', 'user[U01ABC]'],
    ['<@U01ABC|ada>', 'user[U01ABC]'],
    ['<#C01ABC|>', 'channel[C01ABC]'],
    ['<!subteam^S01>', 'usergroup[S01]'],
    ['<!here> <!channel|x>', 'broadcast[here] broadcast[channel]'],
    ['<https://example.com/?a=1&amp;b=2|the *page*>', 'link[https://example.com/?a=1&b=2|the *page*]'],
    ['<mailto:a@example.com|a@example.com>', 'link[mailto:a@example.com|a@example.com]'],
    ['<!date^1795000000^{date_short} {time}|20 Nov>', 'date[1795000000|{date_short} {time}|20 Nov]'],
    ['see https://example.com/a_b_c.', 'see link[https://example.com/a_b_c|https://example.com/a_b_c].'],
    ['@here now', 'broadcast[here] now'],
    [':tada: 10:30:00', 'emoji[tada] 10emoji[30]00'],
  ])('finds what %j names', (text, expected) => {
    expect(pieces(text)).toBe(expected);
  });

  it('never makes mentions or links from escaped text', () => {
    expect(pieces('&lt;@U01ABC&gt; &lt;!channel&gt; &lt;https://x.example|y&gt;', true)).toBe(
      '<@U01ABC> <!channel> <https://x.example|y>',
    );
  });

  it('never makes a link to a script', () => {
    expect(pieces('<javascript:alert(1)|click>')).toBe('<javascript:alert(1)|click>');
    expect(pieces('<data:text/html,x|click>')).toBe('<data:text/html,x|click>');
  });

  it('keeps URLs and @here as text in verbatim text', () => {
    expect(pieces('https://example.com @here', true)).toBe('https://example.com @here');
  });

  it.each([
    ['before\n&gt; one\n&gt; two\nafter', 'before¶quote{one\ntwo}¶after'],
    ['> raw', 'quote{raw}'],
    ['&gt;&gt;&gt; all\nof it', 'quote{all\nof it}'],
    ['a\n```\nx = *1*\n```\nb', 'a¶pre[x = *1*\n]¶b'],
  ])('parts %j into blocks', (text, expected) => {
    expect(pieces(text)).toBe(expected);
  });

  it('never fails, and keeps every letter of a text without markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
        parseMrkdwn(text, rules);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'aB9 .,()-') }), (text) => {
        expect(pieces(text)).toBe(text);
      }),
    );
  });

  it('shows escaped text unescaped, apart from its markup', () => {
    const escaped = (text: string) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab<>&@#!|^ ') }), (typed) => {
        const text = `x${typed}`;
        expect(pieces(escaped(text), true)).toBe(text);
        expect(decodeEntities(escaped(text))).toBe(text);
      }),
    );
  });

  it('is fast on adversarial text', () => {
    for (const text of [
      '*'.repeat(3000),
      '_a '.repeat(1000),
      '<'.repeat(3000),
      '`'.repeat(3000),
      '~*'.repeat(1500),
    ]) {
      expect(parseMrkdwn(text, rules).length).toBeGreaterThan(0);
    }
  });
});

describe('text with zero-width spaces is not formatted', () => {
  const zero = '\u200b';
  it.each(['*bold*', '_italic_', '~gone~', '`code`', '0 9 * * 1-5'])('%s', (text) => {
    const kept = text.replace(/[*_~`]/g, (mark) => `${zero}${mark}${zero}`);
    expect(pieces(kept).replaceAll(zero, '')).toBe(text);
  });
});
