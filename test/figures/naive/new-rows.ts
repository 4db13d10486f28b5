import type { ReportName } from '../../../src/catalogue/index.js';
import { peopleOfRows } from './people.js';
import type { Row } from './row.js';

/** What a row is about, in words. */
interface NaiveItem {
  readonly thing: string;
  /** Empty: it has none. */
  readonly occurrence: string;
}

/** The rows of a run by person. Plain objects with everything in words. */
export type NaivePeople = readonly {
  readonly names: readonly string[];
  readonly items: readonly NaiveItem[];
}[];

export interface NaiveRun {
  readonly people: NaivePeople;
  /** For each row: a text that equal rows share, and whether it is new. */
  readonly rows: readonly { readonly same: string; readonly isNew: boolean }[];
}

/** Which rows of an answer the last run did not have, row by row. */
export function newRowsOf(report: ReportName, rows: readonly Row[], known: NaivePeople = []): NaiveRun {
  const items = rows.map((row) => itemOf(report, row));
  const names = rows.map((row) => (report === 'workshops' ? [] : row.names()));
  const persons = peopleOfRows(names);
  const found = rows.map((_, row) => {
    const own = names.filter((_names, i) => persons[i] === persons[row]).flat();
    const item = items[row] ?? { thing: '', occurrence: '' };
    const isKnown = known
      .filter((person) =>
        own.length === 0 ? person.names.length === 0 : person.names.some((name) => own.includes(name)),
      )
      .flatMap((person) => person.items)
      .some(
        ({ thing, occurrence }) =>
          thing === item.thing && (occurrence === item.occurrence || occurrence === ''),
      );
    return { same: JSON.stringify([persons[row], item]), isNew: !isKnown };
  });
  const people = [...new Set(persons)].map((person) => ({
    names: names.filter((_, row) => persons[row] === person).flat(),
    items: items.filter((_, row) => persons[row] === person),
  }));
  return { people, rows: found };
}

/** Without the people whom one of these texts names. */
export function withoutNaively(known: NaivePeople, texts: readonly string[]): NaivePeople {
  const erased = texts.flatMap((text) => [text.trim(), text.trim().toLowerCase()]);
  return known.filter(({ names }) => !names.some((name) => erased.includes(name)));
}

function itemOf(report: ReportName, row: Row): NaiveItem {
  const text = (flag: string) => row.text(flag)?.trim();
  const date = (flag: string) => {
    const found = row.date(flag);
    return found ? `second ${Math.floor(found.ms / 1000)}` : text(flag);
  };
  switch (report) {
    case 'assignments':
      return {
        thing: text('content_id') ?? text('content_title') ?? '',
        occurrence: text('assignment_id') ?? date('assigned_date') ?? '',
      };
    case 'tracks':
      return {
        thing: text('track_id') ?? text('track_title') ?? '',
        occurrence: date('track_completed_date') ?? '',
      };
    case 'assessments':
      return {
        thing: text('assessment_id') ?? text('assessment_title') ?? '',
        occurrence: date('assessment_started_date') ?? date('assessment_completed_date') ?? '',
      };
    case 'workshops': {
      const session = text('workshop_instance_id');
      if (session !== undefined) return { thing: `session ${session}`, occurrence: '' };
      const workshop = text('workshop_id') ?? text('workshop_title');
      return { thing: `workshop ${workshop}`, occurrence: date('workshop_start_date') ?? '' };
    }
    default:
      throw new Error(`The rows of ${report} cannot be known again`);
  }
}
