import { memberOf, reportNamed } from '../catalogue/index.js';
import { KnownError } from '../errors/known-error.js';
import type { FilterChoice, ReportRequest } from './request.js';

/**
 * The only entry of a filter that named nobody but erased people. Requests with it are refused, because without the
 * filter they would cover everybody.
 */
export const erasedEntry = 'forgotten';

/** A filter of the request named a person whose data was erased. */
export class FilterErased extends KnownError {
  readonly code = 'person-erased';
  override readonly scope = 'asker';
  constructor() {
    super('A filter named a person whose data was erased');
  }
}

/** True for a request that nobody may run until a person changes its filters. */
export function hasErasedFilter({ report, filters }: ReportRequest): boolean {
  return filters.some(
    ({ object, member, entries }) =>
      entries.includes(erasedEntry) &&
      memberOf(reportNamed(report), object, member)?.member.personLevel !== false,
  );
}

/** Matches a Slack user ID or an e-mail address in a text, but not as a part of a longer one. */
export function mentionsOf(person: string): RegExp {
  const literal = person.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return person.includes('@')
    ? new RegExp(`(?<![\\p{L}\\p{N}._%+'-])${literal}(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])`, 'giu')
    : new RegExp(`(?<![A-Za-z0-9])${literal}(?![A-Za-z0-9])`, 'g');
}

interface ErasedRequest {
  readonly request: ReportRequest;
  /** True if a filter lost its last entry. The request must not run before a person changes it. */
  readonly isBlocked: boolean;
}

/**
 * Removes a person from the filters of a request: their ID or address, and names and identifiers beside it.
 *
 * @param person a Slack user ID or an e-mail address
 * @returns undefined if no filter names them
 */
export function removePerson(request: ReportRequest, person: string): ErasedRequest | undefined {
  const mentions = mentionsOf(person);
  const isPerson = (entry: string) => entry.search(mentions) >= 0;
  const isBeside = besideAddress(request, person, isPerson);
  let isBlocked = false;
  const filters = request.filters.map((filter) => {
    const entries = filter.entries.filter((entry) => !isPerson(entry) && !isBeside(filter, entry));
    if (entries.length === filter.entries.length) return filter;
    if (entries.length > 0) return { ...filter, entries };
    isBlocked = true;
    return { ...filter, entries: [erasedEntry] };
  });
  const isUnchanged = filters.every((filter, index) => filter === request.filters[index]);
  return isUnchanged ? undefined : { request: { ...request, filters }, isBlocked };
}

/** Removes all people from the filters of a request. */
export function removeAllPeople(request: ReportRequest): ReportRequest {
  const report = reportNamed(request.report);
  const filters = request.filters.map((filter) => {
    const isOpen = memberOf(report, filter.object, filter.member)?.member.personLevel === false;
    return isOpen ? filter : { ...filter, entries: [erasedEntry] };
  });
  return { ...request, filters };
}

/**
 * Returns a test for names and identifiers of the person. If the filters hold the person's address only, all names are
 * theirs. Beside several addresses, those that are a part of it: Ada beside ada.lovelace@example.com.
 */
function besideAddress(
  { report, filters }: ReportRequest,
  person: string,
  isPerson: (entry: string) => boolean,
): (filter: FilterChoice, entry: string) => boolean {
  const ofEmail = filters.filter(({ member, entries }) => member === 'email' && entries.some(isPerson));
  const [local = ''] = person.toLowerCase().split('@');
  const parts = new Set(local.split(/[._+-]/));
  return ({ object, member }, entry) => {
    const found = memberOf(reportNamed(report), object, member)?.member;
    if (!found?.personLevel || (found.kind !== 'names' && found.kind !== 'identifiers')) return false;
    return ofEmail.some(
      (email) =>
        email.object === object && (email.entries.length === 1 || parts.has(entry.toLowerCase().trim())),
    );
  };
}
