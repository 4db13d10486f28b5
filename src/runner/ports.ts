import type { Field } from '../catalogue/index.js';
import type { FigureNumbers, LastRun } from '../figures/changes.js';
import type { FiguresPlan, FiguresResult } from '../figures/result.js';
import type { ReportRequest } from '../requests/request.js';
import type { Suggestion, SuggestionList } from './suggestions.js';

/** One query to the Reporting Service: the parts of the path and the body. */
export interface Query {
  readonly operation: string;
  /** Epoch seconds, `[from, until)`; absent for the report that has no range. */
  readonly range?: { readonly from: number; readonly until: number } | undefined;
  /** True when the range may be split into adjacent windows and the answers joined. */
  readonly addsUp: boolean;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What is to be made of an answer while it streams past. Plain data: it crosses to the thread that reads. */
export interface ReadPlan {
  /** Every flag that was asked for. The figures name fields by their place in this list. */
  readonly fields: readonly string[];
  /** What the figures are to count; absent: none. */
  readonly figures?: FiguresPlan;
  /** Where the CSV goes and its columns in order; absent: none is written. */
  readonly csv?: CsvOptions;
  /** The lists whose values are noted; absent: none are. */
  readonly lists?: readonly SuggestionList[];
}

interface CsvOptions {
  readonly path: string;
  readonly columns: readonly Field[];
  /** Only the rows that the figures count, in the figures' own order, instead of all in the service's. */
  readonly asCounted?: true;
}

/** A column of a written CSV: a field, or one member of the objects that arrived under it. */
export interface CsvColumn {
  readonly flag: string;
  readonly member?: string;
  readonly heading: string;
  /** Set where some cell holds an object as JSON, whose members are then not judged one by one. */
  readonly holdsObjects?: true;
}

/** What came of an answer. */
export interface ReadResult {
  /** Records in the whole answer. */
  readonly records: number;
  readonly figures?: FiguresResult;
  readonly csv?: {
    readonly path: string;
    readonly bytes: number;
    readonly columns: readonly CsvColumn[];
  };
  /** Some of the values of the lists, and never any about people. */
  readonly values?: readonly Suggestion[];
}

/** Queries for people go before those for digests, and a main query before the one for the period before it. */
export type Urgency = 'person' | 'person-before' | 'digest' | 'digest-before';

export interface ReadOptions {
  readonly urgency: Urgency;
  /** Whom the query is for: many queries of one person do not hold up another person's. */
  readonly asker: string;
  readonly signal: AbortSignal;
  /** Called at most a few times a second with the records read so far. */
  readonly onRecords?: (records: number) => void;
  /**
   * Called once each time the query has to wait longer than a minute, with the milliseconds still to wait at least;
   * undefined where that depends only on how long other queries take.
   */
  readonly onWait?: (milliseconds: number | undefined) => void;
}

/** Where answers come from. Its failures are `KnownError`s; on failure and cancel nothing is left on disk. */
export interface ReportSource {
  read(question: Query, reading: ReadPlan, options: ReadOptions): Promise<ReadResult>;
}

/** What was run: a digest, a saved report, or what somebody asked in a channel. */
export type RunOrigin =
  | { readonly kind: 'digest'; readonly id: string }
  | { readonly kind: 'saved-report'; readonly id: string }
  | { readonly kind: 'asker'; readonly channel: string };

/** Whose figures: those of one request, which a digest or a saved report may have changed since. */
export interface LastFiguresKey {
  readonly run: RunOrigin;
  readonly asker: string;
  readonly request: ReportRequest;
}

/** The figures of the last run of each request, to show a change where a figure describes a state now. */
export interface LastFigures {
  find(of: LastFiguresKey): Promise<LastRun | undefined>;
  /** Keeps figures in place of those from before. */
  save(of: LastFiguresKey, figures: FigureNumbers, takenAt: number): Promise<void>;
  /** Deletes at most `limit` of those taken before a time. Returns how many. */
  deleteBefore(time: number, limit: number): Promise<number>;
}
