// Compares every call of the journeys, to Slack and to the Reporting Service, with those in test/journeys/calls, or
// writes them anew with UPDATE_CALLS=1. Words after `--` choose journeys by the beginnings of their names.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const { journeys: leftOut } = JSON.parse(
  readFileSync(new URL('../test/journeys/calls/left-out.json', import.meta.url), 'utf8'),
);

const chosen = process.argv.slice(2);
const files = (chosen.length > 0 ? chosen : ['']).map((name) => `test/journeys/${name}`);
const excluded = Object.keys(leftOut).flatMap((name) => ['--exclude', `test/journeys/${name}.test.ts`]);
const steps = [
  ['scripts/build.js'],
  ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', ...excluded, ...files],
];

for (const words of steps) {
  const { status } = spawnSync(process.execPath, words, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, COMPARE_CALLS: '1' },
  });
  if (status !== 0) process.exit(1);
}
