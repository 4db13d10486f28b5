/** Reads a number of days. Undefined unless it is a whole number from 1 to 365. */
export function parseKeepDays(typed: string): number | undefined {
  const days = /^\d{1,3}$/.test(typed) ? Number(typed) : 0;
  return days >= 1 && days <= 365 ? days : undefined;
}
