import type { EventKind } from '../world/event-kinds.js';
import type { LearningEvent } from '../world/rows.js';
import type { Random } from './random.js';
import { minute } from './span.js';

/** What somebody does without being signed in, or what others do to them. */
const happensToThem: ReadonlySet<EventKind> = new Set([
  'assigned',
  'track_enrolled',
  'assessment_enrolled',
  'assessment_graded',
  'attended',
  'missed',
  'seat_passed_on',
]);

/** A longer pause than this between two deeds, and the learner had to sign in again. */
const longestPause = 45 * minute;

/** The same events, which are in order of time, with the signing in that each stretch of them began with. */
export function* withSignIns(events: readonly LearningEvent[], random: Random): Generator<LearningEvent> {
  let lastDeed = Number.NEGATIVE_INFINITY;
  for (const event of events) {
    const byOthers =
      event.by !== undefined || (event.kind === 'content_completed' && event.instance !== undefined);
    const theirs = !happensToThem.has(event.kind) && !byOthers;
    if (theirs && event.at - lastDeed > longestPause) {
      yield { at: event.at - random.whole(5, 40), kind: 'signed_in', person: event.person };
    }
    if (theirs) lastDeed = event.at;
    yield event;
  }
}
