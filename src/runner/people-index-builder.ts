import { type Report, type ReportName, reportNamed } from '../catalogue/index.js';
import { nobody, PersonKeys } from '../figures/counting/person-keys.js';
import { FilterValues } from '../figures/neighbours.js';
import type { RecordView } from '../figures/record-view.js';
import { learnerColumns, rowColumns } from './neighbour-filters.js';
import { type Column, PeopleIndex, type ReportRows, ValueSets } from './people-index.js';

/** What an index holds at most. Beyond that many people there is none; beyond that many rows, none for their report. */
export interface IndexLimits {
  readonly people: number;
  /** Different rows of people in one report: a person and what is learned. */
  readonly rows: number;
}

export const indexLimits: IndexLimits = { people: 200_000, rows: 4_000_000 };

/** Collects the people of the daily look, one report after the other. */
export class PeopleIndexBuilder {
  private readonly keys: PersonKeys;
  private readonly columns = learnerColumns.map((plan) => ({
    ...plan,
    values: new ValueSets(),
    ofKey: new Numbers(),
  }));
  /** By key: 1 where the person was seen, 2 where values are known too. */
  private readonly seen = new Numbers();
  private readonly reports = new Map<ReportName, RowCollector>();

  constructor(private readonly limits: IndexLimits = indexLimits) {
    // A user ID and an address each.
    this.keys = PersonKeys.start(2 * limits.people);
  }

  /** Starts the records of a report. A report that is read again starts again. */
  report(name: ReportName, fields: readonly string[]): { add(record: RecordView): void } {
    const rows = new RowCollector(reportNamed(name), fields, this.limits.rows);
    this.reports.set(name, rows);
    const userid = fields.indexOf('userid');
    const email = fields.indexOf('email');
    const readers = this.columns.map((column) => FilterValues.in(fields, column));
    return {
      add: (record) => {
        const key = this.keys.keyOf(record, userid, email);
        if (key < 0) return;
        if (this.seen.at(key) !== 2) this.seen.set(key, this.readLearner(record, key, readers));
        rows.add(record, key);
      },
    };
  }

  /** The index; undefined if there were too many people. Keys of people are dropped. */
  finish(): PeopleIndex | undefined {
    const { keys, seen, columns, limits } = this;
    if (keys.full) return undefined;
    const numbers = new Map<number, number>();
    const personOf = new Int32Array(seen.length).fill(-1);
    for (let key = nobody; key < seen.length; key++) {
      if (seen.at(key) === 0) continue;
      const person = keys.personOf(key);
      const number = numbers.get(person) ?? numbers.size;
      numbers.set(person, number);
      personOf[key] = number;
    }
    const people = numbers.size;
    if (people > limits.people) return undefined;
    const learners = columns.map(({ ofKey, ...column }) => {
      const sets = new Uint32Array(people);
      personOf.forEach((person, key) => {
        if (person >= 0 && sets[person] === 0) sets[person] = ofKey.at(key);
      });
      return { ...column, sets };
    });
    const reports = [...this.reports].flatMap(([name, rows]) =>
      rows.isCut ? [] : [[name, rows.finish(personOf, people)] as const],
    );
    return new PeopleIndex(people, learners, new Map(reports));
  }

  private readLearner(
    record: RecordView,
    key: number,
    readers: readonly (FilterValues | undefined)[],
  ): number {
    let hasValues = false;
    this.columns.forEach(({ values, ofKey }, i) => {
      const set = values.numberOf(readers[i]?.of(record) ?? []);
      if (set === 0) return;
      ofKey.set(key, set);
      hasValues = true;
    });
    return hasValues ? 2 : 1;
  }
}

class RowCollector {
  private readonly columns: readonly (Column & { readonly reader: FilterValues | undefined })[];
  /** By column: the set of each kind. */
  private readonly setsOfKinds: readonly Numbers[];
  private readonly kinds = new Map<string, number>();
  private readonly keys = new Numbers();
  private readonly kindOfRow = new Numbers();
  /** True after more rows than are kept. */
  isCut = false;

  constructor(
    report: Report,
    fields: readonly string[],
    private readonly maxRows: number,
  ) {
    this.columns = rowColumns(report).map((plan) => ({
      ...plan,
      values: new ValueSets(),
      reader: FilterValues.in(fields, plan),
    }));
    this.setsOfKinds = this.columns.map(() => new Numbers());
  }

  add(record: RecordView, key: number): void {
    const kind = this.kindOf(record);
    const last = this.keys.length - 1;
    if (last >= 0 && this.keys.at(last) === key && this.kindOfRow.at(last) === kind) return;
    if (this.keys.length >= this.maxRows) {
      this.isCut = true;
      return;
    }
    this.keys.push(key);
    this.kindOfRow.push(kind);
  }

  /** @param personOf by key */
  finish(personOf: Int32Array, people: number): ReportRows {
    const { columns, kinds, keys } = this;
    const starts = new Uint32Array(people + 1);
    for (let row = 0; row < keys.length; row++) {
      const after = (personOf[keys.at(row)] as number) + 1;
      starts[after] = (starts[after] as number) + 1;
    }
    for (let person = 0; person < people; person++)
      starts[person + 1] = (starts[person + 1] as number) + (starts[person] as number);
    const kindOfRow = new Uint32Array(keys.length);
    const next = starts.slice();
    for (let row = 0; row < keys.length; row++) {
      const person = personOf[keys.at(row)] as number;
      kindOfRow[next[person] as number] = this.kindOfRow.at(row);
      next[person] = (next[person] as number) + 1;
    }
    return {
      columns: columns.map(({ reader: _, ...column }) => column),
      setsOfKinds: this.setsOfKinds.map((sets) => sets.upTo(kinds.size)),
      kinds: kinds.size,
      starts,
      kindOfRow,
    };
  }

  private kindOf(record: RecordView): number {
    if (this.columns.length === 0) return 0;
    const sets = this.columns.map(({ values, reader }) => values.numberOf(reader?.of(record) ?? []));
    const key = sets.join();
    const known = this.kinds.get(key);
    if (known !== undefined) return known;
    const kind = this.kinds.size;
    this.kinds.set(key, kind);
    sets.forEach((set, i) => {
      this.setsOfKinds[i]?.set(kind, set);
    });
    return kind;
  }
}

/** Numbers in one array that grows. */
class Numbers {
  private numbers = new Uint32Array(1024);
  length = 0;

  at(index: number): number {
    return this.numbers[index] ?? 0;
  }

  set(index: number, number: number): void {
    if (index >= this.numbers.length) {
      const grown = new Uint32Array(Math.max(index + 1, 2 * this.numbers.length));
      grown.set(this.numbers);
      this.numbers = grown;
    }
    this.numbers[index] = number;
    this.length = Math.max(this.length, index + 1);
  }

  push(number: number): void {
    this.set(this.length, number);
  }

  /** The first of them, with 0 where none was set. */
  upTo(length: number): Uint32Array {
    const first = new Uint32Array(length);
    first.set(this.numbers.subarray(0, Math.min(length, this.length)));
    return first;
  }
}
