import type { Writable } from 'node:stream';

/** Joins many short texts into chunks. */
export interface ChunkWriter {
  add(text: string): void;
  /** Writes what is left, and ends the stream. */
  end(): void;
}

/** About one socket buffer. */
const chunkSize = 64 * 1024;

/** The most bytes that one UTF-16 unit becomes in UTF-8. */
const bytesPerUnit = 3;

/**
 * Writes texts as UTF-8 in chunks of at most 64 KiB. A few buffers are used again and again, each from when the stream
 * is done with it, so that an answer of any length leaves no more behind than its last chunks.
 */
export function chunkWriter(out: Writable): ChunkWriter {
  const free: Buffer[] = [];
  let chunk: Buffer = Buffer.allocUnsafeSlow(chunkSize);
  let used = 0;

  function flush(): void {
    if (used === 0) return;
    const full = chunk;
    out.write(full.subarray(0, used), () => free.push(full));
    chunk = free.pop() ?? Buffer.allocUnsafeSlow(chunkSize);
    used = 0;
  }

  return {
    add(text) {
      const most = text.length * bytesPerUnit;
      if (used + most > chunkSize) flush();
      if (most > chunkSize) out.write(text);
      else used += chunk.write(text, used);
    },
    end() {
      out.end(chunk.subarray(0, used));
    },
  };
}
