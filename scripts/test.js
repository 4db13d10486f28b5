// The whole check: build, format and lint, types, every test. Ends with how many browser tests ran.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'rollcall-test-'));
const reportFile = join(scratch, 'report.json');

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
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
    ...process.argv.slice(2),
  ],
];

// Tests wait for programs and timers, so the static checks run in the time that the tests leave.
const failed =
  !(await runStep(build)) ||
  (await Promise.all([runStep(tests), runStaticChecks()])).some((succeeded) => !succeeded);

const counts = countTests();
rmSync(scratch, { recursive: true, force: true });
if (counts) {
  const { browser } = counts;
  console.log(
    browser.ran > 0
      ? `\nBrowser tests: ${browser.ran} ran${browser.skipped > 0 ? `, ${browser.skipped} skipped` : ''}.`
      : `\nBrowser tests: skipped (${browser.skipped}), since no Chromium was found. Debian: apt-get install chromium.`,
  );
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
}
process.exitCode = failed || !counts || counts.failed > 0 || counts.passed === 0 ? 1 : 0;

/** Runs a step and shows its output. Returns true if it succeeded. */
async function runStep([title, words]) {
  console.log(`\n== ${title}`);
  const [status] = await once(spawn(process.execPath, words, { cwd: root, stdio: 'inherit' }), 'close');
  if (status !== 0) console.error(`\n${title} failed.`);
  return status === 0;
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
    const [status] = await once(child, 'close');
    console.log(`\n== ${title}\n${output}`);
    if (status === 0) continue;
    console.error(`${title} failed.`);
    return false;
  }
  return true;
}

function countTests() {
  let report;
  try {
    report = JSON.parse(readFileSync(reportFile, 'utf8'));
  } catch {
    return undefined;
  }
  const browser = { ran: 0, skipped: 0 };
  for (const file of report.testResults) {
    if (!file.name.includes('/test/browser/')) continue;
    for (const test of file.assertionResults) {
      if (test.status === 'passed' || test.status === 'failed') browser.ran += 1;
      else browser.skipped += 1;
    }
  }
  return {
    browser,
    passed: report.numPassedTests,
    failed:
      report.numFailedTests +
      report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
        .length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
