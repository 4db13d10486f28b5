import { askedEvent, recordEvent } from '../../access/record.js';
import type { Scope, ScopeLimits } from '../../access/scope.js';
import { hasLearners, reportNamed } from '../../catalogue/index.js';
import { Failure } from '../../errors/failure.js';
import type { ResultWithFigures } from '../../figures/summary/request.js';
import { maxClockDifferenceMs } from '../../reporting-api/shared-answers.js';
import { requestIsPersonLevel } from '../../requests/person-level.js';
import type { ReportRequest } from '../../requests/request.js';
import { resultOf } from '../../runner/answer-parts.js';
import type { RequestLogEntry } from '../../store/requests/request-log.js';
import { type Conversation, resolveConversation } from '../context/request-context.js';
import type { MessageVariants } from '../delivery/post-message.js';
import type { People } from '../directory/people.js';
import { type DetailedLine, scorecardDetails } from '../messages/scorecard-details.js';
import { peopleInTables } from '../messages/summary-parts.js';
import { releasedNow } from './answer-run.js';
import { maxWaitForLinesMs, shownLines } from './answer-scorecard.js';
import type { ListenerParts } from './context.js';
import type { Progress } from './progress.js';
import { runScorecard } from './scorecard-lines.js';

interface ScorecardPress {
  readonly entry: RequestLogEntry;
  readonly conversation: Conversation;
  readonly presser: string;
  readonly owner: Awaited<ReturnType<People['find']>>;
}

interface Working {
  readonly inTurn: <Made>(work: (signal: AbortSignal) => Promise<Made>) => Promise<Made>;
  readonly progress: Progress;
}

interface ScorecardDetails {
  readonly variants: MessageVariants;
  /** @throws `access-changed` */
  readonly assertAllowed: (place: Conversation) => Promise<void>;
  readonly record: () => Promise<void>;
  /** The people whom it names. */
  readonly named: ReturnType<typeof peopleInTables>;
}

interface KnownLine {
  readonly line: DetailedLine;
  readonly request?: ReportRequest | undefined;
  readonly scope?: ScopeLimits | undefined;
}

const refused = (sentence: string) => new Failure('asker-refused', { sentence });

/** The details of all lines: the figures of the answer, or those of another run for the same dates. */
export async function detailsOfScorecard(
  { entry, conversation, presser, owner }: ScorecardPress,
  { inTurn, progress }: Working,
  parts: ListenerParts,
): Promise<ScorecardDetails> {
  const { request, id, asker } = entry;
  const { store, clock, log } = parts;
  const { scorecard } = request;
  if (!scorecard) throw new Error('It is no scorecard');

  /** True if a place may get what was made for a scope. */
  async function fits(
    line: ReportRequest,
    { smallestGroup }: ScopeLimits,
    { kind, personLevel }: Conversation,
  ) {
    if (kind === 'direct' || personLevel === 'allowed') return true;
    if (requestIsPersonLevel(line, await releasedNow(parts))) return false;
    return smallestGroup >= (hasLearners(reportNamed(line.report)) ? parts.smallestGroup : 1);
  }

  function leavesOutNow(
    line: ReportRequest,
    { figures }: Pick<ResultWithFigures, 'figures'>,
    scope: ScopeLimits,
  ) {
    const isOwn = scope.rows === 'self' || scope.asksForOwn === true;
    const isAbout = hasLearners(reportNamed(line.report)) && !isOwn;
    return !isAbout || figures.leftOut?.list === parts.listOfLeftOut?.();
  }

  /** The lines of the answer; undefined if one of them is no longer known, or may not be shown here. */
  async function knownLines(): Promise<readonly KnownLine[] | undefined> {
    const stored = (await store.answerTotals.find(id))?.scorecard;
    if (!stored) return undefined;
    const known: KnownLine[] = [];
    for (const [index, { name, request: line, scope, totals, refusal }] of stored.lines.entries()) {
      if (refusal !== undefined || !line || !scope) {
        known.push({ line: { subject: name ?? 'A line', refusal: refusal ?? '' } });
        continue;
      }
      const recent = totals ? undefined : parts.recentAnswers.get(`${id} ${index}`);
      const result = totals ? resultOf(line, totals, scope) : recent;
      if (!result || !leavesOutNow(line, result, scope)) return undefined;
      if (recent) {
        const since = recent.requestedAt - maxClockDifferenceMs;
        if (await store.events.wasAnybodyErased(since)) return undefined;
      }
      if (!(await fits(line, scope, conversation))) return undefined;
      known.push({ line: { name, result }, request: line, scope });
    }
    return known;
  }

  async function runAgain(): Promise<readonly KnownLine[]> {
    const { standing, zone = parts.defaultZone, email } = owner;
    if (standing !== 'member')
      throw refused(
        'The figures of this answer are no longer stored, and its owner may not ask for them now. Ask for the report yourself.',
      );
    const theirs = { id: asker, zone, email };
    const place = await resolveConversation({ channel: conversation.channel, asker }, parts);
    const lines = await inTurn((signal) =>
      runScorecard(
        request,
        {
          asker: theirs,
          conversation: place,
          origin: { kind: 'asker', channel: entry.channel },
          // For the same dates.
          requestedAt: entry.requestedAt,
          urgency: 'person',
          signal,
          maxWaitMs: maxWaitForLinesMs.posted,
          progress: (waitsFor, done) => progress.about(`${scorecard?.name}, ${done} lines, now ${waitsFor}`),
        },
        parts,
      ),
    );
    const shown = shownLines(lines, { id, isDirect: false, choseFilters: false });
    return lines.map(({ name, result }, index): KnownLine => {
      const refusal = shown[index];
      if (!result)
        return {
          line: {
            subject: refusal?.subject ?? '',
            refusal: refusal && 'refusal' in refusal ? refusal.refusal : '',
          },
        };
      return { line: { name, result }, request: result.request, scope: result.scope };
    });
  }

  const known = await knownLines();
  const all = known ?? (await runAgain());
  // Without a level for a report, its lines stay out.
  const lines: KnownLine[] = [];
  for (const one of all) {
    const report = one.request?.report;
    const level = report && (await parts.access.accessOf(presser, report)).level;
    if (level !== 'nothing') lines.push(one);
  }
  const variants = scorecardDetails({
    name: scorecard.name,
    lines: lines.map(({ line }) => line),
    isNewRun: known === undefined,
    isDirect: conversation.kind === 'direct',
    askedBy: asker,
    isDigest: entry.post !== entry.id,
    requestedAt: entry.requestedAt,
    zone: owner.zone ?? parts.defaultZone,
  });
  return {
    named: peopleInTables(
      lines.flatMap(({ line }) => ('result' in line ? line.result : [])),
      variants,
    ),
    variants,
    assertAllowed: async (place) => {
      for (const { request: line, scope } of lines)
        if (line && scope && !(await fits(line, scope, place))) throw new Failure('access-changed');
    },
    record: async () => {
      for (const { request: line, scope } of lines) {
        if (!line || !scope) continue;
        const { level } = await parts.access.accessOf(presser, line.report);
        const at = clock.now();
        const facts = {
          at,
          person: presser,
          place: conversation.channel,
          request: line,
          origin: 'details',
        } as const;
        const whole: Scope = { ...scope, address: undefined };
        await recordEvent(
          store.events,
          askedEvent({ ...facts, me: owner.email }, { level, scope: whole }),
          log,
        );
      }
    },
  };
}
