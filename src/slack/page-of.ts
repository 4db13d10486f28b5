/** A part of something long. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** How many come before these. */
  readonly from: number;
  /** True where more come after these. */
  readonly more: boolean;
}

/**
 * A page of what is found from a place on; the last one where there is nothing any more, since what stood there may be
 * gone by now.
 */
export async function pageOf<Item>(
  size: number,
  from: number,
  find: (limit: number, from: number) => Promise<readonly Item[]>,
): Promise<Page<Item>> {
  const found = await find(size + 1, from);
  if (found.length === 0 && from > 0) return pageOf(size, Math.max(0, from - size), find);
  return { items: found.slice(0, size), from, more: found.length > size };
}
