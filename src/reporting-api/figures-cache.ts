import { LRUCache } from 'lru-cache';
import { type FiguresResult, nothingCounted } from '../figures/result.js';
import type { Query, ReadPlan, ReadResult, ReportSource } from '../runner/ports.js';
import { type Erasures, queryIdentity, wasErasedSince } from './query-identity.js';

export interface FiguresCacheParts extends Erasures {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called for each query that cached figures saved. */
  readonly onSaved?: (() => void) | undefined;
}

interface CachedFigures {
  readonly result: ReadResult;
  readonly readAt: number;
}

const maxAgeMs = 24 * 3_600_000;
const forADay = { ttl: maxAgeMs, ttlAutopurge: true } as const;
/** Maximum number of figures in memory. Each takes some kilobytes. */
const maxEntries = 500;
/** Maximum number of readers of cached figures to remember. */
const maxReaders = 5_000;
/** Figures younger than this count as new. */
const freshMs = 60_000;

/**
 * The same source, but it caches key figures in memory for a day if the reader allows it. It caches no rows and nothing
 * that is limited to people. The identity of a query includes its reader's scope, so figures only serve readers with the
 * same rights. A person who got cached figures and repeats the request gets new ones.
 */
export function cacheFigures(source: ReportSource, parts: FiguresCacheParts): ReportSource {
  const { now, onSaved } = parts;
  const cache = new LRUCache<string, CachedFigures>({ max: maxEntries, ...forADay });
  /** By query and person's request: the `readAt` of the cached figures that they got. */
  const shown = new LRUCache<string, number>({ max: maxReaders, ...forADay });

  async function find(key: string): Promise<CachedFigures | undefined> {
    const found = cache.get(key);
    const ageMs = found ? now() - found.readAt : Number.NaN;
    // The clock of the playground moves back, too.
    if (!found || !(ageMs >= 0 && ageMs < maxAgeMs)) return undefined;
    if (!(await wasErasedSince(found.readAt, parts))) return found;
    cache.clear();
    shown.clear();
    return undefined;
  }

  return {
    async read(query, plan, options) {
      if (!options.figuresMayBeCached || !mayBeCached(plan)) return source.read(query, plan, options);
      const key = keyOf(query, plan);
      const found = await find(key);
      if (found && !options.signal.aborted) {
        const { result, readAt } = found;
        const isFresh = now() - readAt < freshMs;
        const reader = options.askedFor && `${key} ${options.asker} ${options.askedFor}`;
        const isAskedAgain = !isFresh && reader !== undefined && shown.get(reader) === readAt;
        if (!isAskedAgain) {
          onSaved?.();
          if (isFresh) return result;
          if (reader !== undefined) shown.set(reader, readAt);
          return { ...result, readAt };
        }
      }
      const readAt = now();
      const result = await source.read(query, plan, options);
      if (result.figures) {
        cache.set(key, { result: { records: result.records, figures: keyFigures(result.figures) }, readAt });
      }
      return result;
    },
  };
}

/** True for plans of key figures about all people. Nothing else may be cached. */
function mayBeCached({ figures, file, rows, rowCheck, lists, titles }: ReadPlan): boolean {
  const asksForMore = [file, rows, rowCheck, lists, titles].some((part) => part !== undefined);
  return figures?.figuresOnly === true && figures.asOf === undefined && !figures.people && !asksForMore;
}

function keyOf(query: Query, plan: ReadPlan): string {
  const { key, instants } = queryIdentity(query, plan);
  return `${key} ${instants.join(' ')}`;
}

/** Without what describes single records, such as the values of the only row. */
function keyFigures({ report, tooFew, records, counted, figures }: FiguresResult): FiguresResult {
  return { ...nothingCounted, report, tooFew, records, counted, figures };
}
