import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
let folder = '';
const inFolder = (path: string) => join(folder, path);
const npm = (...words: string[]) =>
  execFileSync('npm', [...words, '--offline', '--no-update-notifier'], { cwd: folder, stdio: 'pipe' });

/** What `npm ci` leaves behind, the installed packages and the build among it; then what operators run. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-production-'));
  const leftOut = ['.git', '.env', 'data', 'node_modules'].map((name) => join(root, name));
  cpSync(root, folder, { recursive: true, filter: (path) => !leftOut.includes(path) });
  linkTree(join(root, 'node_modules'), inFolder('node_modules'));
  npm('prune', '--omit=dev', '--workspaces=false');
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('an install without development packages and playground', () => {
  it('holds the packages of the bot and none of the others', () => {
    const installed = (name: string) => existsSync(inFolder(`node_modules/${name}/package.json`));
    const { dependencies, devDependencies } = packageJson('package.json');
    const playground = packageJson('playground/package.json');
    const unwanted = new Set(
      [devDependencies, playground.dependencies, playground.devDependencies].flatMap(Object.keys),
    );
    for (const name of Object.keys(dependencies)) unwanted.delete(name);
    // The bot's own packages bring these types along.
    unwanted.delete('@types/node');
    expect([...unwanted]).toEqual(expect.arrayContaining(['fastify', 'react', 'vite', 'typescript']));
    expect([...unwanted].filter(installed)).toEqual([]);
    expect(Object.keys(dependencies).filter((name) => !installed(name))).toEqual([]);
    expect(existsSync(inFolder('node_modules/rollcall-playground'))).toBe(false);
  });

  it('leaves the build alone in `prepare`', () => {
    const built = statSync(inFolder('dist/src/main.js')).mtimeMs;
    npm('run', 'prepare');
    expect(statSync(inFolder('dist/src/main.js')).mtimeMs).toBe(built);
  });
});

interface Package {
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
}

function packageJson(path: string): Package {
  return JSON.parse(readFileSync(inFolder(path), 'utf8'));
}

/** Links files, since copying all packages takes ten times as long. npm removes packages and writes into none. */
function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    // npm writes into this list of what is installed, and makes it anew where it is missing.
    if (entry.name === '.package-lock.json') continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isDirectory()) linkTree(source, target);
    else linkOrCopy(source, target);
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    // The temporary folder may be on another file system.
    copyFileSync(source, target);
  }
}
