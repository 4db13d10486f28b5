import type { WebClient } from '@slack/web-api';
import { reportNamed } from '../catalogue/index.js';
import { KnownError } from '../errors/known-error.js';
import { comparableNumbers } from '../figures/changes.js';
import { formatTitle } from '../figures/format/request.js';
import { Cancelled } from '../reporting-api/errors.js';
import { type ReleasedKeys, requestIsPersonLevel } from '../requests/person-level.js';
import type { Asker, ReportRequest, ResolvedRange } from '../requests/request.js';
import type { ReportSource } from '../runner/report-source.js';
import { type ReportResult, runReport } from '../runner/run-report.js';
import type { LastFiguresKey, RunOrigin } from '../store/requests/last-figures.js';
import type { Store } from '../store/store.js';
import type { WeekStart } from '../time/calendar.js';
import { type Clock, type Deadline, stopDeadline } from '../time/clock.js';
import { notifyAsker } from './delivery/notify-asker.js';
import { EndedElsewhere, FileNotShared, Stopping } from './delivery/post-message.js';
import { type EditBudget, type Progress, type ProgressPlace, showProgress } from './delivery/progress.js';
import type { RefusedBlocks } from './delivery/refused-blocks.js';
import { type Route, routeOf } from './delivery/route.js';
import { commandOf, sendAnswer } from './delivery/send-answer.js';
import type { AnswerFiles, ShareFile } from './delivery/upload.js';
import type { Channels } from './directory/channels.js';
import { describeFailure } from './messages/failures.js';
import { failureMessage, notice } from './messages/notices.js';
import type { Conversation } from './request-context.js';

/**
 * Answers an ask from beginning to end: runs it, shows progress, posts the answer once, and says what became of it.
 * Everything that goes wrong is told to the asker alone, and nothing of a failed answer stays.
 */
export async function answerRequest(order: RequestContext, parts: AnswerParts): Promise<void> {
  const { request, asker, place } = order;
  const askedAt = parts.clock.now();
  const began = performance.now();
  const released = new Set((await parts.store.approvals.releasedKeys()).map(({ subject }) => subject));
  const route = routeOf(request, place.personLevel, request.csv || order.fileInto !== undefined, released);
  const ask = {
    team: parts.team,
    channel: place.channel,
    asker: asker.id,
    request,
    ...(order.range ? { range: order.range } : {}),
    askedAt,
  };
  const askId = await parts.store.requestLog.record(ask, order.fileInto === undefined ? 'answer' : 'file');
  const signal = parts.running.begin(askId, asker.id);
  parts.began(asker.id);
  const end = (outcome: RequestEnd['outcome'], records: number, code?: string) =>
    parts.ended({
      report: request.report,
      outcome,
      records,
      seconds: (performance.now() - began) / 1000,
      ...(code ? { code } : {}),
    });
  let progress: Progress | undefined;
  try {
    if (!signal) throw new Stopping();
    const direct = needsDirect(order, route) ? await parts.channels.directWith(asker.id) : undefined;
    progress = showProgress(
      askId,
      formatTitle({ report: reportNamed(request.report), request }),
      placeOfProgress(order, route, direct),
      parts,
    );
    const result = await run(order, route, askId, askedAt, signal, progress, parts);
    const now = await whereItGoesNow(order, route, released);
    const sendFacts = {
      askId,
      route: now.route,
      released,
      progress,
      direct: needsDirect(now.order, now.route) ? await parts.channels.directWith(asker.id) : direct,
    };
    await sendAnswer(result, now.order, sendFacts, parts);
    await remember(askId, order, result, parts);
    end('answered', result.records);
  } catch (error) {
    if (error instanceof EndedElsewhere) {
      await progress?.remove();
      parts.log.warn({ ask: askId }, 'Another process has ended an ask, so that it is not posted');
      return end('failed', 0, 'interrupted');
    }
    // Whoever ended the run knows better why than what broke because of it.
    const mayHaveArrived = error instanceof FileNotShared && error.mayHaveArrived;
    const why = signal?.aborted && !mayHaveArrived ? signal.reason : error;
    // A stop leaves little time, so that telling the asker comes before tidying up.
    if (!(why instanceof Stopping)) await progress?.remove();
    await tellOfFailure(why, askId, order, parts, end);
    await progress?.remove();
  } finally {
    await parts.files.remove(askId);
    parts.running.end(askId);
  }
}

async function run(
  order: RequestContext,
  route: Route,
  askId: string,
  askedAt: number,
  signal: AbortSignal,
  progress: Progress,
  parts: AnswerParts,
): Promise<ReportResult> {
  const { request, asker, place, range, fileInto } = order;
  const result = await runReport(
    {
      request,
      asker,
      askedAt,
      ...(range ? { range } : {}),
      ...(route.csv === 'none' ? {} : { csvPath: parts.files.pathFor(askId) }),
      fileOnly: fileInto !== undefined,
      namesPeople: route.summary === 'direct' || place.kind === 'direct',
      urgency: 'person',
      signal,
      onRecords: progress.records,
      onWait: progress.waits,
    },
    { source: parts.source, weekStart: parts.weekStart },
  );
  const lastRun = result.figures && (await parts.store.lastFigures.find(figuresOf(order)));
  return { ...result, ...(lastRun ? { lastRun } : {}) };
}

function figuresOf({ runOf, place, asker, request }: RequestContext): LastFiguresKey {
  return { run: runOf ?? { kind: 'asker', channel: place.channel }, asker: asker.id, request };
}

/** What later answers are compared with, and what forms offer. The answer stands, whatever becomes of this. */
async function remember(
  askId: string,
  order: RequestContext,
  result: ReportResult,
  { store, clock, log }: AnswerParts,
): Promise<void> {
  const at = clock.now();
  try {
    if (result.figures && !order.isRepeat) {
      const numbers = comparableNumbers(result.figures, ['last-run']);
      await store.lastFigures.save(figuresOf(order), numbers, result.askedAt);
    }
    await store.suggestions.remember(result.values, at);
  } catch (error) {
    log.warn({ err: error, ask: askId }, 'The figures and values of an answer could not be remembered');
  }
}

async function tellOfFailure(
  error: unknown,
  askId: string,
  order: RequestContext,
  parts: AnswerParts,
  end: (outcome: RequestEnd['outcome'], records: number, code?: string) => void,
): Promise<void> {
  const { asker, place, request } = order;
  const cancelled = error instanceof Cancelled && !(error instanceof Stopping);
  const code = error instanceof KnownError ? error.code : 'unexpected';
  if (!(error instanceof KnownError))
    parts.log.error({ err: error, ask: askId }, 'An ask failed unexpectedly');
  else if (!cancelled) parts.log.warn({ ask: askId, code, report: request.report }, 'An ask failed');
  // Who asked hears of it in any case.
  const finish = () =>
    writeEnd(error, cancelled, { code }, askId, parts).catch((err: unknown) => {
      parts.log.error({ err, ask: askId }, 'The end of an ask could not be written down');
    });
  const isStopping = error instanceof Stopping;
  if (!isStopping) await finish();
  end(cancelled ? 'cancelled' : 'failed', 0, code);
  const message = cancelled
    ? notice(`Cancelled: ${commandOf(order)}`)
    : failureMessage(describeFailure(error, askId, order.typed), order.fileInto ? undefined : askId);
  const isTold = await notifyAsker(message, asker.id, place, parts.client);
  // An ask that still counts as running is told about when Rollcall starts again.
  if (isStopping && isTold) await finish();
}

/** Into the ledger: nothing was posted, or, of a file, nobody can know. */
async function writeEnd(
  error: unknown,
  cancelled: boolean,
  why: { readonly code: string },
  askId: string,
  { store: { ledger }, clock }: AnswerParts,
): Promise<void> {
  const held = { id: askId, worker: null };
  const at = clock.now();
  if (error instanceof FileNotShared && error.mayHaveArrived) await ledger.markUnconfirmed(held, why, at);
  else if (cancelled) await ledger.markCancelled(held, at);
  else await ledger.markFailed(held, why, at);
}

/**
 * The route at the moment of sending. A channel may have been shared with another organization since somebody last
 * looked, so that whatever names people has Slack describe it once more.
 */
async function whereItGoesNow(order: RequestContext, route: Route, released: ReleasedKeys) {
  const { request, place } = order;
  const namesPeople =
    route.csv === 'here' || (route.summary === 'here' && requestIsPersonLevel(request, released));
  if (place.kind === 'direct' || place.personLevel !== 'allowed' || !namesPeople) return { order, route };
  const now = await order.lookAgain();
  return {
    order: { ...order, place: now },
    route: routeOf(request, now.personLevel, route.csv !== 'none', released),
  };
}

/** True where something of the answer goes to the direct messages from somewhere else. */
function needsDirect({ place }: RequestContext, route: Route): boolean {
  return (
    place.kind !== 'direct' &&
    (route.summary === 'direct' || route.csv !== 'none' || place.kind === 'elsewhere')
  );
}

function placeOfProgress(
  { place, fileInto }: RequestContext,
  route: Route,
  direct: string | undefined,
): ProgressPlace {
  if (route.summary === 'direct' && direct !== undefined) return { kind: 'message', channel: direct };
  if (place.kind === 'elsewhere') {
    return place.responseUrl
      ? { kind: 'reply', responseUrl: place.responseUrl }
      : { kind: 'message', channel: direct ?? place.channel };
  }
  const thread = fileInto ?? place.thread;
  return { kind: 'message', channel: place.channel, ...(thread ? { thread } : {}) };
}

/** A request that somebody made in Slack, in words or by a button. */
export interface RequestContext {
  readonly request: ReportRequest;
  /** After `/report `, as typed; absent where a button asked. */
  readonly typed?: string;
  readonly asker: Asker;
  readonly place: Conversation;
  /** The same place as it is at this moment. */
  readonly lookAgain: () => Promise<Conversation>;
  /** The range of an earlier answer, where the same is asked again. */
  readonly range?: ResolvedRange;
  /** The file alone, into the thread of the summary with this `ts`. */
  readonly fileInto?: string;
  /** The digest or saved report that is run; absent: what somebody asked. */
  readonly runOf?: Exclude<RunOrigin, { readonly kind: 'asker' }>;
  /** True for a test, *Send again* and Share: later answers are not compared with it. */
  readonly isRepeat?: boolean;
}

/** How an ask ended, for the log and the metrics. */
export interface RequestEnd {
  readonly report: string;
  readonly outcome: 'answered' | 'failed' | 'cancelled';
  readonly seconds: number;
  readonly records: number;
  readonly code?: string;
}

export interface AnswerParts {
  readonly team: string;
  readonly source: ReportSource;
  readonly weekStart: WeekStart;
  readonly store: Pick<Store, 'requestLog' | 'ledger' | 'approvals' | 'lastFigures' | 'suggestions'>;
  /** Makes its calls once, with no retries of its own. */
  readonly client: WebClient;
  readonly share: ShareFile;
  readonly channels: Channels;
  readonly edits: EditBudget;
  readonly refused: RefusedBlocks;
  readonly running: RunningRequests;
  readonly files: AnswerFiles;
  readonly clock: Clock;
  readonly log: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
  };
  /** Told that somebody's ask is under way, once it is remembered. */
  readonly began: (asker: string) => void;
  readonly ended: (end: RequestEnd) => void;
}

/** What is being run right now, so that it can be cancelled by its asker and ended when the bot stops. */
export interface RunningRequests {
  /** Gives the signal that ends the run. False: the bot is stopping, and nothing new may begin. */
  begin(id: string, asker: string): AbortSignal | undefined;
  /** The run is over; `done` is what `stop` waits for. */
  end(id: string): void;
  /** Ends a run if this person asked for it. */
  cancel(id: string, by: string): 'cancelled' | 'not-theirs' | 'not-running';
  /** Ends every run. Resolves when each has told its asker, or at the deadline. */
  stop(deadline?: Deadline): Promise<void>;
}

export function runningRequests(): RunningRequests {
  const runs = new Map<string, { readonly asker: string; readonly controller: AbortController }>();
  let stopping = false;
  let allEnded = () => {};

  return {
    begin(id, asker) {
      if (stopping) return undefined;
      const controller = new AbortController();
      runs.set(id, { asker, controller });
      return controller.signal;
    },
    end(id) {
      runs.delete(id);
      if (runs.size === 0) allEnded();
    },
    cancel(id, by) {
      const run = runs.get(id);
      if (!run) return 'not-running';
      if (run.asker !== by) return 'not-theirs';
      run.controller.abort(new Cancelled());
      return 'cancelled';
    },
    async stop(deadline = stopDeadline()) {
      stopping = true;
      if (runs.size === 0) return;
      const ended = new Promise<void>((resolve) => {
        allEnded = resolve;
      });
      for (const { controller } of runs.values()) controller.abort(new Stopping());
      await deadline.waitFor(ended);
    },
  };
}
