/** What an event points at or carries beside its moment and its learner. */
export type EventPart = 'content' | 'track' | 'journey' | 'assignment' | 'instance' | 'amount' | 'by';

export interface EventKindRules {
  /** Parts that every event of the kind has. */
  readonly needs: readonly EventPart[];
  /** Parts that it may have as well. */
  readonly takes: readonly EventPart[];
  /** What it means, for the documentation of the data files. */
  readonly meaning: string;
}

/** Everything that can happen in the world. One list: the generator, the loader of files and the docs read it. */
export const eventKinds = {
  signed_in: { needs: [], takes: [], meaning: 'The learner signed in: one session.' },
  viewed: { needs: ['content', 'amount'], takes: [], meaning: 'Looked at a content for `amount` seconds.' },
  liked: { needs: ['content'], takes: [], meaning: 'Liked a content.' },
  shared: { needs: ['content'], takes: [], meaning: 'Shared a content.' },
  commented: { needs: ['content'], takes: [], meaning: 'Commented on a content.' },
  rated: { needs: ['content', 'amount'], takes: [], meaning: 'Rated a content with `amount` stars, 1 to 5.' },
  assigned: { needs: ['assignment'], takes: [], meaning: 'The assignment was given to the learner.' },
  assignment_started: { needs: ['assignment'], takes: [], meaning: 'Began what was assigned.' },
  assignment_completed: {
    needs: ['assignment'],
    takes: ['by'],
    meaning: 'Finished what was assigned; `by` is set when somebody else marked it complete.',
  },
  content_completed: {
    needs: ['content'],
    takes: ['track', 'journey', 'assignment', 'instance'],
    meaning:
      'Finished a content: within a track, for an assignment or in a workshop session where one is given.',
  },
  track_enrolled: { needs: ['track'], takes: ['journey'], meaning: 'Was put on a track.' },
  track_started: { needs: ['track'], takes: [], meaning: 'Began the track.' },
  track_completed: {
    needs: ['track'],
    takes: ['by'],
    meaning: 'Finished the track; `by` is set when somebody else marked it complete.',
  },
  assessment_enrolled: {
    needs: ['content'],
    takes: ['track', 'journey'],
    meaning: 'The assessment was opened to the learner, as part of a track where one is given.',
  },
  assessment_started: { needs: ['content'], takes: [], meaning: 'Began an attempt.' },
  assessment_submitted: {
    needs: ['content'],
    takes: [],
    meaning: 'Handed the attempt in, for grading by hand.',
  },
  assessment_graded: {
    needs: ['content', 'amount'],
    takes: [],
    meaning: 'The attempt got `amount` points of 100.',
  },
  seat_taken: {
    needs: ['instance'],
    takes: [],
    meaning: 'Registered for a workshop session and got a seat.',
  },
  seat_given_up: { needs: ['instance'], takes: [], meaning: 'Cancelled the registration.' },
  waitlist_joined: { needs: ['instance'], takes: [], meaning: 'Registered when no seat was free.' },
  waitlist_left: { needs: ['instance'], takes: [], meaning: 'Left the waitlist without a seat.' },
  seat_passed_on: { needs: ['instance'], takes: [], meaning: 'Got a freed seat from the waitlist.' },
  attended: {
    needs: ['instance'],
    takes: [],
    meaning: 'Was recorded as present; the moment is that of recording.',
  },
  missed: {
    needs: ['instance'],
    takes: [],
    meaning: 'Was recorded as absent; the moment is that of recording.',
  },
} as const satisfies Record<string, EventKindRules>;

export type EventKind = keyof typeof eventKinds;
