/**
 * Which people came up in which rows, by their numbers, and in which of them they were marked. Nearly everybody comes
 * up in one row only, so that is kept in four bytes a person; the further rows are limited.
 */
export class PeopleInRows {
  private constructor(
    private readonly limit: number,
    /** Each person's first row plus one, four times, plus two where there are others, plus one where marked; 0: not seen. */
    private firstRows: Int32Array,
    private people: number,
    /** Every further row of a person, `person * 2 ** 31 + row`, with its mark. */
    private further: Map<number, boolean>,
    private overflowed: boolean,
  ) {}

  /** @param limit how many further rows are kept; beyond that `full` says that people are missing */
  static upTo(limit: number): PeopleInRows {
    return new PeopleInRows(limit, new Int32Array(1024), 0, new Map(), false);
  }

  get full(): boolean {
    return this.overflowed;
  }

  /**
   * @param person a number from 0; numbers are given in the order of people's coming
   * @param row a number from 0, below 2 ** 28
   */
  add(person: number, row: number, marked: boolean): void {
    if (person >= this.firstRows.length) this.grow(person);
    if (person >= this.people) this.people = person + 1;
    const first = this.firstRows[person] as number;
    if (first === 0) this.firstRows[person] = 4 * (row + 1) + (marked ? 1 : 0);
    else if (first >> 2 !== row + 1) this.addFurther(person, row, marked);
    else if (marked) this.firstRows[person] = first | 1;
  }

  /**
   * How many people came up in each row and in no other, and how many of them were marked: two counts a row.
   *
   * @param rows how many rows there are
   */
  countsInOneRow(rows: number): Float64Array {
    const counts = new Float64Array(2 * rows);
    for (let person = 0; person < this.people; person++) {
      const first = this.firstRows[person] as number;
      if (first === 0 || (first & 2) !== 0) continue;
      const at = 2 * ((first >> 2) - 1);
      counts[at] = (counts[at] as number) + 1;
      if ((first & 1) !== 0) counts[at + 1] = (counts[at + 1] as number) + 1;
    }
    return counts;
  }

  /** Calls with the rows and marks of each person who came up in several rows. */
  forEachInSeveralRows(visit: (rows: readonly number[], marks: readonly boolean[]) => void): void {
    const keys = Float64Array.from(this.further.keys()).sort();
    for (let next = 0; next < keys.length; ) {
      const person = Math.floor((keys[next] as number) / rowSpan);
      const first = this.firstRows[person] as number;
      const rows = [(first >> 2) - 1];
      const marks = [(first & 1) === 1];
      for (; next < keys.length; next++) {
        const key = keys[next] as number;
        if (Math.floor(key / rowSpan) !== person) break;
        rows.push(key % rowSpan);
        marks.push(this.further.get(key) === true);
      }
      visit(rows, marks);
    }
  }

  copy(): PeopleInRows {
    const { limit, firstRows, people, further, overflowed } = this;
    return new PeopleInRows(limit, firstRows.slice(), people, new Map(further), overflowed);
  }

  private addFurther(person: number, row: number, marked: boolean): void {
    const key = person * rowSpan + row;
    const known = this.further.get(key);
    if (known === true || known === marked) return;
    if (known === undefined && this.further.size >= this.limit) {
      this.overflowed = true;
      return;
    }
    this.further.set(key, marked);
    this.firstRows[person] = (this.firstRows[person] as number) | 2;
  }

  private grow(person: number): void {
    const firstRows = new Int32Array(Math.max(this.firstRows.length * 2, person + 1));
    firstRows.set(this.firstRows);
    this.firstRows = firstRows;
  }
}

const rowSpan = 2 ** 31;
