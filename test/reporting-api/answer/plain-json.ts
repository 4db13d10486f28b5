/** A number as the text that was sent: `12345678901234567890` and `1.50` stay as they are. */
export class PlainNumber {
  constructor(readonly text: string) {}
}

/** An object with its members in the order of the text, including repeated ones. The last one of a name counts. */
export class PlainObject {
  constructor(readonly members: readonly (readonly [name: string, value: PlainValue])[]) {}

  get(name: string): PlainValue | undefined {
    return this.members.findLast(([member]) => member === name)?.[1];
  }
}

export type PlainValue = null | boolean | string | PlainNumber | readonly PlainValue[] | PlainObject;

const word = /[^\s,\]}]+/y;
const quoted = /"(?:[^"\\]|\\.)*"/y;

/**
 * Parses JSON and keeps the text of numbers, to compare with the fast reader. `JSON.parse` checks the grammar.
 *
 * @throws SyntaxError
 */
export function parsePlainJson(text: string): PlainValue {
  JSON.parse(text);
  let rest = 0;

  function token(pattern: RegExp): string {
    pattern.lastIndex = rest;
    const found = pattern.exec(text)?.[0] ?? '';
    rest += found.length;
    return found;
  }
  function skipSpace(): void {
    while (' \t\r\n'.includes(text.charAt(rest)) && rest < text.length) rest += 1;
  }
  function skip(mark: string): boolean {
    skipSpace();
    if (text[rest] !== mark) return false;
    rest += 1;
    return true;
  }
  function value(): PlainValue {
    if (skip('{')) return new PlainObject(several('}', member));
    if (skip('[')) return several(']', value);
    if (text[rest] === '"') return string();
    const scalar = token(word);
    if (scalar === 'null') return null;
    if (scalar === 'true' || scalar === 'false') return scalar === 'true';
    return new PlainNumber(scalar);
  }
  function string(): string {
    skipSpace();
    const found = token(quoted);
    return found.includes('\\') ? JSON.parse(found) : found.slice(1, -1);
  }
  function member(): [string, PlainValue] {
    const name = string();
    skip(':');
    return [name, value()];
  }
  function several<T>(end: string, one: () => T): T[] {
    const all: T[] = [];
    if (skip(end)) return all;
    do all.push(one());
    while (skip(','));
    skip(end);
    return all;
  }
  return value();
}

/** The value as JSON without white space, with numbers as they were sent. */
export function compactJson(value: PlainValue): string {
  if (value instanceof PlainNumber) return value.text;
  if (value instanceof PlainObject) {
    return `{${value.members.map(([name, inner]) => `${JSON.stringify(name)}:${compactJson(inner)}`).join(',')}}`;
  }
  if (Array.isArray(value)) return `[${value.map(compactJson).join(',')}]`;
  return JSON.stringify(value);
}
