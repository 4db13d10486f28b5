import type { WebClient } from '@slack/web-api';
import type { Route } from '../../runner/route.js';
import { progressMessage, waitMessage } from '../messages/notices.js';
import type { Conversation } from '../request-context.js';
import type { ResponseUrl } from './response-url.js';

/** An answer that is ready sooner shows no progress. */
const showAfterMs = 3_000;
const editIntervalMs = 2_000;

/** Where progress can be shown: a message that is edited, or, where the bot cannot enter, one ephemeral reply. */
export type ProgressDestination =
  | { readonly kind: 'message'; readonly channel: string; readonly thread?: string | undefined }
  | { readonly kind: 'reply'; readonly responseUrl: ResponseUrl };

/** Shows progress where the summary is going to be. */
export function progressDestination({
  conversation: { kind, channel, thread, responseUrl },
  route,
  direct,
  fileInto,
}: {
  readonly conversation: Conversation;
  readonly route: Route;
  readonly direct?: string | undefined;
  readonly fileInto?: string | undefined;
}): ProgressDestination {
  if (route.summary === 'direct' && direct !== undefined) return { kind: 'message', channel: direct };
  if (kind !== 'elsewhere') return { kind: 'message', channel, thread: fileInto ?? thread };
  return responseUrl ? { kind: 'reply', responseUrl } : { kind: 'message', channel: direct ?? channel };
}

export interface Progress {
  records(records: number): void;
  /** The run has to wait for the service, in milliseconds; undefined: nobody knows how long. */
  waits(milliseconds: number | undefined): void;
  /**
   * Stops showing progress before an answer is posted to a channel. Gives the `ts` of the progress message that the
   * answer replaces, if that is in the same channel; one in another channel is deleted.
   */
  finishFor(channel: string): Promise<string | undefined>;
  /** The answer has replaced the progress message, so there is nothing to delete. */
  markReplaced(): void;
  /** Stops, and deletes the progress message unless the answer replaced it. */
  remove(): Promise<void>;
}

export interface ProgressParts {
  /** Makes its calls once, with no retries of its own. */
  readonly client: WebClient;
  readonly edits: EditBudget;
}

/**
 * Shows that a run is under way, once it takes longer than three seconds. Failures to post or edit the progress message
 * are ignored: the answer matters more.
 *
 * @param title what is being run, in words
 */
export function showProgress(
  requestId: string,
  title: string,
  place: ProgressDestination,
  { client, edits }: ProgressParts,
): Progress {
  let records = 0;
  let waitsUntil = 0;
  let shown = '';
  let stopped = false;
  let replaced = false;
  let posted: Promise<string | undefined> | undefined;
  let editing: Promise<unknown> = Promise.resolve();
  let ticker: NodeJS.Timeout | undefined;

  const view = () => {
    const waits = Math.max(0, waitsUntil - performance.now());
    return progressMessage({ requestId, title, records, waitSeconds: Math.ceil(waits / 1000) });
  };
  const first = setTimeout(() => {
    posted = begin();
    if (place.kind === 'message') ticker = setInterval(() => void edit(place.channel), editIntervalMs);
  }, showAfterMs);

  async function begin(): Promise<string | undefined> {
    const message = view();
    shown = message.text;
    if (place.kind === 'reply') {
      await place.responseUrl.toAsker(message);
      return undefined;
    }
    try {
      const answer = await client.chat.postMessage({
        channel: place.channel,
        thread_ts: place.thread,
        text: message.text,
        blocks: [...(message.blocks ?? [])],
      });
      return answer.ts;
    } catch {
      return undefined;
    }
  }

  async function edit(channel: string): Promise<void> {
    const ts = await posted;
    const message = view();
    if (stopped || !ts || message.text === shown || !edits.take(requestId)) return;
    shown = message.text;
    editing = client.chat
      .update({ channel, ts, text: message.text, blocks: [...(message.blocks ?? [])] })
      .catch(() => undefined);
    await editing;
  }

  async function stop(): Promise<string | undefined> {
    stopped = true;
    clearTimeout(first);
    clearInterval(ticker);
    edits.release(requestId);
    const ts = await posted;
    // An edit that is still on its way could otherwise arrive after the answer.
    await editing;
    return ts;
  }

  async function remove(): Promise<void> {
    const ts = await stop();
    if (ts && place.kind === 'message' && !replaced) {
      await client.chat.delete({ channel: place.channel, ts }).catch(() => undefined);
    }
  }

  return {
    records(count) {
      records = count;
    },
    waits(milliseconds) {
      const told = waitsUntil > 0;
      waitsUntil = performance.now() + (milliseconds ?? 0);
      if (place.kind === 'reply' && milliseconds !== undefined && !told && place.responseUrl.isOpen()) {
        void place.responseUrl.toAsker(waitMessage(milliseconds / 1000));
      }
    },
    async finishFor(channel) {
      if (place.kind === 'message' && place.channel === channel) return stop();
      await remove();
      return undefined;
    },
    markReplaced() {
      replaced = true;
    },
    remove,
  };
}

/**
 * Shares the edits of progress messages among all runs. Slack allows about fifty edits a minute, and the answers need
 * some of them. When edits run short, the run that was edited longest ago goes first.
 */
export interface EditBudget {
  /** Takes one edit for this run, if the minute has one left and no other run has waited longer. */
  take(run: string): boolean;
  /** The run is over, so no other run waits for it. */
  release(run: string): void;
}

/** @param now monotonic milliseconds */
export function editBudget(perMinute: number, now: () => number): EditBudget {
  const taken: number[] = [];
  const shownAt = new Map<string, number>();

  return {
    take(run) {
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
    release(run) {
      shownAt.delete(run);
    },
  };
}
