import fc from 'fast-check';
import { allReports, type Report } from '../../src/catalogue/index.js';
import { parseRangeWords } from '../../src/requests/range-words.js';
import {
  asksForOpen,
  emptyView,
  type FilterChoice,
  type ReportRequest,
  reportForRequest,
  type Target,
  type TitleChoice,
} from '../../src/requests/request.js';

/** Any entry of a filter: not empty, no commas, no spaces at the ends. Some have quotes. */
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

/** Any range that the report accepts, in canonical words. */
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

const anyTarget: fc.Arbitrary<Target> = fc
  .tuple(fc.integer({ min: 100, max: 10_000 }), fc.option(date, { nil: undefined }))
  .map(([hundredths, by]) => ({ percent: hundredths / 100, ...(by !== undefined && { by }) }));

/** Any request of a report that a command or a form can make. */
export function anyRequestFor(report: Report): fc.Arbitrary<ReportRequest> {
  const flags = report.fields.map(({ flag }) => flag);
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const views = report.name === 'assignments' ? (['overdue', 'due'] as const) : [];
  const dates = report.dateField?.choices.map(({ flag }) => flag) ?? [];
  const states = report.states.map(({ name }) => name);
  return fc
    .tuple(fc.constantFrom(undefined, ...views), fc.constantFrom(undefined, ...dates))
    .map(([view, dateField]) => ({ view, dateField: view === 'due' ? undefined : dateField }))
    .chain(({ view, dateField }) =>
      fc.record({
        view: fc.constant(view),
        dateField: fc.constant(dateField),
        range: report.range
          ? maybe(
              anyRange(reportForRequest({ report: report.name, view, dateField }).range?.hasFuture ?? false),
            )
          : fc.constant(undefined),
        assigned: view && dateField === undefined ? maybe(anyRange(false)) : fc.constant(undefined),
        states: states.length > 0 ? maybe(fc.subarray(states, { minLength: 1 })) : fc.constant(undefined),
        titles: maybe(anyTitles(report)),
        sort: report.sorts.length > 0 ? maybe(fc.constantFrom(...report.sorts)) : fc.constant(undefined),
        columns: maybe(fc.shuffledSubarray(flags, { minLength: 1 })),
        filters: anyFilters(report),
        by: maybe(fc.constantFrom(...flags)),
        showRows: fc.constantFrom(undefined, true as const),
        file: fc.constantFrom(undefined, 'csv' as const, 'xlsx' as const),
        toMe: fc.boolean(),
        target: maybe(anyTarget),
      }),
    )
    .filter((request) => emptyView({ report: report.name, ...request }) === undefined)
    .map(({ filters, titles, target, ...rest }) => ({
      report: report.name,
      ...rest,
      titles: titles?.length ? titles : undefined,
      // Views and states have no rate.
      ...(report.mainRate !== undefined && !rest.view && !rest.states && target && { target }),
      filters: filters.map((filter) =>
        asksForOpen({ report: report.name, ...rest }) ? withAny(filter) : filter,
      ),
    }));
}

/** Titles, which may have commas. */
function anyTitles({ titleFilters }: Report): fc.Arbitrary<readonly TitleChoice[]> {
  const title = fc.oneof(
    anyEntry,
    fc.tuple(anyEntry, anyEntry).map(([first, second]) => `${first}, ${second}`),
  );
  const byOption = titleFilters.map(({ option }) =>
    fc.uniqueArray(title, { maxLength: 3 }).map((texts) => texts.map((text) => ({ option, text }))),
  );
  return fc.tuple(...byOption).map((titles) => titles.flat());
}

/** Sometimes `suspended:any`, which only open assignments accept. */
function withAny(filter: FilterChoice): FilterChoice {
  const leavesNobodyOut = filter.member === 'suspended' && filter.entries[0] === 'true';
  return leavesNobodyOut ? { ...filter, entries: ['any'] } : filter;
}

/** Any request of any report. */
export const anyRequest = fc.constantFrom(...allReports).chain(anyRequestFor);
