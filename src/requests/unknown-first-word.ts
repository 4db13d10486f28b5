import { everyReportWord, reportWord, subcommands } from './first-words.js';
import { nearest } from './nearest.js';
import { rangeAt } from './options.js';
import { wordAt } from './parse-request.js';
import { type Problem, quotable, withNearest, withReplaced } from './problem.js';
import { readTokens, type Stretch, type Token } from './tokens.js';

/** What to say of a command that begins with neither a report, a subcommand nor a saved name. */
export function unknownFirstWord(text: string, savedNames: readonly string[]): Problem {
  const tokens = readTokens(text, 0);
  const [first] = tokens;
  if (!first || first.kind === 'open-quote') return { kind: 'quote-not-closed', word: quotable(text) };
  const range = rangeAt(tokens, 0);
  if (first.kind === 'option' || range.length > 0) {
    return reportMissing(text, tokens, { start: first.start, end: range.at(-1)?.end ?? first.end });
  }
  const second = tokens[1]?.kind === 'word' ? tokens[1] : undefined;
  const joined = second && reportWord(`${first.text}-${second.text}`);
  if (joined) return unknownStretch(text, { start: first.start, end: second.end }, joined);
  const valid = [...everyReportWord(), ...subcommands.map(({ word }) => word)];
  const near = nearest(first.text, valid);
  return near ? unknownStretch(text, first, near) : unknownName(text, first, savedNames);
}

/** What to say of a word where only a report can stand. */
export function unknownReport(text: string, word: Stretch & { readonly text: string }): Problem {
  return unknownStretch(text, word, nearest(word.text, everyReportWord()));
}

function unknownStretch(text: string, stretch: Stretch, near: string | undefined): Problem {
  const word = quotable(text.slice(stretch.start, stretch.end));
  return withNearest({ kind: 'unknown-report' }, word, near, stretch, { text });
}

/** A saved name of several words is held against as many words of the text. */
function unknownName(text: string, first: Stretch, savedNames: readonly string[]): Problem {
  const lengths = [...new Set(savedNames.map(wordsIn))].sort((a, b) => b - a);
  for (const length of lengths) {
    const stretch = wordsFrom(text, length);
    const names = savedNames.filter((name) => wordsIn(name) === length);
    const near = nearest(text.slice(stretch.start, stretch.end), names);
    if (near !== undefined) return unknownStretch(text, stretch, near);
  }
  return unknownStretch(text, first, undefined);
}

function wordsIn(name: string): number {
  return name.split(/\s+/).length;
}

function wordsFrom(text: string, count: number): Stretch {
  let end = 0;
  for (let words = 0; words < count; words += 1) end = wordAt(text, end)?.end ?? end;
  return { start: 0, end };
}

/** `last-week engagement`: the report goes first. */
function reportMissing(text: string, tokens: readonly Token[], said: Stretch): Problem {
  const word = quotable(text.slice(said.start, said.end));
  for (const token of tokens) {
    const report = token.kind === 'word' ? reportWord(token.text) : undefined;
    if (!report) continue;
    return { kind: 'report-missing', word, corrected: `${report} ${withReplaced(text, token, '')}` };
  }
  return { kind: 'report-missing', word };
}
