import type { PeopleToLookAt } from '../result.js';

type Listed = PeopleToLookAt['listed'][number];

/** So many are listed. */
const mostListed = 10;

/** The first few by some measure, the largest first, and how many there were in all. */
export class PeopleList {
  private constructor(
    private readonly measures: number[],
    private readonly listed: Listed[],
    private rows: number,
  ) {}

  static empty(): PeopleList {
    return new PeopleList([], [], 0);
  }

  /** Counts one more; true when it belongs among the listed, and `list` is to be called. */
  counts(measure: number): boolean {
    this.rows++;
    return this.listed.length < mostListed || measure > (this.measures.at(-1) ?? Number.NEGATIVE_INFINITY);
  }

  list(measure: number, person: Listed): void {
    const before = this.measures.findIndex((other) => other < measure);
    const at = before < 0 ? this.measures.length : before;
    this.measures.splice(at, 0, measure);
    this.listed.splice(at, 0, person);
    this.measures.length = Math.min(this.measures.length, mostListed);
    this.listed.length = Math.min(this.listed.length, mostListed);
  }

  copy(): PeopleList {
    return new PeopleList([...this.measures], [...this.listed], this.rows);
  }

  finish(why: PeopleToLookAt['why']): PeopleToLookAt {
    return { why, rows: this.rows, listed: [...this.listed] };
  }
}
