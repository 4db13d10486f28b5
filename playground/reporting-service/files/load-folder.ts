import type { Database } from 'better-sqlite3';
import type { EventLoopYield } from '../event-loop.js';
import {
  anyOf,
  type ContentType,
  contentTypes,
  type EventKind,
  type EventKindRules,
  type EventPart,
  eventKinds,
  is,
  isCollection,
  numberedKinds,
} from '../world/schema.js';
import { type WorldWriter, worldWriter } from '../world/writer.js';
import {
  contentIn,
  type KnownRows,
  knownRows,
  loadContent,
  loadInstances,
  loadParts,
  loadPeople,
  loadUnits,
  personIn,
} from './load-organization.js';
import { type Row, readTable } from './read-table.js';
import { collectProblems, fileOf, type Problems, type TableName } from './tables.js';

/**
 * Loads a folder of CSV files into an empty database. After the first problem, rows are only validated.
 *
 * @throws InvalidData with all problems. The database is then unusable.
 */
export async function loadFolder(folder: string, db: Database, eventLoop: EventLoopYield): Promise<void> {
  const problems = collectProblems();
  const writer = worldWriter(db);
  const known = knownRows(db);
  const people = loadPeople(db, writer, known, problems);
  const read = (table: TableName, take: (row: Row) => void) =>
    readTable(folder, table, problems, eventLoop, take);

  await read('units', loadUnits(writer, known, problems));
  await read('people', people.take);
  people.connect();
  await read('contents', loadContent(writer, known, problems));
  await read('parts', loadParts(writer, known, problems));
  await read('instances', loadInstances(writer, known, problems));
  await read('assignments', loadAssignments(writer, known, problems));
  await read('events', loadEvents(writer, known, problems));
  writer.finish();
  problems.throwIfAny();
  await checkEventOrder(db, problems, eventLoop);
  problems.throwIfAny();
}

/** Validates the order of events across rows. Otherwise reports could contradict each other. */
async function checkEventOrder(db: Database, problems: Problems, eventLoop: EventLoopYield): Promise<void> {
  const reasons = `CASE ${[...onceOnly.map(happenedBefore), ...inOrder.map(cameTooEarly)].join('\n')} END`;
  await listProblems(
    db,
    `SELECT id, ${reasons} AS reason FROM event e ORDER BY id`,
    'events',
    problems,
    eventLoop,
  );
  const nobody = `CASE WHEN NOT EXISTS (SELECT 1 FROM event WHERE assignment = a.id AND ${is('assigned')})
    THEN 'no event of the kind assigned gives it to its learner' END`;
  await listProblems(
    db,
    `SELECT id, ${nobody} AS reason FROM assignment a ORDER BY id`,
    'assignments',
    problems,
    eventLoop,
  );
  await checkSeats(db, problems, eventLoop);
}

interface RowProblem {
  readonly id: number;
  readonly reason: string | null;
}

async function listProblems(
  db: Database,
  sql: string,
  table: 'events' | 'assignments',
  problems: Problems,
  eventLoop: EventLoopYield,
): Promise<void> {
  for (const { id, reason } of db.prepare<[], RowProblem>(sql).iterate()) {
    if (reason !== null) problems.add({ file: fileOf(table), line: lineOf(id), reason });
    if (eventLoop.isDue) await eventLoop.yield();
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

type SeatState = 'none' | 'seat' | 'waitlist' | 'recorded';

/** What a learner has to have in a session for an event to happen, and what they have then. */
const seatTransitions: Partial<Record<EventKind, readonly [from: SeatState, to: SeatState]>> = {
  seat_taken: ['none', 'seat'],
  seat_given_up: ['seat', 'none'],
  waitlist_joined: ['none', 'waitlist'],
  waitlist_left: ['waitlist', 'none'],
  seat_passed_on: ['waitlist', 'seat'],
  attended: ['seat', 'recorded'],
  missed: ['seat', 'recorded'],
};

async function checkSeats(db: Database, problems: Problems, eventLoop: EventLoopYield): Promise<void> {
  const events = db.prepare<[number], { id: number; kind: number; person: number }>(
    'SELECT id, kind, person FROM event WHERE instance = ? ORDER BY at, id',
  );
  for (const instance of db.prepare<[], number>('SELECT id FROM instance').pluck().all()) {
    const seatStates = new Map<number, SeatState>();
    for (const { id, kind, person } of events.all(instance)) {
      const name = numberedKinds[kind - 1];
      const move = name && seatTransitions[name];
      if (!move) continue;
      const [from, to] = move;
      if ((seatStates.get(person) ?? 'none') !== from) {
        const reason = `${name} does not follow from what the learner did in this session before`;
        problems.add({ file: fileOf('events'), line: lineOf(id), reason });
      }
      seatStates.set(person, to);
    }
    if (eventLoop.isDue) await eventLoop.yield();
  }
}

/** Takes the rows of assignments.csv. */
function loadAssignments(writer: WorldWriter, known: KnownRows, problems: Problems): (row: Row) => void {
  return (row) => {
    const publicId = row.identifier('id');
    row.required('learner');
    row.required('content');
    if (known.assignment(publicId)) row.wrong('id', 'another row has the same');
    const assignment = {
      publicId,
      person: personIn(row, 'learner', known) ?? 0,
      content: contentIn(row, 'content', known)?.id ?? 0,
      assigner: personIn(row, 'assigner', known),
      dueAt: row.instant('due_at'),
    };
    if (problems.count === 0) writer.assignment(assignment);
    else known.unwritten.set(publicId, { id: 0, person: assignment.person });
  };
}

const parts: readonly EventPart[] = ['content', 'track', 'journey', 'assignment', 'instance', 'amount', 'by'];

const amounts: Partial<Record<EventKind, readonly [low: number, high: number]>> = {
  viewed: [0, 10_000_000],
  rated: [1, 5],
  assessment_graded: [0, 100],
};

/** Takes the rows of events.csv. */
function loadEvents(writer: WorldWriter, known: KnownRows, problems: Problems): (row: Row) => void {
  return (row) => {
    const at = row.requiredInstant('at');
    const kind = row.oneOf('kind', numberedKinds);
    row.required('learner');
    const learner = row.find('learner', (name) => known.people.get(name), 'person in people.csv');
    if (learner && at < learner.createdAt) row.wrong('at', "it is before the learner's account was created");
    checkParts(row, kind);
    const [low, high] = amounts[kind] ?? [0, 0];
    const assignment = row.find('assignment', known.assignment, 'assignment in assignments.csv');
    if (assignment && learner && assignment.person !== learner.id) {
      row.wrong('assignment', 'it is of another learner');
    }
    const event = {
      at,
      kind,
      person: learner?.id ?? 0,
      content: contentIn(row, 'content', known, contentsOf(kind))?.id,
      track: contentIn(row, 'track', known, ['track'])?.id,
      journey: contentIn(row, 'journey', known, ['journey'])?.id,
      assignment: assignment?.id,
      instance:
        row.find('instance', (name) => known.instances.get(name), 'session in instances.csv') ?? undefined,
      amount: row.whole('amount', low, high) ?? undefined,
      by: personIn(row, 'by', known) ?? undefined,
    };
    if (problems.count === 0) writer.event(event);
  };
}

function checkParts(row: Row, kind: EventKind): void {
  const rules: EventKindRules = eventKinds[kind];
  for (const part of parts) {
    const given = row.text(part) !== null;
    if (!given && rules.needs.includes(part)) row.wrong(part, `an event of the kind ${kind} needs it`);
    if (given && !rules.needs.includes(part) && !rules.takes.includes(part)) {
      row.wrong(part, `an event of the kind ${kind} has none`);
    }
  }
}

const completableTypes = contentTypes.filter((type) => !isCollection(type));

/** Types of content that an event of a kind can be about; absent: any. */
function contentsOf(kind: EventKind): readonly ContentType[] | undefined {
  if (kind === 'content_completed') return completableTypes;
  return kind.startsWith('assessment_') ? ['assessment'] : undefined;
}
