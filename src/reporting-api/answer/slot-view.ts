import type { MemberView, RecordView } from '../../figures/record-view.js';
import { JsonWalk, Kind } from './json.js';
import { Unnumbered } from './member-names.js';
import type { ObjectReader } from './object-reader.js';
import { type Value, Values } from './values.js';

/** A reusable value with changing offsets, so that no memory is allocated. */
class Pointer implements Value {
  bytes: Buffer = Buffer.alloc(0);
  kind = 0;
  start = 0;
  end = 0;

  toSlot(reader: ObjectReader, slot: number): this {
    this.bytes = reader.bytes;
    this.kind = reader.kind[slot] as number;
    this.start = reader.start[slot] as number;
    this.end = reader.end[slot] as number;
    return this;
  }

  toNothing(): this {
    this.kind = Kind.absent;
    return this;
  }
}

/** The record that a reader has just read, as a `RecordView`. Values are decoded only when they are used. */
export class SlotView implements RecordView {
  private readonly values = new Values();
  private readonly pointer = new Pointer();
  private readonly memberViews: (Map<string, SlotMember> | undefined)[] = [];

  constructor(private readonly reader: ObjectReader) {}

  isMissing(field: number): boolean {
    return this.values.isMissing(this.valueOf(field));
  }

  isText(field: number): boolean {
    return this.valueOf(field).kind >= Kind.text;
  }

  number(field: number): number {
    return this.values.number(this.valueOf(field));
  }

  instant(field: number): number {
    return this.values.instant(this.valueOf(field));
  }

  isDayOnly(field: number): boolean {
    return this.values.isDayOnly(this.valueOf(field));
  }

  yesOrNo(field: number): boolean | undefined {
    return this.values.yesOrNo(this.valueOf(field));
  }

  text(field: number): string | undefined {
    return this.values.text(this.valueOf(field));
  }

  hashText(field: number, inLowerCase: boolean): boolean {
    return this.values.hashText(this.valueOf(field), inLowerCase);
  }

  entries(field: number): readonly string[] {
    return this.values.entries(this.valueOf(field));
  }

  rawList(field: number): string | undefined {
    return this.values.rawList(this.valueOf(field));
  }

  member(field: number, name: string): MemberView {
    let views = this.memberViews[field];
    if (!views) {
      views = new Map();
      this.memberViews[field] = views;
    }
    let view = views.get(name);
    if (!view) {
      view = new SlotMember(this.reader, field + 1, name, this.values);
      views.set(name, view);
    }
    return view;
  }

  private valueOf(field: number): Value {
    return this.pointer.toSlot(this.reader, field + 1);
  }
}

class SlotMember implements MemberView {
  private readonly pointer = new Pointer();

  constructor(
    private readonly reader: ObjectReader,
    private readonly slot: number,
    private readonly name: string,
    private readonly values: Values,
  ) {}

  instant(): number {
    return this.values.instant(this.value());
  }

  isDayOnly(): boolean {
    return this.values.isDayOnly(this.value());
  }

  text(): string | undefined {
    return this.values.text(this.value());
  }

  private value(): Value {
    const nested = this.reader.nested[this.slot];
    if (!nested || this.reader.kind[this.slot] !== Kind.object) return this.pointer.toNothing();
    const number = nested.names.known(this.name);
    return number === Unnumbered ? this.amongOthers(nested) : this.pointer.toSlot(nested, number);
  }

  /** Members above the limit have no slots; they are searched in the object itself. */
  private amongOthers(nested: ObjectReader): Value {
    const { pointer } = this;
    pointer.toNothing();
    if (nested.others.length === 0) return pointer;
    const walk = new JsonWalk();
    walk.enter(this.reader.bytes, this.reader.start[this.slot] as number);
    while (walk.nextMember()) {
      if (this.values.textAt(walk.bytes, walk.nameStart, walk.nameEnd) !== this.name) continue;
      pointer.bytes = walk.bytes;
      pointer.kind = walk.kind;
      pointer.start = walk.start;
      pointer.end = walk.end;
    }
    return pointer;
  }
}
