import { levelForReport, summaryFits } from '../../access/scope.js';
import { hasLearners, reportNamed } from '../../catalogue/index.js';
import { formatNumber } from '../../digests/alert-words.js';
import { formatDay, formatMoment } from '../../figures/format/values.js';
import type { FiguresResult } from '../../figures/result.js';
import { leavesOutTheSame } from '../../figures/summary/changes.js';
import { figuresOfRequest, numberInUnit } from '../../figures/summary/named-figures.js';
import { maxClockDifferenceMs } from '../../reporting-api/shared-answers.js';
import { requestIsPersonLevel } from '../../requests/person-level.js';
import type { Asker } from '../../requests/request.js';
import type { RequestLogEntry } from '../../store/requests/request-log.js';
import { type Conversation, resolveConversation } from '../context/request-context.js';
import { destinationKindOf, releasedNow, scopeOfPerson } from './answer-run.js';
import type { ListenerParts } from './context.js';

interface LastValues {
  /** In the units of the figures, by ID. */
  readonly numbers: ReadonlyMap<string, number>;
  /** When the service was asked, in milliseconds since the epoch. */
  readonly at: number;
}

/**
 * The figures of an answer in words, by ID, as far as its reader may see them now in this channel: `42 today`,
 * `42 on Mon 23 Nov`. Empty where they are no longer known. The report is never run for them.
 */
export async function lastValuesOf(
  entry: RequestLogEntry,
  { reader, channel }: { readonly reader: Asker; readonly channel: string },
  parts: ListenerParts,
): Promise<ReadonlyMap<string, string>> {
  const { request } = entry;
  const access = await parts.access.accessOf(reader.id, request.report);
  if (levelForReport(request, access) === 'nothing') return new Map();
  const place = await resolveConversation({ channel, asker: reader.id }, parts);
  const found = (await storedValues(entry, place, parts)) ?? (await ownValues(entry, reader, place, parts));
  if (!found) return new Map();
  const { zone } = reader;
  const isToday = formatDay(found.at, zone) === formatDay(parts.clock.now(), zone);
  const day = isToday ? 'today' : `on ${formatMoment(found.at, zone).replace(/,.*/, '')}`;
  return new Map(
    figuresOfRequest(request).flatMap(({ id, unit }): [string, string][] => {
      const number = found.numbers.get(id);
      return number === undefined ? [] : [[id, `${formatNumber(number, unit)} ${day}`]];
    }),
  );
}

/** Those that are kept for everybody who reads the answer. */
async function storedValues(
  { id, request }: RequestLogEntry,
  { personLevel }: Conversation,
  parts: ListenerParts,
): Promise<LastValues | undefined> {
  const { scope, totals } = (await parts.store.answerTotals.find(id)) ?? {};
  if (!scope || !totals || !leavesOutNow(totals.figures, request.report, parts)) return undefined;
  const least = hasLearners(reportNamed(request.report)) ? parts.smallestGroup : 1;
  const isForAll = scope.smallestGroup >= least && !requestIsPersonLevel(request, await releasedNow(parts));
  return personLevel === 'allowed' || isForAll
    ? { numbers: numbersOf(totals.figures), at: totals.requestedAt }
    : undefined;
}

/** Those that this process remembers, or that the next answer to the same person is compared with. */
async function ownValues(
  { id, asker, channel, request }: RequestLogEntry,
  reader: Asker,
  place: Conversation,
  parts: ListenerParts,
): Promise<LastValues | undefined> {
  const { store, recentAnswers } = parts;
  const destination = destinationKindOf(place.kind === 'direct', place.personLevel);
  const scope = await scopeOfPerson(request, reader, parts, destination, await releasedNow(parts));
  // A request that names people may not say anything in such a channel.
  if (!scope.ok || (destination === 'other' && scope.value.namesPeople)) return undefined;
  const recent = recentAnswers.get(id);
  if (
    recent &&
    summaryFits(recent.scope, scope.value) &&
    leavesOutNow(recent.figures, request.report, parts)
  ) {
    // Its figures may be about an erased person, and about few others.
    const since = recent.requestedAt - maxClockDifferenceMs;
    if (!(await store.events.wasAnybodyErased(since)))
      return { numbers: numbersOf(recent.figures), at: recent.requestedAt };
  }
  if (asker !== reader.id) return undefined;
  const run = { kind: 'asker', channel } as const;
  const last = await store.lastFigures.find({ run, asker, request, scope: scope.value });
  const list = parts.listOfLeftOut?.();
  if (!last || !leavesOutTheSame({ leftOut: list === undefined ? undefined : { list } }, last.figures))
    return undefined;
  const numbers = figuresOfRequest(request).flatMap(({ id, unit }): [string, number][] => {
    const number = last.figures[id];
    // Durations are stored in seconds.
    return number === undefined ? [] : [[id, unit === 'hours' ? number / 3600 : number]];
  });
  return { numbers: new Map(numbers), at: last.takenAt };
}

function numbersOf({ figures }: Pick<FiguresResult, 'figures'>): ReadonlyMap<string, number> {
  return new Map(
    figures.flatMap(({ id, value }): [string, number][] => {
      const number = numberInUnit(value);
      return number === undefined ? [] : [[id, number]];
    }),
  );
}

/** False if other people are left out now than when the figures were counted. */
function leavesOutNow(
  { leftOut }: Pick<FiguresResult, 'leftOut'>,
  report: RequestLogEntry['request']['report'],
  { listOfLeftOut }: ListenerParts,
): boolean {
  return !hasLearners(reportNamed(report)) || leftOut?.list === listOfLeftOut?.();
}
