import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The repository's root is where tests run. */
const page = readFileSync('docs/architecture.md', 'utf8');
const importsOf = new Map(
  [...sourcesIn('src'), ...sourcesIn('playground')].map((file) => [file, readImports(file)]),
);

describe('the rooms of src', () => {
  const rooms = [...section('## Rooms').matchAll(/^\| `(src\/[^`]+)`/gm)].map(([, room = '']) => room);

  it('are all in the table, each once', () => {
    const entries = readdirSync('src').map((name) => `src/${name}`);
    expect([...rooms].sort()).toEqual(entries.sort());
  });

  it('import only rooms that are above them in the table', () => {
    const wrong = [...importsOf].flatMap(([file, imports]) =>
      imports
        .filter((imported) => file.startsWith('src/') && imported.startsWith('src/'))
        .filter((imported) => rooms.indexOf(roomOf(imported)) > rooms.indexOf(roomOf(file)))
        .map((imported) => `${file} imports ${imported}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe('nothing of src imports itself through others, not even a type', () => {
  const files = new Map([...importsOf].filter(([file]) => file.startsWith('src/')));

  it('is true of files', () => {
    expect(inCycles(files)).toEqual([]);
  });

  it('is true of folders', () => {
    const folders = new Map<string, string[]>();
    for (const [file, imports] of files) {
      const folder = dirname(file);
      const others = imports.map((imported) => dirname(imported)).filter((other) => other !== folder);
      folders.set(folder, [...(folders.get(folder) ?? []), ...others]);
    }
    expect(folders.size).toBeGreaterThan(40);
    expect(inCycles(folders)).toEqual([]);
  });
});

/** What imports itself, or what imports that. */
function inCycles(importsOf: ReadonlyMap<string, readonly string[]>): string[] {
  const left = new Map(importsOf);
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const [one, imports] of left) if (!imports.some((other) => left.has(other))) left.delete(one);
  }
  return [...left.keys()];
}

describe('the playground', () => {
  it('imports src in playground/bot.ts alone', () => {
    const files = [...importsOf].filter(
      ([file, imports]) =>
        file.startsWith('playground/') && imports.some((imported) => imported.startsWith('src/')),
    );
    expect(files.map(([file]) => file)).toEqual(['playground/bot.ts']);
  });

  it('is not imported by src', () => {
    const files = [...importsOf].filter(
      ([file, imports]) =>
        file.startsWith('src/') && imports.some((imported) => imported.startsWith('playground/')),
    );
    expect(files).toEqual([]);
  });
});

describe.each(['### From the command to the message', '### From the due digest to the message'])(
  '%s',
  (title) => {
    const files = [...section(title).matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = '']) => file);

    it('takes at most 14 files', () => {
      expect(files.length).toBeGreaterThan(5);
      expect(files.length).toBeLessThanOrEqual(14);
    });

    it('goes from each file to one that it imports, starts as a thread, or has as a port', () => {
      const unconnected = files.filter(
        (file, index) => index > 0 && !files.slice(0, index).some((earlier) => leadsTo(earlier, file)),
      );
      expect(unconnected).toEqual([]);
    });
  },
);

it('docs/architecture.md and the pages of rooms name only files and folders that exist', () => {
  const rooms = ['posts', 'reporting-api', 'slack', 'store'].map((room) =>
    readFileSync(`src/${room}/README.md`, 'utf8'),
  );
  const pages = [page, ...rooms].join('\n');
  const paths = [...pages.matchAll(/`((?:src|test|playground)\/[\w./-]+)`/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

/** Ports are files with interfaces that another room implements: there the import goes the other way. */
const ports = ['src/runner/ports.ts', 'src/scheduler/ports.ts'];

function leadsTo(earlier: string, file: string): boolean {
  if (importsOf.get(earlier)?.includes(file)) return true;
  if (ports.includes(earlier) && importsOf.get(file)?.includes(earlier)) return true;
  const worker = /new URL\('([^']+)', import\.meta\.url\)/.exec(readFileSync(earlier, 'utf8'))?.[1];
  return worker !== undefined && sourceOf(join(dirname(earlier), worker)) === file;
}

function section(title: string): string {
  const start = page.indexOf(`${title}\n`);
  if (start < 0) throw new Error(`docs/architecture.md has no section ${title}`);
  const rest = page.slice(start + title.length);
  const end = rest.search(/^##/m);
  return end < 0 ? rest : rest.slice(0, end);
}

function roomOf(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sourcesIn(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** The files that a file imports, types included, as paths from the root. */
function readImports(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*'(\.[^']+)'/gm)].map(([, specifier = '']) =>
    sourceOf(join(dirname(file), specifier)),
  );
}

function sourceOf(path: string): string {
  return normalize(path).replace(/\.js$/, '.ts');
}
