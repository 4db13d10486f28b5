import { describe, expect, it } from 'vitest';
import { parseMarkdown, parseMarkdownInline } from '../../../../../playground/slack/web/text/markdown.js';

describe('standard markdown', () => {
  it('splits a text into headings, lists, quotations, code and paragraphs', () => {
    const text = '# Title\nfirst\nsecond\n\n- a\n- b\n1. c\n> q\n> r\n\n```js\nx\n```\n---';
    expect(parseMarkdown(text)).toEqual([
      { type: 'heading', text: 'Title' },
      { type: 'paragraph', text: 'first\nsecond' },
      { type: 'list', ordered: false, items: ['a', 'b'] },
      { type: 'list', ordered: true, items: ['c'] },
      { type: 'quote', text: 'q\nr' },
      { type: 'code', text: 'x' },
      { type: 'rule' },
    ]);
  });

  it('parses the markup of a line, and makes images links', () => {
    expect(
      parseMarkdownInline('**b** *i* ~~s~~ `c` [l](https://x.example) ![p](https://x.example/p.png) a_b_c'),
    ).toEqual([
      { type: 'bold', text: 'b' },
      { type: 'text', text: ' ' },
      { type: 'italic', text: 'i' },
      { type: 'text', text: ' ' },
      { type: 'strike', text: 's' },
      { type: 'text', text: ' ' },
      { type: 'code', text: 'c' },
      { type: 'text', text: ' ' },
      { type: 'link', text: 'l', url: 'https://x.example' },
      { type: 'text', text: ' ' },
      { type: 'link', text: 'p', url: 'https://x.example/p.png' },
      { type: 'text', text: ' a_b_c' },
    ]);
  });
});
