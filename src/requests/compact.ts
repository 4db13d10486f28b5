/** Absent, or a condition that does not hold. */
type Nothing = false | undefined | null | '' | 0;

type ItemOf<Given> = Given extends readonly (infer Item)[] ? Item : Exclude<Given, Nothing>;

/** The items that are there, in one list. Lists among them are joined. */
export function compact<const Given extends readonly unknown[]>(...items: Given): ItemOf<Given[number]>[];
export function compact(...items: readonly unknown[]): unknown[] {
  return items.filter(Boolean).flat();
}
