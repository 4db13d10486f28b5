import { allReports, hasLearners, type Report, type ReportName, reportNamed } from '../catalogue/index.js';
import { valuesByPerson } from '../figures/counting/people-in-rows.js';
import { noPerson, PersonKeys } from '../figures/counting/person-keys.js';
import type { HashKey } from '../figures/keyed-hash.js';
import {
  type Differences,
  FilterValues,
  type NeighbourQuestion,
  noDifferences,
  type PeopleBetween,
} from '../figures/neighbours.js';
import type { RecordView } from '../figures/record-view.js';
import { type ColumnPlan, learnerColumns, rowColumns } from './neighbour-filters.js';
import { PeopleIndex, type ReportRows, ValueSets } from './people-index.js';

/** What an index holds at most. Beyond that many people there is none; beyond that many rows, none for their report. */
export interface IndexLimits {
  readonly people: number;
  /** Different rows of people in one report: a person and what is learned. */
  readonly rows: number;
}

const indexLimits: IndexLimits = { people: 200_000, rows: 4_000_000 };

/** Reads the records of one report of the daily look. */
interface PeopleReading {
  add(record: RecordView): void;
  /** Call it after the last record. A reading that never ends leaves nothing behind. */
  end(): IndexState;
}

/** What became of an index: there is none for too many people, and titles are not compared in too many rows. */
export type IndexState = 'complete' | 'too-many-people' | 'too-many-rows';

/**
 * The people of the latest looks, one report after the other. After the first look at each report there is an index at
 * once. The next day's takes its place when it has the same reports.
 */
export class LatestPeople implements PeopleBetween {
  private index: PeopleIndex | undefined;
  private indexed: readonly ReportName[] = [];
  private next: PeopleIndexBuilder;

  /** @param secret a random key for the hashes of people */
  constructor(
    private readonly secret: HashKey,
    private readonly limits: IndexLimits = indexLimits,
  ) {
    this.next = new PeopleIndexBuilder(secret, limits);
  }

  begin(report: ReportName, fields: readonly string[]): PeopleReading {
    if (this.next.reports.has(report)) {
      // A new day begins. A report that could not be read is missing from now on.
      this.publish();
      this.next = new PeopleIndexBuilder(this.secret, this.limits);
    }
    const { next } = this;
    const { add, end } = next.report(report, fields);
    return {
      add,
      end: () => {
        const isWhole = end();
        if (next === this.next && this.indexed.every((name) => next.reports.has(name))) this.publish();
        // Hashes of people are dropped.
        if (next === this.next && next.reports.size === reportsWithLearners)
          this.next = new PeopleIndexBuilder(this.secret, this.limits);
        if (next.hasTooManyPeople) return 'too-many-people';
        return isWhole ? 'complete' : 'too-many-rows';
      },
    };
  }

  differences(question: NeighbourQuestion): Differences {
    return this.index?.differences(question) ?? noDifferences;
  }

  private publish(): void {
    this.index = this.next.finish();
    this.indexed = [...this.next.reports.keys()];
  }
}

const reportsWithLearners = allReports.filter(hasLearners).length;

/** Collects the people of one look at each report. */
export class PeopleIndexBuilder {
  private readonly keys;
  private readonly columns = learnerColumns.map(collected);
  /** By key: 1 where values of the person are known. */
  private readonly isKnown = new Numbers();
  /** The reports that were read. */
  readonly reports = new Map<ReportName, RowCollector>();
  private isTooLarge = false;

  constructor(
    secret: HashKey,
    private readonly limits: IndexLimits = indexLimits,
  ) {
    // A user ID and an address each.
    this.keys = new PersonKeys(2 * limits.people, secret);
  }

  get hasTooManyPeople(): boolean {
    return this.keys.full || this.isTooLarge;
  }

  /** Starts the records of a report. `end` replaces those of an earlier reading; false if there were too many rows. */
  report(name: ReportName, fields: readonly string[]) {
    const rows = new RowCollector(reportNamed(name), fields, this.limits.rows);
    const userid = fields.indexOf('userid');
    const email = fields.indexOf('email');
    const readers = this.columns.map((column) => FilterValues.in(fields, column));
    return {
      add: (record: RecordView) => {
        const key = this.keys.keyOf(record, userid, email);
        if (key < 0) return;
        if (this.isKnown.at(key) === 0) this.isKnown.set(key, this.readLearner(record, key, readers));
        rows.add(record, key);
      },
      end: () => {
        this.reports.set(name, rows);
        return !rows.isCut;
      },
    };
  }

  /** The index; undefined if there were too many people. */
  finish(): PeopleIndex | undefined {
    const { keys, columns, limits } = this;
    if (keys.full) return undefined;
    const keysSeen = Math.max(0, ...[...this.reports.values()].map(({ hasKey }) => hasKey.length));
    const personOf = new Int32Array(keysSeen).fill(-1);
    const numbers = new Map<number, number>();
    for (const { hasKey } of this.reports.values()) {
      for (let key = noPerson; key < hasKey.length; key++) {
        if (hasKey.at(key) === 0 || (personOf[key] as number) >= 0) continue;
        const person = keys.personOf(key);
        const number = numbers.get(person) ?? numbers.size;
        numbers.set(person, number);
        personOf[key] = number;
      }
    }
    const people = numbers.size;
    this.isTooLarge = people > limits.people;
    if (this.isTooLarge) return undefined;
    const learners = columns.map((column) => {
      const sets = new Uint32Array(people);
      personOf.forEach((person, key) => {
        if (person >= 0 && sets[person] === 0) sets[person] = column.sets.at(key);
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
    this.columns.forEach(({ values, sets }, i) => {
      const set = values.numberOf(readers[i]?.of(record) ?? []);
      if (set === 0) return;
      sets.set(key, set);
      hasValues = true;
    });
    return hasValues ? 1 : 0;
  }
}

class RowCollector {
  private readonly columns;
  private readonly kinds = new Map<string, number>();
  private readonly keys = new Numbers();
  private readonly kindOfRow = new Numbers();
  /** By key: 1 where the person has a row. */
  readonly hasKey = new Numbers();
  /** True after more rows than are stored. */
  isCut = false;

  constructor(
    report: Report,
    fields: readonly string[],
    private readonly maxRows: number,
  ) {
    this.columns = rowColumns(report).map((plan) => ({
      ...collected(plan),
      reader: FilterValues.in(fields, plan),
    }));
  }

  add(record: RecordView, key: number): void {
    this.hasKey.set(key, 1);
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
    const { starts, values: kindOfRow } = valuesByPerson(people, (visit) => {
      for (let row = 0; row < keys.length; row++)
        visit(personOf[keys.at(row)] as number, this.kindOfRow.at(row));
    });
    return {
      columns: columns.map(({ reader: _, ...column }) => ({ ...column, sets: column.sets.upTo(kinds.size) })),
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
      this.columns[i]?.sets.set(kind, set);
    });
    return kind;
  }
}

/** A column whose sets are collected by the key of a person, or by kind of row. */
function collected(plan: ColumnPlan) {
  return { ...plan, values: new ValueSets(), sets: new Numbers() };
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
