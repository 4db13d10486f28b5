import { mayBeSeveral, WholeEntries } from '../figures/list-text.js';
import type { RecordView } from '../figures/record-view.js';
import { isOffered, type KnownValue, type ListInAnswer, LONGEST_KNOWN } from './suggestions.js';

/** The first records are all looked at; of the rest every so many-th, so that long answers cost next to nothing. */
const allUpTo = 500;
const thenEvery = 64;

/** So many values of a list are taken from one answer, and so many texts that may be several. */
const mostPerList = 200;
const maxTexts = 200;
const maxTextLength = 1_000;

interface Place {
  readonly list: string;
  readonly field: number;
  readonly member?: string;
  /** The place of the title's field, or the name of the title's member. */
  readonly title?: number | string;
  /** Set where the field is a list: what came as one text is taken apart at the end. */
  readonly texts?: { readonly undecided: Set<string>; readonly whole: WholeEntries };
  readonly found: Map<string, string | undefined>;
}

/** Notes some of the values that an answer holds, in constant memory. */
export class ValuesInAnswer {
  private seen = 0;
  private readonly places: readonly Place[];

  /** @param fields those that the reading was opened with */
  constructor(lists: readonly ListInAnswer[], fields: readonly string[]) {
    this.places = lists.map(({ list, field, member, title, isList }) => {
      const titleField = title === undefined || member !== undefined ? -1 : fields.indexOf(title);
      return {
        list,
        field: fields.indexOf(field),
        found: new Map(),
        ...(isList ? { texts: { undecided: new Set<string>(), whole: WholeEntries.empty() } } : {}),
        ...(member === undefined ? {} : { member }),
        ...(member !== undefined && title !== undefined ? { title } : {}),
        ...(titleField < 0 ? {} : { title: titleField }),
      };
    });
  }

  add(record: RecordView): void {
    this.seen += 1;
    if (this.seen > allUpTo && this.seen % thenEvery !== 0) return;
    for (const place of this.places) {
      if (place.found.size >= mostPerList) continue;
      if (place.member === undefined && place.title === undefined) noteNames(record, place);
      else noteTitled(record, place);
    }
  }

  finish(): readonly KnownValue[] {
    for (const { texts, found } of this.places) {
      for (const text of texts?.undecided ?? [])
        for (const entry of texts?.whole.split(text) ?? []) note(found, entry, undefined);
    }
    return this.places.flatMap(({ list, found }) =>
      [...found].map(([entry, title]) => ({ list, entry, ...(title === undefined ? {} : { title }) })),
    );
  }
}

function noteNames(record: RecordView, { field, found, texts }: Place): void {
  const entries = record.entries(field);
  const [only = ''] = entries;
  if (texts && record.isText(field) && mayBeSeveral(only)) {
    if (texts.undecided.size < maxTexts && only.length <= maxTextLength) texts.undecided.add(only);
    return;
  }
  if (texts && texts.whole.characters < maxTexts * maxTextLength) texts.whole.add(entries);
  for (const entry of entries) note(found, entry, undefined);
}

function noteTitled(record: RecordView, { field, member, title, found }: Place): void {
  const entry = member === undefined ? record.text(field) : record.member(field, member).text();
  if (entry === undefined || found.has(entry)) return;
  const name = typeof title === 'number' ? record.text(title) : title && record.member(field, title).text();
  note(found, entry, name || undefined);
}

function note(found: Place['found'], text: string, title: string | undefined): void {
  const entry = text.trim();
  if (found.size >= mostPerList || found.has(entry) || !isOffered(entry)) return;
  found.set(entry, title?.slice(0, 4 * LONGEST_KNOWN));
}
