import { fieldNamed, hasLearners, type RowIdentity, reportNamed } from '../../catalogue/index.js';
import { Failure } from '../../errors/failure.js';
import { isInCalendar } from '../counting/dates.js';
import { type FoundRows, findRows, perRow } from '../counting/found-rows.js';
import { personKeyFields } from '../counting/person-fields.js';
import { noPerson, PersonKeys } from '../counting/person-keys.js';
import { fieldIndexes } from '../counting/report-figures.js';
import { lastHash } from '../hash.js';
import { type HashKey, rehashWith } from '../keyed-hash.js';
import { hasRow, type KnownRows, maxKnownRows, namelessPart, nobodyKnown, personOf } from '../known-rows.js';
import type { RecordView } from '../record-view.js';
import type { FiguresPlan, FiguresReader } from '../result.js';
import { uncertainRank } from './rows.js';

/** How rows are told from those of the last run. Plain data: it is sent to the thread that reads. */
export interface NewRowsPlan {
  /** The rows of the last run, as it gave them; absent: there was none. */
  readonly known?: Uint8Array | undefined;
  /** The key of all hashes, also of those in `known`. */
  readonly key: HashKey;
}

/** Every flag that tells rows apart, each once. @throws Error for a report whose rows cannot be known again */
export function fieldsOfNewRows(name: FiguresPlan['report']): readonly string[] {
  const { alone = [], item, occurrence } = identityIn(name);
  return [alone, item, occurrence, hasLearners(reportNamed(name)) ? personKeyFields : []].flat();
}

function identityIn(name: FiguresPlan['report']): RowIdentity {
  const { rowIdentity } = reportNamed(name);
  if (!rowIdentity) throw new Error(`The rows of ${name} cannot be known again`);
  return rowIdentity;
}

/** The number of a record that is not counted, or that is certainly known. */
export const noNewRow = -1;

/** Rows that are reserved at first, and the number from which all are: unused pages cost no memory. */
const firstRows = 1024;
const reserveFrom = 65_536;

/** Added to the known person of a key, which may be -1: 0 is a key that was not looked up. */
const lookedUp = 2;

/**
 * Finds the rows that the last run did not have, while the records of an answer stream past. A row takes 16 bytes, a
 * user ID or an address 30. Whose row it is turns out after the last one: then it is certain which are new.
 *
 * Rows that name no person are known by their item alone.
 */
export class NewRows {
  private readonly keys = new PersonKeys();
  private readonly keyOf: (record: RecordView) => number;
  private readonly item: ItemReader;
  private readonly nameless: number;
  private knownOfKey = new Int32Array(64);
  private rows = new Int32Array(perRow * firstRows);
  private size = 0;

  /**
   * @param fields every flag that the reading was opened with, those of `fieldsOfNewRows` among them
   * @param before how many rows the earlier parts of the answer have
   */
  constructor(
    private readonly report: FiguresPlan['report'],
    private readonly secret: HashKey,
    private readonly known: KnownRows | undefined,
    private readonly fields: readonly string[],
    private readonly maxRows = maxKnownRows,
    private readonly before = 0,
  ) {
    this.item = new ItemReader(identityIn(report), report, secret, fields);
    this.nameless = known ? namelessPart(known) : nobodyKnown;
    const { keys } = this;
    if (!hasLearners(reportNamed(report))) this.keyOf = () => noPerson;
    else {
      const { userid, email } = fieldIndexes(fields, personKeyFields);
      this.keyOf = (record) => keys.keyOf(record, userid, email);
    }
  }

  /**
   * Takes the record that the figures have just counted, if they have.
   *
   * @returns its number among the rows of the answer; `noNewRow`: it is none that could be new
   * @throws `too-many-rows-to-compare`
   */
  add(record: RecordView, { lastRank }: Pick<FiguresReader, 'lastRank'>): number {
    if (Number.isNaN(lastRank)) return noNewRow;
    const { item, size, keys } = this;
    this.reserve(1);
    const key = this.keyOf(record);
    item.read(record);
    const at = perRow * size;
    this.rows[at] = 2 * key + (Number.isInteger(lastRank) ? 0 : 1);
    this.rows[at + 1] = item.high;
    this.rows[at + 2] = item.low;
    this.rows[at + 3] = item.occurrence;
    this.size = size + 1;
    const isKnown =
      key === noPerson ? this.has(this.nameless) : this.hasOf(keys.lastId) || this.hasOf(keys.lastAddress);
    return isKnown ? noNewRow : this.before + size;
  }

  /** Reads the next part of the answer apart, so that it can be dropped and read again. */
  startPart(): NewRows {
    const { report, secret, known, fields, maxRows, before, size } = this;
    return new NewRows(report, secret, known, fields, maxRows, before + size);
  }

  /** Adds the part that `startPart` gave last. */
  merge(part: NewRows): void {
    const personOfKey = this.keys.merge(part.keys);
    this.reserve(part.size);
    const { rows, size } = this;
    rows.set(part.rows.subarray(0, perRow * part.size), perRow * size);
    this.size += part.size;
    for (let at = perRow * size; at < perRow * this.size; at += perRow) {
      const own = rows[at] as number;
      rows[at] = 2 * personOfKey(own >> 1) + (own & 1);
    }
  }

  finish(reader: FiguresReader): FoundRows {
    const { keys, secret, known, rows, size } = this;
    const countsUncertain = reader.isCounted(uncertainRank);
    return findRows({ keys, secret, known, rows: rows.subarray(0, perRow * size), countsUncertain });
  }

  private hasOf(key: number): boolean {
    const { known, secret, keys } = this;
    if (!known || key === noPerson) return false;
    if (key >= this.knownOfKey.length) {
      const grown = new Int32Array(2 * key);
      grown.set(this.knownOfKey);
      this.knownOfKey = grown;
    }
    if (this.knownOfKey[key] === 0) {
      keys.readHash(key);
      rehashWith(secret);
      this.knownOfKey[key] = personOf(known, lastHash.high, lastHash.low) + lookedUp;
    }
    return this.has((this.knownOfKey[key] as number) - lookedUp);
  }

  /** Whether a known person has the row that was read last. */
  private has(person: number): boolean {
    const { known, item } = this;
    return known !== undefined && hasRow(known, person, item.high, item.low, item.occurrence);
  }

  private reserve(more: number): void {
    const { before, maxRows, size, rows } = this;
    if (before + size + more > maxRows) throw new Failure('too-many-rows-to-compare', { maximum: maxRows });
    if (perRow * (size + more) <= rows.length) return;
    let room = 2 * (rows.length / perRow);
    while (room < size + more) room *= 2;
    const grown = new Int32Array(perRow * (room > reserveFrom ? Math.max(maxRows, room) : room));
    grown.set(rows);
    this.rows = grown;
  }
}

const cachedItems = 1024;

/** Hashes what a row is about. */
class ItemReader {
  high = 0;
  low = 0;
  /** 0: it has none. */
  occurrence = 0;
  /** The halves of a hash without the key and with it, by the last bits of the first. */
  private readonly cache = new Int32Array(4 * cachedItems);
  private readonly alone: readonly number[];
  private readonly item: readonly number[];
  private readonly occurrences: readonly { readonly index: number; readonly isDate: boolean }[];

  constructor(
    { alone, item, occurrence }: RowIdentity,
    report: FiguresPlan['report'],
    private readonly secret: HashKey,
    fields: readonly string[],
  ) {
    this.alone = alone === undefined ? [] : [indexIn(fields, alone)];
    this.item = item.map((flag) => indexIn(fields, flag));
    this.occurrences = occurrence.map((flag) => ({
      index: indexIn(fields, flag),
      isDate: fieldNamed(reportNamed(report), flag).kind === 'date',
    }));
  }

  read(record: RecordView): void {
    const { alone, item } = this;
    const isAlone = hashFirst(record, alone);
    if (!isAlone && !hashFirst(record, item)) {
      lastHash.high = 0;
      lastHash.low = 0;
    }
    // The ID of a session is no ID of a workshop.
    if (isAlone) lastHash.high ^= 1;
    this.rehashItem();
    this.occurrence = isAlone || !this.hashOccurrence(record) ? 0 : lastHash.low || 1;
  }

  /** From the cache where it can, because there are far fewer items than rows. */
  private rehashItem(): void {
    const { cache } = this;
    const { high, low } = lastHash;
    const at = 4 * (low & (cachedItems - 1));
    if (cache[at] !== high || cache[at + 1] !== low || (high | low) === 0) {
      rehashWith(this.secret);
      cache[at] = high;
      cache[at + 1] = low;
      cache[at + 2] = lastHash.high;
      cache[at + 3] = lastHash.low;
    }
    this.high = cache[at + 2] as number;
    this.low = cache[at + 3] as number;
  }

  private hashOccurrence(record: RecordView): boolean {
    for (const { index, isDate } of this.occurrences) {
      const instant = isDate ? record.instant(index) : Number.NaN;
      if (isInCalendar(instant)) {
        // However it is written, and without parts of a second, which some forms lack.
        const seconds = Math.floor(instant / 1000);
        lastHash.high = Math.floor(seconds / 2 ** 32);
        lastHash.low = seconds | 0;
      } else if (!record.hashText(index, false)) continue;
      rehashWith(this.secret);
      return true;
    }
    return false;
  }
}

/** Hashes the first of these fields that has a value. False if none has. */
function hashFirst(record: RecordView, indexes: readonly number[]): boolean {
  for (const index of indexes) if (record.hashText(index, false)) return true;
  return false;
}

function indexIn(fields: readonly string[], flag: string): number {
  return fieldIndexes(fields, [flag])[flag] as number;
}
