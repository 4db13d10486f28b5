/** The files of a data folder, in the order in which they are read: a row names only rows of files before its own. */
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

/** One thing that is wrong with a file. */
export interface DataProblem {
  readonly file: string;
  /** Counted from 1, the header's being the first; absent where it is about the whole file. */
  readonly line?: number;
  /** A clause that names what is wrong. */
  readonly reason: string;
}

/** Files that cannot be loaded. Nothing of them was. */
export class InvalidData extends Error {
  constructor(
    readonly problems: readonly DataProblem[],
    /** How many more there are than are listed. */
    readonly more: number,
  ) {
    super(`The data has ${problems.length + more} problems`);
    this.name = 'DataRefused';
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

/** Collects what is wrong while everything is read, so that all of it can be mended at once. */
export interface Problems {
  add(problem: DataProblem): void;
  readonly count: number;
  /** @throws DataRefused if there are any */
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
