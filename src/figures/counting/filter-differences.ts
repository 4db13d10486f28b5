import type { LeftOut } from '../result.js';
import type { ProtectedCells } from './few-people.js';
import type { GroupTotals } from './group-totals.js';
import { valuesByPerson } from './people-in-rows.js';

/** The most pairs of a person and a value that are compared: half a second of work. */
const maxPairs = 20_000_000;

/**
 * Finds the lines that differ by too few people from the filter of the same name. A row counts in the line of its first
 * value, and a filter finds it by each. So a line, taken from what its filter finds, is about the people who have that
 * value in no row first.
 *
 * @param limit the smallest number of people that may be told apart
 * @returns the numbers of the lines, or why the breakdown is left out
 */
export function differingFromFilters(
  { valuesOfCell, groupsOfCell, count: lines }: GroupTotals,
  { people, keys }: ProtectedCells,
  limit: number,
): ReadonlySet<number> | LeftOut {
  if (valuesOfCell.every(({ length }) => length < 2)) return new Set();
  if (!people) return 'breakdown-of-several-values';
  if (people.full) return 'breakdown-too-large';
  const forEachPerson = cellsOfPeople((visit) => {
    people.forEach((key, cell) => {
      visit(keys.personOf(key), cell);
    });
  });
  let pairs = 0;
  forEachPerson((cells) => {
    for (const cell of cells) pairs += valuesOfCell[cell]?.length ?? 0;
  });
  if (pairs > maxPairs) return 'breakdown-too-large';
  const differences = new Int32Array(lines);
  // By the line: the last person who is in it, or has its value elsewhere. Sets for each person would take far longer.
  const seenBy = new Int32Array(lines);
  let person = 0;
  forEachPerson((cells) => {
    person++;
    for (const cell of cells) for (const line of groupsOfCell[cell] ?? []) seenBy[line] = person;
    for (const cell of cells) {
      for (const line of valuesOfCell[cell] ?? []) {
        if (seenBy[line] === person) continue;
        seenBy[line] = person;
        differences[line] = (differences[line] as number) + 1;
      }
    }
  });
  const differing = [...differences.keys()].filter((line) => {
    const difference = differences[line] as number;
    return difference > 0 && difference < limit;
  });
  return new Set(differing);
}

/** The cells of each person who has any. */
function cellsOfPeople(forEach: Parameters<typeof valuesByPerson>[1]) {
  let people = 0;
  forEach((person) => {
    people = Math.max(people, person + 1);
  });
  const { starts, values: cells } = valuesByPerson(people, forEach);
  return (visit: (cells: Int32Array) => void) => {
    for (let person = 0; person < people; person++) {
      const [from, to] = [starts[person], starts[person + 1]];
      if (from !== to) visit(cells.subarray(from, to));
    }
  };
}
