import type { LearningEvent } from '../world/rows.js';
import type { Piece } from './library.js';
import type { Learner } from './people.js';
import type { Random } from './random.js';
import { atWork } from './rhythm.js';
import { day, minute } from './span.js';

/** Assessments that take this many minutes or more are graded by hand. */
const gradedByHand = 25;

/** Where an assessment is taken. */
export interface Within {
  readonly track?: number;
  readonly journey?: number;
  readonly assignment?: number;
}

/**
 * Sits an assessment from that moment on, again after failing, until it is passed or given up.
 * Returns when it was passed.
 */
export function* attempts(
  learner: Learner,
  assessment: Piece,
  from: number,
  within: Within,
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
