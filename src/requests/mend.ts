import type { Result } from '../errors/result.js';
import type { Problem } from './problem.js';

/** Each round puts one word right and reads the whole text again. */
const maxRounds = 40;

/** Nobody types more by hand. The first word that is wrong is enough then. */
const maxMendedLength = 3_000;

/**
 * The problem of a text with everything that is wrong with it: all words are put right together, and the correction is
 * one that can be read. If a word has no correction, there is none for the text, and the problem is about that word.
 *
 * @param first what reading the text found first
 * @param read reads a text as the first one was read
 */
export function mendProblem(
  text: string,
  first: Problem,
  read: (text: string) => Result<unknown, Problem>,
): Problem {
  const rounds = text.length > maxMendedLength ? 1 : maxRounds;
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
  const isMended = isRead && found.every(({ corrected }) => corrected !== undefined);
  const typed = text.replace(/\s+/g, ' ');
  const isAboutCadence = found.some(({ kind }) => kind === 'cadence');
  // A later round can be about a word that an earlier one put there.
  const ofText = found.filter(({ kind, word }) =>
    kind === 'cadence-missing' ? !isAboutCadence : typed.includes(word.replace(/…$/, '')),
  );
  const stuck = ofText.filter(({ corrected }) => corrected === undefined);
  const about = mainProblem(isMended || stuck.length === 0 ? ofText : stuck) ?? first;
  const also = wordsBeside(about, ofText);
  const { without: _without, ...kept } = about;
  return {
    ...kept,
    corrected: isMended ? latest : undefined,
    also: also.length > 0 ? also : undefined,
    // The form asks how often.
    understood: isRead || last.kind === 'cadence-missing' ? latest : undefined,
  };
}

/** What the message is about: neither a word that is merely too many, nor how often where more is wrong. */
function mainProblem(problems: readonly Problem[]): Problem | undefined {
  return (
    problems.find(({ kind }) => kind !== 'filler' && kind !== 'cadence-missing') ??
    problems.find(({ kind }) => kind !== 'filler') ??
    problems[0]
  );
}

/** The other words to name, each once. */
function wordsBeside(about: Problem, found: readonly Problem[]): readonly string[] {
  const isPartOf = (word: string) => about.word.includes(word) || word.includes(about.word);
  const words = found.flatMap(({ kind, word }) =>
    kind === 'filler' || kind === 'cadence-missing' || kind === 'value-missing' ? [] : [word],
  );
  return [...new Set(words)].filter((word) => about.kind === 'cadence-missing' || !isPartOf(word));
}
