import { isUtf8 } from 'node:buffer';
import { Failure } from '../../errors/failure.js';
import { Byte, Incomplete, MalformedJson, maxNesting, skipBlanks, skipLiteral, TooDeep } from './json.js';
import type { ObjectReader } from './object-reader.js';

/** The longest record that is read, in bytes. */
export const maxRecordBytes = 64 * 1024 * 1024;

/** An incomplete record of fewer bytes is read again with each chunk. */
const maxCheapRetry = 2048;

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

type StreamState = 'start' | 'before-first' | 'before-record' | 'after-record' | 'after-end';

/**
 * Reads the records of one answer one by one, while its bytes arrive in chunks of any size. It holds at most one record
 * and one chunk. Invalid JSON is an error, and so is an answer that is not an array of objects. The literal `null` is an
 * empty array.
 */
export class RecordStream {
  /** Records read so far. */
  records = 0;
  /** Bytes appended so far. */
  received = 0;
  /** The last record's position in the reader's bytes, including its braces. */
  recordStart = 0;
  recordEnd = 0;
  private state: StreamState = 'start';
  private readonly utf8 = new WellFormedUtf8();
  /** The bytes that are not read yet: from `at` to `end`, followed by a zero. */
  private bytes: Buffer;
  private at = 0;
  private end = 0;
  private isEmpty = true;
  private isClosed = false;
  /** An incomplete record is read again when its bytes have doubled, so that a long record stays cheap. */
  private retryLength = 0;

  /** @param maxBytes of one record */
  constructor(
    private readonly reader: ObjectReader,
    private readonly maxBytes = maxRecordBytes,
  ) {
    this.bytes = reader.scanner.input;
  }

  append(chunk: Buffer): void {
    this.received += chunk.length;
    const bytes = this.utf8.next(chunk);
    const hasMark = this.isEmpty && bytes.length >= 3 && byteOrderMark.compare(bytes, 0, 3) === 0;
    if (bytes.length > 0) this.isEmpty = false;
    this.store(hasMark ? bytes.subarray(3) : bytes);
  }

  /** Ends the input. The next `next()` without a record then checks that the answer is complete. */
  close(): void {
    this.store(this.utf8.end());
    this.isClosed = true;
  }

  /** Reads the next record into the reader. False: more bytes are needed, or the answer is complete. */
  next(): boolean {
    if (this.isClosed) this.retryLength = 0;
    try {
      if (this.advance()) return true;
    } catch (error) {
      if (error instanceof MalformedJson)
        throw new Failure('answer-not-json', { record: this.currentRecord });
      if (error instanceof TooDeep)
        throw new Failure('record-too-big', {
          record: this.currentRecord,
          limit: 'levels',
          maximum: maxNesting,
        });
      throw error;
    }
    if (this.isClosed && this.state !== 'after-end')
      throw new Failure('answer-cut-short', { records: this.records });
    return false;
  }

  /** The number of the record that is being read, from 1; 0 before the array. */
  private get currentRecord(): number {
    return this.state === 'start' ? 0 : this.records + 1;
  }

  private advance(): boolean {
    if (this.state === 'start' && !this.readStart()) return false;
    for (;;) {
      this.at = skipBlanks(this.bytes, this.at);
      if (this.at === this.end) return false;
      const byte = this.bytes[this.at];
      if (this.state === 'after-end') throw new Failure('answer-goes-on', { records: this.records });
      if (this.state === 'after-record') {
        if (byte === Byte.comma) this.state = 'before-record';
        else if (byte === Byte.closeBracket) this.state = 'after-end';
        else throw new MalformedJson();
        this.at += 1;
      } else if (byte === Byte.closeBracket && this.state === 'before-first') {
        this.state = 'after-end';
        this.at += 1;
      } else {
        if (byte !== Byte.openBrace)
          throw beginsAValue(byte)
            ? new Failure('record-not-an-object', { record: this.records + 1 })
            : new MalformedJson();
        return this.readRecord();
      }
    }
  }

  private readRecord(): boolean {
    if (this.bytes !== this.reader.scanner.input) this.store(noBytes);
    const length = this.end - this.at;
    if (length < this.retryLength) return false;
    const behind = this.reader.read(this.bytes, this.at + 1, this.end);
    if ((behind === Incomplete ? length : behind - this.at) > this.maxBytes) {
      throw new Failure('record-too-big', {
        record: this.records + 1,
        limit: 'bytes',
        maximum: this.maxBytes,
      });
    }
    if (behind === Incomplete) {
      this.retryLength = length < maxCheapRetry ? 0 : Math.min(2 * length, this.maxBytes + 1);
      return false;
    }
    this.retryLength = 0;
    this.recordStart = this.at;
    this.recordEnd = behind;
    this.at = behind;
    this.state = 'after-record';
    this.records += 1;
    return true;
  }

  /** Skips to the first record. False if more bytes are needed. */
  private readStart(): boolean {
    const { bytes, end } = this;
    this.at = skipBlanks(bytes, this.at);
    if (this.at === end) return false;
    const byte = bytes[this.at];
    if (byte === Byte.openBracket) {
      this.at += 1;
      this.state = 'before-first';
      return true;
    }
    if (!beginsAValue(byte)) throw new MalformedJson();
    if (byte === Byte.quote || byte === Byte.openBrace || byte === Byte.minus || (byte ?? 0) <= Byte.nine) {
      throw new Failure('answer-not-an-array');
    }
    const behind = skipLiteral(bytes, this.at, end);
    if (behind === Incomplete) return false;
    if (byte !== 0x6e) throw new Failure('answer-not-an-array');
    this.at = behind;
    this.state = 'after-end';
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
  private incomplete = Buffer.alloc(0);

  /** The well-formed bytes so far; often the chunk itself. */
  next(chunk: Buffer): Buffer {
    const bytes = this.incomplete.length > 0 ? Buffer.concat([this.incomplete, chunk]) : chunk;
    const cut = bytes.length - incompleteBytes(bytes);
    // A copy, since the owner of the chunk may reuse its memory.
    this.incomplete = cut < bytes.length ? Buffer.from(bytes.subarray(cut)) : noBytes;
    return wellFormed(cut < bytes.length ? bytes.subarray(0, cut) : bytes);
  }

  /** The rest, after the last chunk. */
  end(): Buffer {
    const left = wellFormed(this.incomplete);
    this.incomplete = noBytes;
    return left;
  }
}

const noBytes = Buffer.alloc(0);

function wellFormed(bytes: Buffer): Buffer {
  return isUtf8(bytes) ? bytes : Buffer.from(bytes.toString());
}

/** Bytes of the UTF-8 character that begins with this byte. */
function characterLength(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}

/** The number of bytes at the end that begin a character without completing it. */
function incompleteBytes(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = characterLength(byte);
      return length > back ? back : 0;
    }
  }
  return 0;
}
