import type { ModalView } from '@slack/types';
import { lookBack } from '../../digests/alert-outlook.js';
import { type Digest, type DigestDraft, isPausedByHand, nextDueOf } from '../../digests/digest.js';
import { ok, type Result, refused } from '../../errors/failure.js';
import type { AlertCondition } from '../../requests/alert-condition.js';
import { formatRequest } from '../../requests/parse-request.js';
import type { ReportRequest } from '../../requests/request.js';
import { scheduleFrom } from '../../schedule/next-runs.js';
import { enterBeforeChange } from '../../scheduler/enter-due.js';
import { TooManyDigests } from '../../store/digests/digests.js';
import type { Store } from '../../store/store.js';
import type { Clock } from '../../time/clock.js';
import { answerRequest } from '../answers/answer-request.js';
import type { AnswerOptions } from '../answers/answer-run.js';
import type { ListenerParts } from '../answers/context.js';
import { scheduleForm, valuesOfDigest } from '../builder/digest-form.js';
import { digestContents } from '../builder/digest-purposes.js';
import { makeBuilder, withoutGoneFields } from '../builder/open.js';
import { replyInContext } from '../context/notify-asker.js';
import { inChannel, type MemberContext, type RequestContext } from '../context/request-context.js';
import { openOffer } from '../digests/hand-over.js';
import { type AlertParts, type AlertReader, alertLines, readableAlerts } from '../digests/readable-alerts.js';
import { sendManagersTest } from '../digests/rehearse.js';
import { scheduleOfDraft } from '../digests/validate.js';
import { inputs } from '../forms/forms.js';
import { maxOwned } from '../limits.js';
import type { DigestRow } from '../messages/digest-list.js';
import { lookBackMessage } from '../messages/digests.js';
import { ownsTooMany } from '../saved/items.js';
import { textOfLines } from '../saved/scorecards.js';

/** Saves a confirmed and validated draft. The refusal is a sentence for the person. */
export async function saveDigest(
  draft: DigestDraft,
  maker: string,
  parts: ListenerParts,
): Promise<Result<Digest>> {
  const { store, clock } = parts;
  const now = clock.now();
  const {
    request,
    channel,
    owner,
    skipEmpty,
    replace = false,
    keepDays = null,
    when = null,
    audience = null,
    zones = null,
    approvedBy = null,
    changes,
  } = draft;
  const schedule = await scheduleOfDraft(draft, store, now);
  const nextDue = nextDueOf({ schedule, audience, zones }, now);
  const ofManagers = { audience, zones, approvedBy };
  const settings = { request, channel, owner, schedule, skipEmpty, replace, keepDays, when, ...ofManagers };
  let id = changes?.id ?? '';
  if (changes) {
    const before = await store.digests.find(id);
    if (before?.revision === changes.revision) await enterBeforeChange(before, parts);
    const changed = await store.digests.change(id, changes.revision, {
      ...settings,
      coveredUntil: audience ? now : undefined,
      ...(before && isPausedByHand(before)
        ? { nextDue: null }
        : { state: 'active', nextDue: nextDue ?? null }),
    });
    if (!changed)
      return refused(
        'Not saved: somebody else changed or deleted this digest. Type /report list to see it now.',
      );
  } else {
    try {
      id = await store.digests.add(settings, maker, nextDue, now, maxOwned.digest);
    } catch (error) {
      if (error instanceof TooManyDigests) return refused(ownsTooMany('digest'));
      throw error;
    }
  }
  const digest = await store.digests.find(id);
  return digest ? ok(digest) : refused('That digest no longer exists.');
}

/** Pauses a digest and skips its waiting runs. Runs due during a pause are not delivered later. */
export async function pauseDigest(
  digest: Digest,
  { store, clock }: Pick<ListenerParts, 'store' | 'clock'>,
): Promise<boolean> {
  const paused = await store.digests.change(digest.id, digest.revision, {
    state: 'paused',
    pauseReason: 'by-hand',
    nextDue: null,
  });
  if (paused) await store.ledger.skipWaiting(digest.id, 'by-hand', clock.now());
  return paused;
}

export async function resumeDigest(digest: Digest, { store, clock }: ListenerParts): Promise<boolean> {
  const now = clock.now();
  const nextDue = nextDueOf(digest, now) ?? null;
  return store.digests.change(digest.id, digest.revision, { state: 'active', nextDue, coveredUntil: now });
}

const pageSize = 100;
const fixedByInvitation: ReadonlySet<string> = new Set(['not_in_channel', 'channel_not_found']);

/** After an invitation to a channel, retries failed runs and resumes digests that lacked access to it. */
export async function retryAfterInvitation(channel: string, parts: ListenerParts): Promise<void> {
  let from = 0;
  let page: readonly Digest[];
  do {
    page = await parts.store.digests.inChannel(channel, pageSize, from);
    for (const digest of page) await retryAfterAccess(digest, parts);
    from += pageSize;
  } while (page.length > 0);
  parts.scheduler.checkNow();
}

async function retryAfterAccess(digest: Digest, parts: ListenerParts) {
  const { store, clock } = parts;
  if (digest.state === 'paused') {
    if (!fixedByInvitation.has(digest.pauseReason ?? '')) return;
    await resumeDigest(digest, parts);
  }
  const [last] = await store.ledger.history(digest.id, 1);
  if (last?.state === 'failed' && fixedByInvitation.has(last.errorCode ?? '')) {
    await store.ledger.retry(last.id, clock.now());
  }
}

/** Digests with their newest runs and what a reader may know of their alerts, in the given order. */
export async function rowsOf(
  digests: readonly Digest[],
  reader: AlertReader,
  parts: AlertParts & { readonly clock: Clock; readonly store: Pick<Store, 'managerReaders'> },
): Promise<readonly DigestRow[]> {
  const { managerReaders, ledger } = parts.store;
  const [newest, lines] = await Promise.all([
    ledger.newest(digests.map(({ id }) => id)),
    alertLines(digests, reader, parts),
  ]);
  const forManagers = digests.filter(({ audience }) => audience === 'managers');
  const ends = await managerReaders.findEnds(forManagers.flatMap(({ id }) => newest.get(id)?.id ?? []));
  const managers = new Map(
    await Promise.all(
      forManagers.map(async ({ id }) => {
        const end = ends.get(newest.get(id)?.id ?? '');
        return [id, { end, declined: await managerReaders.countDeclined(id) }] as const;
      }),
    ),
  );
  return digests.map((digest) => {
    const { id } = digest;
    const offeredTo = openOffer(digest, parts.clock.now())?.id;
    return { digest, last: newest.get(id), alert: lines.get(id), managers: managers.get(id), offeredTo };
  });
}

/**
 * The form that edits a digest, or the preview of one: the builder, which has one report, or a form with the lines of a
 * scorecard.
 */
export async function editDigestForm(
  draft: DigestDraft,
  { channel, asker }: RequestContext,
  parts: ListenerParts,
  preview?: string,
): Promise<ModalView> {
  if (draft.request.scorecard) {
    const lines = await textOfLines(draft.request, parts);
    const values = { ...valuesOfDigest(draft), [inputs.lines]: lines.map(({ text }) => text).join('\n') };
    const edited = preview ?? (await parts.store.digestDrafts.open(asker, draft, parts.clock.now()));
    const offer = { request: draft.request, isProtected: false };
    return scheduleForm({ draft: edited, channel }, values, offer);
  }
  const { request, remarks } = withoutGoneFields(draft.request, ' Confirm to keep the rest.');
  const nothingYet = preview === undefined ? 'Nothing changes' : 'Nothing is saved';
  const intro = `${nothingYet} until you confirm the preview with its next runs.`;
  const contents = { request, ...digestContents(draft), preview, remarks: [intro, ...remarks] };
  return makeBuilder(contents, asker, { channel, asker }, parts);
}

/** A form may not say yet when it comes. */
const usualCadence = { kind: 'weekdays', time: '09:00' } as const;

/** What is tested: a saved digest, a preview, or what an open form holds. */
interface TestedDigest extends Pick<DigestDraft, 'request'> {
  readonly zone?: string | undefined;
  readonly channel?: string | undefined;
  readonly when?: DigestDraft['when'];
  readonly audience?: DigestDraft['audience'];
  readonly owner?: string | undefined;
  readonly skipEmpty?: boolean | undefined;
  /** Of a saved digest. Of others, the cadence. */
  readonly schedule?: Digest['schedule'] | undefined;
  readonly cadence?: DigestDraft['cadence'] | undefined;
  /** The saved digest, or the one that a preview or a form changes. */
  readonly savedAs?: string | undefined;
}

/** Runs what a digest would send, for this person alone. For an alert, says what it would have done at its last runs. */
export async function sendTest(
  tested: TestedDigest,
  context: MemberContext,
  parts: ListenerParts,
  options: AnswerOptions = {},
): Promise<void> {
  const { request, zone, channel: testOf, when } = tested;
  if (tested.audience === 'managers') {
    const { owner = context.asker, skipEmpty = false, cadence = usualCadence } = tested;
    const { schedule = scheduleFrom(cadence, zone ?? context.member.zone, parts.clock.now()) } = tested;
    return sendManagersTest({ request, owner, skipEmpty, schedule, id: tested.savedAs }, context, parts);
  }
  const channel = await parts.channels.directWith(context.asker);
  const there = { ...inChannel(context, channel), testOf };
  await answerRequest({ ...request, toMe: false }, there, parts, {
    zone,
    isRepeat: true,
    isTest: true,
    choseFilters: false,
    ...options,
  });
  if (!when) return;
  const lines = await lookBackOf({ ...tested, when }, context.asker, parts);
  if (lines) await replyInContext(lookBackMessage({ request, when }, lines), there, parts);
}

/** What the runs of an alert found, judged by its condition. Undefined where that is not for this person. */
async function lookBackOf(
  { savedAs, request, channel, when }: TestedDigest & { readonly when: AlertCondition },
  user: string,
  parts: ListenerParts,
): Promise<readonly string[] | undefined> {
  const digest = savedAs === undefined ? undefined : await parts.store.digests.find(savedAs);
  const wordsOf = (one: ReportRequest) => formatRequest({ ...one, toMe: false });
  const isSame = digest?.channel === channel && digest && wordsOf(digest.request) === wordsOf(request);
  if (!isSame || !digest.when) return [];
  const readable = await readableAlerts([digest], { user, seesFew: true }, parts);
  if (!readable.has(digest.id)) return undefined;
  return lookBack({ when, request }, readable.get(digest.id)?.readings ?? [], digest.schedule.zone);
}
