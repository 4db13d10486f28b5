/** In the order of the week. */
export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export type Weekday = (typeof weekdays)[number];

export const monthOrdinals = ['first', 'second', 'third', 'fourth', 'last'] as const;

/** For example, the `second` Friday of a month. */
export type MonthOrdinal = (typeof monthOrdinals)[number];
