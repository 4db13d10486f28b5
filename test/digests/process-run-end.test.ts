import { expect, it, onTestFinished } from 'vitest';
import type { RunEnd } from '../../src/digests/digest.js';
import { digestScheduler } from '../../src/scheduler/scheduler.js';
import { answer } from '../reporting-api/fault-server.js';
import { learning, openTestWorkspace, settings } from './test-workspace.js';

it('is reported once for each due run, with or without its file', async () => {
  const { digest, run, parts, slack, clock } = await openTestWorkspace({ usual: answer('[]') });
  const ends: RunEnd[] = [];
  const scheduler = digestScheduler({ ...parts, onRunEnd: (end) => ends.push(end) });
  onTestFinished(() => scheduler.stop());
  const busy = { kind: 'ratelimited', retryAfter: 1 } as const;
  slack.faults.set('files.completeUploadExternal', busy, { times: 1 });
  slack.faults.set(
    'chat.postMessage',
    { kind: 'cut' },
    { times: 1, when: ({ channel }) => channel === 'C00SALES01' },
  );
  // None of them comes again while the test moves the clock.
  const schedule = {
    ...settings.schedule,
    cadence: { kind: 'quarterly', day: 1, time: '03:00' } as const,
  };
  const delivered = await digest({ schedule, request: { ...settings.request, file: 'csv' as const } });
  const skipped = await digest({ schedule, channel: 'C00PEOPL01', skipEmpty: true });
  const failed = await digest({ schedule, channel: 'C00NOWHERE' });
  const unknown = await digest({ schedule, channel: 'C00SALES01' });
  scheduler.start();
  await run(delivered, ({ fileState, readyAt }) => fileState === 'queued' && readyAt !== undefined);
  clock.moveBy(60_000);
  await run(delivered, ({ fileState, rateLimited }) => fileState === 'posted' && rateLimited === 1);
  await run(skipped, ({ state }) => state === 'skipped');
  await run(failed, ({ state }) => state === 'failed');
  await run(unknown, ({ state }) => state === 'unknown');
  await scheduler.stop();
  expect(ends.map(({ outcome, code }) => [outcome, code]).sort()).toEqual([
    ['delivered', undefined],
    ['failed', 'channel_not_found'],
    ['skipped', undefined],
    ['unknown', 'connection_lost'],
  ]);
  for (const { secondsLate } of ends) expect(secondsLate).toBeGreaterThanOrEqual(1);
  expect(slack.posts.filter(({ channel, threadTs }) => channel === learning && !threadTs)).toHaveLength(1);
});
