/** One thing that is wrong with a file. */
export interface DataProblem {
  readonly file: string;
  /** Counted from 1, the header's being the first; absent where it is about the whole file. */
  readonly line?: number;
  /** A clause that names what is wrong. */
  readonly reason: string;
}

/** Files that cannot be loaded. Nothing of them was. */
export class DataRefused extends Error {
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

const mostListed = 100;

/** Collects what is wrong while everything is read, so that all of it can be mended at once. */
export interface Problems {
  add(problem: DataProblem): void;
  readonly count: number;
  /** @throws DataRefused if there are any */
  refuseIfAny(): void;
}

export function collectProblems(): Problems {
  const listed: DataProblem[] = [];
  let count = 0;
  return {
    add(problem) {
      count += 1;
      if (listed.length < mostListed) listed.push(problem);
    },
    get count() {
      return count;
    },
    refuseIfAny() {
      if (count > 0) throw new DataRefused(listed, count - listed.length);
    },
  };
}
