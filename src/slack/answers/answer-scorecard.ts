import type { RequestFacts } from '../../access/record.js';
import { Failure } from '../../errors/failure.js';
import { formatLine } from '../../figures/summary/line.js';
import { type KeptAnswer, keptAnswer, type ScorecardTotals } from '../../runner/answer-parts.js';
import type { MemberContext } from '../context/request-context.js';
import { describeFailure } from '../messages/failures.js';
import { type ShownLine, scorecardVariants } from '../messages/scorecard.js';
import { type AnswerRun, areSameRights, responseUrlOf, rightsToSend, type SendParts } from './answer-run.js';
import type { Progress } from './progress.js';
import {
  assertSameRights,
  type MadeLine,
  nameOf,
  runScorecard,
  saveLastFigures,
  withRightsOfNow,
} from './scorecard-lines.js';
import { sendScorecard } from './send-answer.js';

/** A scorecard waits so long for the periods before, because it is posted once. */
export const maxWaitForLinesMs = { posted: 20_000, replied: 5_000 } as const;

interface AnsweringScorecard {
  readonly context: MemberContext;
  readonly progress: Progress;
  /** Resolves once the request is in the log. */
  readonly recorded: Promise<unknown>;
  readonly signal: AbortSignal;
  readonly facts: Omit<RequestFacts, 'at' | 'request'>;
}

/**
 * Runs the lines of a scorecard, and posts them as one message.
 *
 * @returns how many lines have a result
 * @throws what `runScorecard` and `sendAnswer` throw
 */
export async function answerScorecard(
  first: AnswerRun,
  { context, progress, recorded, signal, facts }: AnsweringScorecard,
  parts: SendParts,
): Promise<number> {
  const { id, request, asker, origin, requestedAt, conversation, isRepeat, choseFilters } = first;
  const { scorecard, toMe } = request;
  if (!scorecard) throw new Error('It is no scorecard');
  // An answer to an assistant is one report. Nothing is posted for it.
  if (conversation.assistant)
    throw new Failure('line-refused', {
      because:
        'A scorecard is a message in Slack. Type its name after /report there, or ask for its lines one by one.',
    });
  const run = {
    asker,
    conversation,
    origin,
    requestedAt,
    urgency: 'person',
    signal,
    maxWaitMs: maxWaitForLinesMs[responseUrlOf(first) ? 'replied' : 'posted'],
    progress: (waitsFor: string, done: number) =>
      progress.about(`${scorecard.name}, ${done} of ${scorecard.lines.length} lines, now ${waitsFor}`),
    facts,
  } as const;
  const made = await runScorecard(request, run, parts);
  await recorded;
  const now: AnswerRun = { ...first, ...(await rightsToSend(first, context, parts)) };
  if (!areSameRights(first, now)) throw new Failure('access-changed');
  const here = { asker, conversation: now.conversation };
  const lines = await withRightsOfNow(made, toMe, here, parts);
  const lookAgain = async () => {
    const again = await rightsToSend(now, context, parts);
    if (!areSameRights(now, again)) throw new Failure('access-changed');
    await assertSameRights(lines, toMe, { asker, conversation: again.conversation }, parts);
    return again;
  };
  const isTest = conversation.testOf !== undefined;
  const isDirect = !isTest && (conversation.kind === 'direct' || now.route.summary === 'direct');
  const variants = scorecardVariants({
    name: scorecard.name,
    lines: shownLines(lines, { id, isDirect, choseFilters, zone: isDirect ? asker.zone : parts.defaultZone }),
    requestedAt,
    zone: asker.zone,
    readersZone: isDirect ? asker.zone : parts.defaultZone,
    askedBy: asker.id,
    isDirect,
    canShare: isDirect,
    remarks: isTest ? ['A test: this is what the channel will see.'] : [],
    requestId: id,
  });
  const kept = keptScorecard(first, lines, id, parts);
  await sendScorecard(
    { variants, range: undefined, rows: undefined, kept },
    now,
    { progress, lookAgain, signal },
    parts,
  );
  if (!isRepeat) {
    await saveLastFigures(lines, run, parts).catch((err: unknown) =>
      parts.log.warn({ err, requestId: id }, 'The figures of a scorecard could not be saved'),
    );
  }
  return lines.filter(({ result }) => result).length;
}

interface LineReader {
  /** The ID of the run, for the log. */
  readonly id: string;
  readonly isDirect: boolean;
  readonly isOwner?: boolean;
  readonly choseFilters?: boolean | undefined;
  readonly zone?: string | undefined;
}

/** The lines as the message shows them: what each found, or why it shows nothing. */
export function shownLines(lines: readonly MadeLine[], reader: LineReader): readonly ShownLine[] {
  const { id, isDirect, isOwner, choseFilters, zone } = reader;
  return lines.map((line) => {
    const { result, name, failure } = line;
    if (!result)
      return { subject: nameOf(line), refusal: describeFailure(failure, id, { choseFilters }).sentence };
    return { ...formatLine(result, { withPeople: isDirect, isOwner, zone }), name };
  });
}

/** What *Details* need of a scorecard. What may be about too few people stays in the memory of this process. */
export function keptScorecard(
  { asker, request }: Pick<AnswerRun, 'asker' | 'request'>,
  lines: readonly MadeLine[],
  id: string,
  { recentAnswers, smallestGroup }: SendParts,
): KeptAnswer {
  const totals: ScorecardTotals = {
    lines: lines.map(({ name, result, failure, request: asked }, index) => {
      if (!result) {
        const refusal = describeFailure(failure, id, { choseFilters: false }).sentence;
        return { name: nameOf({ name, request: asked }), refusal };
      }
      const { request: ofLine, scope } = result;
      const { address: _address, ...limits } = scope;
      const kept = keptAnswer(asker.id, result, smallestGroup);
      if (kept?.recent) recentAnswers.set(`${id} ${index}`, kept.recent);
      return { name, request: ofLine, scope: limits, totals: kept?.totals };
    }),
  };
  const scope = { rows: 'all', smallestGroup, namesPeople: false, onlyDirect: false } as const;
  return { asker: asker.id, request, scope, totals: undefined, scorecard: totals };
}
