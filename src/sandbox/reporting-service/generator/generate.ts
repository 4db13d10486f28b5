import type { Turns } from '../turns.js';
import type { WorldWriter } from '../world/writer.js';
import { browsing } from './browsing.js';
import { stockLibrary } from './library.js';
import { foundOrganization } from './organization.js';
import { hirePeople, type Learner } from './people.js';
import { randomFor } from './random.js';
import { withSignIns } from './sign-ins.js';
import { spanAround } from './span.js';

export interface WorldSize {
  readonly seed: number;
  /** People with an account on the day the world is anchored to. */
  readonly learners: number;
  /** Epoch seconds; only its day in UTC counts. */
  readonly now: number;
}

/** Makes up a world, always the same for the same seed, size and day, and writes it. */
export async function generateWorld(size: WorldSize, writer: WorldWriter, turns: Turns): Promise<void> {
  const span = spanAround(size.now);
  const organization = foundOrganization(size.seed, writer);
  const learners: Learner[] = [];
  for (const learner of hirePeople(size.seed, size.learners, span, organization, writer)) {
    learners.push(learner);
    if (turns.due) await turns.take();
  }
  const authors = learners.slice(0, Math.max(3, Math.min(300, size.learners / 15))).map(({ id }) => id);
  const library = stockLibrary(size.seed, size.learners, span, organization, authors, writer);

  for (const learner of learners) {
    const random = randomFor(size.seed, 'story', learner.id);
    const events = [...browsing(learner, library, random)];
    for (const event of withSignIns(events, random)) {
      if (event.at >= learner.from && event.at < learner.left) writer.event(event);
    }
    if (turns.due) await turns.take();
  }
}
