import { lastHash } from '../hash.js';
import type { RecordView } from '../record-view.js';
import { personKeyFields } from './person-fields.js';
import { type Contribution, type Denominator, fieldIndexes } from './report-figures.js';

/** All rows without a person count as one person. */
const nobody = -1;

/**
 * Counts distinct people of many sets, each up to a limit, to decide whether a set has too few. A set that reached the
 * limit stores nobody.
 */
export class FewPeople {
  private constructor(
    private readonly limit: number,
    /** null: the limit is reached. */
    private readonly sets: (number[] | null | undefined)[],
  ) {}

  static withLimit(limit: number): FewPeople {
    return new FewPeople(limit, []);
  }

  add(set: number, person: number): void {
    const people = this.sets[set];
    if (people === null) return;
    if (people === undefined) this.sets[set] = this.limit > 1 ? [person] : null;
    else if (people.includes(person)) return;
    else if (people.length + 1 >= this.limit) this.sets[set] = null;
    else people.push(person);
  }

  /** The number of different people in these sets; at most the limit. */
  countIn(sets: Iterable<number>): number {
    const together = new Set<number>();
    for (const set of sets) {
      this.collect(set, together);
      if (together.size >= this.limit) return this.limit;
    }
    return together.size;
  }

  /** Puts the people of a set into `together`, until that holds as many as the limit. */
  collect(set: number, together: Set<number>): void {
    const people = this.sets[set];
    // Unused numbers replace the people who were not stored.
    if (people === null) for (let i = 1; i <= this.limit; i++) together.add(-1 - i);
    else if (together.size < this.limit) for (const person of people ?? []) together.add(person);
  }

  copy(): FewPeople {
    return new FewPeople(
      this.limit,
      this.sets.map((people) => people && [...people]),
    );
  }
}

/**
 * The person of the current record, and the record's denominators. One object is reused for all records.
 */
export class PersonOfRecord {
  /** Hash of the person. */
  person = nobody;
  /** 1 for each denominator that the record is in. */
  readonly isIn: Uint8Array;
  private readonly index: Readonly<Record<(typeof personKeyFields)[number], number>>;

  constructor(
    readonly denominators: readonly Denominator[],
    fields: readonly string[],
  ) {
    this.isIn = new Uint8Array(denominators.length);
    this.index = fieldIndexes(fields, personKeyFields);
  }

  /** @param adds the record's contribution to the figures; clear if the record is not counted */
  read(record: RecordView, adds: Contribution): void {
    const { userid, email } = this.index;
    const isNamed = record.hashText(userid, false) || record.hashText(email, true);
    // With 53 bits of the hash, two people are confused about once in a quadrillion pairs.
    this.person = isNamed ? (lastHash.high >>> 0) * 2 ** 21 + (lastHash.low >>> 11) : nobody;
    this.denominators.forEach((denominator, i) => {
      this.isIn[i] = isInDenominator(denominator, adds) ? 1 : 0;
    });
  }
}

function isInDenominator(denominator: Denominator, { sums, medianValue, isCounted }: Contribution): boolean {
  if (denominator === 'all-rows') return true;
  if (denominator === 'counted-rows') return isCounted;
  if (denominator === 'rows-with-median-value') return !Number.isNaN(medianValue);
  return denominator.rowsOfSums.some((sum) => sums[sum] !== 0);
}

/** The same denominator has the same key. */
export function denominatorKey(denominator: Denominator): string {
  return typeof denominator === 'string' ? denominator : denominator.rowsOfSums.join();
}
