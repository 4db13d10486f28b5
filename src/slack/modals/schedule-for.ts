import type { DigestDraft } from '../../digests/draft.js';
import { sayCadence } from '../../requests/say-cadence.js';
import type { Schedule } from '../../schedule/cadence.js';
import { scheduleFrom } from '../../schedule/next-runs.js';
import type { Store } from '../../store/store.js';

/**
 * When a draft would come. One that leaves how often as it was goes on as it did; and as long as it comes every so many
 * weeks, it goes on counting them from where it began, whatever day and time it gets.
 */
export async function scheduleFor(
  { cadence, zone, changes }: DigestDraft,
  { digests }: Pick<Store, 'digests'>,
  now: number,
): Promise<Schedule> {
  const before = changes && (await digests.find(changes.id))?.schedule;
  const isSame = before?.zone === zone && sayCadence(before.cadence) === sayCadence(cadence);
  if (isSame) return before;
  const schedule = scheduleFrom(cadence, zone, now);
  const counted = before?.cadence;
  const goesOn =
    counted?.kind === 'every-weeks' && cadence.kind === 'every-weeks' && counted.weeks === cadence.weeks;
  return before && goesOn ? { ...schedule, firstDay: before.firstDay } : schedule;
}
