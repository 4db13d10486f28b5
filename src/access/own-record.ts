import type { ReportName } from '../catalogue/index.js';
import type { SentPlace, SentWhat } from './record.js';

/* What was done with the data of one person, as that person may read it. */

/** Something that others did with data of the reader. */
export interface RecordEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `file`, `rows` and `people` were sent; `asked` named the reader; `record` is a reading of the record. */
  readonly what: SentWhat | 'asked' | 'record';
  readonly report?: ReportName | undefined;
  readonly place?: SentPlace | undefined;
  /** True for a request that got no answer. */
  readonly wasRefused?: boolean;
  /** False where a file had too many people to tell whether the reader was one of them. */
  readonly isCertain: boolean;
  /** The Slack user ID of who asked; absent for the command line, and where names are not shown. */
  readonly by?: string | undefined;
}

const sentences: Readonly<Record<RecordEntry['what'], (entry: RecordEntry) => string>> = {
  file: ({ isCertain }) =>
    isCertain ? 'A file had rows about you' : 'A file of very many people may have had rows about you',
  rows: () => 'A table had rows about you',
  people: () => 'A list of people named you',
  asked: ({ wasRefused }) => (wasRefused ? 'A request named you, and was refused' : 'A request named you'),
  record: () => 'Somebody read the record of access about you',
};

const places: Readonly<Record<SentPlace, string>> = {
  direct: '',
  channel: ', in a channel that may get names',
  'command-line': ', by the operator on the command line',
};

/** `A file had rows about you: assignments, by the operator on the command line`. */
export function describeEntry(entry: RecordEntry): string {
  const { what, report, place } = entry;
  const of = report === undefined ? '' : `: ${report}`;
  return `${sentences[what](entry)}${of}${place ? places[place] : ''}`;
}
