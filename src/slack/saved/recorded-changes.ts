import { deletedEvent, handedOverEvent, recordEvent, type SavedFacts } from '../../access/record.js';
import type { Digest } from '../../digests/digest.js';
import type { SavedReport } from '../../store/saved-reports/saved-reports.js';
import type { ListenerParts } from '../listeners/context.js';
import { digestName } from '../messages/digest-notifications.js';

type RecordParts = Pick<ListenerParts, 'store' | 'clock' | 'log'>;

function factsOf(item: SavedReport | Digest, person: string, { clock }: RecordParts): SavedFacts {
  const { channel: place, request } = item;
  const facts = { at: clock.now(), person, place, report: request.report };
  return 'schedule' in item
    ? { ...facts, what: 'digest', name: digestName(item) }
    : { ...facts, what: 'saved report', name: item.name };
}

/** @param restored true where the deletion was undone */
export async function recordDeletion(
  item: SavedReport | Digest,
  person: string,
  parts: RecordParts,
  restored?: true,
): Promise<void> {
  await recordEvent(parts.store.events, deletedEvent(factsOf(item, person, parts), restored), parts.log);
}

export async function recordHandOver(
  item: SavedReport | Digest,
  owner: string,
  parts: RecordParts,
): Promise<void> {
  await recordEvent(parts.store.events, handedOverEvent(factsOf(item, owner, parts), owner), parts.log);
}
