import { type Digest, type DigestDraft, isPausedByHand } from '../../digests/digest.js';
import { ok } from '../../errors/failure.js';
import { formatCondition } from '../../requests/alert-condition.js';
import { formatCadence } from '../../requests/cadence-words.js';
import { type ScheduleCommand, withoutCommand } from '../../requests/parse-command.js';
import { applyToSaved, formatRequest } from '../../requests/parse-request.js';
import { maskPeople } from '../../requests/person-level.js';
import { removedFieldsOf } from '../../requests/removed-fields.js';
import { narrowingSince, type ReportRequest } from '../../requests/request.js';
import { compact } from '../../requests/text.js';
import { managersRefusals } from '../../requests/to-managers.js';
import { nextRuns } from '../../schedule/next-runs.js';
import { nextReaderRuns } from '../../schedule/reader-runs.js';
import { zonesWithoutDaylightSaving } from '../../schedule/time-zones.js';
import { lacksPurpose } from '../answers/answer-run.js';
import { askForPurpose } from '../answers/ask-purpose.js';
import { completeForAsker } from '../answers/complete-request.js';
import type { ListenerParts } from '../answers/context.js';
import { hidesPeople, peopleHidden } from '../answers/hidden-people.js';
import { askerDestination } from '../answers/progress.js';
import type { Conversation, PlacedContext } from '../context/request-context.js';
import { maxAdminsToAsk } from '../directory/access.js';
import { whomToAsk } from '../messages/access-levels.js';
import { previewMessage } from '../messages/digests.js';
import { problemMessage, type Reply, replierIn } from '../messages/notices.js';
import { removedFieldsMessage } from '../messages/saved-reports.js';
import { mayChange } from '../saved/items.js';
import { openOffer } from './hand-over.js';
import { maxReadersAlone } from './managers-run.js';
import { rehearse } from './rehearse.js';
import { scheduleOfDraft, type ValidatedDigest, validateDigest } from './validate.js';

/** Handles `/report schedule …`: shows a preview with the next runs. */
export async function proposeFromCommand(
  { what, when, whenTyped, cadence, zone }: Omit<ScheduleCommand, 'kind'>,
  context: PlacedContext,
  parts: ListenerParts,
): Promise<void> {
  const { asker, member, conversation } = context;
  const tell = replierIn(context, parts);
  const read =
    'request' in what
      ? ok({ ...what, shown: what.request, typedNow: what.request, hidesPeople: false })
      : await readSaved(what, conversation, asker, parts);
  if (read === undefined)
    return tell('That saved report no longer exists. Type /report list to see the current ones.');
  if ('removed' in read) return tell(read.removed);
  if (!read.ok) return tell(problemMessage(read.refusal));
  if (read.value.hidesPeople) return tell(peopleHidden('schedule'));
  const { skipEmpty, replace, keepDays, audience, typedNow, shown } = read.value;
  const timing = { when, cadence, zone: zone ?? member.zone, skipEmpty, replace, keepDays, audience };
  const completed = await completeForAsker(read.value.request, context, parts, {
    ...scheduleNext(timing),
    typedNow,
  });
  if (!completed) return;
  if (lacksPurpose(completed.request, parts)) {
    const command = `schedule ${formatRequest(completed.request)}`;
    return askForPurpose({ command, after: ` ${timingWords(timing)}` }, context, parts);
  }
  const { toMe, ...request } = completed.request;
  const draft: DigestDraft = {
    ...timing,
    request: { ...request, toMe: false },
    // One for managers is listed where it was set up, and posts nothing there.
    channel:
      toMe || (audience && conversation.kind === 'elsewhere')
        ? await parts.channels.directWith(asker)
        : context.channel,
    owner: asker,
  };
  if (audience && toMe) return tell(managersRefusals['to-me']);
  const { typed } = context;
  const known = await validateDigest(draft, asker, parts, { typed });
  const instead = known.ok ? undefined : known.refusal.instead;
  if (!known.ok && instead && typed !== undefined && whenTyped !== undefined) {
    const corrected = withoutCommand(typed).replace(whenTyped, () => formatCondition(instead));
    const problem = { kind: 'when', reason: 'not-a-condition', word: whenTyped } as const;
    return tell(problemMessage({ ...problem, corrected, understood: corrected }, known.refusal.sentence));
  }
  await tell(
    await previewDraft(draft, asker, parts, {
      shown: { ...shown, titles: request.titles },
      known,
      conversation,
    }),
  );
}

export function scheduleNext(timing: Timing) {
  const words = timingWords(timing);
  const command = (request: ReportRequest) => ['schedule', formatRequest(request), words].join(' ');
  return { step: 'schedule', command } as const;
}

type Timing = Pick<
  DigestDraft,
  'when' | 'cadence' | 'zone' | 'skipEmpty' | 'replace' | 'keepDays' | 'audience'
>;

function timingWords({ when, cadence, zone, skipEmpty, replace, keepDays, audience }: Timing): string {
  return compact(
    audience && 'to:managers',
    skipEmpty && 'skip-empty',
    replace && 'replace',
    keepDays && `keep:${keepDays}d`,
    when && `when ${formatCondition(when)}`,
    formatCadence(cadence),
    zone,
  ).join(' ');
}

/** A saved report with what was typed on top, and as the asker may read it: like the list of saved reports. */
async function readSaved(
  what: Extract<ScheduleCommand['what'], { readonly name: string }>,
  { channel, personLevel }: Conversation,
  asker: string,
  parts: ListenerParts,
) {
  const saved = await parts.store.savedReports.findByName(channel, what.name);
  const removed = saved ? removedFieldsOf(saved.request) : [];
  if (saved && removed.length > 0)
    return {
      removed: removedFieldsMessage(saved, removed, 'scheduled', await mayChange(saved, asker, parts)),
    };
  const read = saved && applyToSaved(saved.request, what.onTop, true);
  if (!read?.ok) return read;
  const { request, ...digestOptions } = read.value;
  const seesAll = personLevel === 'allowed' || asker === saved?.owner || asker === saved?.createdBy;
  const typedNow = narrowingSince(saved?.request, request);
  const { filters, conditions = [] } = typedNow;
  const shown = seesAll ? request : maskPeople(request, [...filters, ...conditions]);
  const chosenByOthers = { ...request, ...narrowingSince(typedNow, request) };
  return ok({
    ...digestOptions,
    request,
    shown,
    typedNow,
    hidesPeople: await hidesPeople({ request: chosenByOthers, choseFilters: seesAll, channel }, asker, parts),
  });
}

interface PreviewOptions {
  readonly known?: ValidatedDigest | undefined;
  readonly shown?: ReportRequest;
  /** Where the preview goes; absent: to the maker's direct messages. It names people where they may be named. */
  readonly conversation?: Conversation;
}

/**
 * Saves a draft and returns a preview with its next three runs, or a refusal.
 *
 * @param options `known`: the result of a validation a moment ago; `shown`: the request as the maker may read it
 */
export async function previewDraft(
  draft: DigestDraft,
  maker: string,
  parts: ListenerParts,
  { known, shown, conversation }: PreviewOptions = {},
): Promise<Reply> {
  const validated = known ?? (await validateDigest(draft, maker, parts));
  if (!validated.ok) return validated.refusal.sentence;
  const { store, clock } = parts;
  const rehearsal =
    draft.audience === 'managers' ? await rehearseFor(maker, draft, conversation, parts) : undefined;
  if (rehearsal && !rehearsal.ok) return rehearsal.refusal;
  const { lines = [], ...found } = rehearsal?.value ?? {};
  const now = clock.now();
  const id = await store.digestDrafts.open(maker, { ...draft, ...found }, now);
  const schedule = await scheduleOfDraft(draft, store, now);
  const runs = draft.audience ? nextReaderRuns(schedule, draft.zone, now, 3) : nextRuns(schedule, now, 3);
  const before = draft.changes && (await store.digests.find(draft.changes.id));
  const changing = zonesWithoutDaylightSaving.get(draft.zone);
  const remarks = compact(
    before && pausedRemark(before),
    before && openOffer(before, now) && 'It waits for a new owner to accept it. Confirming ends that offer.',
    changing && `${draft.zone} has no daylight saving time. For daylight saving time, choose ${changing}.`,
    validated.value,
    lines,
    await approvalRemark({ ...draft, ...found }, maker, parts),
  );
  return previewMessage(id, draft, runs, remarks, shown);
}

async function rehearseFor(
  asker: string,
  draft: DigestDraft,
  conversation: Conversation | undefined,
  parts: ListenerParts,
) {
  const namesPeople =
    !conversation || conversation.kind === 'direct' || conversation.personLevel === 'allowed';
  const destination = conversation
    ? askerDestination(asker, conversation, parts)
    : ({ kind: 'message', channel: await parts.channels.directWith(asker) } as const);
  return rehearse(draft, namesPeople, { asker, destination }, parts);
}

/** Why an admin has to confirm a draft; undefined if its maker can. */
export async function approvalRemark(
  { audience, readers = 0 }: DigestDraft,
  maker: string,
  { access }: ListenerParts,
): Promise<string | undefined> {
  if (audience !== 'managers' || readers <= maxReadersAlone || (await access.isAdmin(maker)))
    return undefined;
  const whom = whomToAsk(await access.adminNames(maxAdminsToAsk));
  return `It reaches more than ${maxReadersAlone} people, so an admin has to confirm it: ${whom}. Confirm asks them.`;
}

function pausedRemark(before: Digest): string | undefined {
  if (before.state !== 'paused') return undefined;
  return isPausedByHand(before)
    ? 'It is paused until somebody resumes it.'
    : 'It was paused because it failed. It resumes when you confirm.';
}
