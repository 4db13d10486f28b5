import type { Report } from '../catalogue/index.js';
import { synonymsIn } from './text-tables.js';

/** Words without meaning in a command. None of them negates another word. */
const fillers: ReadonlySet<string> = new Set(
  (
    'a an the please pls hi hello hey thanks show give get make run see list send tell fetch display want need like ' +
    'i me us can could would you for of in from during with as and or are is was were be who what which that all ' +
    'report reports data figures numbers summary'
  ).split(' '),
);

/** True for a word that corrections leave out. Punctuation counts as one. */
export function isFiller(word: string): boolean {
  return fillers.has(word.toLowerCase()) || /^[\p{P}\p{S}]+$/u.test(word);
}

/** Synonyms of states. Of several states, the first one that the report has is meant. */
const stateWords = synonymsIn(`
  late, past-due | overdue
  soon, upcoming | due-soon
  unstarted | not-started
  started, ongoing | in-progress
  incomplete, uncompleted, unfinished, outstanding, not-complete, not-done, not-finished | not-completed
  open | not-completed | free-seats
  done, complete, finished | completed
  completed-late | late
  pass | passed
  fail | failed
  pending | waiting | not-completed
  ungraded | waiting
  not-active | inactive
  free, available | free-seats
  waiting-list, waitlisted | waitlist`);

/** The state that a text means, by its name or a synonym: `not completed`, `done`. */
export function stateMeant(typed: string, { states }: Report): string | undefined {
  const word = typed
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-');
  const meant = [word, ...(stateWords.get(word) ?? [])];
  return meant.find((state) => states.some(({ name }) => name === state));
}
