import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own, which can be filled and made read-only. */
export interface SmallDisk {
  path(name: string): string;
  /** Leaves no free byte. */
  fill(): void;
  /** Undoes `fill`. */
  free(): void;
  /** Fails while a program has a file of it open for writing. */
  makeReadOnly(): void;
  remove(): void;
}

/** Mounts a tmpfs. Undefined, with a line on stderr, where this account may not mount one. */
export function smallDisk(bytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-disk-'));
  const mount = (...words: string[]) => spawnSync('mount', words).status === 0;
  if (!mount('-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder)) {
    rmSync(folder, { recursive: true });
    process.stderr.write('The tests of a full disk are skipped: this account may not mount a tmpfs.\n');
    return undefined;
  }
  const filler = join(folder, 'filler');
  return {
    path: (name) => join(folder, name),
    fill() {
      const file = openSync(filler, 'a');
      try {
        for (const size of [65_536, 4096, 1]) writeUntilFull(file, Buffer.alloc(size));
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    makeReadOnly() {
      if (!mount('-o', 'remount,ro', folder)) throw new Error('The disk cannot be made read-only');
    },
    remove() {
      spawnSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeUntilFull(file: number, chunk: Buffer): void {
  try {
    for (;;) writeSync(file, chunk);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
