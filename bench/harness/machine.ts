import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';

/** The machine and the versions, one per line. */
export function machine(): readonly string[] {
  const processors = cpus();
  return [
    `${type()} ${release()}, ${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GB`,
    `Node ${process.versions.node}, V8 ${process.versions.v8}`,
    versions(['undici', 'stream-json', 'csv-stringify', '@slack/bolt', '@slack/web-api', 'better-sqlite3']),
  ];
}

/** The versions of the installed packages. */
function versions(names: readonly string[]): string {
  return names
    .map((name) => {
      const manifest = new URL(`../../../node_modules/${name}/package.json`, import.meta.url);
      return `${name} ${JSON.parse(readFileSync(manifest, 'utf8')).version}`;
    })
    .join(', ');
}
