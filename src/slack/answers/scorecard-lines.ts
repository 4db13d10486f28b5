import { askedEvent, type RequestFacts, recordEvent } from '../../access/record.js';
import { summaryFits } from '../../access/scope.js';
import { reportNamed } from '../../catalogue/index.js';
import { Failure, isFailure } from '../../errors/failure.js';
import { differByFew } from '../../figures/counting/people-sketch.js';
import type { PeopleSketch } from '../../figures/result.js';
import { comparableNumbers } from '../../figures/summary/changes.js';
import { formatTitle, type ResultWithFigures } from '../../figures/summary/request.js';
import { asLine } from '../../requests/parse-scorecard.js';
import { formatRemovedFields, removedFieldsOf } from '../../requests/removed-fields.js';
import type { Asker, ReportRequest, ResolvedRange, ScorecardLine } from '../../requests/request.js';
import type { RunOrigin } from '../../runner/ports.js';
import type { RunOptions } from '../../runner/queries.js';
import { type StartedReport, startComparedReport } from '../../runner/run-report.js';
import { type Conversation, maySee } from '../context/request-context.js';
import { type AnswerRights, answerRightsOf, areSameRights, type SendParts } from './answer-run.js';

/** One line that was run: its result, or why it has none. */
export interface MadeLine {
  /** Of a saved report, as it is called now. */
  readonly name?: string | undefined;
  /** Absent where its saved report is gone. */
  readonly request?: ReportRequest | undefined;
  readonly rights?: AnswerRights | undefined;
  readonly result?: ResultOfLine | undefined;
  readonly failure?: unknown;
}

type ResultOfLine = ResultWithFigures & StartedReport['result'];

interface ScorecardRun extends Pick<RunOptions, 'requestedAt' | 'urgency' | 'signal' | 'maxSharedAgeMs'> {
  readonly asker: Asker;
  readonly conversation: Conversation;
  /** What its figures of now are compared with: the last run of the scorecard. */
  readonly origin: RunOrigin;
  /** For the periods before of all lines together, once the last line was read. */
  readonly maxWaitMs: number;
  /** The line that is waited for, as a person knows it, and how many are there. */
  readonly progress?: (waitsFor: string, done: number) => void;
  /** What the record of access has of each line. Absent: nothing, since it has who reads them. */
  readonly facts?: Omit<RequestFacts, 'at' | 'request'>;
}

const refusedLine = (because: string) => new Failure('line-refused', { because });

/** The saved report of a line, or why it cannot stand there. */
async function savedRequest(
  { name, saved: id }: Extract<ScorecardLine, { name: string }>,
  { asker, conversation }: Pick<ScorecardRun, 'asker' | 'conversation'>,
  parts: SendParts,
): Promise<Pick<MadeLine, 'name' | 'request' | 'failure'>> {
  const saved = id === undefined ? undefined : await parts.store.savedReports.find(id);
  if (!saved || saved.deletedAt !== undefined)
    return { name, failure: refusedLine('Its saved report no longer exists.') };
  const { request } = saved;
  if (saved.channel !== conversation.channel && !(await maySee(saved.channel, asker.id, parts)))
    return {
      name: 'A saved report',
      failure: refusedLine('You may not see the channel that it is saved in.'),
    };
  if (request.scorecard)
    return { name: saved.name, failure: refusedLine('It is a scorecard, and a scorecard holds none.') };
  const gone = removedFieldsOf(request);
  if (gone.length > 0)
    return { name: saved.name, failure: refusedLine(`No longer exists: ${formatRemovedFields(gone)}.`) };
  if (request.over !== undefined)
    return {
      name: saved.name,
      failure: refusedLine('It shows figures over time. Choose it in Show… to see them.'),
    };
  return { name: saved.name, request: asLine(request) };
}

/** A line with what its reader may see of it now. In a channel, what names people stays out of the message. */
async function withRights(
  line: Pick<MadeLine, 'name' | 'request' | 'failure'>,
  toMe: boolean,
  { asker, conversation }: Pick<ScorecardRun, 'asker' | 'conversation'>,
  parts: SendParts,
): Promise<MadeLine> {
  if (!line.request) return line;
  const request = { ...line.request, toMe };
  try {
    const rights = await answerRightsOf(request, asker, conversation, parts);
    const goesElsewhere = rights.route.summary === 'direct' && !toMe;
    const isAlone = conversation.kind === 'direct' && conversation.testOf === undefined;
    return goesElsewhere && !isAlone
      ? {
          ...line,
          request,
          failure: refusedLine(
            'It is about people, so it is not shown here. Choose it in Show… to get it alone.',
          ),
        }
      : { ...line, request, rights };
  } catch (failure) {
    return { ...line, request, failure };
  }
}

/**
 * Runs the lines of a scorecard, all in one queue. A line that fails does not end the others.
 *
 * @throws the reason of the signal, and the failure of the first line if no line has a result
 */
export async function runScorecard(
  { scorecard, toMe }: ReportRequest,
  run: ScorecardRun,
  parts: SendParts,
): Promise<readonly MadeLine[]> {
  const { signal, origin, progress } = run;
  const lines: MadeLine[] = [];
  for (const line of scorecard?.lines ?? []) {
    const found =
      'request' in line ? { request: asLine(line.request) } : await savedRequest(line, run, parts);
    lines.push(await withRights(found, toMe, run, parts));
  }
  for (const line of lines) await recordLine(line, run, parts);
  const waiting = new Set(lines.keys());
  const tellProgress = () => {
    const [next] = waiting;
    const line = next === undefined ? undefined : lines[next];
    if (line) progress?.(nameOf(line), lines.length - waiting.size);
  };
  const started = await Promise.all(
    lines.map(async ({ request, rights }, index) => {
      if (!request || !rights) {
        waiting.delete(index);
        return undefined;
      }
      // A line lists no one, so that its figures can be kept for Details.
      const scope = { ...rights.scope, namesPeople: false };
      const options = { ...run, scope, comparesPeople: true };
      try {
        return await startComparedReport(request, options, origin, parts);
      } catch (error) {
        return { error };
      } finally {
        waiting.delete(index);
        tellProgress();
      }
    }),
  );
  const until = performance.now() + run.maxWaitMs;
  const made: MadeLine[] = [];
  try {
    signal.throwIfAborted();
    for (const [index, line] of lines.entries()) {
      const one = started[index];
      if (one === undefined) made.push(line);
      else if ('error' in one) made.push({ ...line, failure: one.error });
      else {
        const before = await one.before
          .within(Math.max(0, until - performance.now()))
          .catch(() => 'failed' as const);
        signal.throwIfAborted();
        const { figures, ...rest } = one.result;
        if (!figures) throw new Error('A line without figures');
        made.push({ ...line, result: { ...rest, figures, before: before ?? 'late' } });
      }
    }
  } finally {
    for (const one of started) if (one && 'before' in one) one.before.stop();
  }
  const shown = judged(made);
  const [first] = shown;
  if (first && shown.every(({ result }) => result === undefined)) throw first.failure;
  return shown;
}

/** The people whom a line counts, or counted in the period before. */
interface Counted {
  readonly index: number;
  readonly sketch: PeopleSketch;
  readonly range: Pick<ResolvedRange, 'from' | 'until'> | undefined;
}

/**
 * Lines whose people differ from those of an earlier line by too few are refused. So is the change of a line whose people
 * of the period before are so near those of another line: of its own period before, or of its range where that is the same
 * time. The sketches are dropped.
 */
function judged(lines: readonly MadeLine[]): readonly MadeLine[] {
  const [shown, before]: [Counted[], Counted[]] = [[], []];
  const withFigures = lines.map((line, index) => {
    const { result } = line;
    if (!result) return line;
    const { sketch, ...figures } = result.figures;
    const { smallestGroup } = result.scope;
    // What has no figures tells nothing.
    if (!sketch || figures.tooFew !== undefined) return { ...line, result: { ...result, figures } };
    const near = shown.find((other) => differByFew(other.sketch, sketch, smallestGroup));
    if (near) {
      const because = `Its people differ from those of line ${near.index + 1} by fewer than ${smallestGroup}, so it shows no figures.`;
      return { ...line, result: undefined, failure: refusedLine(because) };
    }
    shown.push({ index, sketch, range: result.assigned ?? result.range });
    return { ...line, result: { ...result, figures } };
  });
  return withFigures.map((line, index) => {
    const { result } = line;
    if (!result || typeof result.before !== 'object') return line;
    const { sketch, ...earlier } = result.before;
    if (!sketch) return line;
    const { range } = earlier;
    const isSameTime = (other: Counted) =>
      other.index !== index && other.range?.from === range.from && other.range.until === range.until;
    const isNear = [...before, ...shown.filter(isSameTime)].some((other) =>
      differByFew(other.sketch, sketch, result.scope.smallestGroup),
    );
    if (!isNear) before.push({ index, sketch, range });
    return { ...line, result: { ...result, before: isNear ? 'too-few' : earlier } };
  });
}

/** A line as people know it: the name of its saved report, or its words. */
export function nameOf({ name, request }: Pick<MadeLine, 'name' | 'request'>): string {
  if (name !== undefined) return name;
  return request ? formatTitle({ report: reportNamed(request.report), request }) : 'A line';
}

async function recordLine({ request, rights, failure }: MadeLine, { facts }: ScorecardRun, parts: SendParts) {
  if (!request || !facts) return;
  const { store, clock, log } = parts;
  const of = { ...facts, at: clock.now(), request };
  if (rights) await recordEvent(store.events, askedEvent(of, rights), log);
  else if (isFailure(failure, 'access-refused')) {
    const { level, refusal } = failure.details;
    await recordEvent(store.events, askedEvent(of, { level, refused: refusal.kind }), log);
  }
}

/** The lines as the rights of now allow them: one that may show less by now shows nothing. */
export async function withRightsOfNow(
  lines: readonly MadeLine[],
  toMe: boolean,
  now: Pick<ScorecardRun, 'asker' | 'conversation'>,
  parts: SendParts,
): Promise<readonly MadeLine[]> {
  return Promise.all(
    lines.map(async (line) => {
      if (!line.result) return line;
      const { rights, failure } = await withRights(
        { name: line.name, request: line.request },
        toMe,
        now,
        parts,
      );
      if (rights && summaryFits(line.result.scope, rights.scope)) return { ...line, rights };
      return { ...line, result: undefined, failure: failure ?? new Failure('access-changed') };
    }),
  );
}

/** @throws `access-changed` if a line may no longer show the same */
export async function assertSameRights(
  lines: readonly MadeLine[],
  toMe: boolean,
  now: Pick<ScorecardRun, 'asker' | 'conversation'>,
  parts: SendParts,
): Promise<void> {
  for (const line of lines) {
    if (!line.result || !line.rights) continue;
    const { rights } = await withRights({ name: line.name, request: line.request }, toMe, now, parts);
    if (!rights || !areSameRights(line.rights, rights)) throw new Failure('access-changed');
  }
}

/** Saves the figures of each line, which the next run is compared with. */
export async function saveLastFigures(
  lines: readonly MadeLine[],
  { asker, origin, requestedAt }: Pick<ScorecardRun, 'asker' | 'origin' | 'requestedAt'>,
  { store }: SendParts,
): Promise<void> {
  for (const { result } of lines) {
    if (!result) continue;
    const { request, scope, figures } = result;
    const key = { run: origin, asker: asker.id, request, scope };
    await store.lastFigures.save(key, comparableNumbers(figures, ['last-run']), requestedAt);
  }
}
