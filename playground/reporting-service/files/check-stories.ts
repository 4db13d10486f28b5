import type { Database } from 'better-sqlite3';
import type { Turns } from '../turns.js';
import type { EventKind } from '../world/event-kinds.js';
import { anyOf, is, numberedKinds } from '../world/kinds-in-sql.js';
import type { Problems } from './data-refused.js';
import { fileOf } from './tables.js';

/** What makes no story although each row is right: without these, reports could not agree with each other. */
export async function checkStories(db: Database, problems: Problems, turns: Turns): Promise<void> {
  const reasons = `CASE ${[...onceOnly.map(happenedBefore), ...inOrder.map(cameTooEarly)].join('\n')} END`;
  await listProblems(
    db,
    `SELECT id, ${reasons} AS reason FROM event e ORDER BY id`,
    'events',
    problems,
    turns,
  );
  const nobody = `CASE WHEN NOT EXISTS (SELECT 1 FROM event WHERE assignment = a.id AND ${is('assigned')})
    THEN 'no event of the kind assigned gives it to its learner' END`;
  await listProblems(
    db,
    `SELECT id, ${nobody} AS reason FROM assignment a ORDER BY id`,
    'assignments',
    problems,
    turns,
  );
  await checkSeats(db, problems, turns);
}

interface Found {
  readonly id: number;
  readonly reason: string | null;
}

async function listProblems(
  db: Database,
  sql: string,
  table: 'events' | 'assignments',
  problems: Problems,
  turns: Turns,
): Promise<void> {
  for (const { id, reason } of db.prepare<[], Found>(sql).iterate()) {
    if (reason !== null) problems.add({ file: fileOf(table), line: lineOf(id), reason });
    if (turns.due) await turns.take();
  }
}

/** Rows got their ids in the order of the lines, none was left out, and the first line is the header. */
const lineOf = (id: number) => id + 1;

interface OnceOnly {
  readonly kind: EventKind;
  readonly per: readonly string[];
}

const onceOnly: readonly OnceOnly[] = [
  { kind: 'assigned', per: ['assignment'] },
  { kind: 'assignment_completed', per: ['assignment'] },
  { kind: 'track_enrolled', per: ['person', 'track'] },
  { kind: 'track_completed', per: ['person', 'track'] },
  { kind: 'assessment_enrolled', per: ['person', 'content'] },
];

const sameAs = (columns: readonly string[]) =>
  columns.map((column) => `b.${column} = e.${column}`).join(' AND ');

function happenedBefore({ kind, per }: OnceOnly): string {
  return `WHEN ${is(kind, 'e')} AND EXISTS (SELECT 1 FROM event b
    WHERE ${sameAs(per)} AND ${is(kind, 'b')} AND b.id < e.id) THEN '${kind} happens only once'`;
}

interface InOrder {
  readonly kinds: readonly EventKind[];
  readonly after: EventKind;
  readonly same: readonly string[];
}

const inOrder: readonly InOrder[] = [
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

function cameTooEarly({ kinds, after, same }: InOrder): string {
  return `WHEN ${anyOf(kinds, 'e')} AND e.${same.at(-1)} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM event b
    WHERE ${sameAs(same)} AND ${is(after, 'b')} AND (b.at, b.id) < (e.at, e.id)) THEN 'it has no ${after} before it'`;
}

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

async function checkSeats(db: Database, problems: Problems, turns: Turns): Promise<void> {
  const events = db.prepare<[number], { id: number; kind: number; person: number }>(
    'SELECT id, kind, person FROM event WHERE instance = ? ORDER BY at, id',
  );
  for (const instance of db.prepare<[], number>('SELECT id FROM instance').pluck().all()) {
    const places = new Map<number, Place>();
    for (const { id, kind, person } of events.all(instance)) {
      const name = numberedKinds[kind - 1];
      const move = name && moves[name];
      if (!move) continue;
      const [from, to] = move;
      if ((places.get(person) ?? 'none') !== from) {
        const reason = `${name} does not follow from what the learner did in this session before`;
        problems.add({ file: fileOf('events'), line: lineOf(id), reason });
      }
      places.set(person, to);
    }
    if (turns.due) await turns.take();
  }
}
