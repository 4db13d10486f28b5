import type { ContentType } from '../world/schema.js';
import type { WorldWriter } from '../world/writer.js';
import { archivedTitles, journeys, singleContents, tracks, workshops } from './names.js';
import type { Organization } from './organization.js';
import { day, identifier, type Random, randomFor, type Span } from './random.js';

export interface Piece {
  readonly id: number;
  readonly type: ContentType;
  readonly title: string;
  readonly minutes: number;
  /** Assessments only. */
  readonly passMark: number | null;
  /** Relative number of views. */
  readonly appeal: number;
}

export interface Track extends Piece {
  readonly pieces: readonly Piece[];
  readonly journey: number | null;
}

/** All content, in order of creation. */
export interface Library {
  /** Draws content by its appeal, without assessments and workshops. */
  any(random: Random): Piece;
  readonly byTitle: ReadonlyMap<string, Piece>;
  readonly tracks: readonly Track[];
  readonly workshops: readonly Piece[];
}

interface LibraryInput {
  readonly type: ContentType;
  readonly title: string;
  readonly category: string;
  readonly minutes: number | null;
}

/** Writes the library. `authors` are the possible authors of content. */
export function writeLibrary(
  seed: number,
  size: number,
  span: Span,
  organization: Organization,
  authors: readonly number[],
  writer: WorldWriter,
): Library {
  let count = 0;
  const ofType = new Map<ContentType, number>();

  function make({ type, title, category, minutes }: LibraryInput): Piece {
    count += 1;
    const nth = (ofType.get(type) ?? 0) + 1;
    ofType.set(type, nth);
    const random = randomFor(seed, 'content', count);
    const createdAt = span.start - random.whole(5, 700) * day;
    const passMark = type === 'assessment' ? random.pick([60, 70, 80]) : null;
    const id = writer.content({
      publicId: identifier(seed, 'content', count),
      type,
      title,
      createdBy: random.chance(0.95) ? random.pick(authors) : null,
      createdAt,
      archived: archivedTitles.has(title),
      minutes,
      passMark,
      metadata: JSON.stringify({
        level: random.pick(['introduction', 'intermediate', 'advanced']),
        languages: random.some(['en', 'de', 'fr', 'es', 'ja'], random.whole(1, 3)),
        source: random.chance(0.2) ? 'Bought, "as is", 2 seats' : undefined,
      }),
      units: unitsFor(random, nth, organization, category),
      collaborators: nth % 2 === 1 ? random.some(authors.slice(0, 60), random.whole(1, 3)) : [],
    });
    const appeal = Math.exp(1.1 * random.normal());
    return { id, type, title, minutes: minutes ?? 20, passMark, appeal };
  }

  const pieces: Piece[] = [];
  const byTitle = new Map<string, Piece>();
  for (let edition = 1; edition <= 1 + Math.min(9, Math.floor(size / 5_000)); edition += 1) {
    for (const [type, title, category, minutes] of singleContents) {
      const piece = make({
        type,
        title: edition === 1 ? title : `${title} (part ${edition})`,
        category,
        minutes,
      });
      pieces.push(piece);
      if (edition === 1) byTitle.set(title, piece);
    }
  }
  const trackList: Track[] = [];
  const inJourney = new Map<string, number>();
  for (const [title, category, parts] of journeys) {
    const journey = make({ type: 'journey', title, category, minutes: null });
    for (const part of parts) inJourney.set(part, journey.id);
  }
  for (const [title, category, parts] of tracks) {
    const track = make({ type: 'track', title, category, minutes: null });
    const held = parts.map((part) => byTitle.get(part)).filter((piece) => piece !== undefined);
    for (const [position, piece] of held.entries()) writer.part(track.id, position + 1, piece.id);
    const journey = inJourney.get(title) ?? null;
    if (journey !== null) writer.part(journey, trackList.length + 1, track.id);
    trackList.push({ ...track, pieces: held, journey });
  }
  return {
    any: byAppeal(pieces.filter(({ type }) => type !== 'assessment')),
    byTitle,
    tracks: trackList,
    workshops: workshops.map(([title, category, minutes]) =>
      make({ type: 'workshop', title, category, minutes }),
    ),
  };
}

/**
 * The category and, for many contents, the audience. The units rotate within each
 * type, so that each filter on contents matches some content and excludes some in every world.
 */
function unitsFor(random: Random, nth: number, organization: Organization, category: string): number[] {
  const units = [organization.categories.get(category) ?? 0];
  if (nth % 4 === 0) units.push(random.pick([...organization.categories.values()]));
  if (nth % 2 === 0) units.push(random.weighted(organization.departments).unit);
  if (nth % 3 === 0) units.push(random.weighted(organization.sites).unit);
  if (nth % 3 === 1) units.push(...random.some(organization.grades, 2));
  if (nth % 3 === 2) units.push(random.pick(organization.orgLevels));
  if (nth % 4 === 1) units.push(...random.some(organization.teams(), 1));
  return [...new Set(units)];
}

function byAppeal(pieces: readonly Piece[]): (random: Random) => Piece {
  let sum = 0;
  const sums = pieces.map(({ appeal }) => {
    sum += appeal;
    return sum;
  });
  return (random) => {
    const drawn = random.share() * sum;
    let [low, high] = [0, pieces.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > drawn) high = middle;
      else low = middle + 1;
    }
    return pieces[low] ?? random.pick(pieces);
  };
}
