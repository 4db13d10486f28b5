import { type EventKind, type EventKindRules, type EventPart, eventKinds } from '../world/event-kinds.js';
import { numberedKinds } from '../world/kinds-in-sql.js';
import { type ContentType, contentTypes, isCollection } from '../world/rows.js';
import type { WorldWriter } from '../world/writer.js';
import type { Problems } from './data-refused.js';
import { type KnownRows, personIn } from './known-rows.js';
import { contentIn } from './load-library.js';
import type { Row } from './row.js';

/** Takes the rows of assignments.csv. */
export function assignmentTaker(
  writer: WorldWriter,
  known: KnownRows,
  problems: Problems,
): (row: Row) => void {
  return (row) => {
    const publicId = row.identifier('id');
    row.needed('learner');
    row.needed('content');
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
export function eventTaker(writer: WorldWriter, known: KnownRows, problems: Problems): (row: Row) => void {
  return (row) => {
    const at = row.neededInstant('at');
    const kind = row.oneOf('kind', numberedKinds);
    row.needed('learner');
    const learner = row.find('learner', (name) => known.people.get(name), 'person in people.csv');
    if (learner && at < learner.createdAt)
      row.wrong('at', "it lies before the learner's account was created");
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

const learnt = contentTypes.filter((type) => !isCollection(type));

/** Types of content that an event of a kind can be about; absent: any. */
function contentsOf(kind: EventKind): readonly ContentType[] | undefined {
  if (kind === 'content_completed') return learnt;
  return kind.startsWith('assessment_') ? ['assessment'] : undefined;
}
