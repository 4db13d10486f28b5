/** A class of the code under test. */
interface Planted {
  readonly prototype: object;
}

export interface PlantedClasses {
  readonly RecordStream: Planted;
  readonly ObjectReader: Planted;
  readonly SlotView: Planted;
  readonly StreamingFigures: Planted;
  readonly CsvCells: Planted;
  readonly CompiledCells: Planted;
  readonly SheetCells: Planted;
  readonly FileRows: Planted;
}

/** The stages of reading that can fail: at a record, and at the end of the answer. */
export const stagesAtRecord = ['splitting', 'reading', 'counting', 'writing'] as const;
export const stagesAtEnd = ['closing', 'ending-figures', 'ending-file'] as const;

/**
 * Makes each stage throw at the record whose email address is `fails-` and the stage's name, or at the end of the answer
 * with that record. The reading thread evaluates this function as text, so it must not use anything outside it.
 *
 * @returns removes the failures
 */
export function plantFailures(classes: PlantedClasses): () => void {
  const undo: (() => void)[] = [];
  type Method = (...given: never[]) => unknown;
  const wrap = (
    { prototype }: { readonly prototype: object },
    name: string,
    around: (self: object, original: () => unknown, given: readonly unknown[]) => unknown,
  ) => {
    const original = Reflect.get(prototype, name) as Method;
    const wrapped = function (this: object, ...given: never[]) {
      return around(this, () => Reflect.apply(original, this, given), given);
    };
    Reflect.set(prototype, name, wrapped);
    undo.push(() => Reflect.set(prototype, name, original));
  };
  const fail = (stage: string) => {
    throw new Error(`Planted while ${stage}`);
  };
  const get = (owner: unknown, name: string) => Reflect.get(owner as object, name);
  const marked = new WeakMap<object, Set<string>>();
  const mark = (owner: object, stage: string) => {
    const marks = marked.get(owner) ?? new Set();
    marked.set(owner, marks.add(stage));
  };

  wrap(classes.ObjectReader, 'read', (_self, original, [bytes, at]) => {
    const behind = original() as number;
    if (behind > 0 && (bytes as Buffer).subarray(at as number, behind).includes('fails-splitting')) {
      fail('splitting');
    }
    return behind;
  });
  wrap(classes.SlotView, 'text', (_self, original) => {
    const text = original();
    if (text === 'fails-reading') fail('reading');
    return text;
  });
  wrap(classes.StreamingFigures, 'add', (self, original, [record]) => {
    const email = get(record, 'text').call(record, get(self, 'fields').indexOf('email'));
    if (email === 'fails-counting') fail('counting');
    if (email === 'fails-ending-figures') mark(self, 'ending-figures');
    return original();
  });
  wrap(classes.StreamingFigures, 'finish', (self, original) => {
    if (marked.get(self)?.has('ending-figures')) fail('ending figures');
    return original();
  });
  for (const cells of [classes.CsvCells, classes.SheetCells]) {
    wrap(cells, 'writeSlot', (self, original, [, , values, slot]) => {
      const [start, end] = [get(get(values, 'start'), String(slot)), get(get(values, 'end'), String(slot))];
      const text = get(values, 'bytes').toString('latin1', start, end);
      if (text === 'fails-writing') fail('writing');
      if (text === 'fails-ending-file') mark(self, 'ending-file');
      return original();
    });
  }
  wrap(classes.CompiledCells, 'write', (self, original, [, out, at]) => {
    const behind = original() as number;
    const text = (out as Buffer).toString('latin1', at as number, behind);
    if (text === 'fails-writing') fail('writing');
    if (text === 'fails-ending-file') mark(self, 'ending-file');
    return behind;
  });
  wrap(classes.FileRows, 'finish', (self, original) => {
    for (const part of ['cells', 'compiled']) {
      if (marked.get(get(self, part))?.has('ending-file')) fail('ending the file');
    }
    return original();
  });
  wrap(classes.RecordStream, 'close', (self, original) => {
    if (get(self, 'bytes').includes('fails-closing')) fail('closing');
    return original();
  });

  return () => {
    for (const each of undo.reverse()) each();
  };
}
