import { secondValue, valueMissing } from './option-corrections.js';
import { formatOver, type OverOption, parseOver } from './over-time.js';
import { type Problem, withSuggestion } from './problem.js';
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
