import { type ContentType, contentTypes, unitMembers } from '../world/rows.js';
import type { WorldWriter } from '../world/writer.js';
import type { Problems } from './data-refused.js';
import { type KnownRows, personIn, refuseTaken, unitsIn } from './known-rows.js';
import type { Row } from './row.js';

/** Units that a content can be meant for; its categories are of them too. */
const audiences = unitMembers.filter((member) => member !== 'groups' && member !== 'partner');

/** Takes the rows of contents.csv. */
export function contentTaker(writer: WorldWriter, known: KnownRows, problems: Problems): (row: Row) => void {
  return (row) => {
    const publicId = row.identifier('id');
    const type = row.oneOf('type', contentTypes);
    const passMark = row.whole('pass_mark', 0, 100);
    if ((type === 'assessment') !== (passMark !== null)) {
      row.wrong('pass_mark', 'an assessment has one, and nothing else has');
    }
    const collaborators = row.list('collaborators').map((name) => {
      const person = known.people.get(name);
      if (!person) row.wrong('collaborators', `people.csv has no ${JSON.stringify(name)}`);
      return person?.id ?? 0;
    });
    const content = {
      publicId,
      type,
      title: row.needed('title'),
      createdBy: personIn(row, 'created_by', known),
      createdAt: row.neededInstant('created_at'),
      archived: row.yesNo('archived'),
      minutes: row.whole('minutes', 0, 100_000),
      passMark,
      metadata: row.object('metadata'),
      units: audiences.flatMap((member) => unitsIn(row, member, member, known)),
      collaborators: [...new Set(collaborators)],
    };
    refuseTaken(row, 'id', known.contents, publicId);
    const id = problems.count === 0 ? writer.content(content) : 0;
    known.contents.set(publicId, { id, type });
  };
}

/** Takes the rows of parts.csv. */
export function partTaker(writer: WorldWriter, known: KnownRows, problems: Problems): (row: Row) => void {
  const places = new Set<string>();
  return (row) => {
    const whole = contentIn(row, 'whole', known, ['track', 'journey']);
    const part = contentIn(row, 'part', known);
    const position = row.whole('position', 1, 1_000_000);
    row.needed('whole');
    row.needed('part');
    row.needed('position');
    if (whole && part && (whole.type === 'journey') !== (part.type === 'track')) {
      row.wrong('part', 'a journey holds tracks, and a track holds what is neither');
    }
    if (part?.type === 'journey') row.wrong('part', 'a journey is part of nothing');
    const place = `${row.text('whole')}/${position}`;
    refuseTaken(row, 'position', places, place);
    places.add(place);
    if (problems.count === 0 && whole && part && position !== null) writer.part(whole.id, position, part.id);
  };
}

/** Takes the rows of instances.csv. */
export function instanceTaker(writer: WorldWriter, known: KnownRows, problems: Problems): (row: Row) => void {
  return (row) => {
    const publicId = row.identifier('id');
    row.needed('workshop');
    const startsAt = row.neededInstant('starts_at');
    const endsAt = row.neededInstant('ends_at');
    if (endsAt < startsAt) row.wrong('ends_at', 'it lies before starts_at');
    const instance = {
      publicId,
      workshop: contentIn(row, 'workshop', known, ['workshop'])?.id ?? 0,
      host: personIn(row, 'host', known),
      announcedAt: row.neededInstant('announced_at'),
      startsAt,
      endsAt,
      canceledAt: row.instant('canceled_at'),
      closesAt: row.instant('closes_at'),
      offeredSeats: row.whole('offered_seats', 0, 1_000_000),
      waitlistSeats: row.whole('waitlist_seats', 0, 1_000_000),
    };
    refuseTaken(row, 'id', known.instances, publicId);
    known.instances.set(publicId, problems.count === 0 ? writer.instance(instance) : 0);
  };
}

/** The content that a cell names; of one of those types, where they are given. */
export function contentIn(row: Row, column: string, { contents }: KnownRows, types?: readonly ContentType[]) {
  const found = row.find(column, (name) => contents.get(name), 'content in contents.csv');
  if (found && types && !types.includes(found.type)) row.wrong(column, `it takes a ${types.join(' or a ')}`);
  return found;
}
