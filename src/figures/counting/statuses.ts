import { passedStatuses } from '../../catalogue/assessments.js';
import { truncateText } from '../../requests/text.js';
import type { RecordView } from '../record-view.js';
import type { Spread } from '../result.js';
import type { MissingValues } from './missing-values.js';

/** The service does not specify its statuses. These words are unambiguous. */
const known = {
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
  passed: passedStatuses,
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

/** The meaning of a status for the figures. `other` statuses are counted under their own names. */
export type StatusMeaning = keyof typeof known | 'other';

const meanings: ReadonlyMap<string, StatusMeaning> = new Map(
  Object.entries(known).flatMap(([meaning, words]) =>
    words.map((word): [string, StatusMeaning] => [word, meaning as StatusMeaning]),
  ),
);

/** A status in lower case with spaces between its words: `InProgress`, `in_progress` and `IN-PROGRESS` are the same. */
export function plainStatus(status: string): string {
  return status
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[\s_\-./]+/g, ' ')
    .trim();
}

/**
 * The label of a status: `In progress` for `in_progress`, `InProgress` and `IN PROGRESS`. A status that arrived as words
 * keeps its spelling.
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

const maxSpellings = 1_000;
const maxLabelLength = 200;

/** What is made of each spelling of a status. It is cached, because each record needs it. */
export function bySpelling<Made>(make: (spelling: string) => Made): (spelling: string) => Made {
  const cache = new Map<string, Made>();
  return (spelling) => {
    const cached = cache.get(spelling);
    if (cached !== undefined) return cached;
    const made = make(spelling);
    if (cache.size < maxSpellings && spelling.length <= maxLabelLength) cache.set(spelling, made);
    return made;
  };
}

export interface ParsedStatus {
  readonly meaning: StatusMeaning;
  readonly label: string;
  /** The same for all spellings. */
  readonly key: string;
}

/** Reads statuses and counts the rows of each, whether its meaning is known or not. */
export class Statuses {
  readonly spread = new ValueSpread('Status');
  private readonly parse = bySpelling(parseStatus);

  constructor(
    private readonly index: number,
    private readonly missing: MissingValues,
  ) {}

  /** The record's status, not counted yet; undefined if it has none. */
  read(record: RecordView): ParsedStatus | undefined {
    const status = record.text(this.index);
    return status === undefined ? undefined : this.parse(status);
  }

  count(status: ParsedStatus | undefined, record: RecordView): void {
    this.missing.countText(record, this.index, status);
    if (status) this.spread.add(status.key, status.label);
  }
}

function parseStatus(spelling: string): ParsedStatus {
  const plain = plainStatus(spelling);
  const label = formatStatus(truncateText(spelling, maxLabelLength));
  return { meaning: meaningOf(plain), label, key: truncateText(plain, maxLabelLength) };
}

/** Maximum different values that are counted, and maximum that are shown. */
const maxValues = 1_000;
const maxShown = 20;

export class ValueSpread {
  private readonly counts = new Map<string, { label: string; count: number }>();
  private others = 0;

  constructor(private readonly title: string) {}

  /** @param label the text for people; the first one of a key is used */
  add(key: string, label: string, count = 1): void {
    const known = this.counts.get(key);
    if (known) known.count += count;
    else if (this.counts.size < maxValues)
      this.counts.set(key, { label: truncateText(label.trim(), maxLabelLength), count });
    else this.others += count;
  }

  merge({ counts, others }: ValueSpread): void {
    for (const [key, { label, count }] of counts) this.add(key, label, count);
    this.others += others;
  }

  /** The most frequent first; empty if nothing was counted. */
  finish(): Spread[] {
    const all = [...this.counts.values()].sort(
      (a, b) => b.count - a.count || Number(a.label > b.label) - Number(a.label < b.label),
    );
    if (all.length === 0) return [];
    const beyond = all.slice(maxShown).reduce((sum, { count }) => sum + count, this.others);
    const entries = all.slice(0, maxShown).map(({ label, count }) => ({ label, count }));
    return [{ title: this.title, entries, others: beyond }];
  }
}
