/** A paragraph-sized part of a `markdown` block. */
export type MarkdownPart =
  | { type: 'heading' | 'paragraph' | 'quote'; text: string }
  | { type: 'list'; ordered: boolean; items: string[] }
  | { type: 'code'; text: string }
  | { type: 'rule' };

/** A piece of a line in standard markdown. */
export type MarkdownInline =
  | { type: 'text' | 'code'; text: string }
  | { type: 'bold' | 'italic' | 'strike'; text: string }
  | { type: 'link'; text: string; url: string };

/** Parses the markdown of a `markdown` block, as far as bots need it: one level of lists, no tables. */
export function parseMarkdown(text: string): MarkdownPart[] {
  const parts: MarkdownPart[] = [];
  const lines = text.split(/\r?\n/);
  let paragraph: string[] = [];
  const endParagraph = () => {
    if (paragraph.length > 0) parts.push({ type: 'paragraph', text: paragraph.join('\n') });
    paragraph = [];
  };
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (/^```/.test(line)) {
      endParagraph();
      const end = lines.findIndex((other, at) => at > index && /^```/.test(other));
      const last = end === -1 ? lines.length : end;
      parts.push({ type: 'code', text: lines.slice(index + 1, last).join('\n') });
      index = last;
      continue;
    }
    const part = partOfLine(line);
    if (part === undefined) {
      if (line.trim() === '') endParagraph();
      else paragraph.push(line);
      continue;
    }
    endParagraph();
    const before = parts.at(-1);
    if (part.type === 'list' && before?.type === 'list' && before.ordered === part.ordered) {
      before.items.push(...part.items);
    } else if (part.type === 'quote' && before?.type === 'quote') {
      before.text += `\n${part.text}`;
    } else {
      parts.push(part);
    }
  }
  endParagraph();
  return parts;
}

function partOfLine(line: string): MarkdownPart | undefined {
  const heading = /^#{1,6}\s+(.+?)\s*#*$/.exec(line);
  if (heading) return { type: 'heading', text: heading[1] ?? '' };
  if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) return { type: 'rule' };
  const item = /^\s*([-*+]|\d+[.)])\s+(.*)$/.exec(line);
  if (item) return { type: 'list', ordered: /\d/.test(item[1] ?? ''), items: [item[2] ?? ''] };
  const quote = /^>\s?(.*)$/.exec(line);
  if (quote) return { type: 'quote', text: quote[1] ?? '' };
  return undefined;
}

const inlineMarkup =
  /`(?<code>[^`\n]+)`|!?\[(?<label>[^\]\n]*)\]\((?<url>[^)\s]+)\)|(?:\*\*|__)(?<bold>[^\n]+?)(?:\*\*|__)|~~(?<strike>[^\n]+?)~~|\*(?<star>[^*\s][^*\n]*?)\*|(?<![\p{L}\p{N}])_(?<under>[^_\s][^_\n]*?)_(?![\p{L}\p{N}])/gu;

/** Parses the markup of a line. Images become links, as in Slack. */
export function parseMarkdownInline(text: string): MarkdownInline[] {
  const pieces: MarkdownInline[] = [];
  let from = 0;
  for (const match of text.matchAll(inlineMarkup)) {
    if (match.index > from) pieces.push({ type: 'text', text: text.slice(from, match.index) });
    from = match.index + match[0].length;
    const { code, label, url, bold, strike, star, under } = match.groups ?? {};
    if (code !== undefined) pieces.push({ type: 'code', text: code });
    else if (url !== undefined) pieces.push({ type: 'link', text: label || url, url });
    else if (bold !== undefined) pieces.push({ type: 'bold', text: bold });
    else if (strike !== undefined) pieces.push({ type: 'strike', text: strike });
    else pieces.push({ type: 'italic', text: star ?? under ?? '' });
  }
  if (from < text.length) pieces.push({ type: 'text', text: text.slice(from) });
  return pieces;
}
