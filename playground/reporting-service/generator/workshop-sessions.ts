import type { LearningEvent } from '../world/rows.js';
import type { WorldWriter } from '../world/writer.js';
import { startOfDay } from './campaigns.js';
import type { Library, Piece } from './library.js';
import type { Learner } from './people.js';
import { identifier, type Random, randomFor } from './random.js';
import { seasonAt, weeksBetween } from './rhythm.js';
import { seatEvents } from './seats.js';
import { day, hour, minute, type Span, week } from './span.js';

/**
 * Writes the sessions of all workshops and yields what happened around them, session by session.
 * Sessions are planned up to eight weeks beyond the end of the span.
 */
export function* workshopSessions(
  seed: number,
  span: Span,
  library: Library,
  learners: readonly Learner[],
  writer: WorldWriter,
): Generator<LearningEvent> {
  const hosts = learners.filter(({ leads }) => leads);
  let count = 0;
  for (const monday of weeksBetween(span.start, span.end + 8 * week)) {
    const random = randomFor(seed, 'workshops', monday);
    for (let left = random.count(sessionsAWeek(learners.length) * seasonAt(monday)); left > 0; left -= 1) {
      count += 1;
      const workshop = random.pick(library.workshops);
      const plan = planSession(random, workshop, monday);
      const host = random.pick(hosts);
      const instance = writer.instance({
        ...plan,
        publicId: identifier(seed, 'instance', count),
        workshop: workshop.id,
        host: random.chance(0.97) ? host.id : null,
      });
      yield* seatEvents({ ...plan, instance, workshop: workshop.id, host: host.id }, learners, span, random);
    }
  }
}

/** A learner takes part in about two sessions a year. */
const sessionsAWeek = (learners: number) => Math.max(0.8, learners / 380);

function planSession(random: Random, workshop: Piece, monday: number) {
  const startsAt = monday + random.whole(0, 4) * day + random.pick([8, 9, 13, 14, 16]) * hour;
  const announcedAt =
    startOfDay(startsAt) - random.whole(21, 56) * day + 9 * hour + random.whole(0, 59) * minute;
  return {
    startsAt,
    announcedAt,
    endsAt: startsAt + workshop.minutes * minute,
    canceledAt: random.chance(0.06) ? startsAt - random.whole(1, 12) * day : null,
    closesAt: random.chance(0.85) ? startsAt - random.pick([2, 24, 72]) * hour : null,
    offeredSeats: random.chance(0.06) ? null : random.pick([8, 10, 12, 16, 20]),
    waitlistSeats: random.chance(0.6) ? random.pick([3, 5, 10]) : null,
  };
}
