import { truncateText } from '../format/text.js';
import type { RecordView } from '../record-view.js';
import type { Spread } from '../result.js';
import type { MissingValues } from './missing-values.js';

/** What a status means to the figures. `other` statuses are counted under their own names. */
export type StatusMeaning =
  | 'completed'
  | 'passed'
  | 'failed'
  | 'in-progress'
  | 'not-started'
  | 'waiting'
  | 'cancelled'
  | 'other';

/** The service does not specify its statuses. These words are unambiguous. */
const known: Readonly<Record<Exclude<StatusMeaning, 'other'>, readonly string[]>> = {
  completed: [
    'completed',
    'complete',
    'done',
    'finished',
    'completed late',
    'completed on time',
    'completed manually',
    'manually completed',
    'marked complete',
    'marked completed',
  ],
  passed: ['passed', 'pass', 'success', 'successful', 'succeeded'],
  failed: ['failed', 'fail', 'failure', 'unsuccessful', 'not passed', 'did not pass'],
  'in-progress': ['in progress', 'inprogress', 'started', 'ongoing', 'underway', 'under way'],
  'not-started': [
    'not started',
    'assigned',
    'notstarted',
    'not yet started',
    'unstarted',
    'not begun',
    'not attempted',
    'never started',
    'yet to start',
    'to do',
    'todo',
  ],
  waiting: [
    'waiting for grading',
    'waiting for review',
    'waiting',
    'awaiting grading',
    'awaiting review',
    'pending grading',
    'pending review',
    'needs grading',
    'needs review',
    'to be graded',
    'ungraded',
    'not graded',
    'submitted',
    'under review',
    'in review',
    'grading',
    'in grading',
  ],
  cancelled: ['cancelled', 'canceled', 'called off'],
};

const meanings: ReadonlyMap<string, StatusMeaning> = new Map(
  Object.entries(known).flatMap(([meaning, words]) =>
    words.map((word): [string, StatusMeaning] => [word, meaning as StatusMeaning]),
  ),
);

/** A status in lower case with blanks between its words: `InProgress`, `in_progress` and `IN-PROGRESS` are one. */
export function plainStatus(status: string): string {
  return status
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[\s_\-./]+/g, ' ')
    .trim();
}

/**
 * A status as a person reads it: `in_progress`, `InProgress` and `IN PROGRESS` are all `In progress`. Words that came
 * as words keep their spelling.
 */
export function formatStatus(status: string): string {
  const words = status.trim();
  const isCode = !/\s/.test(words) || !/\p{Ll}/u.test(words);
  const label = (isCode && plainStatus(words)) || words;
  const [first = ''] = label;
  return first.toUpperCase() + label.slice(first.length);
}

export function meaningOf(plain: string): StatusMeaning {
  return meanings.get(plain) ?? 'other';
}

/** Spellings are cached, so that none is read again for each record. */
const MAX_SPELLINGS = 1_000;
const MAX_LABEL_LENGTH = 200;

/** A status and what it means. */
export interface ParsedStatus {
  readonly meaning: StatusMeaning;
  /** As a person reads it. */
  readonly label: string;
  /** What all spellings of it have in common. */
  readonly key: string;
}

/** Reads statuses, and counts how rows spread over them: known or not, each stays itself. */
export class StatusSpread {
  private readonly spellings = new Map<string, ParsedStatus>();

  private constructor(private readonly spread: ValueSpread) {}

  static empty(): StatusSpread {
    return new StatusSpread(ValueSpread.empty());
  }

  /** The record's status, not counted yet; undefined where it has none. */
  read(record: RecordView, index: number): ParsedStatus | undefined {
    const status = record.text(index);
    return status === undefined ? undefined : (this.spellings.get(status) ?? this.readSpelling(status));
  }

  /** Counts what `look` saw. */
  count(status: ParsedStatus | undefined, record: RecordView, index: number, missing: MissingValues): void {
    missing.countText(record, index, status);
    if (status) this.spread.add(status.key, status.label);
  }

  copy(): StatusSpread {
    return new StatusSpread(this.spread.copy());
  }

  finish(): Spread[] {
    return this.spread.finish('Status');
  }

  private readSpelling(spelling: string): ParsedStatus {
    const plain = plainStatus(spelling);
    const label = formatStatus(truncateText(spelling, MAX_LABEL_LENGTH));
    const reading = { meaning: meaningOf(plain), label, key: truncateText(plain, MAX_LABEL_LENGTH) };
    if (this.spellings.size < MAX_SPELLINGS && spelling.length <= MAX_LABEL_LENGTH)
      this.spellings.set(spelling, reading);
    return reading;
  }
}

/** How many different values are counted, and how many of them are shown. */
const MAX_VALUES = 1_000;
const MAX_SHOWN = 20;

/** How often each of a few values came up. */
export class ValueSpread {
  private constructor(
    private readonly counts: Map<string, { label: string; count: number }>,
    private others: number,
  ) {}

  static empty(): ValueSpread {
    return new ValueSpread(new Map(), 0);
  }

  /**
   * @param key what makes two values the same
   * @param label what a person reads: that of the first one of its kind
   */
  add(key: string, label: string): void {
    const known = this.counts.get(key);
    if (known) known.count++;
    else if (this.counts.size < MAX_VALUES)
      this.counts.set(key, { label: truncateText(label.trim(), MAX_LABEL_LENGTH), count: 1 });
    else this.others++;
  }

  copy(): ValueSpread {
    const counts = [...this.counts].map(([key, entry]) => [key, { ...entry }] as const);
    return new ValueSpread(new Map(counts), this.others);
  }

  /** The most frequent first; nothing where nothing was counted. */
  finish(title: string): Spread[] {
    const all = [...this.counts.values()].sort(
      (a, b) => b.count - a.count || (a.label < b.label ? -1 : a.label > b.label ? 1 : 0),
    );
    if (all.length === 0) return [];
    const beyond = all.slice(MAX_SHOWN).reduce((sum, { count }) => sum + count, this.others);
    const entries = all.slice(0, MAX_SHOWN).map(({ label, count }) => ({ label, count }));
    return [{ title, entries, others: beyond }];
  }
}
