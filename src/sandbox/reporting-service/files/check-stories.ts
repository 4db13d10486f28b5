import type { Database } from 'better-sqlite3';
import type { EventKind } from '../world/event-kinds.js';
import { anyOf, is, numberedKinds } from '../world/kinds-in-sql.js';
import type { Problems } from './data-refused.js';
import { fileOf } from './tables.js';

/** What makes no story although each row is right: without these, reports could not agree with each other. */
export function checkStories(db: Database, problems: Problems): void {
  // Rows got their ids in the order of the lines, and no line was left out.
  const say = (table: 'assignments' | 'events', id: number, reason: string) =>
    problems.add({ file: fileOf(table), line: id + 1, reason });
  const ids = (sql: string) => db.prepare<[], number>(sql).pluck().iterate();

  for (const id of ids(`SELECT id FROM assignment a
    WHERE NOT EXISTS (SELECT 1 FROM event WHERE assignment = a.id AND ${is('assigned')})`)) {
    say('assignments', id, 'no event of the kind assigned gives it to its learner');
  }
  for (const { kind, per } of onceOnly) {
    for (const id of ids(`SELECT max(id) FROM event WHERE ${is(kind)} GROUP BY ${per} HAVING count(*) > 1`)) {
      say('events', id, `${kind} happens only once`);
    }
  }
  for (const { kinds, after, same } of inOrder) {
    const before = same.map((column) => `b.${column} = e.${column}`).join(' AND ');
    for (const id of ids(`SELECT id FROM event e WHERE ${anyOf(kinds, 'e')} AND e.${same.at(-1)} IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM event b WHERE ${before} AND ${is(after, 'b')} AND (b.at, b.id) < (e.at, e.id))`)) {
      say('events', id, `it has no ${after} before it`);
    }
  }
  checkSeats(db, (id, reason) => say('events', id, reason));
}

const onceOnly: readonly { readonly kind: EventKind; readonly per: string }[] = [
  { kind: 'assigned', per: 'assignment' },
  { kind: 'assignment_completed', per: 'assignment' },
  { kind: 'track_enrolled', per: 'person, track' },
  { kind: 'track_completed', per: 'person, track' },
  { kind: 'assessment_enrolled', per: 'person, content' },
];

const inOrder: readonly {
  readonly kinds: readonly EventKind[];
  readonly after: EventKind;
  readonly same: readonly string[];
}[] = [
  { kinds: ['assignment_started', 'assignment_completed'], after: 'assigned', same: ['assignment'] },
  {
    kinds: ['track_started', 'track_completed', 'content_completed'],
    after: 'track_enrolled',
    same: ['person', 'track'],
  },
  {
    kinds: ['assessment_started', 'assessment_submitted', 'assessment_graded'],
    after: 'assessment_enrolled',
    same: ['person', 'content'],
  },
];

type Place = 'none' | 'seat' | 'waitlist' | 'recorded';

/** What a learner has to have in a session for an event to happen, and what they have then. */
const moves: Partial<Record<EventKind, readonly [from: Place, to: Place]>> = {
  seat_taken: ['none', 'seat'],
  seat_given_up: ['seat', 'none'],
  waitlist_joined: ['none', 'waitlist'],
  waitlist_left: ['waitlist', 'none'],
  seat_passed_on: ['waitlist', 'seat'],
  attended: ['seat', 'recorded'],
  missed: ['seat', 'recorded'],
};

function checkSeats(db: Database, say: (id: number, reason: string) => void): void {
  const events = db.prepare<[], { id: number; kind: number; instance: number; person: number }>(
    `SELECT id, kind, instance, person FROM event WHERE instance IS NOT NULL ORDER BY instance, person, at, id`,
  );
  let whose = '';
  let place: Place = 'none';
  for (const { id, kind, instance, person } of events.iterate()) {
    if (whose !== `${instance}/${person}`) place = 'none';
    whose = `${instance}/${person}`;
    const name = numberedKinds[kind - 1];
    const move = name && moves[name];
    if (!move) continue;
    const [from, to] = move;
    if (place !== from) say(id, `${name} does not follow from what the learner did in this session before`);
    place = to;
  }
}
