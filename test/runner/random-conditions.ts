import fc from 'fast-check';
import {
  type Asked,
  compare,
  daysSince,
  knownRanges,
  type NaiveCondition,
  numberOf,
  ofDate,
  ofEmptiness,
  ofNames,
  ofNumber,
  ofYesNo,
  type Values,
} from '../figures/naive/conditions.js';

export const signs = fc.constantFrom(...Object.keys(compare));
const inOrder = fc.constantFrom('>', '>=', '<', '<=');

/** A comparison with a number. */
export function numeric(
  name: string,
  field: string,
  read = (row: Values) => numberOf(row[field]),
  typed = signs,
): fc.Arbitrary<NaiveCondition> {
  return fc
    .tuple(typed, fc.integer({ min: -5, max: 100 }))
    .map(([sign, limit]) => ofNumber(name, field, read, sign, limit));
}

export function dated(field: string, zone: string): fc.Arbitrary<NaiveCondition> {
  const one = fc.constantFrom(...knownRanges);
  const whole = knownRanges.filter((words) => !words.startsWith('since'));
  return fc.oneof(
    one.map((words) => ofDate(field, '', [words], zone)),
    fc
      .uniqueArray(fc.constantFrom(...whole), { minLength: 1, maxLength: 2 })
      .map((ranges) => ofDate(field, '!', ranges, zone)),
    fc.tuple(inOrder, fc.constantFrom(...whole)).map(([sign, words]) => ofDate(field, sign, [words], zone)),
  );
}

export function named(
  field: string,
  values: readonly string[],
  read?: (row: Values) => unknown,
): fc.Arbitrary<NaiveCondition> {
  return fc
    .tuple(
      fc.constantFrom('!', '='),
      fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }),
    )
    .map(([sign, chosen]) => ofNames(field, sign, chosen, read));
}

export function emptiness(
  field: string,
  read?: (row: Values) => readonly unknown[],
): fc.Arbitrary<NaiveCondition> {
  return fc.constantFrom('none', 'any').map((word) => ofEmptiness(field, word, read));
}

const departments = ['Sales', 'HR', 'Field Operations'];

/** Conditions on what is known about the learner, and does not change with time. */
export function conditionsOnLearners(zone: string): readonly fc.Arbitrary<NaiveCondition>[] {
  return [
    named('departments', departments),
    named('grade', ['A', 'B2', 'C']),
    named('email', ['p1@example.com', 'P2@EXAMPLE.COM', 'ada@example.com']),
    // As a text, a grade is compared as a number where it is more or less.
    numeric('grade', 'grade', undefined, inOrder),
    dated('hired_on', zone),
    emptiness('departments'),
    fc
      .tuple(fc.constantFrom('!', '='), fc.constantFrom('yes', 'no'))
      .map(([sign, word]) => ofYesNo('is_manager', sign, word)),
    // Services have a list of groups, or one.
    named('group', departments, ({ groups, group }) => [groups, group]),
    emptiness('group', ({ groups, group }) => [groups, group]),
  ];
}

const centre = ({ user_metadata: all }: Values) => (all as Values | null | undefined)?.centre;

/** Conditions on a key that admins have released: assignments have it under another name. */
export const conditionsOnMetadata: readonly fc.Arbitrary<NaiveCondition>[] = [
  named('user_metadata.centre', ['Nord', '12'], centre),
  numeric('user_metadata.centre', 'user_metadata.centre', (row) => numberOf(centre(row)), inOrder),
  emptiness('user_metadata.centre', (row) => [centre(row)]),
];

export function ofDaysOverdue(asked: Asked): fc.Arbitrary<NaiveCondition> {
  return numeric('days_overdue', 'days_overdue', (row) => daysSince(row.due_date, asked));
}

const nothing = fc.constantFrom<unknown>(undefined, null, '', '  ', [], {});
const someDepartment = fc.constantFrom(...departments);
const list = fc.oneof(
  fc.uniqueArray(someDepartment, { minLength: 1, maxLength: 3 }),
  fc.uniqueArray(someDepartment, { minLength: 1, maxLength: 2 }).map((names) => names.join('; ')),
  fc
    .uniqueArray(someDepartment, { minLength: 1, maxLength: 2 })
    .map((names) => names.map((name) => ({ id: `x${name}`, name }))),
  someDepartment,
  nothing,
);
export const number = fc.oneof(
  fc.integer({ min: -10, max: 110 }),
  fc.integer({ min: 0, max: 110 }).map(String),
  fc.integer({ min: 0, max: 400 }).map((n) => n / 4),
  fc.integer({ min: 0, max: 100 }).map((n) => `${n} %`),
  fc.constantFrom<unknown>('1,5', 'twelve', '12 points', true),
  nothing,
);

/** The ways in which services write a moment. */
export const waysToWrite = fc.constantFrom<(ms: number) => unknown>(
  (ms) => new Date(ms).toISOString(),
  (ms) => Math.floor(ms / 1000),
  String,
  (ms) => `${new Date(ms + 5 * 3_600_000).toISOString().slice(0, -1)}+05:00`,
);
const asDay = fc.constant((ms: number): unknown => new Date(ms).toISOString().slice(0, 10));

export const date = fc.oneof(
  fc
    .tuple(
      fc.integer({ min: Date.parse('2025-06-01'), max: Date.parse('2027-02-01') }),
      fc.oneof({ weight: 4, arbitrary: waysToWrite }, { weight: 1, arbitrary: asDay }),
    )
    .map(([ms, write]) => write(ms)),
  fc.constantFrom<unknown>(
    '2026-10-20T22:00:00Z',
    '2026-10-20T21:59:59Z',
    '2026-03-29T01:30:00Z',
    '2026-11-20',
    'soon',
  ),
  nothing,
);

/** The values that `conditionsOnLearners` are about. */
export const learnerValues = {
  departments: list,
  grade: fc.oneof(fc.constantFrom<unknown>('A', 'b2', '7', 3, 'B2'), nothing),
  hired_on: date,
  is_manager: fc.constantFrom<unknown>(true, false, 'yes', 'No', 1, null, 'maybe'),
  groups: fc.oneof({ weight: 2, arbitrary: list }, { weight: 1, arbitrary: nothing }),
  group: fc.oneof({ weight: 1, arbitrary: someDepartment }, { weight: 2, arbitrary: nothing }),
  user_metadata: fc.oneof(
    fc
      .constantFrom<unknown>('Nord', 'nord', 'Süd', 12, '12', '20 %', 7.5, '', null)
      .map((value) => ({ centre: value })),
    fc.constantFrom<unknown>(null, undefined, {}, { other: 'Nord' }),
  ),
};

/** How a row names its person. */
export function namesOf(n: number) {
  const email = n === 0 ? 'Ada@Example.com' : `p${n}@example.com`;
  return { userid: `u${n}`, email, first_name: `N${n}` };
}
