/** What an event points at or carries beside its moment and its learner. */
export type EventPart = 'content' | 'track' | 'journey' | 'assignment' | 'instance' | 'amount' | 'by';

export interface EventKindRules {
  /** Parts that every event of the kind has. */
  readonly needs: readonly EventPart[];
  /** Parts that it may have as well. */
  readonly takes: readonly EventPart[];
}

const nothing: EventKindRules = { needs: [], takes: [] };
const aContent: EventKindRules = { needs: ['content'], takes: [] };
const anAmountOfContent: EventKindRules = { needs: ['content', 'amount'], takes: [] };
const aSession: EventKindRules = { needs: ['instance'], takes: [] };

/** Everything that can happen in the world; what each kind means stands in docs/reporting-service.md. */
export const eventKinds = {
  signed_in: nothing,
  viewed: anAmountOfContent,
  liked: aContent,
  shared: aContent,
  commented: aContent,
  rated: anAmountOfContent,
  assigned: { needs: ['assignment'], takes: [] },
  assignment_started: { needs: ['assignment'], takes: [] },
  assignment_completed: { needs: ['assignment'], takes: ['by'] },
  content_completed: { needs: ['content'], takes: ['track', 'journey', 'assignment', 'instance'] },
  track_enrolled: { needs: ['track'], takes: ['journey'] },
  track_started: { needs: ['track'], takes: [] },
  track_completed: { needs: ['track'], takes: ['by'] },
  assessment_enrolled: { needs: ['content'], takes: ['track', 'journey'] },
  assessment_started: aContent,
  assessment_submitted: aContent,
  assessment_graded: anAmountOfContent,
  seat_taken: aSession,
  seat_given_up: aSession,
  waitlist_joined: aSession,
  waitlist_left: aSession,
  seat_passed_on: aSession,
  attended: aSession,
  missed: aSession,
} as const satisfies Record<string, EventKindRules>;

export type EventKind = keyof typeof eventKinds;
