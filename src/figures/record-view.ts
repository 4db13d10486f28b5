/**
 * One record of an answer, as the figures read it. It is valid only until the next record: keep what you read, not
 * the view. A field is named by its place in the list of fields that the reading was opened with.
 *
 * The service does not specify its value types, so each method accepts any value and returns what it could read.
 */
export interface RecordView {
  /** True for a member that is absent, null, `""` or blank text, an empty list or an empty object. */
  isMissing(field: number): boolean;
  /** True for a value that arrived as text, blank or not. */
  isText(field: number): boolean;
  /** A number, or text that is wholly one; NaN for anything else, missing included. */
  number(field: number): number;
  /**
   * Milliseconds since the epoch from ISO text with any offset (none: UTC), a date without a time (midnight UTC),
   * or epoch seconds or milliseconds as a number or as digits; NaN for anything else, missing included.
   * A number below 100,000,000,000 is seconds.
   */
  instant(field: number): number;
  /** True where the value is a date without a time, `2026-11-20`. */
  isDayOnly(field: number): boolean;
  /** true, false, their texts in any case, `yes`, `no`, 1, 0; undefined for anything else. */
  yesOrNo(field: number): boolean | undefined;
  /**
   * The value as one line of words: text as it is, a number or boolean as it was sent, an object's title or name,
   * a list's entries joined with `; `; undefined where it is missing.
   */
  text(field: number): string | undefined;
  /**
   * Hashes what `text` gives without the blanks around it, optionally in lower case: equal for the same text, with or
   * without escapes. False where it is missing.
   */
  hashText(field: number, inLowerCase: boolean): boolean;
  /** A list's entries, each as `text` would give it; one entry for anything else; empty where missing. */
  entries(field: number): readonly string[];
  /** A short list's JSON as it came, as a key for caches; undefined for long lists and for other values. */
  rawList(field: number): string | undefined;
  /** The named member of a value that arrived as an object, read by the rules above; missing for anything else. */
  member(field: number, name: string): MemberView;
}

/** Some of these readings, of one member of a nested object. */
export interface MemberView {
  instant(): number;
  isDayOnly(): boolean;
  text(): string | undefined;
}
