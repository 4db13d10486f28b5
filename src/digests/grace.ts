import { isNarrower, type Level } from '../access/levels.js';
import type { DigestGrace } from './store-ports.js';

/** Digests from before there were levels run this long with the rights they had. */
export const graceMs = 14 * 24 * 60 * 60_000;

/**
 * True if a digest still has the rights from before there were levels. A level that was narrowed after the upgrade
 * applies at once.
 *
 * @param level the level of its owner now
 */
export async function hasGrace(
  digest: string,
  level: Level,
  now: number,
  grace: Pick<DigestGrace, 'find'>,
): Promise<boolean> {
  const found = await grace.find(digest);
  if (!found) return false;
  const { since = now, level: atUpgrade } = found;
  return now - since < graceMs && (atUpgrade === undefined || !isNarrower(level, atUpgrade));
}
