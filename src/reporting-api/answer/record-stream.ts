import { isUtf8 } from 'node:buffer';
import {
  AnswerCutShort,
  AnswerGoesOn,
  AnswerNotAnArray,
  AnswerNotJson,
  RecordNotAnObject,
  RecordTooBig,
} from '../errors.js';
import { Byte, Incomplete, MalformedJson, maxNesting, skipBlanks, skipLiteral, TooDeep } from './json.js';
import type { ObjectReader } from './object-reader.js';

/** The longest record that is read, in bytes. */
export const maxRecordBytes = 64 * 1024 * 1024;

/** A record of fewer bytes is tried again whenever more have come. */
const cheapToTry = 2048;

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

type Place = 'start' | 'before-first' | 'before-record' | 'after-record' | 'after-end';

/**
 * Finds the records of one answer in its bytes as they arrive, however they were cut, and has them read one by one.
 * It holds one record and one chunk at most. Breaking any rule of JSON anywhere is an error, and so is an answer that
 * is not an array of objects; the literal `null` is an empty array.
 */
export class RecordStream {
  /** Records read so far. */
  records = 0;
  /** Bytes appended so far. */
  received = 0;
  /** Where the record read last lies in the reader's bytes, its braces included. */
  recordStart = 0;
  recordEnd = 0;
  private place: Place = 'start';
  private readonly utf8 = new WellFormedUtf8();
  /** What has arrived and is not read yet: from `at` to `end`, with a zero behind. */
  private bytes: Buffer;
  private at = 0;
  private end = 0;
  private nothingYet = true;
  private noMore = false;
  /** A record that was not whole is tried again only when twice its bytes are here, so that a long one stays cheap. */
  private tryAgainAt = 0;

  /** @param mostBytes of one record */
  constructor(
    private readonly reader: ObjectReader,
    private readonly mostBytes = maxRecordBytes,
  ) {
    this.bytes = reader.scanner.input;
  }

  append(chunk: Buffer): void {
    this.received += chunk.length;
    const bytes = this.utf8.next(chunk);
    const marked = this.nothingYet && bytes.length >= 3 && byteOrderMark.compare(bytes, 0, 3) === 0;
    if (bytes.length > 0) this.nothingYet = false;
    this.store(marked ? bytes.subarray(3) : bytes);
  }

  /** Ends the input. The next `next()` without a record then checks that the answer is complete. */
  close(): void {
    this.store(this.utf8.last());
    this.noMore = true;
  }

  /** Reads the next record into the reader. False: more bytes are needed, or the answer is complete. */
  next(): boolean {
    if (this.noMore) this.tryAgainAt = 0;
    try {
      if (this.advance()) return true;
    } catch (error) {
      if (error instanceof MalformedJson) throw new AnswerNotJson(this.numberInWork);
      if (error instanceof TooDeep) throw new RecordTooBig(this.numberInWork, 'levels', maxNesting);
      throw error;
    }
    if (this.noMore && this.place !== 'after-end') throw new AnswerCutShort(this.records);
    return false;
  }

  /** The number of the next record; 0 before the array has begun. */
  private get numberInWork(): number {
    return this.place === 'start' ? 0 : this.records + 1;
  }

  private advance(): boolean {
    if (this.place === 'start' && !this.passStart()) return false;
    for (;;) {
      this.at = skipBlanks(this.bytes, this.at);
      if (this.at === this.end) return false;
      const byte = this.bytes[this.at];
      if (this.place === 'after-end') throw new AnswerGoesOn(this.records);
      if (this.place === 'after-record') {
        if (byte === Byte.comma) this.place = 'before-record';
        else if (byte === Byte.closeBracket) this.place = 'after-end';
        else throw new MalformedJson();
        this.at += 1;
      } else if (byte === Byte.closeBracket && this.place === 'before-first') {
        this.place = 'after-end';
        this.at += 1;
      } else {
        if (byte !== Byte.openBrace)
          throw beginsAValue(byte) ? new RecordNotAnObject(this.records + 1) : new MalformedJson();
        return this.readRecord();
      }
    }
  }

  private readRecord(): boolean {
    if (this.bytes !== this.reader.scanner.input) this.store(noBytes);
    const length = this.end - this.at;
    if (length < this.tryAgainAt) return false;
    const behind = this.reader.read(this.bytes, this.at + 1, this.end);
    if ((behind === Incomplete ? length : behind - this.at) > this.mostBytes) {
      throw new RecordTooBig(this.records + 1, 'bytes', this.mostBytes);
    }
    if (behind === Incomplete) {
      this.tryAgainAt = length < cheapToTry ? 0 : Math.min(2 * length, this.mostBytes + 1);
      return false;
    }
    this.tryAgainAt = 0;
    this.recordStart = this.at;
    this.recordEnd = behind;
    this.at = behind;
    this.place = 'after-record';
    this.records += 1;
    return true;
  }

  /** Skips to the first record. False if more bytes are needed. */
  private passStart(): boolean {
    const { bytes, end } = this;
    this.at = skipBlanks(bytes, this.at);
    if (this.at === end) return false;
    const byte = bytes[this.at];
    if (byte === Byte.openBracket) {
      this.at += 1;
      this.place = 'before-first';
      return true;
    }
    if (!beginsAValue(byte)) throw new MalformedJson();
    if (byte === Byte.quote || byte === Byte.openBrace || byte === Byte.minus || (byte ?? 0) <= Byte.nine) {
      throw new AnswerNotAnArray();
    }
    const behind = skipLiteral(bytes, this.at, end);
    if (behind === Incomplete) return false;
    if (byte !== 0x6e) throw new AnswerNotAnArray();
    this.at = behind;
    this.place = 'after-end';
    return true;
  }

  private store(chunk: Buffer): void {
    const { input } = this.reader.scanner;
    const left = this.end - this.at;
    const needed = left + chunk.length + 1;
    // The compiled loops read the scanner's input only, so bytes return to it after a long record.
    const target = needed <= input.length ? input : this.bytes;
    if (target !== this.bytes || this.end + chunk.length >= target.length) {
      const roomy = needed <= target.length ? target : Buffer.allocUnsafe(2 * needed);
      this.bytes.copy(roomy, 0, this.at, this.end);
      this.bytes = roomy;
      this.at = 0;
      this.end = left;
    }
    chunk.copy(this.bytes, this.end);
    this.end += chunk.length;
    this.bytes[this.end] = 0;
  }
}

function beginsAValue(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return (byte >= Byte.zero && byte <= Byte.nine) || valueStarts.has(byte);
}

const valueStarts = new Set(Buffer.from('-"{[tfn'));

/**
 * Turns chunks of bytes into chunks of well-formed UTF-8 that end with a complete character. Invalid bytes become
 * U+FFFD, as in a browser.
 */
class WellFormedUtf8 {
  /** The first bytes of a character whose rest is in the next chunk; three at most. */
  private begun = Buffer.alloc(0);

  /** The well-formed bytes so far; often the chunk itself. */
  next(chunk: Buffer): Buffer {
    const bytes = this.begun.length > 0 ? Buffer.concat([this.begun, chunk]) : chunk;
    const cut = bytes.length - begunBytes(bytes);
    // A copy, since the owner of the chunk may reuse its memory.
    this.begun = cut < bytes.length ? Buffer.from(bytes.subarray(cut)) : noBytes;
    return wellFormed(cut < bytes.length ? bytes.subarray(0, cut) : bytes);
  }

  /** What is left when no more chunks come. */
  last(): Buffer {
    const left = wellFormed(this.begun);
    this.begun = noBytes;
    return left;
  }
}

const noBytes = Buffer.alloc(0);

function wellFormed(bytes: Buffer): Buffer {
  return isUtf8(bytes) ? bytes : Buffer.from(bytes.toString());
}

/** How many bytes at the end may be the beginning of a longer character. */
function begunBytes(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? back : 0;
    }
  }
  return 0;
}
