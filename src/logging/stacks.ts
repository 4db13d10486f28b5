import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';

/** Places in built files, and where they are in the sources. */
const known = new LRUCache<string, string>({ max: 2000 });

/**
 * A stack trace that names the sources instead of the built files.
 *
 * `--enable-source-maps` would load every map at the start, for 100 ms and 40 MB. Here a map is read when a stack has a
 * new place in its file, and is not cached: one takes up to 10 MB.
 */
export function withSourceLocations(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replace(/(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g, (place, url: string, line, column) => {
    const found = known.get(place);
    if (found !== undefined) return found;
    const path = fileURLToPath(url);
    if (!maps.has(path)) maps.set(path, readMap(`${path}.map`));
    const source = sourceOf(maps.get(path), path, Number(line), Number(column)) ?? place;
    known.set(place, source);
    return source;
  });
}

function sourceOf(map: SourceMap | undefined, path: string, line: number, column: number) {
  const origin = map?.findOrigin(line, column);
  if (!origin || !('fileName' in origin)) return undefined;
  return `${resolve(dirname(path), origin.fileName)}:${origin.lineNumber}:${origin.columnNumber}`;
}

/** Files that were not built have no map. */
function readMap(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}
