import type { LearningEvent } from '../world/rows.js';
import { browsing } from './browsing.js';
import { duties } from './duties.js';
import type { Learner } from './people.js';
import type { Random } from './random.js';
import type { Scene } from './scene.js';
import { withSignIns } from './sign-ins.js';
import { day, hour } from './span.js';
import { trackWalks } from './track-walks.js';

/** Everything that happens to one learner, in order of time. */
export function story(
  learner: Learner,
  inWorkshops: readonly LearningEvent[],
  scene: Scene,
  random: Random,
): LearningEvent[] {
  const events = [
    ...browsing(learner, scene.library, random),
    ...duties(learner, scene, random),
    ...trackWalks(learner, scene, random),
    ...inWorkshops,
  ].filter(({ at }) => at >= learner.from && at < learner.left);
  return [...firstSignIn(learner, random), ...withSignIns(openedOnce(events), random)];
}

/** In order of time, and with each assessment opened only the first time: a track may hold one that was assigned. */
function openedOnce(events: readonly LearningEvent[]): LearningEvent[] {
  const opened = new Set<number | undefined>();
  return [...events]
    .sort((a, b) => a.at - b.at)
    .filter(({ kind, content }) => kind !== 'assessment_enrolled' || opened.size < opened.add(content).size);
}

/** Those who were there long before the span began have signed in back then. */
function firstSignIn(learner: Learner, random: Random): LearningEvent[] {
  if (!learner.present || learner.joined >= learner.from) return [];
  const at = Math.min(learner.joined + random.whole(hour, 20 * day), learner.from - day);
  return at < learner.joined ? [] : [{ at, kind: 'signed_in', person: learner.id }];
}
