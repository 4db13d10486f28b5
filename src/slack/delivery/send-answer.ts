import type { WebClient } from '@slack/web-api';
import { recordExport } from '../../access/record.js';
import type { LearningLinks } from '../../catalogue/learning-link.js';
import { KnownError } from '../../errors/known-error.js';
import { formatLimit } from '../../figures/format/request.js';
import type { EditFacts } from '../../posts/answer-edits.js';
import type { PostedMessage } from '../../posts/post.js';
import { FileNotShared, retryWrite } from '../../posts/post.js';
import type { NewPostedItem } from '../../posts/posted-items.js';
import { filePostId } from '../../posts/states.js';
import { formatRequest } from '../../requests/parse-request.js';
import { requestIsPersonLevel } from '../../requests/person-level.js';
import type { Asker, ReportRequest } from '../../requests/request.js';
import { followUpOf, holdsPersonLevel } from '../../runner/route.js';
import { exportOf, fileName, notesOnFile, type ReportResult } from '../../runner/run-report.js';
import type { Store } from '../../store/store.js';
import type { Clock } from '../../time/clock.js';
import type { AnswerRights } from '../answer-rights.js';
import type { Channels } from '../directory/channels.js';
import { permalinkOf } from '../directory/links.js';
import { escaped } from '../markup.js';
import { describeFailure } from '../messages/failures.js';
import {
  answerNotSavedMessage,
  answerSentDirectlyMessage,
  failureMessage,
  fileNotAMemberMessage,
  fileSentDirectlyMessage,
  unconfirmedAnswerMessage,
} from '../messages/notices.js';
import { type SummaryButton, summaryVariants } from '../messages/summary.js';
import type { Conversation } from '../request-context.js';
import { notifyAsker } from './notify-asker.js';
import {
  AccessChanged,
  AnswerNotPosted,
  deliver,
  EndedElsewhere,
  type OutgoingMessage,
  type PostOutcome,
} from './post-message.js';
import type { Progress } from './progress.js';
import type { RefusedBlocks } from './refused-blocks.js';
import type { ResponseUrl } from './response-url.js';
import { sendRows } from './send-rows.js';
import type { FileDestination, ShareFile } from './upload.js';

/** One execution of a request that was made in Slack. */
export interface RecordedRun {
  /** The ID of its entry in the request log, and of its post in the ledger. */
  readonly id: string;
  readonly asker: Asker;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
  readonly conversation: Conversation;
  /** The words after `/report `, as typed; absent if the request came from a button or a form. */
  readonly typed?: string | undefined;
  /** The `ts` of a summary: only the file is wanted, in the thread of that message. */
  readonly fileInto?: string | undefined;
}

/** A run with what its asker may see, and where its parts go. */
export interface AnswerRun extends RecordedRun, AnswerRights {}

export interface SendParts {
  readonly store: Pick<Store, 'requestLog' | 'ledger' | 'events'>;
  /** Makes each call once, without retries. */
  readonly client: WebClient;
  readonly channels: Pick<Channels, 'directWith'>;
  readonly share: ShareFile;
  readonly refused: RefusedBlocks;
  /** The URL of the workspace, `https://example.slack.com/`. */
  readonly workspaceUrl: string;
  /** The addresses that titles link to. */
  readonly learningLinks: LearningLinks;
  readonly clock: Clock;
  /** IANA zone that readers in channels expect, as their own zones differ. */
  readonly defaultZone: string;
  readonly log: {
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
  };
}

/** What the sending of an answer needs from the run. */
export interface Sending {
  readonly progress: Progress;
  /** Asked again before each further try, and before the file is shared. */
  readonly isStillAllowed: () => Promise<boolean>;
  /** Keeps what *Details* shows, before anybody can press it. Never throws. */
  readonly keepTotals: () => Promise<void>;
  /** Set where the period before is still being read, so that the summary is edited later. */
  readonly edit?: {
    readonly facts: EditFacts;
    /** Called once the ledger has the summary and that its edit is due. The variant is the one that Slack took. */
    begin(message: PostedMessage, variant: number): void;
  };
}

/**
 * Sends an answer: the summary along its route, then the file. A posted summary is an answer even if its file fails;
 * then the asker is notified, and can press CSV to try again. The ledger has both as `posting` before each call to
 * Slack, and their outcome after it.
 *
 * @throws AnswerNotPosted; AccessChanged; FileNotShared where only the file was wanted; EndedElsewhere; nothing after a post
 */
export async function sendAnswer(
  result: ReportResult,
  run: AnswerRun,
  sending: Sending,
  parts: SendParts,
): Promise<void> {
  const { id, asker, conversation, typed, fileInto } = run;
  const { progress, isStillAllowed } = sending;
  const shareFile = (post: string, summary: SentSummary) =>
    sendFile(result, run, parts, { post, summary, isStillAllowed });
  if (fileInto !== undefined) {
    await shareFile(id, { message: { channel: conversation.channel, ts: fileInto } });
    await progress.remove();
    return;
  }
  const summary = await sendSummary(result, run, sending, parts);
  if (!summary.followUp) return;
  const post = filePostId(id);
  const following =
    summary.followUp === 'rows'
      ? sendRows(
          result,
          {
            requestId: id,
            post,
            asker: asker.id,
            conversation,
            command: commandOf(typed, result.request),
            isStillAllowed,
          },
          parts,
        )
      : shareFile(post, summary);
  await following.catch((error: unknown) => endFailedFile(error, run, parts));
}

interface SentSummary {
  /** Absent if Slack returned no `ts`. */
  readonly message?: PostedMessage | undefined;
  /** True if it went to direct messages from elsewhere. */
  readonly wentDirectly?: boolean;
}

async function sendSummary(
  result: ReportResult,
  run: AnswerRun,
  sending: Sending,
  parts: SendParts,
): Promise<SentSummary & { readonly followUp?: ReturnType<typeof followUpOf> }> {
  const { id, asker, conversation, route } = run;
  const { store, clock, log, client } = parts;
  const held = { id, worker: null };
  const followUp = followUpOf(route, result);
  const fileFollows = followUp !== undefined;
  const variants = summaryVariantsOf(result, run, parts);
  // Together, because SQLite commits all of one turn of the event loop at once.
  const [mayPost] = await Promise.all([
    store.ledger.markPosting(held, { rows: result.rowCount, late: false }),
    result.range && store.requestLog.saveRange(id, result.range),
    sending.keepTotals(),
  ]);
  if (!mayPost) throw new EndedElsewhere();
  const { outcome, variant, wentDirectly } = await postSummary(variants, run, sending, parts);
  if (outcome.kind === 'not-posted') throw new AnswerNotPosted(outcome.code);
  const notify = (message: OutgoingMessage, onlyHere?: boolean) =>
    notifyAsker(message, asker.id, conversation, client, onlyHere);
  if (outcome.kind === 'unknown') {
    log.warn({ requestId: id, code: outcome.code }, 'The delivery of an answer is unconfirmed');
    await retryWrite(() => store.ledger.markUnconfirmed(held, { code: outcome.code }, clock.now())).catch(
      (err: unknown) => log.error({ err, requestId: id }, outcomeNotSaved),
    );
    await notify(unconfirmedAnswerMessage(id));
    return {};
  }
  const thread = outcome.channel === conversation.channel ? conversation.thread : undefined;
  const message = outcome.ts === '' ? undefined : linked(outcome, thread, parts);
  const root = thread === undefined ? undefined : { channel: outcome.channel, ts: thread };
  const holdsRows = route.rows === 'in-summary';
  const item: NewPostedItem | undefined =
    message && (root || holdsRows)
      ? { kind: 'message', channel: message.channel, item: message.ts, root, holdsRows }
      : undefined;
  try {
    const posted = { message, fileFollows, item, edit: sending.edit?.facts };
    await retryWrite(() => store.ledger.markPosted(held, posted, clock.now()));
  } catch (err) {
    log.error({ err, requestId: id }, outcomeNotSaved);
    await notify(answerNotSavedMessage(fileFollows));
    return {};
  }
  if (message) sending.edit?.begin(message, variant);
  if (wentDirectly) await notify(answerSentDirectlyMessage(route, conversation), true);
  return { followUp, message, wentDirectly };
}

function linked(
  { channel, ts }: PostedMessage,
  thread: string | undefined,
  { workspaceUrl }: SendParts,
): PostedMessage {
  return { channel, ts, link: permalinkOf(workspaceUrl, { channel, ts }, thread) };
}

const outcomeNotSaved = 'The outcome of a post could not be saved';

/** The response URL that a summary goes to, which takes no edit; undefined for a message of the bot. */
export function responseUrlOf({
  conversation: { kind, responseUrl },
  route,
}: Pick<AnswerRun, 'conversation' | 'route'>): ResponseUrl | undefined {
  return kind === 'elsewhere' && route.summary === 'here' && responseUrl?.isOpen() ? responseUrl : undefined;
}

interface PostedSummary {
  readonly outcome: PostOutcome;
  /** The index of the variant that the outcome belongs to. */
  readonly variant: number;
  readonly wentDirectly: boolean;
}

/** Posts to the conversation, or to direct messages if the bot cannot post there. */
async function postSummary(
  variants: Variants,
  run: AnswerRun,
  { progress, isStillAllowed }: Sending,
  { client, channels, refused }: SendParts,
): Promise<PostedSummary> {
  const { id, asker, conversation, route } = run;
  const { kind, channel, thread } = conversation;
  const postTo = async (channel: string, thread?: string) => {
    const replaces = await progress.finishFor(channel);
    const first = refused.firstVariant();
    const destination = { kind: 'channel', channel, thread, replaces } as const;
    const { outcome, variant, isEdit } = await deliver(variants.slice(first), destination, client, {
      isStillAllowed,
    });
    // A progress message that could not be edited would say for ever that the report is running.
    if (outcome.kind !== 'not-posted') await (isEdit ? progress.markReplaced() : progress.remove());
    if (outcome.kind === 'posted') refused.posted(id, first + variant);
    return { outcome, variant: first + variant };
  };
  if (kind === 'direct' || (kind === 'member' && route.summary === 'here')) {
    return { ...(await postTo(channel, thread)), wentDirectly: false };
  }
  const responseUrl = responseUrlOf(run);
  if (responseUrl) {
    await progress.finishFor(channel);
    const [full] = variants;
    // A response URL has few uses, so only the first and the last variant are tried.
    const destination = { kind: 'reply', responseUrl } as const;
    const { outcome, variant } = await deliver([full, variants.at(-1) ?? full], destination, client, {
      isStillAllowed,
    });
    if (outcome.kind !== 'not-posted') return { outcome, variant, wentDirectly: false };
  }
  return { ...(await postTo(await channels.directWith(asker.id))), wentDirectly: true };
}

async function sendFile(
  result: ReportResult,
  run: AnswerRun,
  parts: SendParts,
  {
    post,
    summary: { message, wentDirectly },
    isStillAllowed,
  }: {
    readonly post: string;
    readonly summary: SentSummary;
    readonly isStillAllowed: () => Promise<boolean>;
  },
): Promise<void> {
  const { file, request } = result;
  if (!file) return;
  const { id, asker, conversation, route, typed, released } = run;
  const { kind, thread, personLevel } = conversation;
  const { ledger } = parts.store;
  const held = { id: post, worker: null };
  const name = fileName(result);
  const shareInto = async (destination: FileDestination) => {
    const into = async () => {
      // The upload may have taken long.
      if (!(await isStillAllowed())) throw new AccessChanged();
      if (!(await ledger.markPosting(held))) throw new EndedElsewhere();
      const facts = { at: parts.clock.now(), person: asker.id, place: destination.channel, request };
      const origin = run.fileInto === undefined ? 'request' : 'file-button';
      const event = exportOf(
        result,
        name,
        { ...facts, origin, me: asker.email, days: result.range, post: id },
        run.level,
      );
      await recordExport(parts.store.events, event);
      return destination;
    };
    const { fileId } = await parts.share({ path: file.path, bytes: file.bytes, name, title: name, into });
    const { channel: shared, thread: root } = destination;
    const item: NewPostedItem = {
      kind: 'file',
      channel: shared,
      item: fileId,
      root: root === undefined ? undefined : { channel: shared, ts: root },
    };
    // Slack has the file, so the asker need not know that this failed.
    await retryWrite(() => ledger.markPosted(held, { fileFollows: false, item }, parts.clock.now())).catch(
      (err: unknown) => parts.log.error({ err, requestId: id }, outcomeNotSaved),
    );
  };
  const namesPeople = route.file === 'direct' || holdsPersonLevel(result, personLevel, released);
  const isDirect = kind === 'direct' || wentDirectly === true;
  if (message && (isDirect || (kind === 'member' && !namesPeople))) {
    const comment = threadComment(asker, result, isDirect);
    return shareInto({ channel: message.channel, thread: thread ?? message.ts, comment });
  }
  await shareInto({
    channel: await parts.channels.directWith(asker.id),
    comment: fileComment(commandOf(typed, request), result),
  });
  const where = namesPeople ? fileSentDirectlyMessage(conversation) : fileNotAMemberMessage();
  await notifyAsker(where, asker.id, conversation, parts.client, true);
}

/** The message of a file that does not go into the thread of its summary. */
function fileComment(command: string, result: ReportResult): string {
  const limit = formatLimit(result.scope, 'you');
  const more = [...(limit ? [`${limit}.`] : []), ...notesOnFile(result)].join(' ');
  return `The file for ${escaped(command)}${more ? `. ${more}` : ''}`;
}

/**
 * The message of a file in a thread: whose rows it has, and notes on it. In a channel it names the asker, who may not be
 * the asker of the summary.
 */
function threadComment({ id }: Asker, result: ReportResult, isDirect: boolean): string | undefined {
  const limit = formatLimit(result.scope, 'you');
  const whose = isDirect ? `${limit}.` : `For <@${id}>: ${limit}.`;
  return [...(limit === undefined ? [] : [whose]), ...notesOnFile(result)].join(' ') || undefined;
}

/** Ends a file that failed or is unconfirmed, after its summary was posted. */
async function endFailedFile(
  error: unknown,
  { id, asker, conversation }: AnswerRun,
  { store: { ledger }, clock, log, client }: SendParts,
): Promise<void> {
  log.warn({ err: error, requestId: id }, 'The file of an answer was not shared');
  if (error instanceof EndedElsewhere) return;
  const held = { id: filePostId(id), worker: null };
  const why = { code: error instanceof KnownError ? error.code : 'unexpected' };
  const mayHaveArrived = error instanceof FileNotShared && error.mayHaveArrived;
  const end = mayHaveArrived ? ledger.markUnconfirmed : ledger.markFailed;
  await end(held, why, clock.now()).catch((err: unknown) =>
    log.error({ err, requestId: id }, outcomeNotSaved),
  );
  const message = failureMessage(describeFailure(error, id), undefined);
  await notifyAsker(message, asker.id, conversation, client);
}

type Variants = ReturnType<typeof summaryVariants>;

/** The message of a summary, from its fullest variant to its plainest. */
export function summaryVariantsOf(
  result: ReportResult,
  { id, asker, conversation, route, typed, released }: AnswerRun,
  { defaultZone, learningLinks: links }: Pick<SendParts, 'defaultZone' | 'learningLinks'>,
): Variants {
  const { figures, request, scope, rows } = result;
  if (!figures) throw new Error('An answer without figures has no summary');
  const isDirect = route.summary === 'direct' || conversation.kind === 'direct';
  const canShare = isDirect && scope.rows === 'all' && !requestIsPersonLevel(request, released);
  const buttons: SummaryButton[] = [
    ...(isDirect || figures.counted === 0 ? [] : [{ kind: 'details', value: id } as const]),
    { kind: 'csv', value: id },
    { kind: 'change', value: id },
    { kind: 'save', value: id },
    { kind: 'schedule', value: id },
    ...(canShare ? [{ kind: 'share', value: id } as const] : []),
  ];
  return summaryVariants({
    result: { ...result, figures },
    command: commandOf(typed, request),
    askedBy: asker.id,
    remarks: [],
    rows: route.rows === 'in-summary' && rows ? { rows, links } : undefined,
    isDirect,
    zone: isDirect ? asker.zone : defaultZone,
    buttons,
  });
}

/** The command as typed, or an equivalent command. */
export function commandOf(typed: string | undefined, request: ReportRequest): string {
  return `/report ${typed ?? formatRequest(request)}`;
}

/** True for a summary that goes to direct messages from elsewhere. */
export function goesDirectly(run: Pick<AnswerRun, 'conversation' | 'route'>): boolean {
  const { kind } = run.conversation;
  if (kind === 'direct') return false;
  return run.route.summary === 'direct' || (kind === 'elsewhere' && !responseUrlOf(run));
}
