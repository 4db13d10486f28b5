import { secondValue } from './option-corrections.js';
import { type Problem, replaceSpan, withSuggestion } from './problem.js';
import type { OptionsContext } from './request-options.js';
import { formatTarget, parseTarget } from './target.js';
import type { OptionToken, Token } from './tokens.js';

/** The whole value is one text. A decimal comma is corrected. */
export function applyTarget(token: OptionToken, context: OptionsContext): Problem | undefined {
  const { chosen, text } = context;
  const [first] = token.entries;
  const last = token.entries.at(-1);
  if (!first || !last) return undefined;
  const span = {
    start: first.start,
    end: last.end,
    text: token.entries.map((entry) => entry.text).join(','),
  };
  const read = parseTarget(span.text);
  if (!read.ok) {
    const problem = withSuggestion(
      { kind: 'target', reason: read.refusal.reason },
      span,
      read.refusal.near,
      context,
    );
    return { ...problem, without: replaceSpan(text, token, '') };
  }
  const other = chosen.target && formatTarget(chosen.target);
  if (other !== undefined && other !== formatTarget(read.value)) return secondValue(first, token, context);
  chosen.target = read.value;
  return undefined;
}

/** `target:` with the words that belong to it: `target:95 % @ 2026-12-31`, `target:95 % by 2026-12-31`. */
export function targetOption(tokens: readonly Token[], index: number) {
  const token = tokens[index];
  if (token?.kind !== 'option' || !/^target$/i.test(token.name)) return undefined;
  const [entry, second] = token.entries;
  if (!entry || second || entry.quoted) return undefined;
  let { text, end } = entry;
  let count = 1;
  for (const next of tokens.slice(index + 1)) {
    const goesOn =
      /^(?:[%@]|(?:percent|pct)$)/i.test(next.kind === 'word' ? next.text : '') ||
      (count > 1 && /(?:@|\sby)$/i.test(text));
    const isBy = next.kind === 'word' && /^by$/i.test(next.text);
    if (next.kind !== 'word' || !(goesOn || isBy)) break;
    text = `${text} ${next.text}`;
    end = next.end;
    count += 1;
  }
  return count === 1 ? undefined : { token: { ...token, end, entries: [{ ...entry, text, end }] }, count };
}
