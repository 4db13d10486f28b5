import type { Digest, DigestSettings } from '../../src/digests/digest.js';
import { plainRequest } from '../../src/requests/request.js';
import type { Store } from '../../src/store/store.js';

export const hour = 3_600_000;

export const settings: DigestSettings = {
  channel: 'C1',
  owner: 'U1',
  request: { ...plainRequest('engagement'), range: 'last-week' },
  schedule: { cadence: { kind: 'hourly', minute: 0 }, zone: 'Europe/Berlin', firstDay: '2026-11-20' },
  skipEmpty: false,
};

/** Adds a digest that is due at a time. */
export async function addDigest(
  { digests }: Store,
  nextDue: number | undefined,
  changes: Partial<DigestSettings> = {},
): Promise<Digest> {
  const id = await digests.add({ ...settings, ...changes }, 'U1', nextDue, 1);
  return found(await digests.find(id));
}

export function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('It is not there');
  return value;
}
