// Kills the real bot hundreds of times while it delivers digests, and counts what arrived in the local Slack.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const steps = [
  ['scripts/build.js'],
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    'test/digests/scheduler-crash.test.ts',
    'test/digests/postgres-crash.test.ts',
  ],
];

for (const words of steps) {
  const { status } = spawnSync(process.execPath, words, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FULL: '1' },
  });
  if (status !== 0) process.exit(1);
}
