import { type EventKind, eventKinds } from './event-kinds.js';

/** Every kind in the order of its number in the database, the first being 1. */
export const numberedKinds = Object.keys(eventKinds) as readonly EventKind[];

/** Millions of events name their kind: in the database it is a number. */
export const kindNumber = Object.fromEntries(
  numberedKinds.map((kind, index) => [kind, index + 1]),
) as Readonly<Record<EventKind, number>>;

/** The condition that an event, by its name in the statement, is of that kind. */
export function is(kind: EventKind, event?: string): string {
  return `${event === undefined ? '' : `${event}.`}kind = ${kindNumber[kind]}`;
}

/** The same for several kinds. SQLite uses an index that is limited to kinds only where a query says so in these words. */
export function anyOf(kinds: readonly EventKind[], event?: string): string {
  return `(${kinds.map((kind) => is(kind, event)).join(' OR ')})`;
}

export const assignmentSteps = ['assigned', 'assignment_started', 'assignment_completed'] as const;
export const attemptSteps = ['assessment_started', 'assessment_submitted', 'assessment_graded'] as const;

/** What makes, moves or ends a row of a report, other than sessions of workshops: these events are found by time. */
export const rowKinds = [
  ...assignmentSteps,
  'content_completed',
  'track_enrolled',
  'track_started',
  'track_completed',
  'assessment_enrolled',
] as const;
