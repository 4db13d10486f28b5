import type { ReportName, ValueSource } from '../catalogue/index.js';
import { foldText } from '../requests/text.js';
import { mayBeList } from './list-text.js';
import type { RecordView } from './record-view.js';

/*
 * Two questions that differ by one filter, or by one entry of a filter, are neighbours. What one of them shows minus
 * what the other shows is about the people between them. So a question is answered only if no one is between it and any
 * of its neighbours, or enough people are.
 *
 * Leaving out an entry leaves rows out, so the rows of the answer tell who these people are. Leaving out a filter adds
 * rows that the answer does not hold, so the people of the daily look have to tell (`src/runner/people-index.ts`).
 */

/** `list`: a text may be several values. `yes-no`: `true` or `false`. */
export type FilterValueKind = 'text' | 'list' | 'yes-no';

/** A filter of a protected question. Plain data: it crosses to the thread that reads. */
export interface NeighbourFilter {
  /** The field of the learner that it compares, else the filter itself: `departments`, `track_filter.content_id`. */
  readonly key: string;
  readonly member: string;
  readonly kind: FilterValueKind;
  /** Where records hold its values; empty: nowhere. */
  readonly sources: readonly ValueSource[];
  /** Each entry with every text that may stand for it in a record: its name and its identifier. */
  readonly entries: readonly (readonly string[])[];
  /**
   * Set where it is a condition on rows, which keeps these entries or leaves them out. Rows tell who is between the question
   * and the one without it, so the people of the daily look are only counted if they meet it.
   */
  readonly ofCondition?: 'kept' | 'excluded' | undefined;
}

export interface NeighbourQuestion {
  readonly report: ReportName;
  readonly filters: readonly NeighbourFilter[];
  readonly by?: string | undefined;
  readonly smallestGroup: number;
}

/** How many people are between a question and its neighbours. */
export interface Differences {
  /** One number for each neighbour, at most the smallest group. */
  readonly answer: readonly number[];
  /** The same for each line of its breakdown, by the folded text of its value. Lines without differences are absent. */
  readonly lines: ReadonlyMap<string, readonly number[]>;
  /** True if no one is in two lines, so that the numbers of joined lines add up. */
  readonly linesAddUp: boolean;
}

/** There are no people to compare. */
export const noDifferences: Differences = { answer: [], lines: new Map(), linesAddUp: true };

/** True where people are between a question and a neighbour, but too few. */
export function isTooFew(people: number, smallestGroup: number): boolean {
  return people > 0 && people < smallestGroup;
}

/** The people between one line of a breakdown, or several joined ones, and the same lines of each neighbour. */
export class LineDifferences {
  private readonly ofEntries;
  private ofLook: readonly number[] = [];

  /** @param entries the number of entries that rows are compared without */
  constructor(
    entries: number,
    private readonly smallestGroup: number,
  ) {
    this.ofEntries = Array.from({ length: entries }, () => new Set<number>());
  }

  /** @param collect puts the people whom an entry alone lets in into a set */
  add(
    label: string | null,
    { lines, linesAddUp }: Differences,
    collect: (entry: number, together: Set<number>) => void,
  ): void {
    this.ofEntries.forEach((people, entry) => {
      collect(entry, people);
    });
    const known = lines.get(foldText(label ?? '')) ?? [];
    const sum = (a: number, b: number) => (linesAddUp ? a + b : Math.max(a, b));
    const neighbours = Math.max(known.length, this.ofLook.length);
    this.ofLook = Array.from({ length: neighbours }, (_, i) => sum(this.ofLook[i] ?? 0, known[i] ?? 0));
  }

  /** True where too few people are between the lines and those of a neighbour. */
  get areTooFew(): boolean {
    const counts = [...this.ofEntries.map(({ size }) => size), ...this.ofLook];
    return counts.some((people) => isTooFew(people, this.smallestGroup));
  }
}

/** The people of the daily look. */
export interface PeopleBetween {
  /** Counts the people between a question and each neighbour with one filter less. */
  differences(question: NeighbourQuestion): Differences;
}

/** Most values are repeated, so what was found in this many is remembered. */
const maxCached = 4_000;

/** Longer texts are not taken apart. */
const maxCachedLength = 2_000;

interface Place {
  readonly field: number;
  readonly member?: string | undefined;
}

/**
 * Reads the texts under which a filter may name the values of a record, folded: services compare names in different ways,
 * and this finds what any of them may find. What `judge` makes of equal values is remembered.
 */
export class FilterValues<Finding = readonly string[]> {
  private readonly ofLists = new Map<string, Finding>();
  private readonly ofTexts = new Map<string, Finding>();

  private constructor(
    private readonly place: Place,
    private readonly kind: FilterValueKind,
    private readonly judge: (values: readonly string[]) => Finding,
    /** Readers of other places that the same filter compares. */
    private readonly others: readonly FilterValues[] = [],
  ) {}

  /** The values, folded, the first one first; none where a record has none. Undefined where no field holds them. */
  static in(
    fields: readonly string[],
    filter: Pick<NeighbourFilter, 'sources' | 'kind'>,
  ): FilterValues | undefined {
    return FilterValues.judged(fields, filter, (values) => values);
  }

  /** What `judge` makes of the values. Undefined where no field holds them. */
  static judged<Finding>(
    fields: readonly string[],
    { sources, kind }: Pick<NeighbourFilter, 'sources' | 'kind'>,
    judge: (values: readonly string[]) => Finding,
  ): FilterValues<Finding> | undefined {
    const [first, ...more] = sources
      .map(({ field, member }) => ({ field: fields.indexOf(field), member }))
      .filter(({ field }) => field >= 0);
    if (!first) return undefined;
    const others = more.map((place) => new FilterValues(place, kind, (values) => values));
    return new FilterValues(first, kind, judge, others);
  }

  of(record: RecordView): Finding {
    if (this.others.length === 0) return this.found(record);
    return this.judge([...this.valuesIn(record), ...this.others.flatMap((other) => other.of(record))]);
  }

  private found(record: RecordView): Finding {
    const list = this.listIn(record);
    const key = list ?? this.textIn(record);
    if (key === undefined) return this.judge(this.valuesIn(record));
    const known = list === undefined ? this.ofTexts : this.ofLists;
    const before = known.get(key);
    if (before !== undefined) return before;
    const finding = this.judge(this.valuesIn(record));
    if (known.size < maxCached && key.length <= maxCachedLength) known.set(key, finding);
    return finding;
  }

  /** A list as it came. */
  private listIn(record: RecordView): string | undefined {
    const { field, member } = this.place;
    return member === undefined && this.kind !== 'yes-no' ? record.rawList(field) : undefined;
  }

  /** The value as a text, where it is one or stands for one. */
  private textIn(record: RecordView): string | undefined {
    const { field, member } = this.place;
    if (this.kind === 'yes-no') {
      const value = record.yesOrNo(field);
      return value === undefined ? undefined : String(value);
    }
    if (member !== undefined) return record.member(field, member).text();
    return record.isText(field) ? record.text(field) : undefined;
  }

  private valuesIn(record: RecordView): readonly string[] {
    const { kind, place } = this;
    const { field, member } = place;
    const list = this.listIn(record);
    if (list !== undefined) return namesIn(record.entries(field), list);
    const text = this.textIn(record);
    if (text !== undefined) return kind === 'list' && member === undefined ? partsOf(text) : [foldText(text)];
    if (kind === 'yes-no' || member !== undefined || record.isText(field)) return none;
    const id = record.member(field, 'id').text();
    return [...record.entries(field), ...(id === undefined ? [] : [id])].map(foldText);
  }
}

const none: readonly string[] = [];

/** The entries of a list, and the identifiers and names of those that are objects. */
function namesIn(entries: readonly string[], list: string): readonly string[] {
  const names = new Set(entries.map(foldText));
  const parsed: unknown = parseList(list);
  for (const entry of Array.isArray(parsed) ? parsed : []) {
    if (typeof entry !== 'object' || entry === null) continue;
    for (const value of Object.values(entry)) {
      if (typeof value === 'string' || typeof value === 'number') names.add(foldText(String(value)));
    }
  }
  return [...names];
}

function parseList(list: string): unknown {
  try {
    return JSON.parse(list);
  } catch {
    return undefined;
  }
}

/** A text may be a list. Whether it is one is known only after the last record, so it is taken for both. */
function partsOf(text: string): readonly string[] {
  const whole = foldText(text);
  if (!mayBeList(text)) return whole === '' ? none : [whole];
  const parts = text.split(/[;,]/).map(foldText);
  return [...new Set([...parts, whole])].filter((part) => part !== '');
}

/**
 * The rows that each entry of a filter lets in alone: they go if that entry is left out. A row that no entry explains was
 * let in by one that the service compares in another way, such as by an identifier. Those rows stand for such an entry.
 */
export class EntryNeighbours {
  /** How many entries there are in filters with several, with one for unexplained rows in each. */
  readonly entries: number = 0;
  private readonly filters: {
    readonly values: FilterValues;
    /** By a folded text: the number of its entry, counted over all filters. */
    readonly entryOf: ReadonlyMap<string, number>;
    readonly unexplained: number;
  }[] = [];

  constructor(filters: readonly NeighbourFilter[] = [], fields: readonly string[]) {
    for (const filter of filters) {
      if (filter.ofCondition === 'excluded') continue;
      const values = filter.entries.length > 1 ? FilterValues.in(fields, filter) : undefined;
      if (!values) continue;
      const entryOf = new Map<string, number>();
      for (const texts of filter.entries) {
        for (const text of texts.map(foldText)) if (!entryOf.has(text)) entryOf.set(text, this.entries);
        this.entries += 1;
      }
      this.filters.push({ values, entryOf, unexplained: this.entries });
      this.entries += 1;
    }
  }

  /** Sets the flag of each entry that alone lets the record into its filter, from `at` on; clears the others. */
  read(record: RecordView, flags: Uint8Array, at: number): void {
    if (this.entries === 0) return;
    flags.fill(0, at, at + this.entries);
    for (const { values, entryOf, unexplained } of this.filters) {
      let only = -1;
      for (const value of values.of(record)) {
        const entry = entryOf.get(value);
        if (entry === undefined || entry === only) continue;
        // A second entry lets it in too.
        only = only < 0 ? entry : -2;
        if (only === -2) break;
      }
      if (only > -2) flags[at + (only < 0 ? unexplained : only)] = 1;
    }
  }
}

/** The fields that the rows of a question need, so that the entries of its filters can be left out. */
export function fieldsOfNeighbours(filters: readonly NeighbourFilter[] = []): readonly string[] {
  return filters
    .filter(({ entries, ofCondition }) => entries.length > 1 && ofCondition !== 'excluded')
    .flatMap(({ sources }) => sources.map(({ field }) => field));
}
