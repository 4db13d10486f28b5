import type { WebClient } from '@slack/web-api';
import type { DestinationKind, Scope } from '../../access/scope.js';
import { type AlertRefusal, alertRefusal, protectedAlertRefusal } from '../../digests/alert-refusal.js';
import { type DigestDraft, requestOfRuns } from '../../digests/digest.js';
import { managersRefusal } from '../../digests/managers-refusal.js';
import { ok, type Result, refused } from '../../errors/failure.js';
import { overTimeRefusal } from '../../figures/summary/over-time.js';
import { formatCadence } from '../../requests/cadence-words.js';
import { findRefusedDueRange } from '../../requests/due-range.js';
import { type ReleasedKeys, requestIsPersonLevel, rowsArePersonLevel } from '../../requests/person-level.js';
import { dueRangeRefusalText } from '../../requests/problem-messages.js';
import { quoteTypedRange } from '../../requests/range-option.js';
import { type ReportRequest, refersToAsker, requestsIn, showsRows } from '../../requests/request.js';
import { passedTargetRefusal } from '../../requests/target.js';
import { compact, displayText } from '../../requests/text.js';
import type { Schedule } from '../../schedule/cadence.js';
import { nextRuns, scheduleFrom } from '../../schedule/next-runs.js';
import { countedBy } from '../../store/requests/stored-figures.js';
import type { Store } from '../../store/store.js';
import { destinationKindOf, lacksPurpose, releasedNow, scopeOfPerson } from '../answers/answer-run.js';
import type { ListenerParts } from '../answers/context.js';
import { type Conversation, resolveConversation, unusableChannel } from '../context/request-context.js';
import type { Freshness } from '../directory/channels.js';
import {
  describeAccessRefusal,
  digestAccessRefusal,
  digestLimits,
  type Whose,
} from '../messages/access-levels.js';
import { digestName, formatRun } from '../messages/digests.js';
import { ownedLimitReached } from '../saved/items.js';
import { fetchIdentity } from '../transport/transport.js';

const filePurposeMissing =
  'Files need a purpose here. Say what the file is for: add purpose:"…" to the words, or fill in “What the file is for”.';

interface DigestRefusal extends Pick<AlertRefusal, 'instead'> {
  readonly sentence: string;
  readonly about: 'request' | 'range' | 'condition' | 'time' | 'channel';
}

/** The remarks are shown in the preview. */
export type ValidatedDigest = Result<readonly string[], DigestRefusal>;

/**
 * Validates a digest as far as possible without posting. Slack is asked once for each fact.
 *
 * @param options `typed`: the command, to quote its words; `isPreviewed`: it was validated before, so what Slack said
 *   within the last minute still counts
 */
export async function validateDigest(
  draft: DigestDraft,
  maker: string,
  parts: ListenerParts,
  { typed, isPreviewed = false }: { readonly typed?: string; readonly isPreviewed?: boolean } = {},
): Promise<ValidatedDigest> {
  const { owner, channel } = draft;
  const request = requestOfRuns(draft);
  const fresh = isPreviewed ? 'last-minute' : true;
  const { standing, email } = await parts.people.find(owner);
  if (standing === 'unknown')
    return notAllowed('Slack could not tell me about its owner just now. Try again in a minute.');
  if (standing !== 'member') return notAllowed(ownerCannotAsk);
  if (refersToAsker(request) && !email)
    return notAllowed('“me” needs your e-mail address, and Slack does not give me one.');
  const refusedTimes = overTimeRefusal(request);
  if (refusedTimes) return notAllowed(refusedTimes.sentence);
  if (lacksPurpose(request, parts)) return notAllowed(filePurposeMissing);
  const whose = owner === maker ? 'your' : 'its owner’s';
  if (draft.audience === 'managers') return validateForManagers(draft, whose, parts, isPreviewed, typed);
  const released = await releasedNow(parts);
  const scopeIn = (destination: DestinationKind) =>
    scopeOfPerson(request, { id: owner, email }, parts, destination, released);
  const direct = await scopeIn('direct');
  if (!direct.ok) {
    const sentence = `${digestAccessRefusal(direct.refusal, whose)} Ask an admin for access, or change it.`;
    return notAllowed(sentence);
  }
  if (request.scorecard && draft.when) {
    const sentence =
      'An alert watches one report, and a scorecard has several. Schedule one of its lines with when.';
    return refused({ sentence, about: 'condition' });
  }
  const refusedAlert = alertRefusal(draft);
  if (refusedAlert) return refused(refusedAlert);
  const limit = draft.changes ? undefined : await ownedLimitReached('digest', owner, parts);
  if (limit !== undefined) return notAllowed(limit);
  const refusedTime = await timeRefusal(draft, parts, typed);
  if (refusedTime) return refused(refusedTime);
  const [conversation, missing] = await Promise.all([
    resolveConversation({ channel, asker: owner }, parts, fresh),
    isPreviewed ? undefined : missingScope(request, parts.client),
  ]);
  if (missing) return notAllowed(missing);
  const refusedFor = ({ smallestGroup }: Scope) =>
    smallestGroup > 1
      ? protectedAlertRefusal(draft, {
          smallestGroup,
          endsInDirectMessages: direct.value.smallestGroup === 1,
        })
      : undefined;
  if (conversation.kind === 'direct') {
    const refusal = refusedFor(direct.value);
    return refusal ? refused(refusal) : ok(digestLimits(direct.value, whose));
  }
  const sentence = await channelRefusal(channel, owner, fresh, parts);
  if (sentence !== undefined) return refused({ sentence, about: 'channel' });
  const scope = await scopeIn(destinationKindOf(false, conversation.personLevel));
  if (!scope.ok && scope.refusal.kind === 'evidence-place')
    return refused({ sentence: describeAccessRefusal(scope.refusal), about: 'channel' });
  const refusal = scope.ok && refusedFor(scope.value);
  if (refusal) return refused(refusal);
  const limits = scope.ok ? digestLimits(scope.value, whose) : [];
  // Person-level parts go to direct messages then, so there is nothing more to say.
  if (scope.ok && scope.value.onlyDirect) return ok(limits);
  const validated = validatePersonLevel(request, conversation, released);
  return validated.ok ? ok([...limits, ...validated.value]) : validated;
}

/** A digest for managers needs no channel, and a level that sees all rows. */
async function validateForManagers(
  draft: DigestDraft,
  whose: Whose,
  parts: ListenerParts,
  isPreviewed: boolean,
  typed: string | undefined,
): Promise<ValidatedDigest> {
  const { owner, request, changes } = draft;
  const refusal = managersRefusal(draft) ?? alertRefusal(draft);
  if (refusal) return refused(refusal);
  const { level } = await parts.access.accessOf(owner, request.report);
  if (level !== 'everything')
    return notAllowed(`${digestAccessRefusal({ kind: 'not-everything' }, whose)} Ask an admin for access.`);
  const other = (await parts.store.digests.listForManagers()).find(
    (digest) => digest.id !== changes?.id && asksTheSame(digest, draft),
  );
  if (other) {
    const { name = 'another person' } = await parts.people.find(other.owner);
    const by = other.owner === owner ? 'you' : displayText(name, 60);
    return notAllowed(
      `Managers get this already: ${digestName(other)}, set up by ${by}. Change that one, or ask for something else.`,
    );
  }
  const limit = changes ? undefined : await ownedLimitReached('digest', owner, parts);
  if (limit !== undefined) return notAllowed(limit);
  const refusedTime = await timeRefusal(draft, parts, typed);
  if (refusedTime) return refused(refusedTime);
  const missing = isPreviewed ? undefined : await missingScope(request, parts.client);
  if (missing) return notAllowed(missing);
  return ok([
    'At that time of each manager’s own zone, on weekdays: what falls on a weekend comes on Monday.',
  ]);
}

/** True for digests whose messages would hold the same rows. */
function asksTheSame(
  one: Pick<DigestDraft, 'request' | 'when'>,
  other: Pick<DigestDraft, 'request' | 'when'>,
): boolean {
  const rowsOf = ({ request, when }: Pick<DigestDraft, 'request' | 'when'>) =>
    JSON.stringify([countedBy(request), when ?? null]);
  return rowsOf(one) === rowsOf(other);
}

function notAllowed(sentence: string) {
  return refused<DigestRefusal>({ sentence, about: 'request' });
}

export const ownerCannotAsk = 'The owner of this digest can no longer run reports. Hand it over first.';

/** Refuses a schedule with no next run, and a range that is invalid at a due time. */
async function timeRefusal(
  draft: DigestDraft,
  { store, clock, weekStart }: ListenerParts,
  typed?: string,
): Promise<DigestRefusal | undefined> {
  const now = clock.now();
  const schedule = await scheduleOfDraft(draft, store, now);
  const [first] = nextRuns(schedule, now, 1);
  if (first === undefined) return { sentence: 'That schedule has no next run.', about: 'time' };
  const { request, zone } = draft;
  for (const { target } of requestsIn(request)) {
    const passed = passedTargetRefusal(target, first, zone);
    if (passed !== undefined) return { sentence: passed, about: 'request' };
  }
  // Each line of a scorecard says at its run which range it cannot use.
  if (request.scorecard) return undefined;
  const found = findRefusedDueRange(request, schedule, now, weekStart);
  if (!found) return undefined;
  const { words } = found.refusal;
  const said = quoteTypedRange(words, typed);
  const sentence = dueRangeRefusalText(found.refusal, request.report, formatRun(found.due, zone), said);
  return { sentence, about: found.refusal.reason === 'empty' ? 'time' : 'range' };
}

function validatePersonLevel(
  request: DigestDraft['request'],
  { personLevel }: Conversation,
  released: ReleasedKeys,
): ValidatedDigest {
  const names = requestIsPersonLevel(request, released);
  if (request.scorecard) {
    const isShown = personLevel === 'allowed' || !names;
    return ok(
      isShown
        ? []
        : ['Lines that name people say nothing in this channel. Choose them in Show… to get them alone.'],
    );
  }
  const rowsName =
    (request.file !== undefined || showsRows(request)) && rowsArePersonLevel(request, released);
  if (personLevel === 'allowed' || !(names || rowsName)) return ok([]);
  if (personLevel === 'never') {
    const sentence =
      'It names people, so it cannot be posted here: this channel is shared with another organization. Schedule it in your direct messages with me.';
    return refused({ sentence, about: 'channel' });
  }
  const ofRows = request.file === undefined ? ['Its rows name', 'The rows'] : ['Its file names', 'The file'];
  const [named, it] = names ? ['It names', 'It'] : ofRows;
  return ok([
    `${named} people, which is not allowed in this channel. ${it} will come to your direct messages.`,
  ]);
}

async function channelRefusal(channel: string, owner: string, fresh: Freshness, parts: ListenerParts) {
  if (channel.startsWith('D')) {
    return 'Slack does not let me into direct messages between people. Schedule it in a channel, or in your direct messages with me.';
  }
  // Slack was asked a moment ago.
  const reason = unusableChannel(await parts.channels.find(channel, 'last-minute'));
  if (reason !== undefined) return reason;
  const isMember = await parts.memberships.isMember(channel, owner, fresh);
  if (isMember === 'unknown') return 'Slack could not tell me who is in that channel just now. Try again.';
  return isMember
    ? undefined
    : 'The owner of a digest must be a member of its channel. Join that channel first.';
}

/**
 * A text that names the missing scope of the bot's token; undefined if no scope is missing or Slack does not list the
 * scopes. Makes one call, which posts nothing. Never throws.
 */
export async function missingScope(
  { file }: Pick<ReportRequest, 'file'>,
  client: WebClient,
): Promise<string | undefined> {
  const identity = await fetchIdentity(client).catch(() => undefined);
  const scopes = identity?.scopes ?? [];
  if (scopes.length === 0) return undefined;
  const needed = compact(
    { scope: 'chat:write', what: 'post' },
    file && { scope: 'files:write', what: 'put the file into Slack' },
  );
  const missing = needed.find(({ scope }) => !scopes.includes(scope));
  return (
    missing &&
    `My Slack app lacks the scope ${missing.scope}, so I cannot ${missing.what}. Ask your operator to update the app’s manifest and to install the app again.`
  );
}

/**
 * An edit that keeps cadence and zone keeps the schedule. An edit that keeps the number of weeks between digests
 * still counts them from the first day of the schedule.
 */
export async function scheduleOfDraft(
  { cadence, zone, changes }: DigestDraft,
  { digests }: Pick<Store, 'digests'>,
  now: number,
): Promise<Schedule> {
  const before = changes && (await digests.find(changes.id))?.schedule;
  const isSame = before?.zone === zone && formatCadence(before.cadence) === formatCadence(cadence);
  if (isSame) return before;
  const schedule = scheduleFrom(cadence, zone, now);
  const earlier = before?.cadence;
  const keepsWeeks =
    earlier?.kind === 'every-weeks' && cadence.kind === 'every-weeks' && earlier.weeks === cadence.weeks;
  return before && keepsWeeks ? { ...schedule, firstDay: before.firstDay } : schedule;
}
