/** Something a reader of the figures has to know, as data; `say-notes.ts` has the sentences. */
export type Note =
  /** Rows whose field was missing, among those that should have it. `field` in words: `due date`. */
  | { readonly kind: 'missing'; readonly field: string; readonly rows: number; readonly of: number }
  /** Rows whose field held something that could not be read. */
  | { readonly kind: 'unreadable'; readonly field: string; readonly rows: number; readonly of: number }
  | { readonly kind: 'fact'; readonly fact: NotedFact; readonly rows: number };

export type NotedFact =
  | 'engagement-may-list-only-active'
  | 'nobody-named'
  | 'nobody-named-counts'
  | 'completed-without-date'
  | 'completed-before-assigned'
  | 'too-many-values-for-a-median'
  | 'progress-came-as-fractions'
  | 'no-day-of-completion'
  | 'attendance-may-come-late';

/** The fact, where there are rows that it is true of. */
export function factIfAny(fact: NotedFact, rows: number): Note[] {
  return rows > 0 ? [{ kind: 'fact', fact, rows }] : [];
}
