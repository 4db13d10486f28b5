/** A table doubles when it is this full. On average, growth enters each person about once more. */
const maxLoad = 0.7;

/** The last table may be fuller, because the largest counts decide the maximum memory of an answer. */
const lastLoad = 0.85;

const leastSlots = 1024;

/** The number of slots for the maximum number of entries. */
export function mostSlots(maxEntries: number): number {
  return Math.max(leastSlots, Math.ceil(maxEntries / lastLoad));
}

/** The number of slots for this many entries. At the maximum it is `mostSlots`. */
export function slotsFor(entries: number, maxEntries: number): number {
  let slots = leastSlots;
  while (entries > maxLoad * slots) slots *= 2;
  return Math.min(slots, mostSlots(maxEntries));
}

/** True where the table should grow before it takes more entries. */
export function isCrowded(entries: number, slots: number, maxEntries: number): boolean {
  return entries > maxLoad * slots && slots < mostSlots(maxEntries);
}

/** The first slot for a hash: its 32 bits as a fraction of all slots. */
export function firstSlot(hash: number, slots: number): number {
  return ((hash >>> 0) * (slots / 2 ** 32)) | 0;
}
