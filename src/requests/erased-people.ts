import { fieldOf, isPersonLevelFilter, memberOf, reportNamed } from '../catalogue/index.js';
import { userFilter } from '../catalogue/learner.js';
import {
  erasedEntry,
  type FilterChoice,
  hasErasedFilter,
  mapRequests,
  type ReportRequest,
  requestsIn,
} from './request.js';
import { conditionIsPersonLevel, type RowCondition } from './row-conditions.js';

/**
 * Matches a Slack user ID, an e-mail address, a name or a learner ID in a text, but not as a part of a longer one: in any
 * case, with any blanks, and in both ways to write a letter with an accent.
 */
function mentionsOf(person: string): RegExp {
  const forms = new Set([person.normalize('NFC'), person.normalize('NFD')]);
  const literal = [...forms]
    .map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+'))
    .join('|');
  const [before, after] = person.includes('@') ? ["._%+'-", '-'] : ['_.-', '_-'];
  return new RegExp(
    `(?<![\\p{L}\\p{M}\\p{N}${before}])(?:${literal})(?![\\p{L}\\p{M}\\p{N}${after}]|\\.[\\p{L}\\p{N}])`,
    'giu',
  );
}

/** True for a text, or a JSON text with strings, that mentions a person. */
export function isMentionedIn(text: string, person: string): boolean {
  return withoutPerson(text, person) !== text;
}

/** Puts `forgotten` in place of a person. Of JSON, only strings change: a learner ID may look like a number. */
export function withoutPerson(text: string, person: string): string {
  const mentions = mentionsOf(person);
  const parsed = /^\s*[[{]/.test(text) ? jsonOf(text) : undefined;
  if (parsed === undefined) return text.replace(mentions, erasedEntry);
  let isChanged = false;
  const replaced = (value: string) => {
    const without = value.replace(mentions, erasedEntry);
    isChanged ||= without !== value;
    return without;
  };
  const erased = JSON.stringify(mapStrings(parsed, replaced));
  return isChanged ? erased : text;
}

function jsonOf(text: string): object | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [change(name), mapStrings(item, change)]),
  );
}

/**
 * Removes a person from the filters of a request: their ID or address, and names and identifiers beside it.
 *
 * @param person a Slack user ID, an e-mail address, a name or a learner ID
 * @returns undefined if no filter names them. `isBlocked`: a filter lost its last entry, and the request must not run
 * before a person changes it.
 */
export function removePerson(
  request: ReportRequest,
  person: string,
): { readonly request: ReportRequest; readonly isBlocked: boolean } | undefined {
  if (request.scorecard) {
    const erased = new Map(requestsIn(request).map((line) => [line, removePerson(line, person)]));
    const found = [...erased.values()].flatMap((line) => line ?? []);
    if (found.length === 0) return undefined;
    const changed = mapRequests(request, (line) => erased.get(line)?.request ?? line);
    // The other lines still run.
    return { request: changed, isBlocked: requestsIn(changed).every(hasErasedFilter) && isAllOwn(request) };
  }
  const isPerson = (entry: string) => isMentionedIn(entry, person);
  const isBeside = besideAddress(request, person, isPerson);
  let isBlocked = false;
  const filters = request.filters.map((filter) => {
    const entries = filter.entries.filter((entry) => !isPerson(entry) && !isBeside(filter, entry));
    if (entries.length === filter.entries.length) return filter;
    if (entries.length > 0) return { ...filter, entries };
    isBlocked = true;
    return { ...filter, entries: [erasedEntry] };
  });
  const conditions = request.conditions?.map((condition) => {
    const values = condition.values.filter((value) => !isPerson(value) && !isBeside(condition, value));
    if (values.length === condition.values.length) return condition;
    if (values.length > 0) return { ...condition, values };
    isBlocked = true;
    return { ...condition, values: [erasedEntry] };
  });
  const isUnchanged =
    filters.every((filter, index) => filter === request.filters[index]) &&
    (conditions ?? []).every((condition, index) => condition === request.conditions?.[index]);
  if (isUnchanged) return undefined;
  return { request: { ...request, filters, ...(conditions && { conditions }) }, isBlocked };
}

function isAllOwn({ scorecard }: ReportRequest): boolean {
  return (scorecard?.lines ?? []).every((line) => 'request' in line);
}

export function removeAllPeople(request: ReportRequest): ReportRequest {
  if (request.scorecard) return mapRequests(request, removeAllPeople);
  const report = reportNamed(request.report);
  const filters = request.filters.map((filter) =>
    isPersonLevelFilter(report, filter) ? { ...filter, entries: [erasedEntry] } : filter,
  );
  const conditions = request.conditions?.map((condition) =>
    conditionIsPersonLevel(report, condition) && condition.values.length > 0
      ? { ...condition, values: [erasedEntry] }
      : condition,
  );
  return { ...request, filters, ...(conditions && { conditions }) };
}

/**
 * Returns a test for names and identifiers of the person. If the filters or conditions hold the person's address only, all
 * names are theirs. Beside several addresses, those that are a part of it: Ada beside ada.lovelace@example.com.
 */
function besideAddress(
  { report: name, filters, conditions = [] }: ReportRequest,
  person: string,
  isPerson: (entry: string) => boolean,
) {
  const report = reportNamed(name);
  const byEmail = [
    ...filters.filter(({ member }) => member === 'email').map(({ object, entries }) => ({ object, entries })),
    ...conditions
      .filter(({ field }) => field === 'email')
      .map(({ values }) => ({ object: userFilter.name, entries: values })),
  ].filter(({ entries }) => entries.some(isPerson));
  const [local = ''] = person.toLowerCase().split('@');
  const parts = new Set(local.split(/[._+-]/));
  return (named: FilterChoice | RowCondition, entry: string) => {
    const isOfFilter = 'member' in named;
    const found = isOfFilter ? memberOf(report, named)?.member : fieldOf(report, named.field);
    const kinds = ['names', 'identifiers', 'text', 'identifier'];
    if (!found?.personLevel || !kinds.includes(found.kind)) return false;
    const object = isOfFilter ? named.object : userFilter.name;
    return byEmail.some(
      (email) =>
        email.object === object && (email.entries.length === 1 || parts.has(entry.toLowerCase().trim())),
    );
  };
}
