import type { Turns } from '../turns.js';
import type { LearningEvent } from '../world/rows.js';
import type { WorldWriter } from '../world/writer.js';
import { planCampaigns } from './campaigns.js';
import { stockLibrary } from './library.js';
import { foundOrganization } from './organization.js';
import { hirePeople, type Learner } from './people.js';
import { identifier, randomFor } from './random.js';
import type { Scene } from './scene.js';
import { spanAround } from './span.js';
import { story } from './story.js';
import { workshopSessions } from './workshop-sessions.js';

export interface WorldSize {
  readonly seed: number;
  /** People with an account on the day the world is anchored to. */
  readonly learners: number;
  /** Epoch seconds; only its day in UTC counts. */
  readonly now: number;
}

/** Makes up a world, always the same for the same seed, size and day, and writes it. */
export async function generateWorld(size: WorldSize, writer: WorldWriter, turns: Turns): Promise<void> {
  const { seed } = size;
  const span = spanAround(size.now);
  const organization = foundOrganization(seed, writer);
  const learners: Learner[] = [];
  for (const learner of hirePeople(seed, size.learners, span, organization, writer)) {
    learners.push(learner);
    if (turns.due) await turns.take();
  }
  const authors = learners.slice(0, Math.max(3, Math.min(300, size.learners / 15))).map(({ id }) => id);
  const library = stockLibrary(seed, size.learners, span, organization, authors, writer);

  const inWorkshops = new Map<number, LearningEvent[]>();
  for (const event of workshopSessions(seed, span, library, learners, writer)) {
    const theirs = inWorkshops.get(event.person);
    if (theirs) theirs.push(event);
    else inWorkshops.set(event.person, [event]);
    if (turns.due) await turns.take();
  }

  let assignments = 0;
  const scene: Scene = {
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
    for (const event of story(learner, inWorkshops.get(learner.id) ?? [], scene, random)) writer.event(event);
    if (turns.due) await turns.take();
  }
}
