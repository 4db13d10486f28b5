/** What a status says that the figures ask about; `other`: anything else, which stays itself. */
export type StatusMeaning =
  | 'completed'
  | 'passed'
  | 'failed'
  | 'in-progress'
  | 'not-started'
  | 'waiting'
  | 'cancelled'
  | 'other';

/** The service does not say what its statuses are: these are words that can hardly mean anything else. */
const known: Readonly<Record<Exclude<StatusMeaning, 'other'>, readonly string[]>> = {
  completed: [
    'completed',
    'complete',
    'done',
    'finished',
    'completed late',
    'completed on time',
    'completed manually',
    'manually completed',
    'marked complete',
    'marked completed',
  ],
  passed: ['passed', 'pass', 'success', 'successful', 'succeeded'],
  failed: ['failed', 'fail', 'failure', 'unsuccessful', 'not passed', 'did not pass'],
  'in-progress': ['in progress', 'inprogress', 'started', 'ongoing', 'underway', 'under way'],
  'not-started': [
    'not started',
    'assigned',
    'notstarted',
    'not yet started',
    'unstarted',
    'not begun',
    'not attempted',
    'never started',
    'yet to start',
    'to do',
    'todo',
  ],
  waiting: [
    'waiting for grading',
    'waiting for review',
    'waiting',
    'awaiting grading',
    'awaiting review',
    'pending grading',
    'pending review',
    'needs grading',
    'needs review',
    'to be graded',
    'ungraded',
    'not graded',
    'submitted',
    'under review',
    'in review',
    'grading',
    'in grading',
  ],
  cancelled: ['cancelled', 'canceled', 'called off'],
};

const meanings: ReadonlyMap<string, StatusMeaning> = new Map(
  Object.entries(known).flatMap(([meaning, words]) =>
    words.map((word): [string, StatusMeaning] => [word, meaning as StatusMeaning]),
  ),
);

/** A status in lower case with blanks between its words: `InProgress`, `in_progress` and `IN-PROGRESS` are one. */
export function plainStatus(status: string): string {
  return status
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[\s_\-./]+/g, ' ')
    .trim();
}

export function meaningOf(plain: string): StatusMeaning {
  return meanings.get(plain) ?? 'other';
}
