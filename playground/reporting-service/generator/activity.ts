import type { EventKind, LearningEvent } from '../world/schema.js';
import type { Library, Piece } from './library.js';
import type { Learner } from './people.js';
import { atWork, day, minute, momentInWeek, type Random, seasonAt, weeksBetween } from './random.js';

/** Assessments that take this many minutes or more are graded by hand. */
const gradedByHand = 25;

/** The track or journey of an assessment. */
export interface AssessmentContext {
  readonly track?: number;
  readonly journey?: number;
  readonly assignment?: number;
}

/**
 * Attempts an assessment from a moment on, until the learner passes or gives up.
 * Returns the time of passing.
 */
export function* attempts(
  learner: Learner,
  assessment: Piece,
  from: number,
  within: AssessmentContext,
  random: Random,
): Generator<LearningEvent, number | undefined> {
  const about = { person: learner.id, content: assessment.id };
  let at = from;
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    yield { at, kind: 'assessment_started', ...about };
    if (random.chance(0.06)) return undefined;
    at += Math.round(assessment.minutes * minute * (0.5 + 0.6 * random.share()));
    if (assessment.minutes >= gradedByHand) {
      yield { at, kind: 'assessment_submitted', ...about };
      const days = random.chance(0.25) ? random.whole(20, 80) : random.whole(1, 12);
      at = atWork(random, Math.floor(at / day) * day + days * day, 1);
    }
    const score = Math.round(66 + 16 * learner.diligence + 5 * attempt + 13 * random.normal());
    yield { at, kind: 'assessment_graded', ...about, amount: Math.min(100, Math.max(4, score)) };
    if (score >= (assessment.passMark ?? 0)) {
      yield { at, kind: 'content_completed', ...about, ...within };
      return at;
    }
    if (random.chance(0.25)) return undefined;
    at = atWork(random, Math.floor(at / day) * day + random.whole(1, 12) * day, learner.hoursAhead);
  }
  return undefined;
}

/** Voluntary learning, week by week: views, some completions and reactions. */
export function* browsing(learner: Learner, library: Library, random: Random): Generator<LearningEvent> {
  if (learner.curiosity === 0) return;
  for (const monday of weeksBetween(learner.from, learner.left)) {
    for (let times = random.count(learner.curiosity * seasonAt(monday)); times > 0; times -= 1) {
      let at = momentInWeek(random, monday, learner.hoursAhead);
      for (let pieces = 1 + random.count(0.4); pieces > 0; pieces -= 1) {
        const piece = library.any(random);
        const seconds = secondsOn(piece, random);
        yield { at, kind: 'viewed', person: learner.id, content: piece.id, amount: seconds };
        at += seconds;
        if (random.chance(0.3))
          yield { at, kind: 'content_completed', person: learner.id, content: piece.id };
        yield* reactions(learner, piece, at + random.whole(5, 90), random);
        at += random.whole(1, 4) * minute;
      }
    }
  }
}

/** Viewing time: usually a part of the content's length, sometimes all of it. */
export function secondsOn(piece: Piece, random: Random): number {
  return Math.max(
    15,
    Math.round(piece.minutes * minute * Math.min(1.4, random.share() * random.share() * 1.6)),
  );
}

function* reactions(learner: Learner, piece: Piece, at: number, random: Random): Generator<LearningEvent> {
  const about = { at, person: learner.id, content: piece.id };
  if (random.chance(0.06)) yield { ...about, kind: 'liked' };
  if (random.chance(0.015)) yield { ...about, kind: 'shared' };
  if (random.chance(0.02)) yield { ...about, kind: 'commented' };
  if (random.chance(0.05)) {
    const stars = random.weighted([
      [5, 8],
      [4, 9],
      [3, 4],
      [2, 1],
      [1, 1],
    ]);
    yield { ...about, kind: 'rated', amount: stars };
  }
}

/** Events that do not require the learner to be signed in. */
const passiveEvents: ReadonlySet<EventKind> = new Set([
  'assigned',
  'track_enrolled',
  'assessment_enrolled',
  'assessment_graded',
  'attended',
  'missed',
  'seat_passed_on',
]);

/** After a longer pause between two events, the learner signs in again. */
const maxPauseSeconds = 45 * minute;

/** Adds sign-ins to events, which are in order of time. */
export function* withSignIns(events: readonly LearningEvent[], random: Random): Generator<LearningEvent> {
  let lastDeed = Number.NEGATIVE_INFINITY;
  for (const event of events) {
    const byOthers =
      event.by !== undefined || (event.kind === 'content_completed' && event.instance !== undefined);
    const theirs = !passiveEvents.has(event.kind) && !byOthers;
    if (theirs && event.at - lastDeed > maxPauseSeconds) {
      yield { at: event.at - random.whole(5, 40), kind: 'signed_in', person: event.person };
    }
    if (theirs) lastDeed = event.at;
    yield event;
  }
}
