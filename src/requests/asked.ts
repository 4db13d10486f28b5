import type { FilterMember, FilterObject, Report } from '../catalogue/index.js';
import type { Problem } from './problem.js';
import type { FilterChoice } from './request.js';

/** What range and options said, gathered word by word. */
export interface Asked {
  range?: string;
  /** True where it was said to be about the assigned date, by `assigned:`. */
  byAssignedDate: boolean;
  /** Why the range cannot be, unless it goes by a date that can lie ahead. */
  rangeAhead?: Problem;
  /** How the range was typed, each way once: a range typed a thousand times is read once. */
  readonly rangeTyped: Set<string>;
  dateField?: string;
  sort?: string;
  by?: string;
  readonly columns: Set<string>;
  /** Entries by the member's name in full, `user.departments`. */
  readonly filters: Map<string, Set<string>>;
  csv: boolean;
  toMe: boolean;
  skipEmpty: boolean;
}

/** Where options stand: in the whole text of a command, for a report. */
export interface OptionsPlace {
  readonly text: string;
  readonly from: number;
  readonly until: number;
  /** With the range that the request takes before its own words change that: see `reportFor`. */
  readonly report: Report;
  readonly overdueOnly: boolean;
  /** The date field of the saved request that the words lie on top of. */
  readonly dateField?: string | undefined;
  /** True in `schedule`, where `skip-empty` has a meaning. */
  readonly scheduled: boolean;
}

export function nothingAsked(): Asked {
  return {
    byAssignedDate: false,
    rangeTyped: new Set(),
    columns: new Set(),
    filters: new Map(),
    csv: false,
    toMe: false,
    skipEmpty: false,
  };
}

/** The entries said so far for a member. */
export function entriesFor(asked: Asked, object: FilterObject, member: FilterMember): Set<string> {
  const name = nameInFull(object, member);
  const entries = asked.filters.get(name) ?? new Set();
  asked.filters.set(name, entries);
  return entries;
}

/** The filters that were said, over the ones there were before, in the order of the catalogue. */
export function filtersOf(
  asked: Asked,
  report: Report,
  before: readonly FilterChoice[],
): readonly FilterChoice[] {
  return report.filters.flatMap((object) =>
    object.members.flatMap((member) => {
      const said = asked.filters.get(nameInFull(object, member));
      if (said) return [{ object: object.name, member: member.name, entries: [...said] }];
      return before.filter((choice) => choice.object === object.name && choice.member === member.name);
    }),
  );
}

function nameInFull(object: FilterObject, member: FilterMember): string {
  return `${object.prefix}.${member.name}`;
}
