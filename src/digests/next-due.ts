import { nextRuns } from '../schedule/next-runs.js';
import { nextWave } from '../schedule/reader-runs.js';
import type { DigestSettings } from './digest.js';

type Timed = Pick<DigestSettings, 'schedule' | 'audience' | 'zones'>;

/** When a digest is due next after an instant; undefined if it has no further time. One for managers is due in waves. */
export function nextDueOf({ schedule, audience, zones }: Timed, after: number): number | undefined {
  if (audience !== 'managers') return nextRuns(schedule, after, 1)[0];
  return nextWave(schedule, [schedule.zone, ...(zones ?? [])], after);
}
