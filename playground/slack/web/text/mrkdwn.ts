import { parseInline, plainOf } from './mrkdwn-inline.js';

/** A piece of a line. */
export type Inline =
  | { type: 'text'; text: string }
  | { type: 'bold' | 'italic' | 'strike'; children: Inline[] }
  | { type: 'code'; text: string }
  | { type: 'link'; url: string; label: string }
  | { type: 'user' | 'channel' | 'usergroup'; id: string; label: string | undefined }
  | { type: 'broadcast'; range: string }
  | { type: 'date'; seconds: number; format: string; url: string | undefined; fallback: string }
  | { type: 'emoji'; name: string };

/** A paragraph (its line breaks are in the text), a block of code, or a quotation. */
export type MrkdwnBlock =
  | { type: 'paragraph'; children: Inline[] }
  | { type: 'preformatted'; text: string }
  | { type: 'quote'; blocks: MrkdwnBlock[] };

export interface MrkdwnRules {
  /** True: bare addresses, `#channel` and `@here` stay plain text. */
  verbatim: boolean;
}

/**
 * Reads Slack's mrkdwn. Only what Slack itself formats is formatted: bold, italics, strike, code, quotations, links,
 * mentions, dates and emoji; there are no lists and no headings. Never fails: what is not markup is text.
 */
export function parseMrkdwn(text: string, rules: MrkdwnRules): MrkdwnBlock[] {
  const blocks: MrkdwnBlock[] = [];
  let rest = text;
  while (rest !== '') {
    const fence = /```([\s\S]+?)```/.exec(rest);
    if (!fence) {
      blocks.push(...parseLines(rest, rules));
      break;
    }
    if (fence.index > 0) blocks.push(...parseLines(rest.slice(0, fence.index).replace(/\n$/, ''), rules));
    blocks.push({ type: 'preformatted', text: plainOf((fence[1] ?? '').replace(/^\n/, '')) });
    rest = rest.slice(fence.index + fence[0].length).replace(/^\n/, '');
  }
  return blocks;
}

const quoteMark = /^(?:&gt;|>) ?/;
const quoteAllMark = /^(?:&gt;|>){3} ?/;

function parseLines(text: string, rules: MrkdwnRules): MrkdwnBlock[] {
  const blocks: MrkdwnBlock[] = [];
  const lines = text.split('\n');
  let run: string[] = [];
  let quoted = false;
  const endRun = () => {
    if (run.length > 0) {
      const paragraph: MrkdwnBlock = { type: 'paragraph', children: parseInline(run.join('\n'), rules) };
      blocks.push(quoted ? { type: 'quote', blocks: [paragraph] } : paragraph);
    }
    run = [];
  };
  for (const [index, line] of lines.entries()) {
    if (quoteAllMark.test(line)) {
      endRun();
      const rest = [line.replace(quoteAllMark, ''), ...lines.slice(index + 1)].join('\n');
      blocks.push({ type: 'quote', blocks: [{ type: 'paragraph', children: parseInline(rest, rules) }] });
      return blocks;
    }
    const isQuote = quoteMark.test(line);
    if (isQuote !== quoted) endRun();
    quoted = isQuote;
    run.push(isQuote ? line.replace(quoteMark, '') : line);
  }
  endRun();
  return blocks;
}
