import type { WebClient } from '@slack/web-api';
import type { DigestDraft } from '../../digests/digest.js';
import { findRefusedDueRange } from '../../requests/due-range.js';
import { csvIsPersonLevel, requestIsPersonLevel } from '../../requests/person-level.js';
import { dueRangeRefusalText } from '../../requests/problem-messages.js';
import { meansTheAsker } from '../../requests/request.js';
import { nextRuns } from '../../schedule/next-runs.js';
import type { ListenerParts } from '../listeners/context.js';
import { formatRun } from '../messages/digests.js';
import { scheduleFor } from '../modals/schedule-form.js';
import { type Conversation, resolveAsker, resolveConversation } from '../request-context.js';
import { fetchIdentity } from '../transport/connect.js';

/** `refused` is a text for the person, and `about` names the field to change. `remarks` are shown in the preview. */
export type ValidatedDigest =
  | { readonly refused: string; readonly about: 'request' | 'range' | 'time' | 'channel' }
  | { readonly remarks: readonly string[] };

/** Checks everything that can be checked without posting. */
export async function validateDigest(
  draft: DigestDraft,
  maker: string,
  parts: ListenerParts,
): Promise<ValidatedDigest> {
  const { owner, request, channel } = draft;
  const resolved = await resolveAsker(owner, parts.people, parts.defaultZone);
  if (!resolved.ok) {
    const refused = owner === maker ? resolved.refusal : await ownerRefusal(owner, parts);
    return { refused, about: 'request' };
  }
  if (meansTheAsker(request) && !resolved.value.email) {
    const refused = '“me” needs your e-mail address, and Slack does not give me one.';
    return { refused, about: 'request' };
  }
  const refusedTime = await timeRefusal(draft, parts);
  if (refusedTime) return refusedTime;
  const [conversation, missing] = await Promise.all([
    resolveConversation({ channel, asker: owner }, parts, true),
    missingScope(request, parts.client),
  ]);
  if (missing) return { refused: missing, about: 'request' };
  if (conversation.kind === 'direct') return { remarks: [] };
  const refused = await channelRefusal(channel, owner, parts);
  if (refused) return { refused, about: 'channel' };
  return validatePersonLevel(request, conversation, parts);
}

async function ownerRefusal(owner: string, { people }: ListenerParts): Promise<string> {
  const { standing } = await people.find(owner);
  return standing === 'unknown'
    ? 'Slack could not tell me about its owner just now. Try again in a minute.'
    : 'The owner of this digest can no longer run reports. Hand it over first.';
}

/** Refuses a schedule without a next time, and one whose range is invalid at a due time. */
async function timeRefusal(
  draft: DigestDraft,
  { store, clock, weekStart }: ListenerParts,
): Promise<Extract<ValidatedDigest, { readonly refused: string }> | undefined> {
  const now = clock.now();
  const schedule = await scheduleFor(draft, store, now);
  if (nextRuns(schedule, now, 1).length === 0) return { refused: 'That never comes again.', about: 'time' };
  const { request, zone } = draft;
  const found = findRefusedDueRange(request, schedule, now, weekStart);
  if (!found) return undefined;
  const refused = dueRangeRefusalText(found.refusal, request.report, formatRun(found.due, zone));
  return { refused, about: found.refusal.reason === 'empty' ? 'time' : 'range' };
}

async function validatePersonLevel(
  request: DigestDraft['request'],
  { personLevel }: Conversation,
  { store }: ListenerParts,
): Promise<ValidatedDigest> {
  const released = new Set((await store.approvals.releasedKeys()).map(({ subject }) => subject));
  const names = requestIsPersonLevel(request, released);
  const fileNames = request.csv && csvIsPersonLevel(request, released);
  if (personLevel === 'allowed' || !(names || fileNames)) return { remarks: [] };
  if (personLevel === 'never') {
    const refused =
      'It names people, and this channel is shared with another organization, so it can never come here. Schedule it in your direct messages with me.';
    return { refused, about: 'channel' };
  }
  return {
    remarks: [
      names
        ? 'It names people, which this channel may not get, so it will come to your direct messages.'
        : 'Its file names people, which this channel may not get, so the file will come to your direct messages.',
    ],
  };
}

async function channelRefusal(
  channel: string,
  owner: string,
  parts: ListenerParts,
): Promise<string | undefined> {
  if (channel.startsWith('D')) {
    return 'Slack does not let me into direct messages between people. Schedule it in a channel, or in your direct messages with me.';
  }
  const facts = await parts.channels.find(channel, { fresh: true });
  if (!facts.known && facts.passing) return 'Slack did not find that channel in time. Try again.';
  if (!facts.known || !facts.isMember) {
    return 'I am not a member of that channel. Type /invite @Rollcall there, then try again. Slack does not let me into group messages.';
  }
  if (facts.isArchived) return 'That channel is archived. Choose another one.';
  if (facts.isReadOnly) return 'That channel is read-only, so I cannot post there. Choose another one.';
  const isMember = await parts.memberships.isMember(channel, owner, { fresh: true });
  if (isMember === 'unknown') return 'Slack could not tell me who is in that channel just now. Try again.';
  return isMember ? undefined : 'A digest goes only where its owner is a member. Join that channel first.';
}

/**
 * A text that names the missing scope of the bot's token; undefined if no scope is missing or Slack does not list the
 * scopes. Makes one call, which posts nothing. Never throws.
 */
export async function missingScope(
  { csv }: { readonly csv: boolean },
  client: WebClient,
): Promise<string | undefined> {
  const identity = await fetchIdentity(client).catch(() => undefined);
  const scopes = identity?.scopes ?? [];
  if (scopes.length === 0) return undefined;
  const needed = [
    { scope: 'chat:write', what: 'post' },
    ...(csv ? [{ scope: 'files:write', what: 'put the file into Slack' }] : []),
  ];
  const missing = needed.find(({ scope }) => !scopes.includes(scope));
  return (
    missing &&
    `My Slack app lacks the scope ${missing.scope}, so I cannot ${missing.what}. The operator has to bring the app’s manifest up to date and install the app again.`
  );
}
