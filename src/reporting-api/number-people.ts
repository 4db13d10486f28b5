import { setImmediate as nextTurn } from 'node:timers/promises';
import { anybody, largePeopleSetOf } from '../access/people-set.js';
import { allReports, fieldOf, hasLearners, reportNamed } from '../catalogue/index.js';
import { perRowPerson, personKeyFields } from '../figures/counting/person-fields.js';
import type { FiguresPlan, RowPerson } from '../figures/result.js';
import type { Query, ReadOptions, ReadPlan, ReadResult, ReportSource } from '../runner/ports.js';

export interface PeopleNumbers {
  /** Two for each person, of whom `names` has `perRowPerson` numbers; -1: none. */
  numbersOf(names: Int32Array): Promise<Int32Array>;
}

/** The operations of reports about learners. Others have no rows of people. */
export const aboutLearners: ReadonlySet<string> = new Set(
  allReports.filter(hasLearners).map(({ operation }) => operation),
);

/**
 * The same source, with the numbers of the people in a file, in listed rows, in lists of people and in groups that are one
 * person each, so that what is sent
 * can be recorded with them. Answers that are shared hold a bitmap for a file, however many people it has.
 */
export function numberPeople(source: ReportSource, numbers: PeopleNumbers): ReportSource {
  return {
    async read(query: Query, plan: ReadPlan, options: ReadOptions): Promise<ReadResult> {
      const { file, rows, figures } = plan;
      const listsPeople =
        figures !== undefined && !figures.figuresOnly && (figures.people || groupsArePeople(figures));
      if (!aboutLearners.has(query.operation) || !(file || rows || listsPeople))
        return source.read(query, plan, options);
      const missing = personKeyFields.filter((flag) => !plan.fields.includes(flag));
      const read = await source.read(
        { ...query, body: { ...Object.fromEntries(missing.map((flag) => [flag, true])), ...query.body } },
        {
          ...plan,
          fields: [...plan.fields, ...missing],
          tellsPeople: true,
          rows: rows && { ...rows, tellsPeople: true },
          figures: figures && { ...figures, tellsPeople: listsPeople },
        },
        options,
      );
      return withNumbers(read, numbers);
    },
  };
}

function groupsArePeople({ report, by }: FiguresPlan): boolean {
  return by !== undefined && (fieldOf(reportNamed(report), by)?.personLevel ?? true);
}

async function withNumbers(read: ReadResult, numbers: PeopleNumbers): Promise<ReadResult> {
  const { file, rows, figures } = read;
  const { people, onlyPerson, breakdown } = figures ?? {};
  const listed = await numbered(rows?.listed ?? [], numbers);
  const inList = await numbered(people?.listed ?? [], numbers);
  const groups = breakdown?.kind === 'groups' ? breakdown : undefined;
  const lines = await numbered(groups?.rows ?? [], numbers);
  const [only] = onlyPerson ? await numbered([onlyPerson], numbers) : [];
  return {
    ...read,
    file: file && (await withPeople(file, numbers)),
    rows: rows && { ...rows, listed },
    figures: figures && {
      ...figures,
      ...(people && { people: { ...people, listed: inList } }),
      ...(groups && { breakdown: { ...groups, rows: lines } }),
      ...(only && { onlyPerson: only }),
    },
  };
}

async function withPeople(
  { who, ...file }: NonNullable<ReadResult['file']>,
  numbers: PeopleNumbers,
): Promise<ReadResult['file']> {
  if (!who) return file;
  const people =
    who === 'too-many' ? anybody : await largePeopleSetOf(await numbers.numbersOf(who), nextTurn);
  return { ...file, people };
}

/** The same items with numbers in place of hashes. */
async function numbered<Item extends { readonly who?: RowPerson | undefined }>(
  items: readonly Item[],
  numbers: PeopleNumbers,
) {
  const names = new Int32Array(perRowPerson * items.length);
  items.forEach(({ who }, index) => {
    if (who) names.set(who, perRowPerson * index);
  });
  const found = items.some(({ who }) => who) ? await numbers.numbersOf(names) : undefined;
  return items.map(({ who: _who, ...item }, index) => {
    const own = found?.subarray(2 * index, 2 * index + 2).filter((number) => number >= 0);
    return own && own.length > 0 ? { ...item, numbers: [...own] } : item;
  });
}
