import { skipBlanks } from './json.js';
import { Kind, type ObjectReader } from './object-reader.js';

const mostRecords = 1000;
const mostBytes = 256 * 1024;

/** What a field's first value is: the numbers of its members where it is an object. */
export type FirstShape = { readonly members: readonly number[]; readonly others: boolean } | 'plain';

/**
 * Holds the first records back until every field has shown a value, so that the columns are known before the first row
 * is written. It gives up after so many records or bytes of records, however these were cut on their way.
 */
export class LookAhead {
  /** By slot. A field that has not shown a value yet is not there. */
  readonly shapes = new Map<number, FirstShape>();
  /** Where each record ends in `bytes`, one after the other. */
  readonly ends: number[] = [];
  bytes: Buffer = Buffer.alloc(0);

  constructor(private readonly slots: readonly number[]) {}

  /** An independent copy. */
  copy(): LookAhead {
    const copy = new LookAhead(this.slots);
    for (const [slot, shape] of this.shapes) copy.shapes.set(slot, shape);
    copy.ends.push(...this.ends);
    copy.bytes = Buffer.from(this.bytes);
    return copy;
  }

  get isOver(): boolean {
    return (
      this.shapes.size === this.slots.length || this.ends.length >= mostRecords || this.length >= mostBytes
    );
  }

  /** Takes the record that the reader has just read. */
  add(reader: ObjectReader, start: number, end: number): void {
    for (const slot of this.slots) {
      if (!this.shapes.has(slot) && isShown(reader, slot)) this.shapes.set(slot, shapeOf(reader, slot));
    }
    const at = this.length;
    const behind = at + end - start;
    if (behind > this.bytes.length) this.bytes = Buffer.concat([this.bytes], 2 * behind);
    reader.bytes.copy(this.bytes, at, start, end);
    this.ends.push(behind);
  }

  private get length(): number {
    return this.ends.at(-1) ?? 0;
  }
}

/** False for what tells nothing about a field: null, empty text, an empty list or object. */
export function isShown(reader: ObjectReader, slot: number): boolean {
  const kind = reader.kind[slot] as number;
  const start = reader.start[slot] as number;
  const end = reader.end[slot] as number;
  if (kind <= Kind.null) return false;
  if (kind === Kind.list || kind === Kind.object) return skipBlanks(reader.bytes, start + 1) !== end - 1;
  return start !== end;
}

function shapeOf(reader: ObjectReader, slot: number): FirstShape {
  const nested = reader.kind[slot] === Kind.object ? reader.nested[slot] : undefined;
  if (!nested) return 'plain';
  return { members: [...nested.order.subarray(0, nested.members)], others: nested.others.length > 0 };
}
