import { createReadStream } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { PersonKeys } from '../figures/counting/person-keys.js';
import { hashText } from '../figures/hash.js';

/** How many people the rows of evidence have. */
export interface PeopleOfRows {
  readonly people: number;
  /** True where there are more people than can be told apart. */
  readonly moreThan: boolean;
  readonly suspended: number;
  /** Rows that name nobody. */
  readonly nameless: number;
}

const columns = ['User ID', 'Email', 'First name', 'Last name', 'Suspended'] as const;

/** The cells of these columns. */
type Person = readonly [id: string, email: string, first: string, last: string, suspended: string];

const nobody = 0;

/**
 * Tells the people of the rows apart: one whose user ID or address is the same, however rows name them. Reads the file
 * again for `lines`, because a later row can show that two earlier ones are of one person.
 *
 * @param path of a CSV with whose each row is
 */
export async function readPeople(path: string) {
  const keys = new PersonKeys();
  const named = { id: '', email: '' };
  const record = {
    hashText(field: number, inLowerCase: boolean): boolean {
      const text = (field === 0 ? named.id : named.email).trim();
      hashText(inLowerCase ? text.toLowerCase() : text);
      return text !== '';
    },
  };
  const keyOf = ([id, email]: Person) => {
    named.id = id;
    named.email = email;
    return Math.max(nobody, keys.keyOf(record, 0, 1));
  };
  /** By key. */
  const rows: number[] = [0];
  const suspendedKeys: boolean[] = [];
  for await (const some of personsIn(path)) {
    for (const person of some) {
      const key = keyOf(person);
      rows[key] = (rows[key] ?? 0) + 1;
      if (/^(?:true|yes|1)$/i.test(person[4].trim())) suspendedKeys[key] = true;
    }
  }
  const rowsOf: number[] = [];
  rows.forEach((count, key) => {
    const person = keys.personOf(key);
    rowsOf[person] = (rowsOf[person] ?? 0) + count;
  });
  const suspended = new Set<number>();
  suspendedKeys.forEach((_, key) => {
    if (key !== nobody) suspended.add(keys.personOf(key));
  });
  const moreThan = keys.full;
  const found: PeopleOfRows = {
    people: rowsOf.filter((_count, person) => person !== nobody).length,
    suspended: suspended.size,
    moreThan,
    nameless: moreThan ? 0 : (rowsOf[nobody] ?? 0),
  };

  /** `people.csv`: each person once, in the order of the rows, as their first row has them. */
  async function* lines(): AsyncGenerator<Buffer> {
    yield Buffer.from(`\uFEFF${csvLines([[...columns, 'Rows']])}`);
    const isListed: boolean[] = [];
    for await (const some of personsIn(path)) {
      const listed: string[][] = [];
      for (const person of moreThan ? [] : some) {
        const key = keys.personOf(keyOf(person));
        if (key === nobody || isListed[key]) continue;
        isListed[key] = true;
        listed.push([...person, String(rowsOf[key] ?? 0)]);
      }
      if (listed.length > 0) yield Buffer.from(csvLines(listed));
    }
  }
  return { found, lines };
}

/** In chunks, with a turn of the event loop between them. A value that is an object has several columns. */
async function* personsIn(path: string): AsyncGenerator<readonly Person[]> {
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

/** The cells are safe for a spreadsheet already. */
export function csvLines(lines: readonly (readonly string[])[]): string {
  return stringify([...lines], { record_delimiter: 'windows', quoted_match: /[;\r\n]/ });
}
