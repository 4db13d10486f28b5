import type { LearningEvent } from '../world/rows.js';
import { attempts } from './attempts.js';
import { secondsOn } from './browsing.js';
import { endOfDay, startOfDay } from './campaigns.js';
import type { Track } from './library.js';
import type { Learner } from './people.js';
import type { Random } from './random.js';
import { atWork, outOfQuietSeason } from './rhythm.js';
import type { Scene } from './scene.js';
import { day, hour, minute } from './span.js';

interface Chance {
  readonly title: string;
  readonly chance: number;
  /** Put on it on the first day, if that lies within the span. */
  readonly onJoining?: true;
}

const everybody: readonly Chance[] = [
  { title: 'First Thirty Days', chance: 1, onJoining: true },
  { title: 'Rules of the House', chance: 0.22 },
  { title: 'Safe Online', chance: 0.25 },
  { title: 'Well & Awake', chance: 0.1 },
  { title: 'Languages for Everyone', chance: 0.08 },
];

const ofDepartment: Readonly<Record<string, readonly Chance[]>> = {
  Sales: [{ title: 'Selling, Step by Step', chance: 0.5 }],
  Support: [{ title: 'Care Agent', chance: 0.5 }],
  Warehouse: [
    { title: 'Safe at Work', chance: 0.5 },
    { title: 'Forklift, from A to Z', chance: 0.35 },
  ],
  'Field Operations': [{ title: 'Safe at Work', chance: 0.4 }],
};

/** Every track that a learner was put on, and how far they came. */
export function* trackWalks(learner: Learner, scene: Scene, random: Random): Generator<LearningEvent> {
  const chances = [
    ...everybody,
    ...(ofDepartment[learner.department] ?? []),
    ...(learner.leads ? [{ title: 'New Manager', chance: 0.5 }] : []),
  ];
  for (const { title, chance, onJoining } of chances) {
    const track = scene.library.tracks.find((each) => each.title === title);
    if (!track || !random.chance(chance)) continue;
    const some = outOfQuietSeason(random, learner.from + (learner.left - learner.from) * random.share());
    const at = onJoining ? learner.joined + 2 * hour : atWork(random, startOfDay(some), 1);
    if (at < learner.from || at >= learner.left) continue;
    const assigner = !onJoining && random.chance(0.35) ? learner.manager : null;
    const assignment =
      assigner === null
        ? undefined
        : scene.assign({ person: learner.id, content: track.id, assigner, dueAt: endOfDay(at + 60 * day) });
    yield* walk(learner, { track, at, assignment }, random);
  }
}

interface Enrolment {
  readonly track: Track;
  readonly at: number;
  /** Where a manager asked for the whole track. */
  readonly assignment: number | undefined;
}

function* walk(
  learner: Learner,
  { track, at: enrolled, assignment }: Enrolment,
  random: Random,
): Generator<LearningEvent> {
  const person = learner.id;
  const within = { track: track.id, ...(track.journey !== null ? { journey: track.journey } : {}) };
  function* ended(at: number, by?: number): Generator<LearningEvent> {
    yield { at, kind: 'track_completed', person, track: track.id, by };
    if (assignment !== undefined) yield { at, kind: 'assignment_completed', person, assignment, by };
  }

  if (assignment !== undefined) yield { at: enrolled, kind: 'assigned', person, assignment };
  yield { at: enrolled, kind: 'track_enrolled', person, ...within };
  for (const piece of track.pieces) {
    if (piece.type === 'assessment') {
      yield { at: enrolled, kind: 'assessment_enrolled', person, content: piece.id, ...within };
    }
  }
  if (learner.manager !== null && random.chance(0.03)) {
    yield* ended(enrolled + random.whole(5, 40) * day, learner.manager);
    return;
  }
  if (!learner.present || random.chance(0.3 * (1 - learner.diligence))) return;

  let at = atWork(random, startOfDay(enrolled) + (1 + random.count(5)) * day, learner.hoursAhead);
  yield { at, kind: 'track_started', person, track: track.id };
  if (assignment !== undefined) yield { at, kind: 'assignment_started', person, assignment };
  for (const piece of track.pieces) {
    if (random.chance(0.16 * (1.2 - learner.diligence))) return;
    yield { at, kind: 'viewed', person, content: piece.id, amount: secondsOn(piece, random) };
    if (piece.type === 'assessment') {
      const passed = yield* attempts(learner, piece, at, within, random);
      if (passed === undefined) return;
      at = passed;
    } else {
      at += piece.minutes * minute;
      yield { at, kind: 'content_completed', person, content: piece.id, ...within };
    }
    if (piece !== track.pieces.at(-1)) {
      at = atWork(random, startOfDay(at) + (1 + random.count(4)) * day, learner.hoursAhead);
    }
  }
  yield* ended(at);
}
