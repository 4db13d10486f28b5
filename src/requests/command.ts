import type { ReportName } from '../catalogue/index.js';
import type { Cadence } from '../schedule/cadence.js';
import type { Problem } from './problem.js';
import type { ReportRequest } from './request.js';

/** What a person asked for, or why that is not clear. */
export type Command =
  | { readonly kind: 'builder' }
  | { readonly kind: 'help'; readonly report?: ReportName }
  | { readonly kind: 'run'; readonly request: ReportRequest }
  /** Run a saved report, with what is typed on top of it: see `layOnTop`. */
  | { readonly kind: 'saved'; readonly name: string; readonly onTop: WordsOnTop }
  | { readonly kind: 'list' }
  | { readonly kind: 'access' }
  | { readonly kind: 'audit' }
  | { readonly kind: 'save'; readonly name: string; readonly request: ReportRequest }
  | ScheduleCommand
  | { readonly kind: 'problem'; readonly problem: Problem };

export interface ScheduleCommand {
  readonly kind: 'schedule';
  readonly what:
    | { readonly request: ReportRequest; readonly skipEmpty: boolean }
    | { readonly name: string; readonly onTop: WordsOnTop };
  readonly cadence: Cadence;
  /** Where a zone was typed: its IANA name of today. Otherwise it is the owner's. */
  readonly zone?: string;
  /** The cadence and its zone, as typed. */
  readonly cadenceTyped: string;
}

/** Words that mean something only together with a saved report, and where they stand in the command. */
export interface WordsOnTop {
  readonly text: string;
  readonly from: number;
  readonly until: number;
}

/** What the words of a command can depend on. */
export interface CommandContext {
  /** Names of the saved reports that can be run here, as they are kept. */
  readonly savedNames: readonly string[];
}
