import type { RecordOwner, RecordPosition } from '../../store/erasure/own-record.js';
import type { ListenerParts } from '../answers/context.js';
import type { RecordFacts } from '../messages/record.js';

type Parts = Pick<ListenerParts, 'store' | 'people'>;

/** Only the address of now that Slack has confirmed. */
export async function ownerOf(asker: string, { store, people }: Parts): Promise<RecordOwner> {
  const { confirmedEmail } = await people.find(asker);
  return store.ownRecord.ownerOf(asker, confirmedEmail?.toLowerCase());
}

export async function recordFacts(
  owner: RecordOwner,
  limit: number,
  position: RecordPosition | undefined,
  { store, people }: Parts,
): Promise<RecordFacts> {
  const page = await store.ownRecord.entries(owner, limit, position);
  const names = new Map<string, string>();
  for (const by of new Set(page.entries.flatMap((entry) => entry.by ?? []))) {
    const { name } = await people.find(by);
    if (name !== undefined) names.set(by, name);
  }
  return { owner, ...page, names };
}
