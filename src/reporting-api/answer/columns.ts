import type { Field, FieldKind } from '../../catalogue/index.js';
import { Kind, skipBlanks } from './json.js';
import type { ObjectReader } from './object-reader.js';

/** The content of a column, unless it is a numbered member of a field's value. */
export const Part = { wholeValue: -1, otherMembers: -2, days: -3 } as const;

/** A chosen column, and the slot of its values in the record. */
export interface ChosenColumn {
  readonly field: Field;
  readonly slot: number;
}

export interface Column extends ChosenColumn {
  /** A member's number, or a `Part`. */
  readonly part: number;
  /** The member's name, if it is one. */
  readonly member?: string;
  readonly heading: string;
}

interface FieldColumns {
  readonly chosen: ChosenColumn;
  /** Numbers of the members that have a column. */
  readonly members: Set<number>;
  /** Whether the two other parts have one. */
  wholeValue: boolean;
  otherMembers: boolean;
}

/**
 * The columns of a file: the chosen fields in their order, each one column, or one column per member where its first
 * value was an object. Members that appear later get columns at the far right, so no value is lost.
 */
export class ColumnLayout {
  readonly columns: Column[] = [];
  /** For each column, the reader with its value, and the slot; a `Part` for the shared column and for days. */
  readonly readers: ObjectReader[] = [];
  readonly slots: number[] = [];
  /** The kind of each column's values. It is unknown for members. */
  readonly kinds: FieldKind[] = [];
  private readonly fields: FieldColumns[] = [];
  private readonly bySlot: (FieldColumns | undefined)[] = [];
  private readonly withoutWholeValue: FieldColumns[] = [];

  private constructor(private readonly reader: ObjectReader) {}

  static of(
    chosen: readonly ChosenColumn[],
    shapes: ReadonlyMap<number, FirstShape>,
    reader: ObjectReader,
    days?: Field,
  ): ColumnLayout {
    const layout = new ColumnLayout(reader);
    for (const column of chosen) {
      const field = { chosen: column, members: new Set<number>(), wholeValue: false, otherMembers: false };
      layout.addField(field);
      const nested = shapes.get(column.slot);
      if (!nested) layout.addWholeValue(field);
      for (const number of nested?.members ?? []) layout.addMember(field, number);
      if (nested?.others) layout.addOtherMembers(field);
    }
    if (days) layout.addColumn({ field: days, slot: 0, part: Part.days, heading: days.label });
    return layout;
  }

  copy(): ColumnLayout {
    const copy = new ColumnLayout(this.reader);
    for (const field of this.fields) copy.addField({ ...field, members: new Set(field.members) });
    for (const column of this.columns) copy.addColumn(column);
    return copy;
  }

  /** Adds the missing columns of the record that was just read. */
  addMissingColumns(): void {
    if (!this.lacksColumns()) return;
    const { reader } = this;
    for (const field of this.fields) {
      const { slot } = field.chosen;
      if (reader.kind[slot] === Kind.object) this.makeRoomForMembers(field);
      else if (!field.wholeValue && isShown(reader, slot)) this.addWholeValue(field);
    }
  }

  /** A quick check, since almost no record needs new columns. */
  private lacksColumns(): boolean {
    const { reader } = this;
    for (let i = 0; i < reader.filledCount; i += 1) {
      const slot = reader.filled[i] as number;
      const field = this.bySlot[slot];
      const nested = reader.nested[slot];
      if (field && nested && (field.members.size < nested.names.count || nested.others.length > 0))
        return true;
    }
    for (const field of this.withoutWholeValue) {
      const { slot } = field.chosen;
      if (reader.kind[slot] !== Kind.object && isShown(reader, slot)) return true;
    }
    return false;
  }

  private makeRoomForMembers(field: FieldColumns): void {
    const nested = this.reader.nested[field.chosen.slot];
    if (!nested) return;
    for (const number of nested.order.subarray(0, nested.members)) {
      if (!field.members.has(number)) this.addMember(field, number);
    }
    if (nested.others.length > 0 && !field.otherMembers) this.addOtherMembers(field);
  }

  private addField(field: FieldColumns): void {
    this.fields.push(field);
    this.bySlot[field.chosen.slot] = field;
    if (!field.wholeValue) this.withoutWholeValue.push(field);
  }

  private addMember(field: FieldColumns, number: number): void {
    const { chosen } = field;
    const member = this.reader.nested[chosen.slot]?.names.nameOf(number) ?? '';
    field.members.add(number);
    this.addColumn({ ...chosen, part: number, member, heading: `${chosen.field.label}: ${member}` });
  }

  private addWholeValue(field: FieldColumns): void {
    const { chosen } = field;
    field.wholeValue = true;
    this.withoutWholeValue.splice(this.withoutWholeValue.indexOf(field), 1);
    this.addColumn({ ...chosen, part: Part.wholeValue, heading: chosen.field.label });
  }

  private addOtherMembers(field: FieldColumns): void {
    const { chosen } = field;
    const member = 'other members';
    field.otherMembers = true;
    this.addColumn({
      ...chosen,
      part: Part.otherMembers,
      member,
      heading: `${chosen.field.label}: ${member}`,
    });
  }

  private addColumn(column: Column): void {
    const { slot, part } = column;
    const nested = this.reader.nested[slot];
    const whole = part === Part.wholeValue || !nested;
    this.columns.push(column);
    this.readers.push(whole ? this.reader : nested);
    this.slots.push(whole && part !== Part.days ? slot : part);
    this.kinds.push(part === Part.wholeValue || part === Part.days ? column.field.kind : 'text');
  }
}

const maxRecords = 1000;
const maxBytes = 256 * 1024;

/** The first value of a field: the numbers of its members if it is an object, else undefined. */
type FirstShape = { readonly members: readonly number[]; readonly others: boolean } | undefined;

/**
 * Holds the first records back until every field has shown a value, so that the columns are known before the first row
 * is written. It stops after a fixed number of records or bytes, however the bytes were split into chunks.
 */
export class LookAhead {
  /** By slot. Fields without a value so far are missing. */
  readonly shapes = new Map<number, FirstShape>();
  /** Where each record ends in `bytes`, one after the other. */
  readonly ends: number[] = [];
  /** The days of each record; NaN where they are not asked for. */
  readonly days: number[] = [];
  bytes: Buffer = Buffer.alloc(0);

  constructor(private readonly slots: readonly number[]) {}

  copy(): LookAhead {
    const copy = new LookAhead(this.slots);
    for (const [slot, shape] of this.shapes) copy.shapes.set(slot, shape);
    copy.ends.push(...this.ends);
    copy.days.push(...this.days);
    copy.bytes = Buffer.from(this.bytes);
    return copy;
  }

  get isOver(): boolean {
    return (
      this.shapes.size === this.slots.length || this.ends.length >= maxRecords || this.length >= maxBytes
    );
  }

  /** Takes the record that the reader has just read. */
  add(reader: ObjectReader, start: number, end: number, days: number): void {
    this.days.push(days);
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

/** False for values that do not show what a field is: null, empty text, an empty list or object. */
function isShown(reader: ObjectReader, slot: number): boolean {
  const kind = reader.kind[slot] as number;
  const start = reader.start[slot] as number;
  const end = reader.end[slot] as number;
  if (kind <= Kind.null) return false;
  if (kind === Kind.list || kind === Kind.object) return skipBlanks(reader.bytes, start + 1) !== end - 1;
  return start !== end;
}

function shapeOf(reader: ObjectReader, slot: number): FirstShape {
  const nested = reader.kind[slot] === Kind.object ? reader.nested[slot] : undefined;
  return (
    nested && {
      members: [...nested.order.subarray(0, nested.members)],
      others: nested.others.length > 0,
    }
  );
}
