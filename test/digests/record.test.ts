import { describe, expect, it, onTestFinished } from 'vitest';
import { digestScheduler } from '../../src/scheduler/scheduler.js';
import { answer } from '../reporting-api/fault-server.js';
import {
  ada,
  learning,
  openTestWorkspace,
  settings,
  type WorkspaceParts,
  withSlack,
} from './test-workspace.js';

const workshops = {
  ...settings.request,
  report: 'workshops',
  range: 'this-month',
  columns: ['workshop_title'],
  file: 'csv' as const,
} as const;

function scheduling(parts: WorkspaceParts) {
  const scheduler = digestScheduler(withSlack(parts));
  onTestFinished(() => scheduler.stop());
  return scheduler;
}

describe('the record of digests', () => {
  it('has one event of a delivered digest and one of its file, with its owner', async () => {
    const { digest, run, scheduler, slack, store, clock } = await openTestWorkspace();
    slack.faults.set('chat.postMessage', { kind: 'ratelimited', retryAfter: 1 }, { times: 1 });
    const one = await digest({ request: workshops });
    scheduler.start();
    await run(one, ({ rateLimited }) => rateLimited === 1);
    clock.moveBy(2_000);
    await run(one, ({ fileState }) => fileState === 'posted');
    expect(await store.events.oldest({}, 9)).toMatchObject([
      {
        kind: 'asked',
        person: ada,
        place: learning,
        report: 'workshops',
        details: { origin: 'digest', level: 'everything' },
      },
      {
        kind: 'exported',
        person: ada,
        place: learning,
        details: { origin: 'digest', columns: ['workshop_title'], rowCount: 3 },
      },
    ]);
  });

  it('has a file that Slack did not take, and then the one that it took', async () => {
    const { digest, run, scheduler, slack, store, clock } = await openTestWorkspace();
    slack.faults.set('files.completeUploadExternal', { kind: 'ratelimited', retryAfter: 1 }, { times: 1 });
    const one = await digest({ request: workshops });
    scheduler.start();
    await run(one, ({ fileState, readyAt }) => fileState === 'queued' && readyAt !== undefined);
    clock.moveBy(2 * 60_000);
    await run(one, ({ fileState }) => fileState === 'posted');
    const events = await store.events.oldest({}, 9);
    expect(events.map(({ kind }) => kind)).toEqual(['asked', 'exported', 'upload-failed', 'exported']);
    const { file }: { file?: string } = events[1]?.details ?? {};
    expect(file).toMatch(/^workshops_.*\.csv$/);
    expect(events[2]).toMatchObject({ person: ada, place: learning, details: { file } });
  });

  it('has a digest that found nothing, and one that its owner may no longer get', async () => {
    const { digest, run, parts, store } = await openTestWorkspace({ usual: answer('[]') });
    const access: WorkspaceParts['access'] = {
      accessOf: async (_user, report) => ({ level: report === 'tracks' ? 'nothing' : 'everything' }),
    };
    const scheduler = scheduling({ ...parts, access });
    const empty = await digest({ skipEmpty: true });
    const refused = await digest({ request: { ...settings.request, report: 'tracks' } });
    scheduler.start();
    await run(empty, ({ state }) => state === 'skipped');
    await run(refused, ({ state }) => state === 'failed');
    const events = await store.events.oldest({}, 9);
    expect(events).toHaveLength(2);
    expect(events.find(({ report }) => report === 'engagement')).toMatchObject({
      kind: 'asked',
      person: ada,
    });
    expect(events.find(({ report }) => report === 'tracks')).toMatchObject({
      kind: 'asked',
      person: ada,
      details: { refused: 'nothing' },
    });
  });

  it('holds a file back while it cannot be written, and the file comes later', async () => {
    const { digest, run, parts, slack, store, clock } = await openTestWorkspace();
    let isBroken = true;
    const events = {
      ...store.events,
      append: (event: Parameters<typeof store.events.append>[0]) =>
        isBroken && event.kind === 'exported'
          ? Promise.reject(new Error('disk full'))
          : store.events.append(event),
    };
    const scheduler = scheduling({ ...parts, store: { ...store, events } });
    const one = await digest({ request: workshops });
    scheduler.start();
    await run(one, ({ fileState, readyAt }) => fileState === 'queued' && readyAt !== undefined);
    expect(slack.posts.filter(({ channel }) => channel === learning)).toHaveLength(1);
    expect(slack.messages(learning).some(({ files }) => files.length > 0)).toBe(false);
    isBroken = false;
    clock.moveBy(2 * 60_000);
    await run(one, ({ fileState }) => fileState === 'posted');
    expect((await store.events.oldest({}, 9)).map(({ kind }) => kind)).toEqual(['asked', 'exported']);
  });
});
