import type { RecordView } from '../../../src/figures/record-view.js';
import { plainRecord } from '../../reporting-api/answer/plain-record.js';

/** A moment or a whole day. */
export interface NaiveDate {
  readonly ms: number;
  readonly wholeDay: boolean;
}

const firstBelievable = Date.parse('0001-01-02');
const lastBelievable = Date.parse('9999-12-30');

/** A record, read by flag, for the naive figures. Unreadable values are undefined. */
export class Row {
  private readonly view: RecordView;

  constructor(
    private readonly flags: readonly string[],
    private readonly record: object,
  ) {
    this.view = plainRecord(flags, record);
  }

  number(flag: string): number | undefined {
    const number = this.view.number(this.place(flag));
    return Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined;
  }

  /** A number, or one with a percent sign. */
  percent(flag: string): number | undefined {
    const text = this.text(flag)?.trim() ?? '';
    return (
      this.number(flag) ?? (/^-?\d+(\.\d+)?\s*%$/.test(text) ? Number(text.replace('%', '')) : undefined)
    );
  }

  date(flag: string): NaiveDate | undefined {
    const ms = this.view.instant(this.place(flag));
    const believable = ms >= firstBelievable && ms <= lastBelievable;
    return believable ? { ms, wholeDay: this.view.isDayOnly(this.place(flag)) } : undefined;
  }

  text(flag: string): string | undefined {
    return this.view.text(this.place(flag));
  }

  isMissing(flag: string): boolean {
    return this.view.isMissing(this.place(flag));
  }

  yesOrNo(flag: string): boolean | undefined {
    return this.view.yesOrNo(this.place(flag));
  }

  entries(flag: string): readonly string[] {
    return this.view.entries(this.place(flag));
  }

  /** The text as it was sent; undefined for other types. */
  sentText(flag: string): string | undefined {
    const sent: unknown = Object.getOwnPropertyDescriptor(this.record, flag)?.value;
    return typeof sent === 'string' ? sent : undefined;
  }

  memberText(flag: string, member: string): string | undefined {
    return this.view.member(this.place(flag), member).text();
  }

  memberDate(flag: string, member: string): NaiveDate | undefined {
    const view = this.view.member(this.place(flag), member);
    const ms = view.instant();
    return Number.isNaN(ms) ? undefined : { ms, wholeDay: view.isDayOnly() };
  }

  /** A status in lower case, with spaces between its words. */
  status(flag: string): string | undefined {
    return this.text(flag)
      ?.replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .split(/[\s_.\-/]+/)
      .filter(Boolean)
      .join(' ');
  }

  /** The user ID and the address of the record, as far as it has them. */
  names(): readonly string[] {
    return [this.text('userid'), this.text('email')?.toLowerCase()].flatMap((name) => name?.trim() ?? []);
  }

  /** The person of the record. */
  person(): string | undefined {
    return this.text('userid')?.trim() ?? this.text('email')?.trim().toLowerCase();
  }

  private place(flag: string): number {
    const place = this.flags.indexOf(flag);
    if (place < 0) throw new Error(`${flag} is not among the fields`);
    return place;
  }
}

/** By zone, because creating one is slow. */
const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** The calendar day of a date in a zone, `2026-11-20`, by the runtime's own calendar. */
export function dayIn(zone: string, { ms, wholeDay }: NaiveDate): string {
  const timeZone = wholeDay ? 'UTC' : zone;
  const format =
    dayFormats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  dayFormats.set(timeZone, format);
  const [month, day, year = ''] = format.format(ms).split('/');
  return `${year.padStart(4, '0')}-${month}-${day}`;
}

/** Days from one `2026-11-20` to another. */
export function daysFrom(first: string, second: string): number {
  return Math.round((Date.parse(second) - Date.parse(first)) / 86_400_000);
}
