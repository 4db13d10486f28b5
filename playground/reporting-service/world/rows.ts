/** Filter members whose entries name a unit of the organization or a category of the library. */
export const unitMembers = [
  'departments',
  'locations',
  'teams',
  'groups',
  'grades',
  'org_levels',
  'partner',
  'categories',
] as const;
export type UnitMember = (typeof unitMembers)[number];

export const isUnitMember = (member: string): member is UnitMember =>
  unitMembers.some((each) => each === member);

/** What can be learnt, and the two things that hold others: a track holds contents, a journey holds tracks. */
export const contentTypes = [
  'article',
  'video',
  'course',
  'document',
  'podcast',
  'link',
  'assessment',
  'workshop',
  'track',
  'journey',
] as const;
export type ContentType = (typeof contentTypes)[number];

export const isCollection = (type: ContentType) => type === 'track' || type === 'journey';

export const roles = ['learner', 'manager', 'author', 'administrator'] as const;
type Role = (typeof roles)[number];

/** Numbers that stand for rows are the `id`s of this database; `publicId` is what the outside knows. */
export interface Unit {
  readonly publicId: string;
  readonly member: UnitMember;
  readonly name: string;
}

export interface Person {
  readonly publicId: string;
  readonly userid: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly jobTitle: string | null;
  readonly address: string | null;
  readonly image: string | null;
  readonly role: Role;
  readonly region: string | null;
  readonly language: string | null;
  /** Ids of units, at most one each for grade, org level and partner; the first group is the main one. */
  readonly units: { readonly [member in Exclude<UnitMember, 'categories'>]: readonly number[] };
  readonly distributor: string | null;
  readonly manager: number | null;
  readonly buddy: number | null;
  readonly isPurchaser: boolean;
  /** A day, `2026-11-20`. */
  readonly hiredOn: string | null;
  readonly createdAt: number;
  readonly suspendedOn: number | null;
  /** The text of a JSON object. */
  readonly metadata: string;
}

export interface Content {
  readonly publicId: string;
  readonly type: ContentType;
  readonly title: string;
  readonly createdBy: number | null;
  readonly createdAt: number;
  readonly archived: boolean;
  readonly minutes: number | null;
  /** Points of 100 that pass; assessments only. */
  readonly passMark: number | null;
  /** The text of a JSON object. */
  readonly metadata: string;
  /** Categories, and the units of the organization that it is meant for. */
  readonly units: readonly number[];
  readonly collaborators: readonly number[];
}

export interface Instance {
  readonly publicId: string;
  readonly workshop: number;
  readonly host: number | null;
  /** Nobody sees the session before. */
  readonly announcedAt: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly canceledAt: number | null;
  /** Nobody can register from then on. */
  readonly closesAt: number | null;
  /** null: as many as come. */
  readonly offeredSeats: number | null;
  /** null: there is no waitlist. */
  readonly waitlistSeats: number | null;
}

export interface Assignment {
  readonly publicId: string;
  readonly person: number;
  readonly content: number;
  readonly assigner: number | null;
  readonly dueAt: number | null;
}

export interface LearningEvent {
  readonly at: number;
  readonly kind: EventKind;
  readonly person: number;
  readonly content?: number | undefined;
  readonly track?: number | undefined;
  readonly journey?: number | undefined;
  readonly assignment?: number | undefined;
  readonly instance?: number | undefined;
  readonly amount?: number | undefined;
  readonly by?: number | undefined;
}

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

/**
 * A text as filters compare it: composed Unicode, lower case, no blanks at the ends and single ones inside, so that
 * `field  operations` finds `Field Operations`.
 */
export function fold(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase();
}
