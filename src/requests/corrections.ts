import { allReports } from '../catalogue/index.js';
import { isFiller } from './filler-words.js';
import { nearest } from './nearest.js';
import { leftOut, type Problem, quoteTypedWord, replaceSpan, withSuggestion } from './problem.js';
import { rangeAt } from './range-words.js';
import { possibleNamesAt } from './saved-names.js';
import { readTokens, type TextSpan, type Token } from './tokens.js';
import { reportWord, reportWords, subcommands, viewWord, viewWords } from './vocabulary.js';

/** The problem of a command that begins with neither a report, a subcommand nor a saved name. */
export function unknownFirstWord(text: string, savedNames: readonly string[]): Problem {
  const tokens = readTokens(text, 0);
  const [first] = tokens;
  if (!first || first.kind === 'open-quote') return { kind: 'quote-not-closed', word: quoteTypedWord(text) };
  const range = rangeAt(tokens, 0);
  if (first.kind === 'option' || range) return reportMissing(text, tokens, range ?? first);
  if (isFiller(first.text)) return leftOut({ kind: 'filler' }, first, text);
  const second = tokens[1]?.kind === 'word' ? tokens[1] : undefined;
  const joined = second && reportWord(`${first.text}-${second.text}`);
  if (joined) return unknownSpan(text, { start: first.start, end: second.end }, joined);
  const valid = [...reportWords(), ...subcommands.map(({ word }) => word)];
  const near = nearest(first.text, valid);
  return near ? unknownSpan(text, first, near) : unknownName(text, first, savedNames);
}

/** The problem of a word where a report or a view is expected. */
export function unknownReport(text: string, word: TextSpan & { readonly text: string }): Problem {
  return unknownSpan(text, word, nearestReport(word.text));
}

export function nearestReport(typed: string): string | undefined {
  return nearest(typed, [...reportWords(), ...viewWords]);
}

function unknownSpan(text: string, span: TextSpan, near: string | undefined): Problem {
  const { start, end } = span;
  const problem = withSuggestion({ kind: 'unknown-report' }, { start, end }, near, { text });
  return { ...problem, without: replaceSpan(text, span, anyReport) };
}

/** The report that a form shows until another one is chosen. */
export const anyReport = allReports[0]?.name ?? '';

/** A saved name of several words is held against as many words of the text. */
function unknownName(text: string, first: TextSpan, savedNames: readonly string[]): Problem {
  const lengths = [...new Set(savedNames.map(wordCount))].sort((a, b) => b - a);
  const ends = possibleNamesAt(text, 0).map(({ end }) => end);
  for (const length of lengths) {
    const span = { start: 0, end: ends[length - 1] ?? text.length };
    const names = savedNames.filter((name) => wordCount(name) === length);
    const near = nearest(text.slice(span.start, span.end), names);
    if (near !== undefined) return unknownSpan(text, span, near);
  }
  return unknownSpan(text, first, undefined);
}

function wordCount(name: string): number {
  return name.split(/\s+/).length;
}

/** `last-week engagement`: the report goes first. */
function reportMissing(text: string, tokens: readonly Token[], span: TextSpan): Problem {
  const word = quoteTypedWord(text.slice(span.start, span.end));
  const words = tokens.flatMap((token) =>
    token.kind === 'word' && (token.start < span.start || token.end > span.end) ? [token] : [],
  );
  for (const reportIn of [(typed: string) => reportWord(typed) ?? viewWord(typed), nearestReport]) {
    for (const token of words) {
      const report = reportIn(token.text);
      if (report === undefined) continue;
      return { kind: 'report-missing', word, corrected: `${report} ${replaceSpan(text, token, '')}` };
    }
  }
  return { kind: 'report-missing', word, without: `${anyReport} ${text}` };
}
