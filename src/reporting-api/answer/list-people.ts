import { createReadStream } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { throwIfCancelled } from '../../errors/failure.js';
import { PersonKeys } from '../../figures/counting/person-keys.js';
import { hashText } from '../../figures/hash.js';
import type { ListedPeople } from '../../runner/ports.js';
import { AnswerFile } from './answer-file.js';
import { csvHeader } from './csv-cells.js';
import { rewrittenCopyOf } from './row-order.js';

const columns = ['User ID', 'Email', 'First name', 'Last name', 'Suspended'] as const;

/** The cells of these columns. */
type Person = readonly [id: string, email: string, first: string, last: string, suspended: string];

const nobody = 0;

/**
 * Replaces a CSV with whose each row is by one with each person once, in the order of the rows, as their first row has
 * them. One person is whose user ID or address is the same, however rows name them. Reads the file twice, because a later
 * row can show that two earlier ones are of one person.
 *
 * @throws `file-not-written`, `cancelled`
 */
export async function listPeople(path: string, signal?: AbortSignal): Promise<ListedPeople> {
  const people = new CountedPeople();
  for await (const some of personsIn(path, signal)) for (const person of some) people.add(person);
  const found = people.finish();
  const list = await AnswerFile.create(rewrittenCopyOf(path));
  try {
    list.write(csvHeader([...columns, 'Rows']));
    for await (const some of personsIn(path, signal)) {
      list.write(Buffer.from(people.linesOf(some).join('')));
      if (list.isBacklogged) await list.drain();
    }
    await list.flush();
    await list.close();
    await list.moveTo(path);
    return found;
  } catch (error) {
    await list.closeAndRemove();
    throw error;
  }
}

/** Counts the rows of each person, and then makes the lines of the list. */
class CountedPeople {
  private readonly keys = new PersonKeys();
  private readonly named = { id: '', email: '' };
  private readonly record;
  /** By key, and after `finish` by person. */
  private rows: number[] = [0];
  private readonly suspendedKeys: boolean[] = [];
  private readonly isListed: boolean[] = [];

  constructor() {
    const { named } = this;
    this.record = {
      hashText(field: number, inLowerCase: boolean): boolean {
        const text = (field === 0 ? named.id : named.email).trim();
        hashText(inLowerCase ? text.toLowerCase() : text);
        return text !== '';
      },
    };
  }

  add(person: Person): void {
    const key = this.keyOf(person);
    this.rows[key] = (this.rows[key] ?? 0) + 1;
    if (/^(?:true|yes|1)$/i.test(person[4].trim())) this.suspendedKeys[key] = true;
  }

  finish(): ListedPeople {
    const { keys } = this;
    const rowsOf: number[] = [];
    this.rows.forEach((count, key) => {
      const person = keys.personOf(key);
      rowsOf[person] = (rowsOf[person] ?? 0) + count;
    });
    const suspended = new Set<number>();
    this.suspendedKeys.forEach((_, key) => {
      if (key !== nobody) suspended.add(keys.personOf(key));
    });
    this.rows = rowsOf;
    return {
      people: rowsOf.filter((_count, person) => person !== nobody).length,
      suspended: suspended.size,
      moreThan: keys.full,
      nameless: keys.full ? 0 : (rowsOf[nobody] ?? 0),
    };
  }

  /** The lines of those of these people who are not listed yet. */
  linesOf(some: readonly Person[]): readonly string[] {
    const { keys, isListed } = this;
    const lines: string[] = [];
    for (const person of keys.full ? [] : some) {
      const key = keys.personOf(this.keyOf(person));
      if (key === nobody || isListed[key]) continue;
      isListed[key] = true;
      lines.push(`${person.map(quoted).join(',')},${this.rows[key] ?? 0}\r\n`);
    }
    return lines;
  }

  private keyOf([id, email]: Person): number {
    this.named.id = id;
    this.named.email = email;
    return Math.max(nobody, this.keys.keyOf(this.record, 0, 1));
  }
}

/** In chunks, with a turn of the event loop between them. A value that is an object has several columns. */
async function* personsIn(path: string, signal?: AbortSignal): AsyncGenerator<readonly Person[]> {
  let places: readonly (readonly number[])[] | undefined;
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8' }) as AsyncIterable<string>) {
    const text = rest + chunk;
    let at = 0;
    const persons: Person[] = [];
    const countQuotes = quotesIn(text);
    for (;;) {
      const end = endOfRecord(text, at, countQuotes);
      if (end < 0) break;
      const cells = cellsIn(text.slice(at, end));
      at = end + 2;
      if (places) {
        const found = places.map((some) => some.map((place) => cells[place]).find(Boolean) ?? '');
        persons.push(found as readonly string[] as Person);
      } else places = placesIn(cells);
    }
    rest = text.slice(at);
    yield persons;
    await nextTurn();
    throwIfCancelled(signal);
  }
}

/** By column: the places of its cells. */
function placesIn(headings: readonly string[]): readonly (readonly number[])[] {
  return columns.map((name) =>
    headings.flatMap((heading, place) => {
      const plain = heading.replace(/^\uFEFF/, '');
      return plain === name || plain.startsWith(`${name}: `) ? place : [];
    }),
  );
}

/** Where the record ends that begins at an index; -1 if it goes on behind the text. */
function endOfRecord(text: string, from: number, countQuotes: (until: number) => number): number {
  for (let end = text.indexOf('\r\n', from); end >= 0; end = text.indexOf('\r\n', end + 2)) {
    if (countQuotes(end) % 2 === 0) return end;
  }
  return -1;
}

/** Counts the quotes of a text up to an index, which only grows: each is looked for once. */
function quotesIn(text: string): (until: number) => number {
  let count = 0;
  let next = text.indexOf('"');
  return (until) => {
    for (; next >= 0 && next < until; next = text.indexOf('"', next + 1)) count += 1;
    return count;
  };
}

function cellsIn(record: string): readonly string[] {
  if (!record.includes('"')) return record.split(',');
  return [...record.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
  );
}

/** A cell that is safe for a spreadsheet already. */
function quoted(cell: string): string {
  return /[",;\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
