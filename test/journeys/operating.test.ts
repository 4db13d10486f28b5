import { expect, it } from 'vitest';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, isSummary, newIn } from './watching.js';

const work = testWorkspace(() => ({ environment: { DEFAULT_ACCESS: 'totals', OPERATIONS_PORT: '0' } }));

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
  const now = await series();
  expect(now.get('rollcall_acknowledge_seconds_count')).toBeGreaterThanOrEqual(2);
  expect(now.get('rollcall_acknowledge_seconds_bucket{le="3"}')).toBe(
    now.get('rollcall_acknowledge_seconds_count'),
  );
  expect(now.get('rollcall_reporting_bytes_total')).toBeGreaterThan(100);
  expect(now.get('rollcall_requests_refused_total{level="totals",reason="totals-only"}')).toBe(1);
  expect(now.get('rollcall_events_recorded_total')).toBeGreaterThanOrEqual(2);
  for (const name of ['requests_running', 'requests_waiting', 'queries_running', 'queries_waiting'])
    expect([name, now.get(`rollcall_${name}`)]).toEqual([name, 0]);
  for (const name of ['queued', 'due', 'late']) expect(now.get(`rollcall_digest_runs_${name}`)).toBe(0);
});
