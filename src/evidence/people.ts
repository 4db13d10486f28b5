import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
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

type Person = Readonly<Record<(typeof columns)[number], string>>;

/** By the heading of a column: its cells. A value that is an object has several columns. */
async function* personsIn(path: string): AsyncGenerator<Person> {
  const records = createReadStream(path).pipe(parse({ bom: true, relax_column_count: true }));
  let places: readonly (readonly number[])[] | undefined;
  for await (const cells of records as AsyncIterable<readonly string[]>) {
    if (places) {
      const found = places.map((some) => some.map((place) => cells[place]).find(Boolean) ?? '');
      yield Object.fromEntries(columns.map((name, index) => [name, found[index] ?? ''])) as Person;
    } else {
      places = columns.map((name) =>
        cells.flatMap((heading, place) => (heading === name || heading.startsWith(`${name}: `) ? place : [])),
      );
    }
  }
}

const nobody = 0;

/**
 * Tells the people of the rows apart: one whose user ID or address is the same, however rows name them. Reads the file
 * twice, because a later row can show that two earlier ones are of one person.
 *
 * @param path of a CSV with whose each row is
 */
export async function readPeople(path: string) {
  const keys = new PersonKeys();
  const counts: number[] = [];
  const cells = { userid: '', email: '' };
  const record = {
    hashText(field: number, inLowerCase: boolean): boolean {
      const text = (field === 0 ? cells.userid : cells.email).trim();
      hashText(inLowerCase ? text.toLowerCase() : text);
      return text !== '';
    },
  };
  const keyOf = (person: Person) => {
    cells.userid = person['User ID'];
    cells.email = person.Email;
    return keys.keyOf(record, 0, 1);
  };
  for await (const person of personsIn(path)) {
    const key = Math.max(nobody, keyOf(person));
    counts[key] = (counts[key] ?? 0) + 1;
  }
  const rowsOf: number[] = [];
  counts.forEach((count, key) => {
    const person = keys.personOf(key);
    rowsOf[person] = (rowsOf[person] ?? 0) + count;
  });

  /** Each person once, in the order of the rows, as their first row has them. */
  async function* eachPerson() {
    const listed = new Set<number>();
    for await (const person of personsIn(path)) {
      const key = keys.full ? nobody : keys.personOf(keyOf(person));
      if (key === nobody || listed.has(key)) continue;
      listed.add(key);
      yield { ...person, Rows: String(rowsOf[key] ?? 0) };
    }
  }

  let people = 0;
  let suspended = 0;
  for await (const { Suspended: state } of eachPerson()) {
    people += 1;
    if (/^(?:true|yes|1)$/i.test(state.trim())) suspended += 1;
  }
  const found: PeopleOfRows = { people, suspended, moreThan: keys.full, nameless: rowsOf[nobody] ?? 0 };
  return {
    found,
    /** `people.csv` */
    async *lines(): AsyncGenerator<string> {
      yield `\uFEFF${csvLine([...columns, 'Rows'])}`;
      for await (const { Rows, ...person } of eachPerson())
        yield csvLine([...columns.map((name) => person[name]), Rows]);
    },
  };
}

/** The cells are safe for a spreadsheet already. */
export function csvLine(cells: readonly string[]): string {
  return stringify([cells], { record_delimiter: 'windows', quoted_match: /[;\r\n]/ });
}
