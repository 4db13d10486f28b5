import type { LearningEvent } from '../world/schema.js';
import { attempts, secondsOn } from './activity.js';
import { type Campaign, endOfDay, forNewcomers, type LearningContext, startOfDay } from './campaigns.js';
import type { Piece, Track } from './library.js';
import type { Learner } from './people.js';
import {
  atWork,
  day,
  hour,
  minute,
  outOfQuietSeason,
  type Random,
  week,
  workingDayBefore,
} from './random.js';

/** A learner's assignments and their progress. */
export function* assignmentEvents(
  learner: Learner,
  context: LearningContext,
  random: Random,
): Generator<LearningEvent> {
  const given = [...fromCampaigns(learner, context.campaigns, random), ...fromJoining(learner, context)];
  given.push(...fromManager(learner, context, random));
  for (const planned of given.sort((a, b) => a.at - b.at)) {
    if (planned.at < learner.from || planned.at >= learner.left) continue;
    const assignment = context.assign({
      person: learner.id,
      content: planned.piece.id,
      assigner: planned.assigner,
      dueAt: planned.dueAt,
    });
    yield { at: planned.at, kind: 'assigned', person: learner.id, assignment };
    if (planned.piece.type === 'assessment') {
      yield { at: planned.at, kind: 'assessment_enrolled', person: learner.id, content: planned.piece.id };
    }
    yield* assignmentProgress(learner, planned, assignment, random);
  }
}

interface PlannedAssignment {
  readonly piece: Piece;
  readonly at: number;
  readonly dueAt: number | null;
  readonly assigner: number;
}

function* fromCampaigns(
  learner: Learner,
  campaigns: readonly Campaign[],
  random: Random,
): Generator<PlannedAssignment> {
  for (const { piece, at, dueAt, assigner, department, share } of campaigns) {
    if (department !== undefined && department !== learner.department) continue;
    if (assigner !== learner.id && random.chance(share)) yield { piece, at, dueAt, assigner };
  }
}

function* fromJoining(learner: Learner, { library }: LearningContext): Generator<PlannedAssignment> {
  if (learner.manager === null) return;
  for (const [title, days] of forNewcomers) {
    const piece = library.byTitle.get(title);
    const at = learner.joined + hour;
    if (piece) yield { piece, at, dueAt: endOfDay(at + days * day), assigner: learner.manager };
  }
}

/** Assignments by a manager to one person. */
function* fromManager(
  learner: Learner,
  { library, span }: LearningContext,
  random: Random,
): Generator<PlannedAssignment> {
  if (learner.manager === null) return;
  const weeks = (learner.left - learner.from) / week;
  for (let times = random.count(0.018 * weeks); times > 0; times -= 1) {
    const some = outOfQuietSeason(random, learner.from + (span.end - learner.from) * random.share());
    const at = atWork(random, startOfDay(some), 1);
    const dueAt = random.chance(0.7) ? endOfDay(at + random.whole(3, 28) * day) : null;
    yield { piece: library.any(random), at, dueAt, assigner: learner.manager };
  }
}

/** Many finish at once or in the last days, some late, some never. A few are marked complete by others. */
function* assignmentProgress(
  learner: Learner,
  planned: PlannedAssignment,
  assignment: number,
  random: Random,
): Generator<LearningEvent> {
  const about = { person: learner.id, assignment };
  const diligence = learner.present ? learner.diligence : 0;
  const way = random.weighted([
    ['soon', diligence * 1.1],
    ['by the deadline', diligence * 1.5],
    ['late', learner.present ? 0.9 * (1 - diligence) : 0],
    ['never', 0.6 * (1 - diligence) + 0.01],
    ['by hand', 0.05],
  ]);
  const midnight = dayOf(way, planned, random);
  const at = Math.max(planned.at + 10 * minute, atWork(random, midnight, learner.hoursAhead));
  if (way === 'by hand') {
    yield { at, kind: 'assignment_completed', ...about, by: planned.assigner };
    return;
  }
  if (!learner.present || (way === 'never' && random.chance(0.6))) return;
  const earlier = workingDayBefore(startOfDay(at) - random.whole(1, 6) * day) + (at % day);
  const begins = random.chance(0.3) ? Math.max(planned.at + 5 * minute, earlier) : at;
  yield { at: begins, kind: 'assignment_started', ...about };
  yield {
    at: begins,
    kind: 'viewed',
    person: learner.id,
    content: planned.piece.id,
    amount: secondsOn(planned.piece, random),
  };
  if (way === 'never') return;
  const finished =
    planned.piece.type === 'assessment'
      ? yield* attempts(learner, planned.piece, at, { assignment }, random)
      : at + Math.round(planned.piece.minutes * minute * (0.5 + 0.7 * random.share()));
  if (finished === undefined) return;
  if (planned.piece.type !== 'assessment') {
    yield { at: finished, kind: 'content_completed', ...about, content: planned.piece.id };
  }
  yield { at: finished, kind: 'assignment_completed', ...about };
}

function dayOf(way: string, { at, dueAt }: PlannedAssignment, random: Random): number {
  const due = dueAt ?? at + 30 * day;
  const days = Math.floor((due - at) / day);
  if (way === 'soon') return startOfDay(at) + random.whole(0, Math.min(6, days)) * day;
  if (way === 'by the deadline') {
    // Work due on a Sunday is finished on Friday.
    return workingDayBefore(startOfDay(due) - Math.min(days, random.count(1.1)) * day);
  }
  return startOfDay(due) + (1 + random.count(9)) * day;
}

interface Chance {
  readonly title: string;
  readonly chance: number;
  /** Enrolled on the first day, if it is in the span. */
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

/** A learner's tracks and their progress. */
export function* trackEvents(
  learner: Learner,
  context: LearningContext,
  random: Random,
): Generator<LearningEvent> {
  const chances = [
    ...everybody,
    ...(ofDepartment[learner.department] ?? []),
    ...(learner.leads ? [{ title: 'New Manager', chance: 0.5 }] : []),
  ];
  for (const { title, chance, onJoining } of chances) {
    const track = context.library.tracks.find((each) => each.title === title);
    if (!track || !random.chance(chance)) continue;
    const some = outOfQuietSeason(random, learner.from + (learner.left - learner.from) * random.share());
    const at = onJoining ? learner.joined + 2 * hour : atWork(random, startOfDay(some), 1);
    if (at < learner.from || at >= learner.left) continue;
    const assigner = !onJoining && random.chance(0.35) ? learner.manager : null;
    const assignment =
      assigner === null
        ? undefined
        : context.assign({ person: learner.id, content: track.id, assigner, dueAt: endOfDay(at + 60 * day) });
    yield* trackProgress(learner, { track, at, assignment }, random);
  }
}

interface Enrolment {
  readonly track: Track;
  readonly at: number;
  /** The assignment of the whole track by a manager. */
  readonly assignment: number | undefined;
}

function* trackProgress(
  learner: Learner,
  { track, at: enrolled, assignment }: Enrolment,
  random: Random,
): Generator<LearningEvent> {
  const person = learner.id;
  const within = { track: track.id, journey: track.journey ?? undefined };
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
