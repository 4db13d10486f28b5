/**
 * How many people rows are about: two rows are about the same person if they share a name, or both share one with a
 * third. Rows without a name are about one person together.
 *
 * @param names the names of each row
 */
export function peopleNamed(names: readonly (readonly string[])[]): number {
  let people = names.filter(({ length }) => length > 0).map((own) => new Set(own));
  const nameless = people.length < names.length ? 1 : 0;
  for (let before = -1; before !== people.length; ) {
    before = people.length;
    people = people.reduce((joined: Set<string>[], own) => {
      const same = joined.filter((other) => [...own].some((name) => other.has(name)));
      const others = joined.filter((other) => !same.includes(other));
      return [...others, new Set([...own, ...same.flatMap((other) => [...other])])];
    }, []);
  }
  return people.length + nameless;
}
