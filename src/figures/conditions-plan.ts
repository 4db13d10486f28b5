import type { ValueSource } from '../catalogue/index.js';
import type { FilterValueKind } from './neighbours.js';

/** Days, and the moments that they begin and end at in the asker's zone. An absent end is open. */
export interface DaySpan {
  /** Epoch seconds, `[from, until)`. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** `2026-03-05`, both included. */
  readonly firstDay?: string | undefined;
  readonly lastDay?: string | undefined;
}

export interface NumberSpan {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** True where the ends do not count. */
  readonly isOpen?: true | undefined;
}

/** What a value has to be. `isExcluded`: has not to be. */
export type ConditionTest =
  | { readonly kind: 'empty'; readonly isExcluded: boolean }
  | {
      readonly kind: 'values';
      readonly valueKind: FilterValueKind;
      /** Each entry with every text that may stand for it in a record. */
      readonly entries: readonly (readonly string[])[];
      /** True for addresses and identifiers, of which each row may have another: case alone does not count. */
      readonly isExact?: true | undefined;
      readonly isExcluded: boolean;
    }
  /** `percent`: numbers that may come as fractions of 1. */
  | {
      readonly kind: 'numbers' | 'percent';
      readonly spans: readonly NumberSpan[];
      readonly isExcluded: boolean;
    }
  | { readonly kind: 'days-overdue'; readonly spans: readonly NumberSpan[]; readonly isExcluded: boolean }
  | { readonly kind: 'dates'; readonly spans: readonly DaySpan[]; readonly isExcluded: boolean };

/** One condition with nothing relative left. Plain data: it crosses to the thread that reads. */
export interface ConditionPlan {
  /** The ID of its field. */
  readonly field: string;
  readonly sources: readonly ValueSource[];
  readonly test: ConditionTest;
}

/** The conditions that every row of an answer meets. */
export interface ConditionsPlan {
  readonly all: readonly ConditionPlan[];
  /** For `days-overdue`, in milliseconds since the epoch. */
  readonly now: number;
  /** The asker's IANA zone. */
  readonly zone: string;
  /** Set where progress is compared. Only the end of an answer shows whether its scale was assumed rightly. */
  readonly progress?: ProgressAssumption | undefined;
}

interface ProgressAssumption {
  /** True: fractions of 1; false: percent. */
  readonly isFraction: boolean;
  /** True where it counts whatever the answer shows. */
  readonly isFinal: boolean;
}

/** The field whose scale decides who meets the conditions; undefined: none does. */
export function scaledFieldOf(plan: ConditionsPlan): string | undefined {
  return plan.all.find(({ test }) => test.kind === 'percent')?.sources[0]?.field;
}

/** The fields that conditions are decided by. */
export function fieldsOfConditions(plan: ConditionsPlan): readonly string[] {
  return plan.all.flatMap(({ sources }) => sources.map(({ field }) => field));
}

/** The fields of the conditions, each once: unread values are counted by them. */
export function conditionFieldsOf(plan: ConditionsPlan | undefined): readonly string[] {
  return [...new Set((plan?.all ?? []).map(({ field }) => field))];
}

/** How many neighbours a question has that leave out one condition, or one entry of an exclusion. */
export function besideSetsOf(plan: ConditionsPlan | undefined): number {
  return (plan?.all ?? []).reduce((sum, { test }) => sum + 1 + entriesOf(test), 0);
}

/** Exclusions of several entries have a neighbour for each. */
export function entriesOf(test: ConditionTest): number {
  if (!test.isExcluded || test.kind === 'empty') return 0;
  const { length } = test.kind === 'values' ? test.entries : test.spans;
  return length > 1 ? length : 0;
}

/** What a row that does not meet all conditions is to the question. */
export interface BesideRow {
  /** 1 for each neighbour that the row is in: the question without a condition, or without one entry of an exclusion. */
  readonly neighbours: Uint8Array;
  /** 1 for each field whose missing or unreadable value alone keeps the row out. */
  readonly unread: Uint8Array;
  /** True if any of these is set. */
  readonly isNoted: boolean;
}
