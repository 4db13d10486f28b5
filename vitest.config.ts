import { defineConfig } from 'vitest/config';

// Where a file runs, and on which database, is in its folder or its name.

/** These change what a whole process shares: each file gets a process of its own. */
const ownProcess = 'test/**/*.own-process.test.ts';

/** About PostgreSQL alone. */
const postgresOnly = 'test/**/*postgres*.test.ts';

/** Tests of the store, and those outside of it that run on both databases. */
const onBoth = ['test/store/**/*.test.ts', 'test/**/*.both.test.ts'];

/** About SQLite's files, their locks and their query plans. */
const sqliteOnly = 'test/**/*.sqlite.test.ts';

/**
 * They wait for PostgreSQL to end a silent session. Under libfaketime (`scripts/test-at-hours.js`), its signal handlers
 * see the real time, so that no time limit of PostgreSQL ends where the time of the tests is ahead of it.
 */
const withSilentSessions = [
  'test/{attacks,journeys}/postgres.test.ts',
  'test/digests/postgres-crash.test.ts',
];

/** How long a test waits for something by default. */
const patienceMs = 20_000;

// A loaded machine can delay a process for seconds, and no timing may decide a test: limits only end what hangs. A test
// that passes the second time is reported as retried.
const shared = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  retry: process.env.CI ? 1 : 0,
  expect: { poll: { timeout: patienceMs } },
  setupFiles: ['test/patience.ts'],
  // Tests make much that is gone at once. V8 collects it with less work where it has more room for new objects. Most of
  // their code runs for a short time, so V8 optimizes only what has run for longer than the default of 132 KB of bytecode.
  execArgv: ['--max-semi-space-size=32', '--interrupt-budget=600000'],
};

export default defineConfig({
  test: {
    // Many tests wait for programs and timers, so that two cores take five workers.
    maxWorkers: 5,
    globalSetup: 'test/run-folder.ts',
    // Each module is transformed once for all projects, and not again before it changes.
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          ...shared,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          isolate: false,
          globalSetup: 'test/browser/browser-server.ts',
        },
      },
      { test: { ...shared, name: 'process', include: [ownProcess] } },
      {
        test: {
          ...shared,
          name: 'postgres',
          include: [...onBoth, postgresOnly],
          exclude: [sqliteOnly, ...(process.env.FAKETIME?.startsWith('+') ? withSilentSessions : [])],
          env: { TEST_DATABASE: 'postgres' },
          globalSetup: 'test/store/postgres-server.ts',
          isolate: false,
        },
      },
      {
        test: {
          ...shared,
          name: 'shared',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ['test/browser/**', postgresOnly, ownProcess],
          // Modules are loaded once in each worker: that is a quarter of the time of all files.
          isolate: false,
        },
      },
    ],
  },
});
