/**
 * Which people came up in which rows, by their numbers, and in which of them they were marked. Nearly everybody comes
 * up in one row only, so that is kept in eight bytes a person; the further rows are limited.
 */
export class PeopleInRows {
  private constructor(
    private readonly limit: number,
    /** Each person's first row plus one, doubled, plus one where marked; 0: not seen. */
    private firstRows: Float64Array,
    private people: number,
    /** Every further row of a person, `person * 2 ** 31 + row`, with its mark. */
    private further: Map<number, boolean>,
    private overflowed: boolean,
  ) {}

  /** @param limit how many further rows are kept; beyond that `full` says that people are missing */
  static upTo(limit: number): PeopleInRows {
    return new PeopleInRows(limit, new Float64Array(1024), 0, new Map(), false);
  }

  get full(): boolean {
    return this.overflowed;
  }

  /** @param person a number from 0; numbers are given in the order of people's coming */
  add(person: number, row: number, marked: boolean): void {
    if (person >= this.firstRows.length) this.grow(person);
    this.people = Math.max(this.people, person + 1);
    const first = this.firstRows[person] as number;
    const own = (row + 1) * 2;
    if (first === 0) this.firstRows[person] = own + (marked ? 1 : 0);
    else if (first === own || first === own + 1) {
      if (marked) this.firstRows[person] = own + 1;
    } else this.addFurther(person, row, marked);
  }

  /** Calls with each person's rows and marks, which are good until the next call. */
  forEach(visit: (rows: readonly number[], marks: readonly boolean[]) => void): void {
    const keys = Float64Array.from(this.further.keys()).sort();
    const rows: number[] = [];
    const marks: boolean[] = [];
    for (let person = 0, next = 0; person < this.people; person++) {
      const first = this.firstRows[person] as number;
      if (first === 0) continue;
      rows.length = 0;
      marks.length = 0;
      rows.push(Math.floor(first / 2) - 1);
      marks.push(first % 2 === 1);
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
    if (known === undefined && this.further.size >= this.limit) this.overflowed = true;
    else this.further.set(key, marked);
  }

  private grow(person: number): void {
    const firstRows = new Float64Array(Math.max(this.firstRows.length * 2, person + 1));
    firstRows.set(this.firstRows);
    this.firstRows = firstRows;
  }
}

const rowSpan = 2 ** 31;
