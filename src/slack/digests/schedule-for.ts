import type { DigestDraft } from '../../digests/draft.js';
import type { Schedule } from '../../digests/when/cadence.js';
import { scheduleFrom } from '../../digests/when/next-runs.js';
import { sayCadence } from '../../language/index.js';
import type { Store } from '../../store/store.js';

/** When a draft would come. One that leaves how often as it was goes on counting its weeks from where it began. */
export async function scheduleFor(
  { cadence, zone, changes }: DigestDraft,
  { digests }: Pick<Store, 'digests'>,
  now: number,
): Promise<Schedule> {
  const before = changes && (await digests.find(changes.id))?.schedule;
  const isSame = before?.zone === zone && sayCadence(before.cadence) === sayCadence(cadence);
  return isSame ? before : scheduleFrom(cadence, zone, now);
}
