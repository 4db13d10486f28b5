import { LRUCache } from 'lru-cache';
import type { FiguresResult } from '../figures/result.js';
import type { Query, ReadPlan, ReadResult, ReportSource } from '../runner/ports.js';
import { type Erasures, queryIdentity, wasErasedSince } from './query-identity.js';

export interface KeptFiguresParts extends Erasures {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called for each query that kept figures saved. */
  readonly onSaved?: (() => void) | undefined;
}

interface Kept {
  readonly result: ReadResult;
  readonly readAt: number;
}

const maxAgeMs = 24 * 3_600_000;
/** Nothing older is left in memory. */
const forADay = { ttl: maxAgeMs, ttlAutopurge: true } as const;
/** Some kilobytes each. */
const maxKept = 500;
/** How many readers of older figures are known. */
const maxShown = 5_000;
/** Younger figures count as read now. */
const freshMs = 60_000;

/**
 * The same source, which keeps figures for a day where the reader allows it: key figures alone, in memory. Nothing that
 * is limited to people is kept, and no rows. The identity of a query holds all that its reader may see, so figures only
 * serve readers who may see as much. A person who got older figures and asks for the same again gets new ones.
 */
export function keepFigures(source: ReportSource, parts: KeptFiguresParts): ReportSource {
  const { now, onSaved } = parts;
  const kept = new LRUCache<string, Kept>({ max: maxKept, ...forADay });
  /** For a query and who asked for what: the `readAt` of the older figures that they got. */
  const shown = new LRUCache<string, number>({ max: maxShown, ...forADay });

  async function find(key: string): Promise<Kept | undefined> {
    const found = kept.get(key);
    const ageMs = found ? now() - found.readAt : Number.NaN;
    // The clock of the playground moves back, too.
    if (!found || !(ageMs >= 0 && ageMs < maxAgeMs)) return undefined;
    if (!(await wasErasedSince(found.readAt, parts))) return found;
    kept.clear();
    shown.clear();
    return undefined;
  }

  return {
    async read(query, plan, options) {
      if (!options.figuresMayBeKept || !mayBeKept(plan)) return source.read(query, plan, options);
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
        kept.set(key, { result: { records: result.records, figures: keyFigures(result.figures) }, readAt });
      }
      return result;
    },
  };
}

/** Whoever asks for more than key figures of everybody made a mistake: nothing else is ever kept. */
function mayBeKept({ figures, file, rows, rowCheck, lists, titles }: ReadPlan): boolean {
  const asksForMore = [file, rows, rowCheck, lists, titles].some((part) => part !== undefined);
  return figures?.figuresOnly === true && figures.asOf === undefined && !figures.people && !asksForMore;
}

function keyOf(query: Query, plan: ReadPlan): string {
  const { key, instants } = queryIdentity(query, plan);
  return `${key} ${instants.join(' ')}`;
}

/** Without what describes single records, such as the values of the only row. */
function keyFigures({ report, tooFew, records, counted, figures }: FiguresResult): FiguresResult {
  return {
    report,
    tooFew,
    records,
    counted,
    figures,
    spreads: [],
    highlights: [],
    upcoming: [],
    notes: [],
  };
}
