import type { Result } from '../errors/failure.js';
import type { CadenceRefusal } from './cadence-words.js';
import { isOfKnownWord, type Problem } from './problem.js';

/** Each round corrects one word and reads the whole text again. */
const maxRounds = 40;

/** Texts typed by hand are shorter. In longer texts, only the first problem is reported. */
const maxCorrectedLength = 3_000;

/**
 * Collects all problems of a text into one, with a correction of the whole text. If a word has no correction, the text
 * has none, and the problem is about that word.
 *
 * @param read parses a text up to its first problem
 */
export function correctAllWords(
  text: string,
  first: Problem,
  read: (text: string) => Result<unknown, Problem>,
): Problem {
  const rounds = text.length > maxCorrectedLength ? 1 : maxRounds;
  const seen = new Set([text]);
  const found = [first];
  let latest = text;
  let isRead = false;
  for (let round = 0; round < rounds && !isRead; round += 1) {
    const problem = found.at(-1) ?? first;
    const next = problem.corrected ?? problem.without;
    if (next === undefined || seen.has(next)) break;
    seen.add(next);
    latest = next;
    const again = read(next);
    if (again.ok) isRead = true;
    else found.push(again.refusal);
  }
  const last = found.at(-1) ?? first;
  const isCorrected = isRead && found.every(({ corrected }) => corrected !== undefined);
  const typed = text.replace(/\s+/g, ' ');
  const ofCadence = found.filter(({ kind }) => kind === 'cadence');
  // A later round may find a problem in the correction of an earlier one, which no one typed; and what it left out missing.
  const ofText = found.filter((problem) => {
    if (problem.kind === 'cadence-missing') return ofCadence.length === 0;
    if (problem.kind === 'cadence' && problem !== ofCadence[0] && lacksPart(problem.reason)) return false;
    return typed.includes(problem.word.replace(/…$/, ''));
  });
  const stuck = ofText.filter(({ corrected }) => corrected === undefined);
  const about = mainProblem(isCorrected || stuck.length === 0 ? ofText : stuck) ?? first;
  const otherWords = otherWordsOf(about, ofText);
  const { without: _without, ...kept } = about;
  return {
    ...kept,
    corrected: isCorrected ? latest : undefined,
    otherWords: otherWords.length > 0 ? otherWords : undefined,
    // If only the cadence is missing, the form asks for it.
    understood: isRead || last.kind === 'cadence-missing' ? latest : undefined,
  };
}

/** True where a cadence is refused for what does not stand there. */
function lacksPart(reason: CadenceRefusal): boolean {
  return reason === 'time-missing' || reason === 'day-missing' || reason === 'cron-fields';
}

/**
 * The problem that the message is about: one with a known word first, since it is hard to see why that is wrong, and a
 * filler word or a missing cadence only if there is no other.
 */
function mainProblem(problems: readonly Problem[]): Problem | undefined {
  return (
    problems.find(isOfKnownWord) ??
    problems.find(({ kind }) => kind !== 'filler' && kind !== 'cadence-missing') ??
    problems.find(({ kind }) => kind !== 'filler') ??
    problems[0]
  );
}

/** The other words to name, each once. */
function otherWordsOf(about: Problem, found: readonly Problem[]) {
  const isPartOf = (word: string) => about.word.includes(word) || word.includes(about.word);
  const words = found.flatMap(({ kind, word }) =>
    kind === 'filler' || kind === 'cadence-missing' || kind === 'value-missing' ? [] : [word],
  );
  return [...new Set(words)].filter((word) => about.kind === 'cadence-missing' || !isPartOf(word));
}
