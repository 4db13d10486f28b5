import { scannerCode } from './scanner-code.js';

/** Longer input is read in JavaScript. */
const inputBytes = 128 * 1024;
/** Room for the slots and names of the readers of a record and its objects. */
const tableBytes = 2 * 1024 * 1024;
/** The size of the blocks of a file. */
export const blockBytes = 256 * 1024;
const maxBlocks = 6;
/** The compiled loops read and write up to so many bytes past the end. */
export const overshoot = 16;

/** Part of everything reserved, so that nothing shares a cache line with its neighbour. */
const gap = 64;
const firstTable = inputBytes + gap;
const firstBlock = firstTable + tableBytes;
const pageBytes = 64 * 1024;
const pages = Math.ceil((firstBlock + maxBlocks * (blockBytes + gap)) / pageBytes);

/** What `read` of the loops returns instead of an offset. */
export const Loop = { unusual: 0, incomplete: 1 } as const;

/** The functions of `assembly/scanner.ts`. Addresses are offsets in the scanner's memory. */
export interface Loops {
  read(reader: number, from: number, end: number): number;
  writeCells(columns: number, first: number, count: number, out: number, stopped: number): number;
}

/** The types of Node 20 do not have it. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Instance: new (
    module: object,
    imports: { env: { memory: object } },
  ) => { readonly exports: unknown };
};

let compiled: object | undefined;

/** Cleared scanners for the next readings. A new one takes longer than a small answer, and counts for the collector. */
const free: Scanner[] = [];
const maxFree = 2;

/**
 * The memory of one reading: its input, slots and blocks of output, where the compiled loops reach them. The loops are
 * missing where the machine cannot run them or has no such memory left. Then everything is done in JavaScript.
 *
 * Each reading has a memory of its own, cleared before, so no error can show rows of another asker.
 */
export class Scanner {
  readonly input: Buffer;
  private used = firstTable;
  private blocks = 0;

  private constructor(
    private readonly memory: ArrayBuffer | undefined,
    readonly loops: Loops | undefined,
  ) {
    this.input = memory ? Buffer.from(memory, 0, inputBytes) : Buffer.alloc(inputBytes);
  }

  static create(): Scanner {
    const cleared = free.pop();
    if (cleared) return cleared;
    try {
      compiled ??= new WebAssembly.Module(Buffer.from(scannerCode, 'base64'));
      const memory = new WebAssembly.Memory({ initial: pages });
      const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
      return new Scanner(memory.buffer, exports as Loops);
    } catch {
      return Scanner.withoutLoops();
    }
  }

  static withoutLoops(): Scanner {
    return new Scanner(undefined, undefined);
  }

  /** Clears the memory for another reading. Nothing may use this one's arrays and blocks afterwards. */
  release(): void {
    if (!this.memory || free.length === maxFree) return;
    new Uint8Array(this.memory, 0, this.used).fill(0);
    new Uint8Array(this.memory, firstBlock, this.blocks * (blockBytes + gap)).fill(0);
    this.used = firstTable;
    this.blocks = 0;
    free.push(this);
  }

  /** An array of zeros. */
  bytes(length: number): Uint8Array {
    const at = this.reserve(length);
    return this.memory && at !== undefined ? new Uint8Array(this.memory, at, length) : new Uint8Array(length);
  }

  /** An array of zeros. */
  words(length: number): Int32Array {
    const at = this.reserve(4 * length);
    return this.memory && at !== undefined ? new Int32Array(this.memory, at, length) : new Int32Array(length);
  }

  /** A block of output. The first few can be written by the loops. */
  newBlock(): Buffer {
    if (!this.memory || this.blocks === maxBlocks) return Buffer.allocUnsafe(blockBytes);
    const at = firstBlock + this.blocks * (blockBytes + gap);
    this.blocks += 1;
    return Buffer.from(this.memory, at, blockBytes);
  }

  /** True for an array that the loops reach. */
  has(array: Uint8Array | Int32Array): boolean {
    return array.buffer === this.memory;
  }

  private reserve(length: number): number | undefined {
    const at = this.used;
    const behind = at + Math.ceil((length + overshoot) / gap) * gap;
    if (behind > firstBlock) return undefined;
    this.used = behind;
    return at;
  }
}
