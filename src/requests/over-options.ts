import { secondValue, valueMissing } from './option-corrections.js';
import { formatOver, type OverOption, parseOver } from './over-time.js';
import { leftOut, type Problem, type TypedPart, withSuggestion } from './problem.js';
import { asksForOpen } from './request.js';
import type { OptionsContext } from './request-options.js';
import type { OptionToken, Token } from './tokens.js';

/** Applies `over:12w`, `figure:completion-rate` or `against:last-year`. Whether there is such a figure is checked with the request. */
export function applyOverOption(
  name: OverOption,
  token: OptionToken,
  context: OptionsContext,
): Problem | undefined {
  const { chosen, report } = context;
  const [entry, second] = token.entries;
  if (!entry) return valueMissing(token, `${name}:`, context);
  // Two figures would be two scales.
  if (second) return secondValue(second, token, context);
  let value = entry.text.toLowerCase().replace(/[\s_]+/g, '-');
  if (name === 'over') {
    const over = parseOver(entry.text);
    if (!over.ok)
      return withSuggestion({ kind: 'over', reason: over.refusal.reason }, entry, over.refusal.near, context);
    value = formatOver(over.value);
  } else if (name === 'against' && value !== 'last-year') {
    const choices = ['last-year'];
    const cause = { kind: 'unknown-choice', option: 'against:', choices, report: report.name } as const;
    return withSuggestion(cause, entry, 'last-year', context);
  }
  const other = chosen[name];
  if (other !== undefined && other !== value) return secondValue(entry, token, context);
  if (name === 'against') chosen.against = 'last-year';
  else chosen[name] = value;
  return undefined;
}

/** `over:` and `against:` with the words that belong to them: `over:12 weeks`, `against:last year`. */
export function overOption(tokens: readonly Token[], index: number) {
  const token = tokens[index];
  if (token?.kind !== 'option') return undefined;
  const [entry, second] = token.entries;
  if (!entry || second || entry.quoted) return undefined;
  const form = { over: overForm, against: /^last (?:day|week|month|quarter|year)$/i }[
    token.name.toLowerCase()
  ];
  let joined = entry.text;
  for (const [before, next] of tokens.slice(index + 1, index + 3).entries()) {
    if (next.kind !== 'word') break;
    joined = `${joined} ${next.text}`;
    const whole = { ...entry, text: joined, end: next.end };
    if (form?.test(joined))
      return { token: { ...token, end: next.end, entries: [whole] }, count: before + 2 };
  }
  return undefined;
}

const overForm = /^(?:last )?\d+ (?:[dwmqy]|(?:day|week|month|quarter|year)s?)$/i;

/** What cannot stand beside these options, in whatever order they were typed. */
export function problemBesideOver(tokens: readonly Token[], context: OptionsContext): Problem | undefined {
  const { chosen, text, view, saved, report } = context;
  const part = (name: string) =>
    tokens.find((token) => token.kind === 'option' && token.name.toLowerCase() === name);
  const states = chosen.states.size > 0 ? [...chosen.states] : saved?.states;
  const hasNoPast = asksForOpen({ report: report.name, view, states });
  for (const name of ['over', 'against']) {
    const typed = part(name);
    if (typed && hasNoPast) return leftOut({ kind: 'no-past', option: `${name}:` }, typed, text);
  }
  const over = chosen.over ?? (chosen.rangeSpan ? undefined : saved?.over);
  const figure = part('figure');
  if (over === undefined) return figure && leftOut({ kind: 'figure-alone' }, figure, text);
  // Without a part of its own, it is of the saved report, and `over:` was typed.
  const beside = (isThere: unknown, what: string, typed: TypedPart | undefined): Problem | undefined => {
    const about = typed ?? part('over');
    return isThere && about
      ? leftOut({ kind: 'beside-over', over: `over:${over}`, what }, about, text)
      : undefined;
  };
  return (
    beside(chosen.rangeSpan, 'a range', chosen.rangeSpan) ??
    beside(chosen.by ?? saved?.by, 'by:', part('by')) ??
    beside(
      chosen.showRows ?? saved?.showRows,
      'rows',
      tokens.find((token) => token.kind === 'word' && token.text.toLowerCase() === 'rows'),
    ) ??
    beside(chosen.columns.size > 0 || saved?.columns, 'fields:', part('fields')) ??
    beside(
      (chosen.file ?? saved?.file) === 'evidence',
      'evidence',
      tokens.find((token) => token.kind === 'word' && token.text.toLowerCase() === 'evidence'),
    ) ??
    beside(chosen.target ?? saved?.target, 'target:', part('target'))
  );
}
