import type { WebClient } from '@slack/web-api';
import type { PostedMessage } from '../../posts/post.js';
import type { UnitsRead } from '../../runner/queries.js';
import { notifyAsker } from '../context/notify-asker.js';
import type { Conversation, ResponseUrl } from '../context/request-context.js';
import { deleteMessage, type OutgoingMessage, sendMessage, updateMessage } from '../delivery/post-message.js';
import { progressMessage, waitMessage } from '../messages/notices.js';
import type { RequestedRun } from './answer-run.js';

/** Faster answers show no progress. */
const showAfterMs = 3_000;
const editIntervalMs = 2_000;

/** A process that was frozen for this long first checks whether others have taken over its work. */
const frozenAfterMs = 2_000;

/** A message that is edited, or one ephemeral reply where the bot cannot post or only the asker may see it. */
export type ProgressDestination =
  | { readonly kind: 'message'; readonly channel: string; readonly thread?: string | undefined }
  | { readonly kind: 'reply'; readonly reply: (message: OutgoingMessage) => Promise<unknown> };

/**
 * Chooses the conversation that the summary will go to.
 *
 * @param direct the asker's direct messages, if the summary goes there from another conversation
 */
export function progressDestination(
  {
    conversation: { kind, channel, thread, responseUrl, assistant },
    fileInto,
  }: Pick<RequestedRun, 'conversation' | 'fileInto'>,
  direct: string | undefined,
): ProgressDestination {
  if (assistant?.takeFigures) return nowhere;
  if (direct !== undefined) return { kind: 'message', channel: direct };
  if (kind === 'elsewhere' && responseUrl) return replyDestination(responseUrl);
  return { kind: 'message', channel, thread: fileInto ?? thread };
}

/** An assistant is told how far its run is when it asks again. */
const nowhere: ProgressDestination = { kind: 'reply', reply: async () => {} };

/** Shows the asker alone what their request waits for. */
export function askerDestination(
  asker: string,
  conversation: Conversation,
  { client }: Pick<ProgressParts, 'client'>,
): ProgressDestination {
  const { kind, channel, thread, assistant } = conversation;
  if (assistant?.takeFigures) return nowhere;
  if (kind === 'direct') return { kind: 'message', channel, thread };
  return {
    kind: 'reply',
    reply: (message) => notifyAsker(message, asker, conversation, client),
  };
}

/** Replies through a response URL, as long as it is open. */
export function replyDestination(responseUrl: ResponseUrl): ProgressDestination {
  return {
    kind: 'reply',
    reply: async (message) => responseUrl.isOpen() && (await responseUrl.toAsker(message)),
  };
}

export interface ProgressParts {
  /** Makes each call once, without retries. */
  readonly client: WebClient;
  readonly edits: EditBudget;
  /** The ID of the delivery that this is done for. Absent: that of the request. */
  readonly work?: string | undefined;
  /** Called with the ID of the work once a message shows how far it is. */
  readonly progressShown?: ((work: string, message: PostedMessage) => void) | undefined;
}

/**
 * Shows the progress of a run after three seconds. Failures to post or edit the progress message are ignored.
 *
 * @param firstTitle the report and its filters, as text. Most runs end before it is needed
 * @param mayShow nothing is shown before it resolves, or if it rejects
 */
export function showProgress(
  requestId: string,
  firstTitle: () => string,
  destination: ProgressDestination,
  { client, edits, progressShown, work = requestId }: ProgressParts,
  mayShow: Promise<unknown> = Promise.resolve(),
) {
  let title = firstTitle;
  let records = 0;
  let units: UnitsRead | undefined;
  let waitsUntil = 0;
  let shown = '';
  let stopped = false;
  let replaced = false;
  let posted: Promise<string | undefined> | undefined;
  let editing: Promise<unknown> = Promise.resolve();
  let ticker: NodeJS.Timeout | undefined;

  const view = () => {
    const waits = Math.max(0, waitsUntil - performance.now());
    return progressMessage({
      requestId,
      title: title(),
      records,
      units,
      waitSeconds: Math.ceil(waits / 1000),
    });
  };
  const startsAt = performance.now() + showAfterMs;
  let first = setTimeout(() => {
    const wasFrozen = performance.now() - startsAt > frozenAfterMs;
    if (wasFrozen) first = setTimeout(start, frozenAfterMs);
    else start();
  }, showAfterMs);

  function start() {
    posted = begin();
    if (destination.kind === 'message')
      ticker = setInterval(() => void edit(destination.channel), editIntervalMs);
  }

  async function begin() {
    try {
      await mayShow;
      if (stopped) return undefined;
      const message = view();
      shown = message.text;
      if (destination.kind === 'reply') {
        await destination.reply(message);
        return undefined;
      }
      const posted = await sendMessage(message, destination, client);
      if (posted.ts === '') return undefined;
      progressShown?.(work, posted);
      return posted.ts;
    } catch {
      return undefined;
    }
  }

  async function edit(channel: string) {
    const ts = await posted;
    const message = view();
    if (stopped || !ts || message.text === shown || !edits.take(requestId)) return;
    shown = message.text;
    editing = updateMessage(message, { channel, ts }, client).catch(() => undefined);
    await editing;
  }

  async function stop() {
    stopped = true;
    clearTimeout(first);
    clearInterval(ticker);
    if (posted) edits.release(requestId);
    const ts = await posted;
    // Otherwise a late edit could overwrite the answer.
    await editing;
    return ts;
  }

  async function remove() {
    const ts = await stop();
    if (ts && destination.kind === 'message' && !replaced) {
      await deleteMessage({ channel: destination.channel, ts }, client).catch(() => undefined);
    }
  }

  return {
    records(count: number): void {
      records = count;
    },
    units(read: UnitsRead): void {
      units = read;
    },
    /** Says another thing about what runs, such as which line of a scorecard is waited for. */
    about(now: string): void {
      title = () => now;
    },
    /** The run waits for the service, in milliseconds; undefined: for an unknown time. */
    waits(milliseconds: number | undefined): void {
      const wasWaiting = waitsUntil > 0;
      waitsUntil = performance.now() + (milliseconds ?? 0);
      if (destination.kind === 'reply' && milliseconds !== undefined && !wasWaiting) {
        const { reply } = destination;
        editing = mayShow.then(
          () => reply(waitMessage(milliseconds / 1000)),
          () => {},
        );
      }
    },
    /**
     * Stops showing progress before an answer is posted to a channel. Returns the `ts` of the progress message that the
     * answer replaces, if it is in the same channel. A progress message in another channel is deleted.
     */
    async finishFor(channel: string): Promise<string | undefined> {
      if (destination.kind === 'message' && destination.channel === channel) return stop();
      await remove();
      return undefined;
    },
    /** Records that the answer replaced the progress message, so that `remove` does not delete it. */
    markReplaced(): void {
      replaced = true;
    },
    /** Stops showing progress, and deletes the progress message unless the answer replaced it. */
    remove,
  };
}

export type Progress = ReturnType<typeof showProgress>;

/**
 * Shares the edits of progress messages among all runs. Slack allows about fifty edits a minute, and the answers need
 * some of them. When edits run short, the run that was edited longest ago goes first.
 *
 * @param now monotonic milliseconds
 */
export function editBudget(perMinute: number, now: () => number) {
  const taken: number[] = [];
  const shownAt = new Map<string, number>();

  return {
    /** Takes one edit for this run, if the minute has one left and no other run has waited longer. */
    take(run: string): boolean {
      const at = now();
      const mine = shownAt.get(run) ?? 0;
      shownAt.set(run, mine);
      while (taken[0] !== undefined && taken[0] <= at - 60_000) taken.shift();
      if (taken.length >= perMinute) return false;
      const scarce = taken.length >= perMinute / 2;
      if (scarce && [...shownAt.values()].some((other) => other < mine)) return false;
      taken.push(at);
      shownAt.set(run, at);
      return true;
    },
    release(run: string): void {
      shownAt.delete(run);
    },
  };
}

export type EditBudget = ReturnType<typeof editBudget>;
