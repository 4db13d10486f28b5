import type { DigestDraft } from '../../digests/draft.js';
import { nextRuns, scheduleFrom } from '../../digests/next-runs.js';
import { sayRangeRefusal } from '../../language/words-for-ranges.js';
import { reportNamed } from '../../reports/catalogue/index.js';
import { isRefused, resolveRange } from '../../reports/date-range.js';
import { csvIsPersonLevel, requestIsPersonLevel } from '../../reports/person-level.js';
import { meansTheAsker } from '../../reports/question.js';
import type { ListenerParts } from '../listeners/parts.js';
import { whereAsked } from '../where-asked.js';
import { whoAsks } from '../who-asks.js';

/** What Slack tells of a digest before it is saved: why it cannot be, or what its maker should know. */
export type Judged = { readonly refused: string } | { readonly remarks: readonly string[] };

/** Looks at everything that can be known of a digest without posting. */
export async function judgeDigest(draft: DigestDraft, parts: ListenerParts): Promise<Judged> {
  const { owner, request, cadence, zone, channel } = draft;
  const who = await whoAsks(owner, parts.people, parts.defaultZone);
  if ('refused' in who) return who;
  if (meansTheAsker(request) && !who.asker.email) {
    return { refused: '“me” needs your e-mail address, and Slack does not give me one.' };
  }
  const now = parts.clock.now();
  const report = reportNamed(request.report);
  if (report.range) {
    const words = request.range ?? report.range.byDefault;
    const range = resolveRange(words, report, now, zone, parts.weekStart);
    if (isRefused(range)) return { refused: sayRangeRefusal(range.refused, report.name) };
  }
  if (nextRuns(scheduleFrom(cadence, zone, now), now, 1).length === 0) {
    return { refused: 'That never comes again.' };
  }
  const place = await whereAsked({ channel, asker: owner }, parts, true);
  if (place.kind === 'direct') return { remarks: [] };
  const refused = await whyNotThere(channel, owner, parts);
  if (refused) return { refused };
  const released = new Set((await parts.store.approvals.releasedKeys()).map(({ subject }) => subject));
  const names = requestIsPersonLevel(request, released);
  const fileNames = request.csv && csvIsPersonLevel(request, released);
  if (place.personLevel === 'never' && (names || fileNames)) {
    return {
      refused:
        'It names people, and this channel is shared with another organization, so it can never come here. Schedule it in your direct messages with me.',
    };
  }
  if (place.personLevel === 'allowed') return { remarks: [] };
  return {
    remarks: names
      ? ['It names people, which this channel may not get, so it will come to your direct messages.']
      : fileNames
        ? [
            'Its file names people, which this channel may not get, so the file will come to your direct messages.',
          ]
        : [],
  };
}

async function whyNotThere(
  channel: string,
  owner: string,
  parts: ListenerParts,
): Promise<string | undefined> {
  if (channel.startsWith('D')) {
    return 'Slack does not let me into direct messages between people. Schedule it in a channel, or in your direct messages with me.';
  }
  const facts = await parts.channels.find(channel, { fresh: true });
  if (!facts.known && facts.passing) return 'Slack could not tell me about that channel just now. Try again.';
  if (!facts.known || !facts.isMember) {
    return 'I am not a member of that channel. Type /invite @Rollcall there, then try again.';
  }
  if (facts.isArchived) return 'That channel is archived. Choose another one.';
  if (facts.isReadOnly) return 'That channel is read-only, so I cannot post there. Choose another one.';
  parts.members.forget(channel);
  const isMember = await parts.members.isMember(channel, owner);
  if (isMember === 'unknown') return 'Slack could not tell me who is in that channel just now. Try again.';
  return isMember ? undefined : 'A digest goes only where its owner is a member. Join that channel first.';
}
