/**
 * Numbers the people that rows are about: two rows are about the same person if they share a name, or both share one
 * with a third. Rows without a name are about one person together.
 *
 * @param names the names of each row
 * @returns the person of each row
 */
export function peopleOfRows(names: readonly (readonly string[])[]): readonly number[] {
  const people = names.map((_, row) => row);
  const nameless = names.findIndex(({ length }) => length === 0);
  for (let before = ''; before !== people.join(); ) {
    before = people.join();
    names.forEach((own, row) => {
      const same = names.flatMap((other, i) => (own.some((name) => other.includes(name)) ? [i] : []));
      const all = own.length === 0 ? [row, nameless] : [row, ...same];
      people[row] = Math.min(...all.map((i) => people[i] ?? i));
    });
  }
  return people;
}
