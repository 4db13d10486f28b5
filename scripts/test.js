// The whole check: build, format and lint, types, every test. Ends with how many browser tests ran.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'rollcall-test-'));
const reportFile = join(scratch, 'report.json');

const steps = [
  ['Build', ['scripts/build.js']],
  ['Format and lint', ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.']],
  ['Unused code', ['node_modules/knip/bin/knip.js', '--no-progress']],
  ['Types', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json']],
  ['Types of the page', ['node_modules/typescript/bin/tsc', '-p', 'playground/slack/web']],
  [
    'Tests',
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportFile}`,
      ...process.argv.slice(2),
    ],
  ],
];

let failed = false;
for (const [title, words] of steps) {
  console.log(`\n== ${title}`);
  const { status } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    failed = true;
    console.error(`\n${title} failed.`);
    break;
  }
}

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
