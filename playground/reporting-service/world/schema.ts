/** Filter members whose entries are units of the organization or categories of the library. */
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

/** Types of content. A track contains contents, a journey contains tracks. */
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

/** References are `id`s of this database. `publicId` is the ID in answers. */
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
  /** IDs of units: at most one grade, org level and partner. The first group is the main one. */
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
  /** Points out of 100 needed to pass; assessments only. */
  readonly passMark: number | null;
  /** The text of a JSON object. */
  readonly metadata: string;
  /** Categories, and the units of its audience. */
  readonly units: readonly number[];
  readonly collaborators: readonly number[];
}

export interface Instance {
  readonly publicId: string;
  readonly workshop: number;
  readonly host: number | null;
  /** The session is visible from then on. */
  readonly announcedAt: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly canceledAt: number | null;
  /** End of registration. */
  readonly closesAt: number | null;
  /** null: unlimited. */
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

/** The members of an event beside its time and its learner. */
export type EventPart = 'content' | 'track' | 'journey' | 'assignment' | 'instance' | 'amount' | 'by';

export interface EventKindRules {
  /** Required parts. */
  readonly needs: readonly EventPart[];
  /** Optional parts. */
  readonly takes: readonly EventPart[];
}

const nothing: EventKindRules = { needs: [], takes: [] };
const aContent: EventKindRules = { needs: ['content'], takes: [] };
const anAmountOfContent: EventKindRules = { needs: ['content', 'amount'], takes: [] };
const aSession: EventKindRules = { needs: ['instance'], takes: [] };

/** The kinds of events. docs/reporting-service.md explains each one. */
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
 * A text as filters compare it: composed Unicode, lower case, trimmed, with single spaces, so that
 * `field  operations` finds `Field Operations`.
 */
export function fold(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase();
}

/** The kinds in the order of their numbers in the database, from 1. */
export const numberedKinds = Object.keys(eventKinds) as readonly EventKind[];

/** There are millions of events, so the database stores kinds as numbers. */
export const kindNumber = Object.fromEntries(
  numberedKinds.map((kind, index) => [kind, index + 1]),
) as Readonly<Record<EventKind, number>>;

/** SQL condition that an event, by its alias, has this kind. */
export function is(kind: EventKind, event?: string): string {
  return `${event === undefined ? '' : `${event}.`}kind = ${kindNumber[kind]}`;
}

/** The same for several kinds. SQLite uses a partial index only if the query has exactly the same condition. */
export function anyOf(kinds: readonly EventKind[], event?: string): string {
  return `(${kinds.map((kind) => is(kind, event)).join(' OR ')})`;
}

export const assignmentSteps = ['assigned', 'assignment_started', 'assignment_completed'] as const;
export const attemptSteps = ['assessment_started', 'assessment_submitted', 'assessment_graded'] as const;

/** Events that create, change or end a row of a report, without workshops. They are found by time. */
export const rowKinds = [
  ...assignmentSteps,
  'content_completed',
  'track_enrolled',
  'track_started',
  'track_completed',
  'assessment_enrolled',
] as const;

/**
 * The tables of the world, in SQLite. Six of them describe the organization. Everything that happened in
 * it is in `event`, and every report is computed from the events up to now.
 *
 * All instants are epoch seconds. `folded` columns contain text as filters compare it (see `fold`). The `id` of an event
 * also orders events of the same second. Indexes have the orders in which reports are read: no statement
 * of a report sorts.
 */
export const schema = `
CREATE TABLE made (about TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE unit (
  id INTEGER PRIMARY KEY, public_id TEXT NOT NULL UNIQUE,
  member TEXT NOT NULL, name TEXT NOT NULL, folded TEXT NOT NULL,
  UNIQUE (member, folded)
);

CREATE TABLE person (
  id INTEGER PRIMARY KEY, public_id TEXT NOT NULL UNIQUE, userid TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL, first_name TEXT NOT NULL, last_name TEXT NOT NULL,
  email_folded TEXT NOT NULL UNIQUE, first_folded TEXT NOT NULL, last_folded TEXT NOT NULL,
  job_title TEXT, address TEXT, image TEXT, role TEXT NOT NULL, region TEXT, language TEXT,
  departments TEXT NOT NULL, locations TEXT NOT NULL, teams TEXT NOT NULL, groups TEXT NOT NULL,
  grade TEXT, org_level TEXT, partner TEXT, distributor TEXT,
  manager INTEGER REFERENCES person, buddy INTEGER REFERENCES person, is_purchaser INTEGER NOT NULL,
  hired_on TEXT, created_at INTEGER NOT NULL, suspended_on INTEGER, metadata TEXT NOT NULL
);
CREATE INDEX person_by_creation ON person (created_at);
CREATE INDEX person_by_manager ON person (manager);

CREATE TABLE person_unit (
  person INTEGER NOT NULL REFERENCES person, unit INTEGER NOT NULL REFERENCES unit, PRIMARY KEY (person, unit)
) WITHOUT ROWID;

CREATE TABLE content (
  id INTEGER PRIMARY KEY, public_id TEXT NOT NULL UNIQUE, type TEXT NOT NULL, title TEXT NOT NULL,
  created_by INTEGER REFERENCES person, created_at INTEGER NOT NULL, archived INTEGER NOT NULL,
  minutes INTEGER, pass_mark INTEGER, metadata TEXT NOT NULL
);
CREATE INDEX content_by_author ON content (created_by);

CREATE TABLE content_unit (
  content INTEGER NOT NULL REFERENCES content, unit INTEGER NOT NULL REFERENCES unit, PRIMARY KEY (content, unit)
) WITHOUT ROWID;

CREATE TABLE collaborator (
  content INTEGER NOT NULL REFERENCES content, person INTEGER NOT NULL REFERENCES person,
  PRIMARY KEY (content, person)
) WITHOUT ROWID;
CREATE INDEX collaborator_by_person ON collaborator (person);

CREATE TABLE part (
  whole INTEGER NOT NULL REFERENCES content, position INTEGER NOT NULL, part INTEGER NOT NULL REFERENCES content,
  PRIMARY KEY (whole, position)
) WITHOUT ROWID;

CREATE TABLE instance (
  id INTEGER PRIMARY KEY, public_id TEXT NOT NULL UNIQUE, workshop INTEGER NOT NULL REFERENCES content,
  host INTEGER REFERENCES person, announced_at INTEGER NOT NULL,
  starts_at INTEGER NOT NULL, ends_at INTEGER NOT NULL, canceled_at INTEGER, closes_at INTEGER,
  offered_seats INTEGER, waitlist_seats INTEGER
);
CREATE INDEX instance_by_start ON instance (starts_at);

CREATE TABLE assignment (
  id INTEGER PRIMARY KEY, public_id TEXT NOT NULL UNIQUE, person INTEGER NOT NULL REFERENCES person,
  content INTEGER NOT NULL REFERENCES content, assigner INTEGER REFERENCES person, due_at INTEGER
);
CREATE INDEX assignment_by_due_date ON assignment (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX assignment_of_person ON assignment (person, content);

CREATE TABLE event_kind (id INTEGER PRIMARY KEY, name TEXT NOT NULL);

CREATE TABLE event (
  id INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind INTEGER NOT NULL REFERENCES event_kind, person INTEGER NOT NULL REFERENCES person,
  content INTEGER REFERENCES content, track INTEGER REFERENCES content, journey INTEGER REFERENCES content,
  assignment INTEGER REFERENCES assignment, instance INTEGER REFERENCES instance,
  amount INTEGER, by_person INTEGER REFERENCES person
);
CREATE INDEX event_of_person ON event (person, kind, at);
CREATE INDEX event_of_assignment ON event (assignment, kind, at) WHERE assignment IS NOT NULL;
CREATE INDEX event_of_instance ON event (instance, kind, at) WHERE instance IS NOT NULL;
CREATE INDEX event_in_track ON event (person, track, kind, at) WHERE track IS NOT NULL;
CREATE INDEX completion_of_content ON event (person, content, at) WHERE ${is('content_completed')};
CREATE INDEX attempt_by_time ON event (person, content, at) WHERE ${anyOf(attemptSteps)};
CREATE INDEX event_by_kind ON event (kind, at) WHERE ${anyOf(rowKinds)};
CREATE INDEX event_by_time ON event (at) WHERE ${anyOf(rowKinds)};
CREATE INDEX track_event_by_time ON event (at) WHERE track IS NOT NULL;
`;
