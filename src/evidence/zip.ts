import type { Readable } from 'node:stream';

/** One file in a ZIP. `open` is called when its turn comes. */
export interface ZipPart {
  readonly name: string;
  readonly open: () => Promise<Readable>;
}

/**
 * Not compressed, and without times: the same parts make the same bytes everywhere, so that not one bit of a file of
 * evidence can be changed unnoticed. Compressed bytes have bits that mean nothing, and differ between versions of zlib.
 */
const plain = { compress: false, mtime: new Date(1980, 0, 1), forceDosTimestamp: true } as const;

/** The bytes of a ZIP, as they are read. The parts follow each other. */
export async function* zipOf(parts: readonly ZipPart[]): AsyncGenerator<Buffer> {
  // Few processes need it.
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const opened: Readable[] = [];
  const failed = (error: Error) => void output.destroy(error);
  zip.once('error', failed);
  for (const { name, open } of parts) {
    zip.addReadStreamLazy(name, plain, (give) => {
      open().then(
        (stream) => {
          opened.push(stream);
          stream.once('error', failed);
          give(null, stream);
        },
        (error: Error) => failed(error),
      );
    });
  }
  zip.end();
  try {
    yield* output;
  } finally {
    for (const stream of opened) stream.destroy();
  }
}
