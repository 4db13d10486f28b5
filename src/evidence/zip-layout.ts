import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Entry } from 'yauzl';

/*
 * What the ZIP of evidence is, field by field. It is written down here, and not taken from the library that makes ZIPs:
 * another version of that may write other fields, and a file must be verified after ten years too. Such fields need a
 * second set of `fields` beside these, never other ones in their place.
 */

/** Integers of a ZIP: how many bytes each has, and its value. */
type Fields = readonly (readonly [bytes: 2 | 4, value: number])[];

const fields = {
  /** Unix, version 6.3 of the format. */
  madeBy: (3 << 8) | 63,
  needed: 20,
  /** Names in UTF-8; hash and sizes follow the content. */
  flags: 0x0808,
  stored: 0,
  time: 0,
  /** 1980-01-01. */
  date: 0x0021,
  /** A file that its owner and group can write. */
  attributes: (0o100664 << 16) >>> 0,
} as const;

const common: Fields = [
  [2, fields.needed],
  [2, fields.flags],
  [2, fields.stored],
  [2, fields.time],
  [2, fields.date],
];

/** A file in the ZIP, as its bytes are. */
interface Content {
  readonly name: string;
  readonly offset: number;
  readonly bytes: number;
  readonly crc: number;
}

function header(name: Buffer): Buffer {
  const unknown: Fields = [
    [4, 0],
    [4, 0],
    [4, 0],
  ];
  return written([[4, 0x04034b50], ...common, ...unknown, [2, name.length], [2, 0]], name);
}

const sums = ({ crc, bytes }: Content): Fields => [
  [4, crc],
  [4, bytes],
  [4, bytes],
];

function descriptor(content: Content): Buffer {
  return written([[4, 0x08074b50], ...sums(content)]);
}

function directoryEntry(content: Content): Buffer {
  const name = Buffer.from(content.name);
  const [extra, comment, disk, internal] = [0, 0, 0, 0];
  const start: Fields = [[4, 0x02014b50], [2, fields.madeBy], ...common, ...sums(content)];
  const lengths: Fields = [
    [2, name.length],
    [2, extra],
    [2, comment],
  ];
  const end: Fields = [
    [2, disk],
    [2, internal],
    [4, fields.attributes],
    [4, content.offset],
  ];
  return written([...start, ...lengths, ...end], name);
}

function endOfDirectory(count: number, bytes: number, offset: number): Buffer {
  const [disk, comment] = [0, 0];
  const disks: Fields = [
    [2, disk],
    [2, disk],
  ];
  const counts: Fields = [
    [2, count],
    [2, count],
  ];
  return written([[4, 0x06054b50], ...disks, ...counts, [4, bytes], [4, offset], [2, comment]]);
}

function written(values: Fields, ...more: readonly Buffer[]): Buffer {
  const bytes = Buffer.alloc(values.reduce((sum, [length]) => sum + length, 0));
  let at = 0;
  for (const [length, value] of values) at = bytes.writeUIntLE(value, at, length);
  return Buffer.concat([bytes, ...more]);
}

/** True if the directory of the ZIP has this file with the fields that evidence has, wherever its bytes are. */
export function hasFieldsOfEvidence(entry: Entry): boolean {
  return (
    entry.versionMadeBy === fields.madeBy &&
    entry.generalPurposeBitFlag === fields.flags &&
    entry.compressionMethod === fields.stored &&
    entry.lastModFileDate === fields.date &&
    entry.externalFileAttributes === fields.attributes
  );
}

const readBytes = 64 * 1024;

/**
 * True if a ZIP is, from its first byte to its last, these files in this order, each stored, and its directory: nothing
 * before, between or after them, and each field as evidence has it. Each byte is read once, in constant memory.
 */
export async function hasLayoutOfEvidence(
  file: FileHandle,
  files: readonly { readonly name: string; readonly bytes: number }[],
): Promise<boolean> {
  const buffer = Buffer.allocUnsafe(readBytes);
  let at = 0;
  /** The next bytes; fewer where the file ends. */
  async function next(length: number): Promise<Buffer> {
    const wanted = Math.min(length, readBytes);
    let got = 0;
    for (let read = -1; read !== 0 && got < wanted; got += read)
      read = (await file.read(buffer, got, wanted - got, at + got)).bytesRead;
    at += got;
    return buffer.subarray(0, got);
  }
  const follows = async (expected: Buffer) => (await next(expected.length)).equals(expected);

  const contents: Content[] = [];
  for (const { name, bytes } of files) {
    const offset = at;
    if (!(await follows(header(Buffer.from(name))))) return false;
    let crc = 0;
    for (let left = bytes; left > 0; ) {
      const chunk = await next(left);
      if (chunk.length === 0) return false;
      crc = crc32(chunk, crc);
      left -= chunk.length;
    }
    const content = { name, offset, bytes, crc };
    if (!(await follows(descriptor(content)))) return false;
    contents.push(content);
  }
  const directory = at;
  for (const content of contents) {
    if (!(await follows(directoryEntry(content)))) return false;
  }
  if (!(await follows(endOfDirectory(contents.length, at - directory, directory)))) return false;
  return (await next(1)).length === 0;
}
