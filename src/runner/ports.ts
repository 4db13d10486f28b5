import type { LeftOutCheck } from '../access/left-out.js';
import type { PeopleSet } from '../access/people-set.js';
import type { RowCheck, Scope } from '../access/scope.js';
import type { Field, ReportName } from '../catalogue/index.js';
import type { ConditionsPlan } from '../figures/conditions-plan.js';
import type { NewRowsResult } from '../figures/counting/found-rows.js';
import type { NewRowsPlan } from '../figures/reports/new-rows.js';
import type { ListedRows, RowsPlan } from '../figures/reports/rows.js';
import type { TeamFindings, TeamsPlan } from '../figures/reports/team-rows.js';
import type { FiguresPlan, FiguresResult } from '../figures/result.js';
import type { FileFormat, ReportRequest } from '../requests/request.js';
import type { TitleMatches } from '../requests/titles.js';
import type { LookPlan, TitleQuery } from './collect-names.js';
import type { IndexState } from './people-index-builder.js';
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

/** What to read from an answer. Plain data: it is sent to the thread that reads. */
export interface ReadPlan {
  /** All requested flags. The figures refer to fields by their index in this list. */
  readonly fields: readonly string[];
  /** The plan of the figures; absent: no figures. */
  readonly figures?: FiguresPlan;
  /** The file and its columns in order; absent: no file. */
  readonly file?: FilePlan;
  /** The rows to list; absent: none. Needs figures. */
  readonly rows?: RowsPlan;
  /** How rows are told from those of the last run; absent: they are not. Needs figures. If some are known, only new ones are listed. */
  readonly newRows?: NewRowsPlan | undefined;
  /** True where it is recorded whose rows a file holds. Needs `personKeyFields`. */
  readonly tellsPeople?: boolean;
  /** Counts the rows of each manager's team apart; absent: they are not. Needs the fields of `fieldsOfTeams`. */
  readonly teams?: TeamsPlan | undefined;
  /** The due dates of the rows that count; absent: all rows do. Needs the field `due_date`. */
  readonly dueRange?: FiguresPlan['dueRange'];
  /** What rows have to meet; absent: nothing. Needs the fields of `fieldsOfConditions`. */
  readonly conditions?: ConditionsPlan | undefined;
  /** Whose rows may be in the answer; absent: all. Needs the fields of `fieldsOfScope`. */
  readonly rowCheck?: RowCheck | undefined;
  /** The rows that are left out; absent: none. Needs the fields that say whose row it is. */
  readonly leftOut?: LeftOutCheck | undefined;
  /** The reader's address, where only their own rows are asked for. They may read them though others may not. */
  readonly own?: string | undefined;
  /** The lists whose values are collected; absent: none. */
  readonly lists?: readonly SuggestionList[];
  /** Set where all names of these lists are wanted, with their people; absent: some of them. */
  readonly look?: LookPlan;
  /** The report whose people are compared with the filters of later questions; absent: none are. */
  readonly peopleOf?: ReportName;
  /** Texts that are searched for among the titles of all records; absent: none. */
  readonly titles?: readonly TitleQuery[];
}

export interface FilePlan {
  readonly path: string;
  readonly format: Exclude<FileFormat, 'evidence'>;
  /** The name of a workbook's sheet: at most 31 characters. */
  readonly title: string;
  /** The IANA zone of the times in a workbook. */
  readonly zone: string;
  readonly columns: readonly Field[];
  /** A column behind those, for days overdue or until due. Needs `asCounted`. */
  readonly days?: Field;
  /** Only the rows that the figures count, in the order of the figures. */
  readonly asCounted?: true;
  /**
   * For evidence: what says whose each row is, for a CSV of its own with each person of the rows once, at `personsPathOf`.
   * Empty: the report has no learners.
   */
  readonly persons?: readonly Field[];
}

/** How many people the second file lists. */
export interface ListedPeople {
  readonly people: number;
  /** True where there are more people than can be told apart: none is listed. */
  readonly moreThan: boolean;
  readonly suspended: number;
  /** Rows that name nobody. */
  readonly nameless: number;
}

/** A column of a written file: a field, or one member of the objects in it. */
export interface FileColumn {
  readonly flag: string;
  readonly member?: string;
  readonly heading: string;
  /** Set if a cell holds an object as JSON. Its members then cannot be checked one by one. */
  readonly holdsObjects?: true;
}

/** The result of reading an answer. Several readers may share it, so it must not change. */
export interface ReadResult {
  /** Records in the whole answer. */
  readonly records: number;
  readonly figures?: FiguresResult;
  readonly file?: {
    readonly path: string;
    readonly bytes: number;
    readonly columns: readonly FileColumn[];
    /** Set where it has rows of our own: how many. */
    readonly rows?: number;
    /** Cells whose text was longer than the format allows, and was cut; absent: none. */
    readonly cutCells?: number;
    /** With `tellsPeople`: the people of its rows, `perRowPerson` numbers each; `too-many` to tell. */
    readonly who?: Int32Array | 'too-many' | undefined;
    /** The same people by the numbers that the record has for them. */
    readonly people?: PeopleSet | undefined;
    /** With `persons`. */
    readonly listed?: ListedPeople | undefined;
  };
  /**
   * Set where an answer has to be read again, because its progress is in another scale than assumed: true for fractions.
   * Nothing else of the result counts, and it has no file.
   */
  readonly isFraction?: boolean;
  /** For evidence: the queries as they were sent, in order. */
  readonly sent?: readonly Query[] | undefined;
  readonly rows?: ListedRows;
  readonly newRows?: NewRowsResult | undefined;
  readonly teams?: TeamsRead | undefined;
  /** Some of the values of the lists; none of them is about a person. */
  readonly values?: readonly Suggestion[];
  /** True where people are left out of all answers, and of this one too if they are in it. */
  readonly leavesOutPeople?: true;
  /** The people whose rows were left out; absent: none were to be. */
  readonly leftOut?: { readonly people: number };
  /** At least this many people are in the answer. Set with `values`. */
  readonly people?: number | undefined;
  /** True if `values` are all names of a look. */
  readonly isWhole?: boolean | undefined;
  /** Whether the people of a look can be compared. */
  readonly peopleIndex?: IndexState | undefined;
  /** The matches of each title query, in order. */
  readonly titles?: readonly TitleMatches[];
  /** When the service was asked, in milliseconds since the epoch, if the result is of an earlier query; absent: now. */
  readonly readAt?: number;
}

/** What was found about each manager's team. */
export interface TeamsRead {
  /** The file that has the findings of each team, as JSON. */
  readonly path: string;
  readonly teams: readonly TeamEntry[];
  /** Rows that would count, and go to nobody: of people without a manager, with several, or who are their own. */
  readonly withoutManager: number;
  readonly severalManagers: number;
  readonly ownManager: number;
}

/** A team, with what decides whether its manager gets a message, and where its findings are in the file. */
export interface TeamEntry
  extends Pick<TeamFindings, 'people' | 'concerned' | 'rows' | 'allRows' | 'isBaseline'> {
  /** Of the manager, in lower case. */
  readonly address: string;
  readonly at: number;
  readonly bytes: number;
}

/**
 * The most urgent first. Queries for people come before those for digests, and a main query before the one for the
 * previous period. A digest that waits starts after at most five new queries for people. Queries in the background wait
 * until nothing else does.
 */
export const urgencyRank = { person: 0, 'person-before': 1, digest: 2, 'digest-before': 3, background: 4 };

export type Urgency = keyof typeof urgencyRank;

export interface ReadOptions {
  /** It may rise while the query waits, when a person joins the query of a digest. */
  readonly urgency: Urgency;
  /** The asker: many queries of one person do not delay those of others. */
  readonly asker: string;
  /** The ID of the work that the query is for, for the log. */
  readonly work?: string | undefined;
  readonly signal: AbortSignal;
  /** Called at most a few times a second with the records read so far. */
  readonly onRecords?: (records: number) => void;
  /**
   * Called when the query has to wait longer than a minute, with the minimum remaining milliseconds; undefined if the
   * wait only depends on other queries.
   */
  readonly onWait?: (milliseconds: number | undefined) => void;
  /** Called when a query of a person or a digest waits for this one, which is in the background. */
  readonly onOthersWait?: (() => void) | undefined;
  /** Maximum age of a shared answer, in milliseconds. Absent: ten seconds. */
  readonly maxSharedAgeMs?: number | undefined;
  /** True if the figures may come from the cache of a day, and may be stored there. */
  readonly figuresMayBeCached?: boolean;
  /** Identifies the request of a person. A person who got cached figures and repeats the request gets new ones. */
  readonly askedFor?: string | undefined;
}

/** A file that is written from a few rows, such as one for each unit of an answer over time. */
export interface TableFile extends Pick<FilePlan, 'path' | 'format' | 'title' | 'zone' | 'columns'> {
  /** By the flags of the columns. */
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
}

/** The figures of one ended unit, as a later answer may show them. */
interface UnitFigures extends Pick<ReadResult, 'leavesOutPeople'> {
  readonly figures: FiguresResult;
}

/** The figures of ended units, kept for a month. */
export interface UnitTotals {
  /**
   * What is kept under an identity, and a way to keep newer figures. An erasure or a change of the rules, also one between
   * the two, ends what is kept.
   */
  open(identity: string): Promise<{
    /** `readAt`: milliseconds since the epoch. */
    readonly kept?: (UnitFigures & { readonly readAt: number }) | undefined;
    keep(unit: UnitFigures): Promise<void>;
  }>;
}

/** The source of answers. It fails with failures of the table. It deletes its files on failure and on cancel. */
export interface ReportSource {
  read(query: Query, reading: ReadPlan, options: ReadOptions): Promise<ReadResult>;
}

/** The origin of a run: a digest, a saved report, or a request in a channel. */
export type RunOrigin =
  | { readonly kind: 'digest'; readonly id: string }
  | { readonly kind: 'saved-report'; readonly id: string }
  | { readonly kind: 'asker'; readonly channel: string };

/** Identifies figures by origin and request, because a digest or a saved report can change its request. */
export interface LastFiguresKey {
  readonly run: RunOrigin;
  readonly asker: string;
  readonly request: ReportRequest;
  /** The reader's scope: figures of another scope are about other rows. */
  readonly scope: Scope;
}

export interface SuggestionSource {
  /** Those of these lists that at least `minPeople` have, last seen first. 1: all. */
  all(lists: readonly string[], minPeople: number): Promise<readonly Suggestion[]>;
  /** The same, but only those with these entries. */
  ofEntries(
    lists: readonly string[],
    entries: readonly string[],
    minPeople: number,
  ): Promise<readonly Suggestion[]>;
  /** Those whose entry or title contains `text`, whatever its case and accents. */
  find(
    lists: readonly string[],
    text: string,
    limit: number,
    minPeople: number,
  ): Promise<readonly Suggestion[]>;
}
