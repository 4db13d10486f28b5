import { isFailure } from '../errors/failure.js';
import { maskPeople } from '../requests/person-level.js';
import type { ReportRequest } from '../requests/request.js';
import { rowsOutsideScope } from './answer-report.js';
import { commandOf, type RequestedRun, type SendParts } from './delivery/answer-run.js';
import { notifyAsker } from './delivery/notify-asker.js';
import { EndedElsewhere } from './delivery/post-message.js';
import type { Progress } from './delivery/progress.js';
import { allowedInstead } from './messages/choices.js';
import { describeFailure } from './messages/failures.js';
import { failureMessage, notice } from './messages/notices.js';

/** The outcome of a request, for the log and the metrics. */
export interface RequestEnd {
  readonly report: string;
  readonly outcome: 'answered' | 'failed' | 'cancelled';
  readonly seconds: number;
  readonly records: number;
  readonly code?: string | undefined;
}

export type ReportEnd = (outcome: RequestEnd['outcome'], records: number, code?: string) => void;

interface FailedRun {
  readonly signal: AbortSignal | undefined;
  readonly progress: Progress | undefined;
  readonly reportEnd: ReportEnd;
  readonly choseFilters: boolean;
}

/** Lets another process go on with a request, because this one stops. False if none can. */
export type HandOver = (requestId: string) => Promise<boolean>;

/** Ends a run that failed or was cancelled or stopped: in the ledger, in the log, and for the asker. */
export async function endFailedRun(
  error: unknown,
  request: ReportRequest,
  run: RequestedRun,
  { signal, progress, reportEnd, choseFilters }: FailedRun,
  parts: SendParts & { readonly handOver: HandOver },
): Promise<void> {
  const { id, asker, conversation, typed } = run;
  const { log } = parts;
  // An erasure may have deleted the run. Its asker is told.
  const isErased = isFailure(signal?.reason, 'data-erased');
  const isInHand = isErased || (await parts.store.requestLog.isInHand(id).catch(() => true));
  if (error instanceof EndedElsewhere || !isInHand) {
    await progress?.remove();
    log.warn({ requestId: id }, 'Another process ended a request, so its answer is not posted');
    return reportEnd('failed', 0, 'interrupted');
  }
  // If a signal ended the run, its reason is the cause of the failure.
  const mayHaveArrived = isFailure(error, 'file-not-shared') && error.details.mayHaveArrived;
  const reason: unknown = signal?.aborted && !mayHaveArrived ? signal.reason : error;
  const isStopping = isFailure(reason, 'stopped');
  if (isStopping && (await parts.handOver(id).catch(() => false))) {
    await progress?.remove();
    log.info({ requestId: id }, 'Another process goes on with a request');
    return reportEnd('failed', 0, 'handed-over');
  }
  const isCancelled = isFailure(reason, 'cancelled');
  const code = isFailure(reason) ? reason.code : 'unexpected';
  // A stop leaves little time, so the asker is notified before the progress message is removed.
  if (!isStopping) await progress?.remove();
  if (!isFailure(reason)) log.error({ err: reason, requestId: id }, 'A request failed unexpectedly');
  else if (isFailure(reason, 'rows-outside-scope'))
    log.error({ requestId: id, code, report: request.report }, rowsOutsideScope);
  else if (isFailure(reason, 'database-unusable'))
    log.error({ err: reason, requestId: id }, 'A request failed');
  else if (!isCancelled) log.warn({ requestId: id, code, report: request.report }, 'A request failed');
  const recordEnd = async () => {
    const { ledger } = parts.store;
    const held = { id, worker: null };
    const at = parts.clock.now();
    try {
      if (isCancelled) await ledger.markCancelled(held, at);
      else await ledger.markFailed(held, { code }, at);
    } catch (err) {
      log.error({ err, requestId: id }, 'The end of a request could not be saved');
    }
  };
  // An unconfirmed file has its end.
  if (!isStopping && !mayHaveArrived) await recordEnd();
  reportEnd(isCancelled ? 'cancelled' : 'failed', 0, code);
  const message = isCancelled
    ? notice(`Cancelled: ${commandOf(typed, choseFilters ? request : maskPeople(request))}`)
    : failureMessage(
        describeFailure(reason, id, { typed, choseFilters }),
        run.fileInto ? undefined : id,
        isFailure(reason, 'access-refused') && !run.fileInto
          ? allowedInstead(request, reason.details.refusal)
          : [],
      );
  const isNotified = await notifyAsker(message, asker.id, conversation, parts.client);
  // If the asker was not notified, the run stays running in the ledger. The next start notifies them.
  if (isStopping && isNotified) await recordEnd();
  if (isStopping) await progress?.remove();
}
