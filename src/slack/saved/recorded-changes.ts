import type { SavedFacts } from '../../access/record.js';
import type { Digest } from '../../digests/digest.js';
import type { SavedReport } from '../../store/saved-reports/saved-reports.js';
import type { ListenerParts } from '../listeners/context.js';
import { digestName } from '../messages/digest-notifications.js';

/** A saved report that a person changes, for the record of access. */
export function savedFacts(
  { name, channel: place, request }: SavedReport,
  person: string,
  { clock }: Pick<ListenerParts, 'clock'>,
): SavedFacts {
  return { at: clock.now(), person, what: 'saved report', name, place, report: request.report };
}

/** A digest that a person changes, for the record of access. */
export function digestFacts(
  digest: Digest,
  person: string,
  { clock }: Pick<ListenerParts, 'clock'>,
): SavedFacts {
  const { channel: place, request } = digest;
  const { report } = request;
  return { at: clock.now(), person, what: 'digest', name: digestName(digest), place, report };
}
