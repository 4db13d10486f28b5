/** A table grows when it is as full as this. It doubles, so that growth enters each person about once more on average. */
const maxLoad = 0.7;

/** The last table is fuller: the largest counts decide how much memory an answer may take. */
const lastLoad = 0.85;

const leastSlots = 1024;

/** How many slots the hash table for the most entries has. */
export function mostSlots(maxEntries: number): number {
  return Math.max(leastSlots, Math.ceil(maxEntries / lastLoad));
}

/** How many slots a hash table for so many entries has. At the maximum they are `mostSlots`. */
export function slotsFor(entries: number, maxEntries: number): number {
  let slots = leastSlots;
  while (entries > maxLoad * slots) slots *= 2;
  return Math.min(slots, mostSlots(maxEntries));
}

/** True where the table should grow before it takes more entries. */
export function isCrowded(entries: number, slots: number, maxEntries: number): boolean {
  return entries > maxLoad * slots && slots < mostSlots(maxEntries);
}

/** Where the search for a hash begins: its 32 bits, read as a fraction of all slots. */
export function firstSlot(hash: number, slots: number): number {
  return ((hash >>> 0) * (slots / 2 ** 32)) | 0;
}
