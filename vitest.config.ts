import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** These change what a whole process shares: each file gets a process of its own. */
const ownProcess = [
  'test/requests/date-range-zones.test.ts',
  'test/slack/calls-per-view.test.ts',
  'test/slack/queries-per-view.test.ts',
  'test/slack/transport/proxies.test.ts',
];

/** About SQLite's files, their locks and their query plans. All other tests of the store also run on PostgreSQL. */
const sqliteOnly = [
  'test/store/backup.test.ts',
  'test/store/database.test.ts',
  'test/store/database-concurrency.test.ts',
  'test/store/unusable.test.ts',
  'test/store/workspace.test.ts',
  'test/store/access/events.test.ts',
  'test/store/access/events-processes.test.ts',
  'test/store/digests/query-plans.test.ts',
];

/** About PostgreSQL alone. */
const postgresOnly = [
  'test/store/postgres.test.ts',
  'test/store/postgres-faults.test.ts',
  'test/attacks/postgres.test.ts',
  'test/journeys/postgres.test.ts',
  'test/journeys/taking-over.test.ts',
  'test/journeys/postgres-playground.test.ts',
  'test/digests/postgres-crash.test.ts',
];

/** Tests outside the store that run on both databases. */
const onBoth = [
  'test/attacks/failing-service.test.ts',
  'test/attacks/left-out.test.ts',
  'test/attacks/purpose-and-files.test.ts',
  'test/attacks/record.test.ts',
  'test/attacks/slack-tokens.test.ts',
  'test/attacks/small-groups.test.ts',
  'test/attacks/titles.test.ts',
];

/**
 * They wait for PostgreSQL to end a silent session. Under libfaketime (`scripts/test-at-hours.js`), its signal handlers
 * see the real time, so that no time limit of PostgreSQL ends where the time of the tests is ahead of it.
 */
const withSilentSessions = [
  'test/attacks/postgres.test.ts',
  'test/journeys/postgres.test.ts',
  'test/digests/postgres-crash.test.ts',
];

/** They mostly wait, so they begin while browsers and the static checks need the cores. */
const first = ['digests/postgres-crash', 'journeys/postgres'];

/** The slowest files, slowest first. They begin first, so that no worker is left alone with one at the end. */
const slowest = [
  'journeys/taking-over',
  'browser/builder',
  'browser/access',
  'browser/playground',
  'browser/digests',
  'cli/commands',
  'digests/deletions',
  'journeys/troubles',
  'access/doors',
  'digests/scheduler',
  'store/unusable',
  'digests/scheduler-crash',
  'journeys/process',
  'reporting-api/planted-failures',
  'requests/date-range-zones',
  'schedule/next-runs-zones',
];

const named = [
  ...ownProcess,
  ...sqliteOnly,
  ...postgresOnly,
  ...onBoth,
  ...[...first, ...slowest].map((name) => `test/${name}.test.ts`),
];
for (const path of named) {
  if (!existsSync(new URL(path, import.meta.url)))
    throw new Error(`vitest.config.ts names ${path}, which is not there.`);
}

/** How long a test waits for something by default. */
const patienceMs = 20_000;

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeIn = (names: readonly string[], { moduleId }: TestSpecification) => {
      const at = names.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at < 0 ? names.length : at;
    };
    // Workers of shared modules live on only while files of one project follow each other.
    const projects = ['browser', 'process', 'postgres', 'shared'];
    // By name and not by folder: files of one folder wait for the same, or all need the processor.
    const name = ({ moduleId }: TestSpecification) => basename(moduleId) + moduleId;
    return [...files].sort(
      (a, b) =>
        placeIn(first, a) - placeIn(first, b) ||
        projects.indexOf(a.project.name) - projects.indexOf(b.project.name) ||
        placeIn(slowest, a) - placeIn(slowest, b) ||
        (name(a) < name(b) ? -1 : 1),
    );
  }
}

// A loaded machine can delay a process for seconds, and no timing may decide a test: limits only end what hangs. A test
// that passes the second time is reported as retried.
const shared = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  retry: process.env.CI ? 1 : 0,
  expect: { poll: { timeout: patienceMs } },
  setupFiles: ['test/patience.ts'],
};

export default defineConfig({
  test: {
    // Many tests wait for programs and timers, so that two cores take four workers.
    maxWorkers: 4,
    sequence: { sequencer: SlowestFirst },
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
      { test: { ...shared, name: 'process', include: ownProcess } },
      {
        test: {
          ...shared,
          name: 'postgres',
          include: ['test/store/**/*.test.ts', ...onBoth, ...postgresOnly],
          exclude: [...sqliteOnly, ...(process.env.FAKETIME?.startsWith('+') ? withSilentSessions : [])],
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
          exclude: ['test/browser/**', ...postgresOnly, ...ownProcess],
          // Modules are loaded once in each worker: that is a quarter of the time of all files.
          isolate: false,
        },
      },
    ],
  },
});
