// The whole check: build, format and lint, types, every test. Whatever happens, it ends with how many tests passed and
// failed, and how many browser tests ran.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'rollcall-test-'));
const countsFile = join(scratch, 'counts.jsonl');

const build = ['Build', ['scripts/build.js']];
const staticChecks = [
  ['Format and lint', ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.']],
  ['Unused code', ['node_modules/knip/bin/knip.js', '--no-progress']],
  ['Types', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json']],
  ['Types of the page', ['node_modules/typescript/bin/tsc', '-p', 'playground/slack/web']],
];
const tests = [
  'Tests',
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=./scripts/count-tests.js',
    ...process.argv.slice(2),
  ],
];

let failed = true;
try {
  // Tests wait for programs and timers, so the static checks run in the time that the tests leave.
  failed =
    !(await runStep(build)) ||
    (await Promise.all([runStep(tests), runStaticChecks()])).some((succeeded) => !succeeded);
} catch (error) {
  console.error(error);
} finally {
  const counts = countTests();
  rmSync(scratch, { recursive: true, force: true });
  sayCounts(counts);
  process.exitCode = failed || counts.failed > 0 || counts.passed === 0 ? 1 : 0;
}

/** Runs a step and shows its output. Returns true if it succeeded. */
async function runStep([title, words]) {
  console.log(`\n== ${title}`);
  const child = spawn(process.execPath, words, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_COUNTS_FILE: countsFile },
  });
  const ended = await endOf(child, title);
  if (ended !== 0) console.error(`\n${title} failed (${ended}).`);
  return ended === 0;
}

/** Runs the checks one by one and shows the output of each at its end. Returns true if all succeeded. */
async function runStaticChecks() {
  for (const [title, words] of staticChecks) {
    const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    const ended = await endOf(child, title);
    console.log(`\n== ${title}\n${output}`);
    if (ended === 0) continue;
    console.error(`${title} failed (${ended}).`);
    return false;
  }
  return true;
}

/** Resolves to the exit code of a program, to the signal that ended it, or to why it could not run. */
function endOf(child, title) {
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(`${title} cannot start: ${message}`));
    for (const [name, stream] of Object.entries({ stdout: child.stdout, stderr: child.stderr }))
      stream?.once('error', ({ message }) => resolve(`the ${name} of ${title} broke: ${message}`));
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
}

/** From what was written until the tests ended, or died. Dying counts as one failure. */
function countTests() {
  const counts = { passed: 0, failed: 0, skipped: 0, browserRan: 0, browserSkipped: 0, isOver: false };
  for (const line of readCounts()) {
    if (line.isOver) {
      counts.isOver = true;
      counts.failed += line.unhandledErrors;
      continue;
    }
    counts.passed += line.passed;
    counts.failed += line.failed;
    counts.skipped += line.skipped;
    if (!line.file.startsWith('test/browser/')) continue;
    counts.browserRan += line.passed + line.failed;
    counts.browserSkipped += line.skipped;
  }
  if (!counts.isOver) counts.failed += 1;
  return counts;
}

function readCounts() {
  try {
    const lines = readFileSync(countsFile, 'utf8').split('\n');
    // The last one may be cut off.
    return lines.slice(0, -1).map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}

function sayCounts({ passed, failed, skipped, browserRan, browserSkipped, isOver }) {
  if (!isOver) console.error('\nThe tests did not run to their end.');
  else if (browserRan > 0) {
    console.log(
      `\nBrowser tests: ${browserRan} ran${browserSkipped > 0 ? `, ${browserSkipped} skipped` : ''}.`,
    );
  } else if (browserSkipped > 0) {
    console.log(
      `\nBrowser tests: skipped (${browserSkipped}), since no Chromium was found. Debian: apt-get install chromium.`,
    );
  }
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
}
