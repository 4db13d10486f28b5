/** The files of a data folder, in reading order. Rows refer only to rows of earlier files. */
export const tables = {
  units: ['member', 'id', 'name'],
  people: [
    ...[
      'id',
      'userid',
      'email',
      'first_name',
      'last_name',
      'job_title',
      'address',
      'image',
      'role',
      'region',
    ],
    ...['language', 'departments', 'locations', 'teams', 'groups', 'grade', 'org_level', 'partner'],
    ...[
      'distributor',
      'manager',
      'buddy',
      'is_purchaser',
      'hired_on',
      'created_at',
      'suspended_on',
      'metadata',
    ],
  ],
  contents: [
    ...['id', 'type', 'title', 'created_by', 'created_at', 'archived', 'minutes', 'pass_mark', 'categories'],
    ...['departments', 'locations', 'teams', 'grades', 'org_levels', 'collaborators', 'metadata'],
  ],
  parts: ['whole', 'position', 'part'],
  instances: [
    ...['id', 'workshop', 'host', 'announced_at', 'starts_at', 'ends_at', 'canceled_at', 'closes_at'],
    ...['offered_seats', 'waitlist_seats'],
  ],
  assignments: ['id', 'learner', 'content', 'assigner', 'due_at'],
  events: ['at', 'kind', 'learner', 'content', 'track', 'journey', 'assignment', 'instance', 'amount', 'by'],
} as const satisfies Record<string, readonly string[]>;

export type TableName = keyof typeof tables;

export const fileOf = (table: TableName) => `${table}.csv`;

/** A problem of a file. */
export interface DataProblem {
  readonly file: string;
  /** Line number, with the header as 1; absent if the problem is about the whole file. */
  readonly line?: number;
  /** A clause that describes the problem. */
  readonly reason: string;
}

/** Files that cannot be loaded. No row was loaded. */
export class InvalidData extends Error {
  constructor(
    readonly problems: readonly DataProblem[],
    /** Number of problems that are not listed. */
    readonly more: number,
  ) {
    super(`The data has ${problems.length + more} problems`);
    this.name = 'InvalidData';
  }

  /** One line each. */
  get lines(): readonly string[] {
    const said = this.problems.map(
      ({ file, line, reason }) => `${file}${line === undefined ? '' : `:${line}`}: ${reason}`,
    );
    return this.more > 0 ? [...said, `and ${this.more} more`] : said;
  }
}

const maxListed = 100;

/** Collects the problems of all files, so that they can be fixed together. */
export interface Problems {
  add(problem: DataProblem): void;
  readonly count: number;
  /** @throws InvalidData if there are problems */
  throwIfAny(): void;
}

export function collectProblems(): Problems {
  const listed: DataProblem[] = [];
  let count = 0;
  return {
    add(problem) {
      count += 1;
      if (listed.length < maxListed) listed.push(problem);
    },
    get count() {
      return count;
    },
    throwIfAny() {
      if (count > 0) throw new InvalidData(listed, count - listed.length);
    },
  };
}
