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
  /** True if URLs, `#channel` and `@here` stay plain text. */
  verbatim: boolean;
}

/**
 * Parses Slack's mrkdwn, as far as Slack formats it: bold, italics, strike, code, quotations, links,
 * mentions, dates and emoji. Slack has no lists or headings here. Never fails: the rest is text.
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

const wordCharacter = /[\p{L}\p{N}]/u;
/** A mark beside one of these is text. Bots use zero-width spaces to prevent formatting. */
const blank = /[\s\u200b]/;
const styles = { '*': 'bold', _: 'italic', '~': 'strike' } as const;

/** Parses the markup of a paragraph. Markup does not cross line breaks. */
function parseInline(text: string, rules: MrkdwnRules): Inline[] {
  const pieces: Inline[] = [];
  let at = 0;
  let plainFrom = 0;
  const flush = (until: number) => {
    if (until > plainFrom) pieces.push(...parsePlain(text.slice(plainFrom, until), rules));
  };
  while (at < text.length) {
    const found = parseAt(text, at, rules);
    if (found) {
      flush(at);
      pieces.push(found.piece);
      at += found.length;
      plainFrom = at;
    } else {
      at += 1;
    }
  }
  flush(text.length);
  return pieces;
}

interface Found {
  piece: Inline;
  length: number;
}

function parseAt(text: string, at: number, rules: MrkdwnRules): Found | undefined {
  const character = text.charAt(at);
  if (character === '<') return parseAngle(text, at);
  if (character === '`') return parseCode(text, at);
  if (character === '*' || character === '_' || character === '~') {
    const inner = delimited(text, at, character);
    if (inner === undefined) return undefined;
    return {
      piece: { type: styles[character], children: parseInline(inner, rules) },
      length: inner.length + 2,
    };
  }
  return undefined;
}

/** The text between two marks. Marks touch their text, and do not touch the words around them. */
function delimited(text: string, at: number, mark: string): string | undefined {
  const before = text.charAt(at - 1);
  if (before === mark || wordCharacter.test(before)) return undefined;
  const next = text.charAt(at + 1);
  if (next === '' || next === mark || blank.test(next)) return undefined;
  for (let end = at + 2; end < text.length; end += 1) {
    const character = text.charAt(end);
    if (character === '\n') return undefined;
    if (character === '<') {
      const close = text.indexOf('>', end);
      if (close !== -1) end = close;
      continue;
    }
    if (character !== mark || blank.test(text.charAt(end - 1))) continue;
    const after = text.charAt(end + 1);
    if (after === mark || wordCharacter.test(after)) continue;
    return text.slice(at + 1, end);
  }
  return undefined;
}

function parseCode(text: string, at: number): Found | undefined {
  const end = text.indexOf('`', at + 1);
  if (end <= at + 1) return undefined;
  const inner = text.slice(at + 1, end);
  if (inner.includes('\n') || inner.startsWith('\u200b')) return undefined;
  return { piece: { type: 'code', text: plainOf(inner) }, length: inner.length + 2 };
}

function parseAngle(text: string, at: number): Found | undefined {
  const match = /^<([^<>\n]+)>/.exec(text.slice(at, at + 4000));
  if (!match) return undefined;
  const piece = angle(match[1] ?? '');
  return piece && { piece, length: match[0].length };
}

function angle(inner: string): Inline | undefined {
  const bar = inner.indexOf('|');
  const target = bar === -1 ? inner : inner.slice(0, bar);
  const label = bar === -1 ? undefined : decodeEntities(inner.slice(bar + 1));
  if (/^@[UW]\w+$/.test(target)) return { type: 'user', id: target.slice(1), label };
  if (/^#[CGD]\w+$/.test(target)) return { type: 'channel', id: target.slice(1), label };
  if (/^!subteam\^\w+$/.test(target)) return { type: 'usergroup', id: target.slice(9), label };
  const broadcast = /^!(here|channel|everyone)$/.exec(target);
  if (broadcast?.[1]) return { type: 'broadcast', range: broadcast[1] };
  const date = /^!date\^(\d+)\^([^^]+)(?:\^(.+))?$/.exec(target);
  if (date) {
    const [, seconds, format, url] = date;
    return {
      type: 'date',
      seconds: Number(seconds),
      format: decodeEntities(format ?? ''),
      url: url === undefined ? undefined : safeUrl(decodeEntities(url)),
      fallback: label ?? '',
    };
  }
  const url = safeUrl(decodeEntities(target));
  return url === undefined
    ? undefined
    : { type: 'link', url, label: label || decodeEntities(target).replace(/^mailto:/, '') };
}

const bareParts =
  /(?<url>https?:\/\/[^\s<>|]*[^\s<>|.,;:!?)\]'"*_~`])|(?<at>(?<![\p{L}\p{N}])@(?:here|channel|everyone)\b)|(?<emoji>:[a-z0-9_+-]+:)/gu;

/** Parses the text between markup: emoji and, unless the text is verbatim, URLs and `@here`. */
function parsePlain(text: string, rules: MrkdwnRules): Inline[] {
  const pieces: Inline[] = [];
  let from = 0;
  const addText = (part: string) => {
    if (part !== '') pieces.push({ type: 'text', text: decodeEntities(part) });
  };
  for (const match of text.matchAll(bareParts)) {
    const { url, at, emoji } = match.groups ?? {};
    if (rules.verbatim && !emoji) continue;
    addText(text.slice(from, match.index));
    from = match.index + match[0].length;
    if (url) pieces.push({ type: 'link', url: decodeEntities(url), label: decodeEntities(url) });
    else if (at) pieces.push({ type: 'broadcast', range: at.slice(1) });
    else if (emoji) pieces.push({ type: 'emoji', name: emoji.slice(1, -1) });
  }
  addText(text.slice(from));
  return pieces;
}

/** Text with decoded entities and without link markup, for places without formatting. */
function plainOf(text: string): string {
  return decodeEntities(
    text.replace(/<([^<>\n|]+)(?:\|([^<>\n]*))?>/g, (_, target: string, label?: string) => label || target),
  );
}

/** Slack decodes only these three entities. */
export function decodeEntities(text: string): string {
  return text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
}

const allowed = new Set(['http:', 'https:', 'mailto:', 'tel:', 'slack:']);

/** The URL if its scheme is safe to open; undefined for others, such as `javascript:`. */
export function safeUrl(text: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) return undefined;
  try {
    return allowed.has(new URL(text).protocol) ? text : undefined;
  } catch {
    return undefined;
  }
}
