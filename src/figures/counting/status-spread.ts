import { cutText } from '../format/text.js';
import type { RecordView } from '../record-view.js';
import type { Spread } from '../result.js';
import type { Gaps } from './missing-values.js';
import { meaningOf, plainStatus, type StatusMeaning } from './statuses.js';
import { ValueSpread } from './value-spread.js';

/** Spellings whose reading is remembered, so that it is not repeated for each record. */
const mostSpellings = 1_000;

/** A status as it was read. */
export interface ReadStatus {
  readonly meaning: StatusMeaning;
  /** As the service spelled it. */
  readonly label: string;
  /** What all spellings of it have in common. */
  readonly key: string;
}

/** Reads statuses, and counts how rows spread over them: known or not, each stays itself. */
export class StatusSpread {
  private readonly spellings = new Map<string, ReadStatus>();

  private constructor(private readonly spread: ValueSpread) {}

  static empty(): StatusSpread {
    return new StatusSpread(ValueSpread.empty());
  }

  /** The record's status, not counted yet; undefined where it has none. */
  look(record: RecordView, place: number): ReadStatus | undefined {
    const status = record.text(place);
    return status === undefined ? undefined : (this.spellings.get(status) ?? this.readSpelling(status));
  }

  /** Counts what `look` saw. */
  count(status: ReadStatus | undefined, record: RecordView, place: number, gaps: Gaps): void {
    gaps.noteText(record, place, status);
    if (status) this.spread.add(status.key, status.label);
  }

  copy(): StatusSpread {
    return new StatusSpread(this.spread.copy());
  }

  finish(): Spread[] {
    return this.spread.finish('Status');
  }

  private readSpelling(label: string): ReadStatus {
    const plain = plainStatus(label);
    const reading = { meaning: meaningOf(plain), label, key: cutText(plain, 200) };
    if (this.spellings.size < mostSpellings && label.length <= 200) this.spellings.set(label, reading);
    return reading;
  }
}
