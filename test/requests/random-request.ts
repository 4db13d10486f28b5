import fc from 'fast-check';
import { allReports, type Report } from '../../src/catalogue/index.js';
import { parseRangeWords } from '../../src/requests/range-words.js';
import type { FilterChoice, ReportRequest } from '../../src/requests/request.js';

/** Any entry that a filter can hold: no comma, no blanks at the ends, not empty; quotes of every kind included. */
export const anyEntry = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({
      unit: fc.constantFrom('"', '“', '”', '„', '‟', ' ', ':', '\\', 'a', '\u00a0', '<', '&'),
      maxLength: 9,
    }),
    fc.constantFrom(
      'me',
      'csv',
      'to:me',
      'fields:email',
      'last-week',
      'Field Operations',
      '&amp;',
      '<@U1|ada>',
      '=1+1',
    ),
  )
  .map((text) => text.replaceAll(',', '').trim())
  .filter((text) => text !== '');

const counted = fc
  .tuple(fc.integer({ min: 2, max: 99_999 }), fc.constantFrom('days', 'weeks', 'months', 'quarters', 'years'))
  .map(([count, unit]) => `last-${count}-${unit}`);

const date = fc
  .record({
    year: fc.integer({ min: 1970, max: 9999 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
    form: fc.constantFrom('day', 'month', 'quarter', 'year'),
  })
  .map(({ year, month, day, form }) => {
    const two = (number: number) => String(number).padStart(2, '0');
    if (form === 'year') return `${year}`;
    if (form === 'quarter') return `${year}-Q${Math.ceil(month / 3)}`;
    return form === 'month' ? `${year}-${two(month)}` : `${year}-${two(month)}-${two(day)}`;
  });

const named = [
  'today',
  'yesterday',
  'this-week',
  'last-week',
  'this-month',
  'last-quarter',
  'this-year',
  'last-year',
];

/** Any range of a report of that kind, in canonical words. */
function anyRange(hasFuture: boolean): fc.Arbitrary<string> {
  return fc
    .oneof(
      fc.constantFrom(...named, ...(hasFuture ? ['tomorrow', 'next-week', 'next-month', 'next-9-days'] : [])),
      counted,
      date,
      date.map((first) => `since:${first}`),
      fc.tuple(date, date).map(([first, last]) => `${first}..${last}`),
    )
    .filter((words) => {
      const parsed = parseRangeWords(words);
      return parsed.ok && parsed.value.words === words;
    });
}

function anyFilters(report: Report): fc.Arbitrary<readonly FilterChoice[]> {
  const members = report.filters.flatMap((object) => object.members.map((member) => ({ object, member })));
  return fc
    .subarray(members)
    .chain((chosen) =>
      fc.tuple(
        ...chosen.map(({ object, member }) =>
          (member.kind === 'yes-no'
            ? fc.constantFrom(['true'], ['false'])
            : fc.uniqueArray(anyEntry, { minLength: 1, maxLength: 4 })
          ).map((entries) => ({ object: object.name, member: member.name, entries })),
        ),
      ),
    );
}

/** Any request that words or a form can make, for one report. */
export function anyRequestFor(report: Report): fc.Arbitrary<ReportRequest> {
  const flags = report.fields.map(({ flag }) => flag);
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  return fc
    .record({
      view: fc.constantFrom(undefined, ...(report.name === 'assignments' ? (['overdue'] as const) : [])),
      range: report.range ? maybe(anyRange(report.range.hasFuture)) : fc.constant(undefined),
      dateField: report.dateField
        ? maybe(fc.constantFrom(...report.dateField.choices.map(({ flag }) => flag)))
        : fc.constant(undefined),
      sort: report.sorts.length > 0 ? maybe(fc.constantFrom(...report.sorts)) : fc.constant(undefined),
      columns: maybe(fc.shuffledSubarray(flags, { minLength: 1 })),
      filters: anyFilters(report),
      by: maybe(fc.constantFrom(...flags)),
      file: fc.constantFrom(undefined, 'csv' as const),
      toMe: fc.boolean(),
    })
    .map(({ range, dateField, sort, columns, by, filters, ...rest }) => ({
      report: report.name,
      ...rest,
      filters: filters.map((filter) => (rest.view ? withAny(filter) : filter)),
      ...(range === undefined ? {} : { range }),
      ...(dateField === undefined ? {} : { dateField }),
      ...(sort === undefined ? {} : { sort }),
      ...(columns === undefined ? {} : { columns }),
      ...(by === undefined ? {} : { by }),
    }));
}

/** `suspended:any`, which only `overdue` takes, half of the time that somebody is suspended. */
function withAny(filter: FilterChoice): FilterChoice {
  const leavesNobodyOut = filter.member === 'suspended' && filter.entries[0] === 'true';
  return leavesNobodyOut ? { ...filter, entries: ['any'] } : filter;
}

/** Any request at all. */
export const anyRequest = fc.constantFrom(...allReports).chain(anyRequestFor);
