import type { Field } from '../reports/catalogue/index.js';
import { type FirstShape, isShown } from './look-ahead.js';
import { Kind, type ObjectReader } from './object-reader.js';

/** Which part of a field's value a column shows, where it is not the member of that number. */
export const Part = { wholeValue: -1, otherMembers: -2 } as const;

/** A chosen column and the slot of the record that its values come in. */
export interface ChosenColumn {
  readonly field: Field;
  readonly slot: number;
}

export interface Column extends ChosenColumn {
  /** A member's number, or a `Part`. */
  readonly part: number;
  /** The member's name, where it is one. */
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
 * The columns of a CSV: the chosen fields in their order, each one column, or one column per member where its first
 * value was an object. What turns up later gets columns at the far right, so that no value is ever lost.
 */
export class ColumnLayout {
  readonly columns: Column[] = [];
  private readonly fields: FieldColumns[] = [];

  private constructor(private readonly reader: ObjectReader) {}

  static of(
    chosen: readonly ChosenColumn[],
    shapes: ReadonlyMap<number, FirstShape>,
    reader: ObjectReader,
  ): ColumnLayout {
    const layout = new ColumnLayout(reader);
    for (const column of chosen) {
      const field = { chosen: column, members: new Set<number>(), wholeValue: false, otherMembers: false };
      layout.fields.push(field);
      const shape = shapes.get(column.slot) ?? 'plain';
      if (shape === 'plain') layout.addWholeValue(field);
      else {
        for (const number of shape.members) layout.addMember(field, number);
        if (shape.others) layout.addOtherMembers(field);
      }
    }
    return layout;
  }

  /** An independent copy. */
  copy(): ColumnLayout {
    const copy = new ColumnLayout(this.reader);
    copy.columns.push(...this.columns);
    for (const field of this.fields) copy.fields.push({ ...field, members: new Set(field.members) });
    return copy;
  }

  /** Adds the columns that the record just read needs and that are not there yet. */
  makeRoom(): void {
    const { reader } = this;
    for (const field of this.fields) {
      const { slot } = field.chosen;
      const kind = reader.kind[slot];
      if (kind === Kind.object) this.makeRoomForMembers(field);
      else if (!field.wholeValue && isShown(reader, slot)) this.addWholeValue(field);
    }
  }

  private makeRoomForMembers(field: FieldColumns): void {
    const nested = this.reader.nested[field.chosen.slot];
    if (!nested) return;
    if (field.members.size < nested.names.count) {
      for (const number of nested.order.subarray(0, nested.members)) {
        if (!field.members.has(number)) this.addMember(field, number);
      }
    }
    if (nested.others.length > 0 && !field.otherMembers) this.addOtherMembers(field);
  }

  private addMember(field: FieldColumns, number: number): void {
    const { chosen } = field;
    const member = this.reader.nested[chosen.slot]?.names.nameOf(number) ?? '';
    field.members.add(number);
    this.columns.push({ ...chosen, part: number, member, heading: `${chosen.field.label}: ${member}` });
  }

  private addWholeValue(field: FieldColumns): void {
    const { chosen } = field;
    field.wholeValue = true;
    this.columns.push({ ...chosen, part: Part.wholeValue, heading: chosen.field.label });
  }

  private addOtherMembers(field: FieldColumns): void {
    const { chosen } = field;
    const member = 'other members';
    field.otherMembers = true;
    this.columns.push({
      ...chosen,
      part: Part.otherMembers,
      member,
      heading: `${chosen.field.label}: ${member}`,
    });
  }
}
