import type { EventKind, LearningEvent } from '../world/schema.js';
import type { WorldWriter } from '../world/writer.js';
import { startOfDay } from './campaigns.js';
import type { Library, Piece } from './library.js';
import type { Learner } from './people.js';
import {
  day,
  hour,
  identifier,
  minute,
  type Random,
  randomFor,
  type Span,
  seasonAt,
  week,
  weeksBetween,
} from './random.js';

/**
 * Writes the sessions of all workshops and yields their events, session by session.
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

/** A learner attends about two sessions a year. */
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

interface Session {
  readonly instance: number;
  readonly workshop: number;
  readonly host: number;
  readonly announcedAt: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly canceledAt: number | null;
  readonly closesAt: number | null;
  readonly offeredSeats: number | null;
  readonly waitlistSeats: number | null;
}

interface SeatRequest {
  readonly at: number;
  readonly person: number;
  readonly to: 'come' | 'cancel';
}

/** Seats, waitlist, cancellations and attendance. Never exceeds the number of seats. */
function* seatEvents(
  session: Session,
  learners: readonly Learner[],
  span: Span,
  random: Random,
): Generator<LearningEvent> {
  const closes = Math.min(session.closesAt ?? session.startsAt, session.canceledAt ?? session.startsAt);
  if (session.announcedAt >= span.end || closes <= session.announcedAt) return;
  const seated = new Set<number>();
  const waiting: number[] = [];
  const happens = (at: number, kind: EventKind, person: number): LearningEvent => ({
    at,
    kind,
    person,
    instance: session.instance,
  });
  for (const { at, person, to } of drawSeatRequests(session, closes, learners, span, random)) {
    if (to === 'come' && seated.size < (session.offeredSeats ?? Number.POSITIVE_INFINITY)) {
      seated.add(person);
      yield happens(at, 'seat_taken', person);
    } else if (to === 'come' && waiting.length < (session.waitlistSeats ?? 0)) {
      waiting.push(person);
      yield happens(at, 'waitlist_joined', person);
    } else if (to === 'cancel' && seated.delete(person)) {
      yield happens(at, 'seat_given_up', person);
      const next = waiting.shift();
      if (next === undefined) continue;
      seated.add(next);
      yield happens(at, 'seat_passed_on', next);
    } else if (to === 'cancel' && waiting.includes(person)) {
      waiting.splice(waiting.indexOf(person), 1);
      yield happens(at, 'waitlist_left', person);
    }
  }
  if (session.canceledAt === null) yield* attendance(session, [...seated], random);
}

function drawSeatRequests(
  session: Session,
  closes: number,
  learners: readonly Learner[],
  span: Span,
  random: Random,
): SeatRequest[] {
  const wanted = random.count((session.offeredSeats ?? 12) * random.pick([0.7, 1, 1.3, 1.7]));
  const invited = new Set(Array.from({ length: wanted }, () => random.pick(learners)));
  const list: SeatRequest[] = [];
  for (const { id, present, from, left } of invited) {
    if (
      !present ||
      id === session.host ||
      from > session.announcedAt ||
      left < Math.min(session.endsAt + 15 * day, span.end)
    )
      continue;
    const at = session.announcedAt + Math.floor((closes - session.announcedAt) * random.share() ** 1.5);
    list.push({ at, person: id, to: 'come' });
    if (random.chance(0.14)) {
      list.push({ at: at + 1 + Math.floor((closes - at) * random.share()), person: id, to: 'cancel' });
    }
  }
  return list.sort((a, b) => a.at - b.at || a.person - b.person);
}

/** The host records attendance, usually on the day, sometimes much later. Attendance completes the workshop. */
function* attendance(session: Session, seated: readonly number[], random: Random): Generator<LearningEvent> {
  const { instance, workshop, endsAt } = session;
  const delay = random.chance(0.12) ? random.whole(2, 12) * day : random.whole(5, 90) * minute;
  for (const person of seated) {
    const at = endsAt + delay + random.whole(0, 2 * hour);
    if (random.chance(0.14)) yield { at, kind: 'missed', person, instance };
    else {
      yield { at, kind: 'attended', person, instance };
      yield { at, kind: 'content_completed', person, content: workshop, instance };
    }
  }
}
