import type { Block, KnownBlock } from '@slack/types';
import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  type WebClient,
} from '@slack/web-api';
import type { NewSentRows } from '../../access/record.js';
import type { NotificationRequest } from '../../digests/notification.js';
import { Failure } from '../../errors/failure.js';
import { type Claim, OutcomeNotSaved, type PostedMessage } from '../../posts/post.js';
import type { Store } from '../../store/store.js';
import type { Clock } from '../../time/clock.js';

/** Where a message goes. */
interface Destination {
  readonly channel: string;
  readonly thread?: string | undefined;
  /** Its message is replaced where it is in the same channel. */
  readonly progress?: Replaceable | undefined;
  /** The ID of an answer: notes for later answers which blocks were rejected. */
  readonly answer?: string;
  /** The `ts` of a message of the bot, which is edited or stays as it is. */
  readonly edits?: string;
  /** Posts through a response URL. */
  readonly reply?: (message: OutgoingMessage) => Promise<PostOutcome>;
}

interface Replaceable {
  finishFor(channel: string): Promise<string | undefined>;
  markReplaced(): void;
  remove(): Promise<void>;
}

const defaultMaxTries = 5;
/** Messages that Slack delays longer than this are not retried. */
const maxRetryAfterSeconds = 60;

/** Errors about the blocks of a message. A plainer variant may succeed. */
const blockErrors = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_attachments',
  'msg_blocks_too_long',
  'only_one_table_allowed',
]);

/** Errors for messages that can no longer be edited. */
const editErrors = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed']);

/**
 * Posts a message once, in place of its progress message where there is one, and without blocks that this workspace
 * rejects. Retries only if Slack says that it was not posted: later if Slack is rate-limiting, and as a plainer variant
 * if Slack rejects the blocks.
 *
 * @param client makes each call once, without retries, and rejects rate-limited calls at once
 * @param options `maxTries`: for each variant; 1: the caller waits itself if Slack is rate-limiting. `lookAgain`: called
 *   before each try but the first; throws if the message may no longer be posted as it is
 * @returns the outcome, and the index of its variant
 * @throws what `lookAgain` throws
 */
export async function deliver(
  variants: MessageVariants,
  to: Destination,
  { client, refused }: { readonly client: WebClient; readonly refused: RefusedBlocks },
  options: { readonly maxTries?: number | undefined; readonly lookAgain?: () => Promise<unknown> } = {},
) {
  const { channel, progress, answer, edits, reply } = to;
  const { maxTries = defaultMaxTries, lookAgain } = options;
  const replaced = edits ?? (await progress?.finishFor(channel));
  const first = reply || edits !== undefined ? 0 : refused.firstVariant();
  let ts = replaced;
  let variant: number = first;
  let outcome: PostOutcome;
  for (let attempt = 1; ; attempt += 1) {
    const message = variants[variant] ?? variants[0];
    try {
      if (reply) outcome = await reply(message);
      else if (ts === undefined) outcome = { kind: 'posted', ...(await sendMessage(message, to, client)) };
      else outcome = { kind: 'posted', ...(await updateMessage(message, { channel, ts }, client)) };
    } catch (error) {
      outcome = outcomeOfFailure(error);
    }
    if (outcome.kind === 'posted') break;
    const refusal = outcome.kind === 'not-posted' ? outcome : undefined;
    const seconds = refusal?.retryAfterSeconds ?? attempt;
    // Repeating an edit changes nothing; repeating a new message posts it twice.
    const mayRepeat = refusal ? refusal.code === 'ratelimited' : ts !== undefined;
    if (mayRepeat && attempt < maxTries && seconds <= maxRetryAfterSeconds) {
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    } else {
      if (ts !== undefined && edits === undefined && refusal && editErrors.has(refusal.code)) {
        ts = undefined;
        variant = first;
      } else if (refusal && blockErrors.has(refusal.code) && variant + 1 < variants.length) variant += 1;
      else break;
      attempt = 0;
    }
    await lookAgain?.();
  }
  // A progress message that could not be edited would say for ever that the report is running.
  if (progress && replaced !== undefined && outcome.kind !== 'not-posted')
    await (ts === undefined ? progress.remove() : progress.markReplaced());
  if (outcome.kind === 'posted' && answer !== undefined) refused.posted(answer, variant);
  return { outcome, variant };
}

/** Calls Slack once. The `ts` is empty if Slack gave none. @throws the error of the call */
export async function sendMessage(
  { text, blocks }: OutgoingMessage,
  { channel, thread }: { readonly channel: string; readonly thread?: string | undefined },
  client: WebClient,
): Promise<PostedMessage> {
  const posted = await client.chat.postMessage({
    channel,
    text,
    blocks: blocks && [...blocks],
    thread_ts: thread,
    unfurl_links: false,
    unfurl_media: false,
    parse: 'none',
  });
  return { channel: posted.channel ?? channel, ts: posted.ts ?? '' };
}

/** @throws the error of the call */
export async function updateMessage(
  { text, blocks }: OutgoingMessage,
  { channel, ts }: PostedMessage,
  client: WebClient,
): Promise<PostedMessage> {
  const edited = await client.chat.update({ channel, ts, text, blocks: blocks && [...blocks] });
  return { channel: edited.channel ?? channel, ts: edited.ts ?? ts };
}

/** @throws the error of the call */
export async function deleteMessage({ channel, ts }: PostedMessage, client: WebClient): Promise<void> {
  await client.chat.delete({ channel, ts });
}

/**
 * The outcome of an attempt to post a message.
 * - `posted`: Slack confirmed it.
 * - `not-posted`: Slack rejected it or was never reached, so it may be posted again.
 * - `unknown`: unconfirmed. It is never repeated automatically.
 */
export type PostOutcome =
  | { readonly kind: 'posted'; readonly channel: string; readonly ts: string }
  | NotPosted
  | { readonly kind: 'unknown'; readonly code: string };

interface NotPosted {
  readonly kind: 'not-posted';
  /** Slack's own error, `ratelimited` or `connection_refused`. */
  readonly code: string;
  readonly retryAfterSeconds?: number;
}

/** Errors after which Slack may have saved the message. */
const unconfirmedErrors = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]);

/** Classifies the error of a failed call. Rethrows errors that are not from calling Slack. */
export function outcomeOfFailure(error: unknown): Exclude<PostOutcome, { kind: 'posted' }> {
  if (error instanceof WebAPIPlatformError) {
    const code = error.data.error;
    if (unconfirmedErrors.has(code)) return { kind: 'unknown', code };
    return { kind: 'not-posted', code };
  }
  if (error instanceof WebAPIRateLimitedError) {
    return { kind: 'not-posted', code: 'ratelimited', retryAfterSeconds: error.retryAfter };
  }
  if (error instanceof WebAPIRequestError) return outcomeOfLostCall(error);
  if (error instanceof WebAPIHTTPError) return { kind: 'unknown', code: `http_${error.statusCode}` };
  throw error;
}

/** Slack was never reached, or its answer was lost. */
export function outcomeOfLostCall(error: unknown) {
  return wasRefused(error)
    ? ({ kind: 'not-posted', code: 'connection_refused' } as const)
    : ({ kind: 'unknown', code: 'connection_lost' } as const);
}

/** True if the connection was never made: all causes are ECONNREFUSED. */
function wasRefused(error: unknown) {
  for (let cause: unknown = error; cause instanceof Error; cause = nextCause(cause)) {
    if ('code' in cause && cause.code === 'ECONNREFUSED') return true;
    if (cause instanceof AggregateError) return cause.errors.length > 0 && cause.errors.every(wasRefused);
  }
  return false;
}

function nextCause(error: Error): unknown {
  return error.cause ?? ('original' in error ? error.original : undefined);
}

/** A message to people. The text is for notifications and screen readers. */
export interface OutgoingMessage {
  readonly text: string;
  /** Absent: the text alone. */
  readonly blocks?: readonly (KnownBlock | Block)[];
}

/** The same message from the fullest to the plainest. */
export type MessageVariants = readonly [OutgoingMessage, ...OutgoingMessage[]];

/** Another process has ended this run, and has notified the asker. */
export class EndedElsewhere extends Error {}

/** Blocks that older or restricted workspaces may reject, in the order in which a summary drops them. */
type Refusable = 'charts' | 'tables';

const day = 24 * 60 * 60_000;

/**
 * Caches for a day which newer blocks this workspace rejects, so that later answers skip the rejected variant. One
 * rejection proves nothing, because the content may be the reason. Two different answers do.
 *
 * @param now monotonic milliseconds
 */
export function refusedBlocks(now: () => number) {
  const refusals: { readonly what: Refusable; readonly answer: string; readonly at: number }[] = [];

  const isRefused = (what: Refusable) =>
    new Set(refusals.filter((one) => one.what === what && one.at > now() - day).map(({ answer }) => answer))
      .size > 1;

  return {
    /** The first variant to try: 0 is the full summary, 1 has no charts, 2 has no tables either. */
    firstVariant(): 0 | 1 | 2 {
      if (isRefused('tables')) return 2;
      return isRefused('charts') ? 1 : 0;
    },
    /** Records the variant in which an answer was posted. It is higher than the first one if blocks were rejected. */
    posted(answer: string, variant: number): void {
      while (refusals[0] && refusals[0].at <= now() - day) refusals.shift();
      // Variant 3 is text alone, so something else was wrong.
      if (variant === 1) refusals.push({ what: 'charts', answer, at: now() });
      if (variant === 2) refusals.push({ what: 'tables', answer, at: now() });
    },
  };
}

export type RefusedBlocks = ReturnType<typeof refusedBlocks>;

/** A post that the ledger has as `running`, and its way into Slack. */
interface PostToMake<Noted> {
  readonly claim: Claim;
  /** What histories show. */
  readonly facts?: Parameters<Store['ledger']['markPosting']>[1];
  /** Rows about people that it sends. They are recorded before it is posted. */
  readonly sent?: Omit<NewSentRows, 'post' | 'at'> | undefined;
  /** Calls Slack. */
  readonly send: () => Promise<PostOutcome>;
  /** What the ledger notes once Slack has it. */
  readonly posted: (message: PostedMessage) => Noted;
  /** Who is asked where delivery is unconfirmed. */
  readonly question?: NotificationRequest | undefined;
}

/**
 * The only way in which a report, its file, rows or details get into Slack: the ledger has `posting` before the call, and
 * Slack's answer after it. The caller judges rights again just before, and ends a post that Slack did not take.
 *
 * @returns what the ledger noted, or that it is unknown whether Slack has the post
 * @throws `answer-not-posted`; EndedElsewhere; OutcomeNotSaved; and what the functions throw
 */
export async function postOnce<Noted extends Parameters<Store['ledger']['markPosted']>[1]>(
  { claim, facts, sent, send, posted, question }: PostToMake<Noted>,
  { store: { ledger }, clock }: { readonly store: Pick<Store, 'ledger'>; readonly clock: Clock },
) {
  const rows = sent && { ...sent, post: claim.id, at: clock.now() };
  if (!(await ledger.markPosting(claim, facts, rows))) throw new EndedElsewhere();
  const outcome = await send();
  if (outcome.kind === 'not-posted') {
    const { code: reason, retryAfterSeconds } = outcome;
    throw new Failure('answer-not-posted', { reason, retryAfterSeconds });
  }
  const at = clock.now();
  try {
    if (outcome.kind === 'unknown') {
      await retryWrite(() => ledger.markUnconfirmed(claim, { code: outcome.code }, at, question));
      return outcome;
    }
    const noted = posted(outcome);
    await retryWrite(() => ledger.markPosted(claim, noted, at));
    return { kind: outcome.kind, noted };
  } catch (cause) {
    throw new OutcomeNotSaved(outcome.kind === 'unknown', cause);
  }
}

/**
 * A message's permalink, in the format that Slack uses. Undefined if Slack did not say where the workspace is.
 *
 * @param thread the `ts` of the first message of its thread, for a reply
 */
export function permalinkOf(
  workspaceUrl: string,
  { channel, ts }: { readonly channel: string; readonly ts: string },
  thread?: string,
): string | undefined {
  if (workspaceUrl === '' || ts === '') return undefined;
  const link = `${workspaceUrl.replace(/\/?$/, '/')}archives/${channel}/p${ts.replace('.', '')}`;
  return thread === undefined ? link : `${link}?thread_ts=${thread}&cid=${channel}`;
}

const maxWriteAttempts = 5;
const writeRetryDelayMs = 200;

/** Retries a database write of Slack's response, which must not be lost to a lock. @throws the last error */
async function retryWrite<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await write();
    } catch (error) {
      if (attempts === maxWriteAttempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, writeRetryDelayMs));
    }
  }
}
