import { handedOverEvent, recordEvent } from '../../access/record.js';
import type { SavedReport } from '../../store/saved-reports/saved-reports.js';
import type { HandOvers } from '../hand-over.js';
import type { ListenerParts } from '../listeners/context.js';
import { wordsForSaved } from '../messages/offers.js';
import { savedFacts } from './recorded-changes.js';
import { maxOwnedReports, maySee, tooManySaved } from './saved-reports.js';

/** A saved report runs with the permissions of the person who runs it, so the level of its owner does not matter. */
export function savedHandOvers(parts: ListenerParts): HandOvers<SavedReport> {
  const { store, clock, home } = parts;
  const refusal = (saved: SavedReport, person: string) => offerRefusal(saved, person, parts);
  return {
    wordsFor: wordsForSaved,
    find: (id) => store.savedReports.find(id),
    offer: ({ id, revision }, to) => store.savedReports.offer(id, revision, to, clock.now()),
    offerRefusal: refusal,
    acceptRefusal: async (saved, person) =>
      (await refusal(saved, person)) ??
      ((await store.savedReports.countOwnedBy(person)) >= maxOwnedReports ? tooManySaved : undefined),

    async accept(saved, owner) {
      if (!(await store.savedReports.accept(saved.id, saved.revision, owner, clock.now()))) return undefined;
      await recordEvent(store.events, handedOverEvent(savedFacts(saved, owner, parts), owner), parts.log);
      home.changed(owner);
      home.changed(saved.owner);
      return store.savedReports.find(saved.id);
    },
  };
}

async function offerRefusal(
  { channel, owner }: SavedReport,
  person: string,
  parts: ListenerParts,
): Promise<string | undefined> {
  if (channel.startsWith('D'))
    return 'This report is saved in direct messages, so it cannot be handed over. Duplicate it to a channel.';
  if (owner === person) return 'They own this saved report already.';
  if ((await parts.people.find(person)).standing !== 'member')
    return 'Only members of this workspace can own a saved report.';
  if (await maySee(channel, person, parts)) return undefined;
  return 'The new owner must be able to see the channel of this saved report.';
}
