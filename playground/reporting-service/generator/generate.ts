import type { EventLoopYield } from '../event-loop.js';
import type { LearningEvent } from '../world/schema.js';
import type { WorldWriter } from '../world/writer.js';
import { browsing, withSignIns } from './activity.js';
import { assignmentEvents, trackEvents } from './assignments.js';
import { type LearningContext, planCampaigns } from './campaigns.js';
import { writeLibrary } from './library.js';
import { writeOrganization } from './organization.js';
import { type CastMember, type Learner, writePeople } from './people.js';
import { day, hour, identifier, type Random, randomFor, spanAround } from './random.js';
import { workshopSessions } from './workshops.js';

export interface WorldSize {
  readonly seed: number;
  /** People with an account on the day of `now`. */
  readonly learners: number;
  /** Epoch seconds; only its day in UTC counts. */
  readonly now: number;
}

/** Generates a world and writes it. The same seed, size and day give the same world. */
export async function generateWorld(
  size: WorldSize,
  writer: WorldWriter,
  eventLoop: EventLoopYield,
  cast: readonly CastMember[] = [],
): Promise<void> {
  const { seed } = size;
  const span = spanAround(size.now);
  const organization = writeOrganization(seed, writer);
  const learners: Learner[] = [];
  for (const learner of writePeople(seed, size.learners, span, organization, writer, cast)) {
    learners.push(learner);
    if (eventLoop.isDue) await eventLoop.yield();
  }
  const authors = learners.slice(0, Math.max(3, Math.min(300, size.learners / 15))).map(({ id }) => id);
  const library = writeLibrary(seed, size.learners, span, organization, authors, writer);

  const inWorkshops = new Map<number, LearningEvent[]>();
  for (const event of workshopSessions(seed, span, library, learners, writer)) {
    const theirs = inWorkshops.get(event.person);
    if (theirs) theirs.push(event);
    else inWorkshops.set(event.person, [event]);
    if (eventLoop.isDue) await eventLoop.yield();
  }

  let assignments = 0;
  const context: LearningContext = {
    span,
    library,
    campaigns: planCampaigns(seed, span, library, learners),
    assign(row) {
      assignments += 1;
      return writer.assignment({ ...row, publicId: identifier(seed, 'assignment', assignments) });
    },
  };
  for (const learner of learners) {
    const random = randomFor(seed, 'story', learner.id);
    for (const event of learningEvents(learner, inWorkshops.get(learner.id) ?? [], context, random))
      writer.event(event);
    if (eventLoop.isDue) await eventLoop.yield();
  }
}

/** All events of a learner, in order of time. */
function learningEvents(
  learner: Learner,
  inWorkshops: readonly LearningEvent[],
  context: LearningContext,
  random: Random,
): LearningEvent[] {
  const events = [
    ...browsing(learner, context.library, random),
    ...assignmentEvents(learner, context, random),
    ...trackEvents(learner, context, random),
    ...inWorkshops,
  ].filter(({ at }) => at >= learner.from && at < learner.left);
  return [...firstSignIn(learner, random), ...withSignIns(sortedWithFirstEnrolments(events), random)];
}

/** Sorts events by time, and keeps only the first enrolment in each assessment. A track may contain an assigned one. */
function sortedWithFirstEnrolments(events: readonly LearningEvent[]): LearningEvent[] {
  const opened = new Set<number | undefined>();
  return [...events]
    .sort((a, b) => a.at - b.at)
    .filter(({ kind, content }) => kind !== 'assessment_enrolled' || opened.size < opened.add(content).size);
}

/** The first sign-in of people who joined before the span. */
function firstSignIn(learner: Learner, random: Random): LearningEvent[] {
  if (!learner.present || learner.joined >= learner.from) return [];
  const at = Math.min(learner.joined + random.whole(hour, 20 * day), learner.from - day);
  return at < learner.joined ? [] : [{ at, kind: 'signed_in', person: learner.id }];
}
