import { afterAll, expect, it } from 'vitest';
import { answer, cut, type FaultServer, openFaultServer, status } from '../reporting-api/fault-server.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, isSummary, newIn } from './watching.js';

let service: FaultServer;
const work = testWorkspace(() => ({
  environment: { DEFAULT_ACCESS: 'totals', OPERATIONS_PORT: '0' },
  service: async () => {
    service = await openFaultServer();
    service.behave(answer(records));
    return { url: service.url, token: 'a-token' };
  },
}));
afterAll(() => service.close());

const records = JSON.stringify(
  Array.from({ length: 9 }, (_, i) => ({ workshop_id: `w${i}`, email: `p${i}@x.test` })),
);

/** The lines of the bot's log. */
function logLines(): readonly Record<string, unknown>[] {
  return work()
    .bot.stdout()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

/** The series of the metrics page, by name and labels. */
async function series(): Promise<ReadonlyMap<string, number>> {
  const port = logLines().find(({ msg }) => String(msg).startsWith('/healthz'))?.port;
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

const ask = (command: string) => () => work().slack.as('ada').command(command, '#learning');

it('the metrics count what happened, and show what runs now', async () => {
  await newIn(work(), '#learning', ask('/report workshops this-month'), isSummary('Workshops'), 15_000);
  await newIn(work(), '#learning', ask('/report engagement last-week csv'), isPrivate, 15_000);
  await work().slack.settled();
  const running = ['requests_running', 'requests_waiting', 'queries_running', 'queries_waiting'];
  // A request ends after its last call to Slack.
  await expect
    .poll(
      async () => {
        const now = await series();
        return running.map((name) => [name, now.get(`rollcall_${name}`)]);
      },
      { timeout: 10_000 },
    )
    .toEqual(running.map((name) => [name, 0]));
  const now = await series();
  expect(now.get('rollcall_acknowledge_seconds_count')).toBeGreaterThanOrEqual(2);
  expect(now.get('rollcall_acknowledge_seconds_bucket{le="3"}')).toBe(
    now.get('rollcall_acknowledge_seconds_count'),
  );
  expect(now.get('rollcall_reporting_bytes_total')).toBeGreaterThan(100);
  expect(now.get('rollcall_requests_refused_total{level="totals",reason="totals-only"}')).toBe(1);
  expect(now.get('rollcall_events_recorded_total')).toBeGreaterThanOrEqual(2);
  for (const name of ['queued', 'due', 'late']) expect(now.get(`rollcall_digest_runs_${name}`)).toBe(0);
});

it('all lines of a request carry one ID, and a failure shows it', async () => {
  const start = logLines().length;
  service.behave(cut('[{"a'), status(401));
  const reply = await newIn(work(), '#learning', ask('/report tracks last-month'), isPrivate, 15_000);
  const shown = /ID: ([a-z0-9]+)/.exec(reply.words)?.[1];
  expect(shown).toBeDefined();
  const failed = logLines().slice(start);
  expect(failed.map(({ id }) => id)).toEqual(failed.map(() => shown));
  // A retry, the refusal, and the end of the request.
  expect(failed.filter(({ msg }) => msg === 'A request failed').length).toBeGreaterThanOrEqual(3);

  service.behave(answer(records), answer(records));
  await newIn(work(), '#learning', ask('/report tracks last-week'), isSummary('Track'), 15_000);
  const answered = logLines().slice(start + failed.length);
  expect(answered.length).toBeGreaterThan(0);
  expect(new Set(answered.map(({ id }) => id)).size).toBe(1);
  expect(answered[0]?.id).not.toBe(shown);
  expect(answered[0]?.id).toMatch(/^[a-z0-9]{10}$/);
});
