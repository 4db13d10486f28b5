import type { ReportName, TitleOption } from '../../catalogue/index.js';
import type { CalendarDay, CalendarUnit } from '../../time/calendar.js';
import type { FileFormat, RequestView } from '../request.js';

/** A range in words, and what it can be for a report with or without a future. In canonical words, the likeliest first. */
export interface SpokenRange {
  readonly past: readonly string[];
  readonly future: readonly string[];
  /** The first day of a range that has no end: `since monday`. */
  readonly first?: CalendarDay;
  /** Set for an end without a start: `by friday`. Only a report with a future can have it alone. */
  readonly last?: CalendarDay;
}

/** How often, without the time of day: the words of a command before and after it. */
export interface SpokenCadence {
  /** `weekly mon,thu` */
  readonly words: string;
  /** False for `hourly` and cron expressions. */
  readonly needsTime: boolean;
  /** True where the day is missing: `every week`. */
  readonly needsDay?: true;
  /** True for `fridays` and `on fridays`, which say when something happens rather than how often. */
  readonly isOnDays?: true;
  /** True for `each month`, which may say how something is counted. */
  readonly isEachUnit?: true;
  /** True for `monthly`, which says how something is counted before the name of a report. */
  readonly isAdverb?: true;
}

/**
 * What no command can say, although people ask for it. Of several, the first one is said: a share has a number beside
 * it, and so may a person who is left out.
 */
export const refusals = [
  /** Two requests at once. */
  'two',
  /** Two reports in one schedule. */
  'two-scheduled',
  /** A comparison that answers do not make. */
  'against',
  /** A share as a condition, or a ranking of people. */
  'rate',
  /** Something that is no question, or has no report. */
  'other',
  /** What people have not done at all, or what is missing. */
  'never',
  /** Rows are to be left out. */
  'excluding',
  /** A number or a date as a condition. */
  'comparing',
  /** One figure over several units. */
  'trend',
  /** A person's name. */
  'person',
  /** A rate to reach, of a report or by a day that is unclear. */
  'target',
  /** Several figures in one message. */
  'scorecard',
] as const;

export type Refusal = (typeof refusals)[number];

/** The meaning of a word or a phrase. A phrase with several facts means one of them. */
export type Fact =
  /** Its meaning would get lost in a command. `only`: only where the sentence begins with it, or goes on after it. */
  | { readonly kind: 'refused'; readonly reason: Refusal; readonly only?: 'first' | 'not-last' }
  /** Says nothing by itself. A sentence of greetings alone gets help. */
  | {
      readonly kind: 'filler';
      readonly isGreeting?: true;
      readonly isThanks?: true;
      /** “Who did Fire Safety” means completed. */
      readonly isDid?: true;
      /** “And” between two reports makes two requests of them. */
      readonly isJoint?: true;
    }
  /** Names a report. `weakly`: only where nothing else does. */
  | { readonly kind: 'report'; readonly report: ReportName; readonly weakly?: true }
  /** An entry of a filter, from recent answers. */
  | { readonly kind: 'value'; readonly member: string; readonly entry: string }
  /** `option` is absent for a title in quotes that could be of any kind. `reports`: those whose records held it. */
  | {
      readonly kind: 'title';
      readonly option: TitleOption | undefined;
      readonly text: string;
      readonly reports?: readonly ReportName[];
    }
  | { readonly kind: 'range'; readonly range: SpokenRange }
  /** `the week before`: the unit before another range. */
  | { readonly kind: 'before'; readonly unit: CalendarUnit }
  | { readonly kind: 'saved'; readonly name: string }
  /** An option as it is typed in a command. */
  | { readonly kind: 'option'; readonly text: string }
  | { readonly kind: 'cadence'; readonly cadence: SpokenCadence }
  | { readonly kind: 'time'; readonly time: string }
  | { readonly kind: 'zone'; readonly zone: string }
  /** In quotes: a title, or the entry of the noun beside it. */
  | { readonly kind: 'quoted'; readonly text: string }
  /** `isNoun`: it says what kind of name there should be, and there is none. */
  | { readonly kind: 'unknown'; readonly isNoun?: true }
  /** `training`, `track`: a thing learnt. Words beside it are its title; alone, the last three name their report. */
  | { readonly kind: 'thing'; readonly option: TitleOption }
  /** `fell`: its range is about the due date even if that is today. */
  | { readonly kind: 'view'; readonly view: RequestView; readonly fell?: true }
  /** A state, by the reports that have it. An empty text: all rows of the report are in it. */
  | {
      readonly kind: 'state';
      readonly states: Readonly<Partial<Record<ReportName, string>>>;
      /** `signed in` is a state of people. Without them, it names its report. */
      readonly ofPeople?: true;
      /** The option that says it, where the report has no such state. */
      readonly option?: string;
      /** Beside other states, “or” and “and” would get lost. */
      readonly isAlone?: true;
    }
  /** The columns of the answer: for each, the fields that could be meant. */
  | { readonly kind: 'columns'; readonly columns: readonly (readonly string[])[] }
  /** `sorted by updated date`: the fields that could be meant. `view`: the one that has this order anyway. */
  | { readonly kind: 'sort'; readonly flags: readonly string[]; readonly view?: RequestView }
  /** The fields that could be meant, the first one that a report has. `of`: the report that the noun names too. */
  | { readonly kind: 'by'; readonly by: readonly string[]; readonly of?: TitleOption | undefined }
  /** A noun such as `department`, which says what the value beside it is. */
  | { readonly kind: 'noun'; readonly members: readonly string[]; readonly by: readonly string[] }
  | { readonly kind: 'filter'; readonly member: string; readonly entry: string }
  /** `counts`: people are counted and not listed. */
  | { readonly kind: 'what'; readonly counts?: true }
  /** `always`: beside a file too. */
  | { readonly kind: 'rows'; readonly always?: true }
  | {
      readonly kind: 'file';
      readonly file: FileFormat;
      /** True for words that do not say which format. */
      readonly weakly?: true;
    }
  /** The range after it is about this date. */
  | { readonly kind: 'date-field'; readonly flag: string }
  | { readonly kind: 'schedule-option'; readonly option: string }
  | {
      readonly kind: /** The address that follows is that of a manager. */
        | 'managed-by'
        /** Things to do: not completed, or due in a range. */
        | 'to-do'
        /** In the future, without an end. */
        | 'upcoming'
        /** Asks for people, so the answer needs rows. */
        | 'people'
        | 'which'
        | 'to-me'
        /** Asks for a share, as in “has everybody completed”. */
        | 'share'
        | 'compare'
        | 'only'
        | 'schedule';
    }
  | { readonly kind: 'command'; readonly command: string };

/** What some words say, and how many they are. */
export interface Found {
  readonly length: number;
  readonly facts: readonly Fact[];
}

type FactKind = Fact['kind'];
export type FactOf<Kind extends FactKind> = Extract<Fact, { readonly kind: Kind }>;

export function factsOf<Kind extends FactKind>(facts: readonly Fact[], kind: Kind): readonly FactOf<Kind>[] {
  return facts.filter((fact): fact is FactOf<Kind> => fact.kind === kind);
}

export function hasFact(facts: readonly Fact[], ...kinds: readonly FactKind[]): boolean {
  return facts.some(({ kind }) => kinds.includes(kind));
}

export const unknown: readonly Fact[] = [{ kind: 'unknown' }];
export const filler: readonly Fact[] = [{ kind: 'filler' }];
