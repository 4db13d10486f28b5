import { RowsOutsideScope } from '../../access/scope.js';
import { KnownError } from '../../errors/known-error.js';
import type { DueEdit } from '../../posts/answer-edits.js';
import { type PostedMessage, retryWrite } from '../../posts/post.js';
import type { Asker } from '../../requests/request.js';
import { keptAnswer } from '../../runner/answer-totals.js';
import type { PeriodBefore } from '../../runner/period-before.js';
import { type ReportResult, runReport } from '../../runner/run-report.js';
import { type Deadline, stopDeadline } from '../../time/clock.js';
import { type ReportParts, rowLimitOf, rowsOutsideScope } from '../answer-report.js';
import { type AnswerRightsParts, hashOfRights, needsFreshLook, rightsToSend } from '../answer-rights.js';
import type { Channels } from '../directory/channels.js';
import type { People } from '../directory/people.js';
import type { RequestContext } from '../request-context.js';
import type { AnswerRun, SendParts } from './answer-run.js';
import { deliver } from './post-message.js';
import { summaryVariantsOf } from './send-answer.js';

/** The period before of a posted answer may take this much longer than the answer. */
export const maxWaitForBeforeMs = 60_000;

/** Edits of ended processes are not made after this time. */
const maxAgeMs = 10 * 60_000;

/** Limits the tries, because a request may be what ends its processes. */
const maxTakeovers = 3;

/** An answer that was posted without the period before. */
interface PostedAnswer {
  /** Its `before` is `not-yet`. */
  readonly result: ReportResult;
  readonly run: AnswerRun;
  readonly before: PeriodBefore;
  readonly message: PostedMessage;
  /** The variant that Slack accepted. */
  readonly variant: number;
  /** True if the asker still has the same rights in the same conversation. */
  readonly isStillAllowed: () => Promise<boolean>;
}

/** Edits answers that were posted before the period before was read. Nothing here ever posts. */
export interface AnswerEditor {
  /** Waits for the period before, and edits the answer once. Returns at once. */
  editLater(answer: PostedAnswer): void;
  /** Makes or gives up the edits of ended processes. Only the leader calls it. */
  takeOver(hasEnded: (process: string) => Promise<boolean>): Promise<void>;
  /** Ends all waiting. The edits stay due, for the next start or another process. */
  stop(deadline?: Deadline): Promise<void>;
}

export interface EditorParts extends AnswerRightsParts, SendParts, ReportParts {
  readonly channels: Channels;
  readonly store: SendParts['store'] & ReportParts['store'] & AnswerRightsParts['store'];
  readonly people: People;
  readonly log: SendParts['log'] & { info(details: object, message: string): void };
}

/** Undefined: the edit stays due. */
type EditEnd = 'done' | 'given-up' | undefined;

export function answerEditor(parts: EditorParts): AnswerEditor {
  const { store, client, clock, log } = parts;
  const stopping = new AbortController();
  const underWay = new Map<string, Promise<void>>();

  function begin(id: string, make: () => Promise<EditEnd>): void {
    const work = make()
      .catch((error: unknown): EditEnd => {
        if (stopping.signal.aborted) return undefined;
        logFailure(error, id);
        return 'given-up';
      })
      .then((end) => end && retryWrite(() => store.ledger.endEdit(id, end)))
      .catch((err: unknown) => log.warn({ err, requestId: id }, 'The edit of an answer could not be saved'))
      .finally(() => underWay.delete(id));
    underWay.set(id, work);
  }

  function logFailure(err: unknown, requestId: string): void {
    if (err instanceof RowsOutsideScope) log.error({ requestId, code: err.code }, rowsOutsideScope);
    else if (err instanceof KnownError) log.info({ requestId, code: err.code }, notEdited);
    else log.warn({ err, requestId }, notEdited);
  }

  async function addChanges({ result, before, ...posted }: PostedAnswer): Promise<EditEnd> {
    const stop = () => before.stop();
    stopping.signal.addEventListener('abort', stop);
    if (stopping.signal.aborted) stop();
    try {
      const figures = await before.within(maxWaitForBeforeMs);
      if (stopping.signal.aborted) return undefined;
      return await edit({ ...result, before: figures ?? 'late' }, posted);
    } finally {
      stopping.signal.removeEventListener('abort', stop);
      stop();
    }
  }

  /** Runs the report again for an answer whose process has ended. */
  async function addChangesAgain({ id, facts }: DueEdit): Promise<EditEnd> {
    const entry = await store.requestLog.find(id);
    if (!entry?.message) return 'given-up';
    const { asker: user, channel, request, range, requestedAt, message } = entry;
    const { zone, me, typed, lastRun, rights } = facts;
    const asker: Asker = { id: user, zone, email: (await parts.people.find(me ?? user)).email };
    const context: RequestContext = { channel, asker: user, typed };
    const wantsFile = request.file !== undefined;
    const rightsNow = (fresh: boolean) => rightsToSend(request, asker, context, { wantsFile, fresh }, parts);
    const now = await rightsNow(false);
    const fresh = needsFreshLook(now);
    const isStillAllowed = async () => hashOfRights(await rightsNow(fresh)) === rights;
    if (!(await isStillAllowed())) return 'given-up';
    const run: AnswerRun = { id, asker, requestedAt, typed, choseFilters: entry.choseFilters, ...now };
    const result = await runReport(
      request,
      {
        asker,
        requestedAt,
        range,
        rowLimit: rowLimitOf(request, run),
        scope: run.scope,
        // People have the answer already, so this query is less urgent.
        urgency: 'digest',
        signal: stopping.signal,
      },
      parts,
    );
    return edit(
      { ...result, lastRun },
      { run, message, variant: parts.refused.firstVariant(), isStillAllowed },
    );
  }

  async function edit(
    result: ReportResult,
    { run, message, variant, isStillAllowed }: Omit<PostedAnswer, 'result' | 'before'>,
  ): Promise<EditEnd> {
    if (!(await isStillAllowed())) return 'given-up';
    // Details may be pressed as soon as the message has changes.
    const kept = keptAnswer(run.asker.id, result, parts.smallestGroup);
    if (kept) await store.answerTotals.keep(run.id, run.id, kept, clock.now());
    if (!(await store.ledger.isEditDue(run.id))) return undefined;
    const variants = summaryVariantsOf(result, run, parts);
    const withoutChanges = summaryVariantsOf({ ...result, before: 'not-yet' }, run, parts);
    if (JSON.stringify(variants) === JSON.stringify(withoutChanges)) return 'done';
    const { channel, ts } = message;
    const { outcome } = await deliver(variants.slice(variant), { kind: 'edit', channel, ts }, client, {
      isStillAllowed,
    });
    if (outcome.kind === 'posted') return 'done';
    log.info({ requestId: run.id, code: outcome.code }, notEdited);
    return 'given-up';
  }

  return {
    editLater: (answer) => begin(answer.run.id, () => addChanges(answer)),

    async takeOver(hasEnded) {
      for (const due of await store.ledger.dueEdits()) {
        const { id, process, takeovers, postedAt } = due;
        if (stopping.signal.aborted || underWay.has(id)) continue;
        const isTooOld = clock.now() - postedAt > maxAgeMs || takeovers >= maxTakeovers;
        if (isTooOld) begin(id, async () => 'given-up');
        else if (process === undefined || !(await hasEnded(process))) continue;
        else if (await store.ledger.takeEdit(due)) begin(id, () => addChangesAgain(due));
      }
    },

    async stop(deadline = stopDeadline()) {
      stopping.abort();
      await deadline.waitFor(Promise.all(underWay.values()));
    },
  };
}

const notEdited = 'An answer was not edited, so it has no changes';
