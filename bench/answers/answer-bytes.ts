import {
  completionRecord,
  engagementRecord,
  lateRecord,
  overlappingRecord,
  ownNumber,
  repeatedRecord,
  teamRecord,
} from './records.js';

/** The kinds of answers that the server makes. */
export type AnswerKind =
  | 'engagement'
  | 'repeated'
  | 'overlapping'
  | 'completions'
  | 'completions-late'
  | 'teams';

const usualRecords: Readonly<Record<AnswerKind, (seed: number) => object>> = {
  engagement: engagementRecord,
  repeated: repeatedRecord,
  overlapping: overlappingRecord,
  completions: completionRecord,
  'completions-late': completionRecord,
  teams: teamRecord,
};

export const recordsPerBlock = 20_000;
const marker = Buffer.from(ownNumber);

interface Block {
  readonly bytes: Buffer;
  /** The end of each record's text, including its comma. */
  readonly ends: readonly number[];
  /** The positions of the unique numbers, with the index of their record. */
  readonly numbers: readonly { readonly at: number; readonly record: number }[];
}

const blocks = new Map<string, Block>();

/** The number of bytes that `answerBytes` yields. */
export function answerLength(kind: AnswerKind, records: number): number {
  let length = 1;
  for (const piece of pieces(kind, records)) length += piece.end;
  return length;
}

/** The JSON text of an answer, in pieces of some megabytes. Record n of a kind is the same in every answer. */
export function* answerBytes(kind: AnswerKind, records: number): Generator<Buffer> {
  yield Buffer.from('[');
  for (const { block, first, end, last } of pieces(kind, records)) {
    const bytes = Buffer.from(block.bytes.subarray(0, end));
    for (const { at, record } of block.numbers) {
      if (at < end) bytes.write(String(first + record + 10_000_000), at, 'latin1');
    }
    if (last) bytes[end - 1] = 0x5d;
    yield bytes;
  }
}

function* pieces(kind: AnswerKind, records: number) {
  const usual = usualRecords[kind];
  const common = kind === 'completions-late' ? records - 1 : records;
  for (let first = 0; first < common; first += recordsPerBlock) {
    const block = blockOf(usual, 0, recordsPerBlock);
    const count = Math.min(recordsPerBlock, common - first);
    yield { block, first, end: block.ends[count - 1] ?? 0, last: first + count === records };
  }
  if (common < records) {
    const block = blockOf(lateRecord, common, 1);
    yield { block, first: common, end: block.bytes.length, last: true };
  }
}

function blockOf(record: (seed: number) => object, from: number, count: number): Block {
  const key = `${record.name} ${from} ${count}`;
  const known = blocks.get(key);
  if (known) return known;
  const texts = Array.from({ length: count }, (_, number) =>
    Buffer.from(`${JSON.stringify(record(from + number))},`),
  );
  const bytes = Buffer.concat(texts);
  const ends: number[] = [];
  const numbers: { at: number; record: number }[] = [];
  for (const [number, text] of texts.entries()) {
    const start = ends.at(-1) ?? 0;
    for (let at = text.indexOf(marker); at !== -1; at = text.indexOf(marker, at + 1)) {
      numbers.push({ at: start + at, record: number });
    }
    ends.push(start + text.length);
  }
  const block = { bytes, ends, numbers };
  blocks.set(key, block);
  return block;
}
