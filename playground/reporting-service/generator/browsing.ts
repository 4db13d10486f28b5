import type { LearningEvent } from '../world/rows.js';
import type { Library, Piece } from './library.js';
import type { Learner } from './people.js';
import type { Random } from './random.js';
import { momentInWeek, seasonAt, weeksBetween } from './rhythm.js';
import { minute } from './span.js';

/** What a learner looks at of their own accord, week by week; now and then they finish it, and say what they think. */
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
        yield* opinion(learner, piece, at + random.whole(5, 90), random);
        at += random.whole(1, 4) * minute;
      }
    }
  }
}

/** Mostly a part of what it takes, sometimes all of it. */
export function secondsOn(piece: Piece, random: Random): number {
  return Math.max(
    15,
    Math.round(piece.minutes * minute * Math.min(1.4, random.share() * random.share() * 1.6)),
  );
}

function* opinion(learner: Learner, piece: Piece, at: number, random: Random): Generator<LearningEvent> {
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
