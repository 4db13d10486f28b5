import { fieldOf, hasLearners, reportNamed } from '../catalogue/index.js';
import { userFilter } from '../catalogue/learner.js';
import { ok, type Result, refused } from '../errors/failure.js';
import type { AccessRefusal, PersonLevelPart } from '../errors/request-failures.js';
import {
  filtersPeople,
  type ReleasedKeys,
  requestIsPersonLevel,
  unreleasedConditions,
} from '../requests/person-level.js';
import { entryRefersToAsker, type FilterChoice, type ReportRequest } from '../requests/request.js';
import { compact } from '../requests/text.js';
import type { Level } from './levels.js';

/** What one reader may ask of one report. */
export interface Access {
  readonly level: Level;
  /** The reader's e-mail address, if Slack gives one that it has confirmed. */
  readonly address?: string | undefined;
  /** True where the level may be wider than this: Slack does not tell now who is in a user group. */
  readonly isUncertain?: boolean | undefined;
  /** For a person who may ask for nothing: names of admins; empty where owners of the workspace are the admins. */
  readonly admins?: readonly string[] | undefined;
}

/**
 * Where a summary will be read.
 * - `direct`: in direct messages between the reader and Rollcall.
 * - `approved`: in a channel that may get person-level data.
 * - `other`: anywhere else. Everybody there reads totals.
 */
export type DestinationKind = 'direct' | 'approved' | 'other';

/**
 * What one reader may see of one request. It decides the query and the figures. Plain data: two scopes are the same if
 * their JSON is.
 */
export interface Scope {
  /** The rows that may be read: all, those of the reader's direct reports and the reader, or the reader's own. */
  readonly rows: 'all' | 'team' | 'self';
  /** True where the request is about the reader's own rows alone, though all rows may be read. */
  readonly asksForOwn?: true | undefined;
  /** The reader's address in lower case; absent where all rows may be read, unless only their own are asked for. */
  readonly address?: string | undefined;
  /** No figure is about fewer people than this; 1: no limit. */
  readonly smallestGroup: number;
  /** True where the summary may name people. */
  readonly namesPeople: boolean;
  /** True where the answer goes to the reader's direct messages, wherever it was asked. */
  readonly onlyDirect: boolean;
}

/** A scope without the reader. It is stored with an answer. */
export type ScopeLimits = Omit<Scope, 'address'>;

export interface ScopeOptions {
  readonly destination: DestinationKind;
  readonly released: ReleasedKeys;
  /** SMALLEST_GROUP. */
  readonly smallestGroup: number;
  /** The address that `me` means in the request: that of the person who made it. */
  readonly me?: string | undefined;
}

/** The scope of those who may ask everything wherever they ask: the command line. */
export const unlimitedScope: Scope = {
  rows: 'all',
  smallestGroup: 1,
  namesPeople: true,
  onlyDirect: false,
};

/**
 * The part of a scope that an earlier answer had too.
 *
 * @param now of the person whom the answer was for
 * @param address of that person
 * @returns undefined if it is unknown whose rows it is limited to
 */
export function narrowedTo(earlier: ScopeLimits, now: Scope, address: string | undefined): Scope | undefined {
  const rows = (['self', 'team', 'all'] as const).find((some) => some === earlier.rows || some === now.rows);
  if (rows === undefined || (rows !== 'all' && address === undefined)) return undefined;
  const asksForOwn = rows === 'all' && now.asksForOwn && earlier.asksForOwn;
  return {
    rows,
    ...(asksForOwn && { asksForOwn }),
    address: rows === 'all' && !asksForOwn ? undefined : address?.toLowerCase(),
    smallestGroup: Math.max(earlier.smallestGroup, now.smallestGroup),
    namesPeople: earlier.namesPeople && now.namesPeople,
    onlyDirect: earlier.onlyDirect || now.onlyDirect,
  };
}

/** True where a summary made for one scope may be shown under another: it holds no more than that allows. */
export function summaryFits(made: Scope, now: Scope): boolean {
  const namesNobody = !made.namesPeople || now.namesPeople;
  return fileFits(made, now) && made.smallestGroup >= now.smallestGroup && namesNobody;
}

/** True where what a request shows alone, its file, may be shown under another scope than it was made for. */
export function fitsAlone({ over }: Pick<ReportRequest, 'over'>): (made: Scope, now: Scope) => boolean {
  return over === undefined ? fileFits : summaryFits;
}

/** True where the rows of a file that was made for one scope may be shown under another. */
function fileFits(made: Scope, now: Scope): boolean {
  return made.rows === now.rows && made.address === now.address;
}

/**
 * Decides what a reader may see of a request, by the reader's level and the destination of the answer:
 * - `nothing` is refused, and `everything` may see all rows.
 * - `team` and `totals` get totals of everybody, without names and without figures of small groups.
 * - Both may see their own rows, `totals` in direct messages only.
 * - For any other rows, `totals` is refused, and `team` is limited to the reader's team.
 * - Evidence needs `everything` or `team`, and direct messages.
 */
export function scopeOf(
  request: ReportRequest,
  access: Access,
  options: ScopeOptions,
): Result<Scope, AccessRefusal> {
  const level = levelForReport(request, access);
  if (level === 'nothing') return refused({ kind: 'nothing', admins: access.admins });
  if (request.file === 'evidence') {
    if (options.destination !== 'direct' && !request.toMe) return refused({ kind: 'evidence-place' });
    if (level === 'totals' && access.level === 'totals') return refused({ kind: 'evidence-level' });
  }
  const [unreleased, ...others] = unreleasedConditions(request, options.released).map(({ field }) => field);
  if (unreleased !== undefined) return refused({ kind: 'not-released', fields: [unreleased, ...others] });
  const own = access.address?.toLowerCase();
  if (level === 'everything') {
    const scope = scopeAt(options, request, 'all');
    const asksForOwn = own !== undefined && asksForSelf(request, own, options);
    return ok(asksForOwn ? { ...scope, asksForOwn, address: own } : scope);
  }
  const wants = personLevelParts(request);
  if (wants.length === 0) {
    const smallestGroup = smallestGroupFor(request, options);
    return ok({ rows: 'all', smallestGroup, namesPeople: false, onlyDirect: false });
  }
  if (own !== undefined && asksForSelf(request, own, options)) {
    if (level === 'totals') {
      return ok({ rows: 'self', address: own, smallestGroup: 1, namesPeople: true, onlyDirect: true });
    }
    const scope = scopeAt(options, request, 'self');
    return ok({ ...scope, address: own, smallestGroup: 1 });
  }
  if (level === 'totals' || own === undefined) {
    const mayAskForSelf = own !== undefined && hasLearners(reportNamed(request.report));
    return refused({ kind: 'totals-only', wants, noAddress: access.level === 'team', mayAskForSelf });
  }
  if (asksForOtherTeam(request, own, options)) return refused({ kind: 'other-team' });
  return ok({ ...scopeAt(options, request, 'team'), address: own });
}

/** The level that counts for a report: `team` needs learners, and an address that Slack has confirmed. */
export function levelForReport({ report }: Pick<ReportRequest, 'report'>, { level, address }: Access): Level {
  if (level !== 'team') return level;
  if (!hasLearners(reportNamed(report))) return 'everything';
  return address === undefined ? 'totals' : 'team';
}

/**
 * Names and titles that fewer people of the whole company have do not exist for a reader; 1: all exist. Those of reports
 * without learners are for everybody.
 */
export function minPeopleOfNames(
  { report }: Pick<ReportRequest, 'report'>,
  level: Level,
  scope: Scope,
  { destination, smallestGroup }: Pick<ScopeOptions, 'destination' | 'smallestGroup'>,
): number {
  // Filters of workshops take names of departments too, although workshops have no small groups.
  const isOpen = hasLearners(reportNamed(report)) ? scope.smallestGroup === 1 : destination !== 'other';
  return level === 'everything' && isOpen ? 1 : smallestGroup;
}

/** True where titles are searched in the rows that the scope allows, and not in those of the whole company. */
export function searchesOwnRows({ rows, smallestGroup }: Scope): boolean {
  return rows !== 'all' && smallestGroup === 1;
}

/** A summary that others read names no one. Where they may read totals only, it protects small groups too. */
function scopeAt(options: ScopeOptions, request: ReportRequest, rows: Scope['rows']): Scope {
  const { destination, released } = options;
  const goesDirect =
    destination === 'direct' ||
    request.toMe ||
    (destination === 'other' && requestIsPersonLevel(request, released));
  const isProtected = destination === 'other' && !goesDirect;
  return {
    rows,
    smallestGroup: isProtected ? smallestGroupFor(request, options) : 1,
    namesPeople: goesDirect,
    onlyDirect: false,
  };
}

function smallestGroupFor({ report }: ReportRequest, { smallestGroup }: ScopeOptions): number {
  return hasLearners(reportNamed(report)) ? smallestGroup : 1;
}

/** The person-level parts of a request. Empty for totals. Columns count as rows, with or without a file. */
function personLevelParts(request: ReportRequest): readonly PersonLevelPart[] {
  const report = reportNamed(request.report);
  const namesPeople = request.by !== undefined && (fieldOf(report, request.by)?.personLevel ?? true);
  return compact(
    filtersPeople(request) && 'filter',
    namesPeople && 'breakdown',
    request.columns && 'columns',
    request.showRows && 'rows',
    // Over time, a file has totals.
    request.file && request.over === undefined && 'file',
  );
}

/** The totals of a refused request, without the parts that are not allowed. Undefined: its filters are not. */
export function totalsInstead(request: ReportRequest, refusal: AccessRefusal): ReportRequest | undefined {
  const { kind } = refusal;
  if (kind !== 'totals-only' && kind !== 'assistant') return undefined;
  const wants = kind === 'assistant' ? personLevelParts(request) : refusal.wants;
  if (wants.includes('filter')) return undefined;
  const by = wants.includes('breakdown') ? undefined : request.by;
  const toMe = request.toMe && kind !== 'assistant';
  return { ...request, columns: undefined, file: undefined, showRows: undefined, by, toMe };
}

/** True where the learner filter holds the reader's own address and no other. */
function asksForSelf(request: ReportRequest, own: string, options: ScopeOptions): boolean {
  const email = learnerFilter(request, 'email');
  return email?.entries.every((entry) => addressOf(entry, 'email', options) === own) ?? false;
}

function asksForOtherTeam(request: ReportRequest, own: string, options: ScopeOptions): boolean {
  const managers = learnerFilter(request, 'manager_email');
  return managers?.entries.some((entry) => addressOf(entry, 'manager_email', options) !== own) ?? false;
}

export function learnerFilter({ filters }: ReportRequest, member: string): FilterChoice | undefined {
  return filters.find((filter) => filter.object === userFilter.name && filter.member === member);
}

function addressOf(entry: string, member: string, { me }: ScopeOptions): string | undefined {
  return (entryRefersToAsker(member, entry) ? me : entry)?.toLowerCase();
}

/** The filters of a request with those that its scope forces, which replace those typed for the same member. */
export function limitFilters(
  filters: readonly FilterChoice[],
  { rows, address }: Scope,
): readonly FilterChoice[] {
  if (rows === 'all' || address === undefined) return filters;
  const object = userFilter.name;
  const member = rows === 'self' ? 'email' : 'manager_email';
  const others = filters.filter((filter) => filter.object !== object || filter.member !== member);
  return [...others, { object, member, entries: [address] }];
}

/** Fields that an answer must hold so that each row can be checked against its scope. */
export const fieldsOfScope = ['email', 'manager_email'] as const;

/** Only rows of these people may be in an answer. Plain data: it crosses to the thread that reads. */
export interface RowCheck {
  readonly rows: 'team' | 'self';
  /** In lower case. */
  readonly address: string;
}

/** The check of every row of an answer; undefined if all rows may be read. */
export function rowCheckOf({ rows, address }: Scope): RowCheck | undefined {
  return rows === 'all' || address === undefined ? undefined : { rows, address };
}

/** True where a row belongs to the reader, or to the reader's team where the scope is the team. */
export function rowIsAllowed(
  { rows, address }: RowCheck,
  email: string | undefined,
  managerEmail: string | undefined,
): boolean {
  const isReader = (text: string | undefined) => text?.trim().toLowerCase() === address;
  return isReader(email) || (rows === 'team' && isReader(managerEmail));
}
