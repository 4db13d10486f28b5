import { type EventKind, eventKinds } from './rows.js';

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

/**
 * The tables of the world, in SQLite. What an organization is stands in six of them; everything that ever happened in
 * it is one stream in `event`, and every report is computed from that stream as far as it has come by now.
 *
 * All instants are epoch seconds. `folded` columns hold a text as filters compare it (see `fold`). An event's `id` is
 * also its rank among those of the same second. The indexes are the orders in which the reports are read: no statement
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
