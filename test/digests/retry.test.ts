import { createServer, connect as openSocket, type Server, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../src/logging/logger.js';
import { digestScheduler } from '../../src/scheduler/scheduler.js';
import { slackClients } from '../../src/slack/delivery/clients.js';
import { answer } from '../reporting-api/fault-server.js';
import { ada, learning, openTestWorkspace, settings, withSlack } from './test-workspace.js';

const minute = 60_000;
/** Comes so seldom that moving the clock on by hours brings no second run. */
const seldom = {
  schedule: { ...settings.schedule, cadence: { kind: 'monthly', day: 28, time: '03:00' } as const },
};
const waits = [1, 2, 5, 10, 20];

describe('a temporary failure', () => {
  it('is retried after 1, 2, 5, 10 and 20 minutes, then its owner is notified', async () => {
    const usual = answer('[oops]');
    const { digest, run, scheduler, slack, clock, posts, store } = await openTestWorkspace({ usual });
    const one = await digest(seldom);
    scheduler.start();
    for (const [i, minutes] of waits.entries()) {
      const waiting = await run(one, ({ state, attempts }) => state === 'queued' && attempts === i + 1);
      const left = Number(waiting.readyAt) - clock.now();
      expect(left).toBeLessThanOrEqual(minutes * minute);
      expect(left).toBeGreaterThan((minutes - 0.5) * minute);
      clock.moveBy(minutes * minute);
    }
    const failed = await run(one, ({ state }) => state === 'failed');
    expect(failed.attempts).toBe(6);
    expect(failed.reason).toContain('the answer of the Reporting Service is not JSON');
    const told = await slack.waitForMessage('@ada', 'Not sent: ');
    expect(told.words).toContain('is not JSON');
    // It may have been the service: that is no reason to pause.
    expect(await store.digests.find(one.id)).toMatchObject({ state: 'active', failures: 0 });
    expect(posts(learning)).toEqual([]);
  }, 40_000);

  it('of a file leaves its message delivered, and the file can be sent by hand', async () => {
    const { digest, run, scheduler, slack, clock, posts, store } = await openTestWorkspace();
    await store.approvals.approveChannel({ subject: learning, by: ada, at: clock.now() });
    slack.faults.set('upload', { kind: 'status', status: 500 }, { times: Number.POSITIVE_INFINITY });
    const one = await digest({ ...seldom, request: { ...settings.request, file: 'csv' as const } });
    scheduler.start();
    for (const [i, minutes] of waits.entries()) {
      await run(one, ({ fileState, readyAt, attempts }) =>
        Boolean(fileState === 'queued' && readyAt && attempts === i + 1),
      );
      clock.moveBy(minutes * minute);
    }
    const failed = await run(one, ({ fileState }) => fileState === 'failed');
    expect(failed).toMatchObject({ state: 'posted', attempts: 6 });
    const told = await slack.waitForMessage('@ada', 'its file was not');
    expect(told.words).toContain('The file could not be uploaded to Slack.');
    expect(told.words).toContain('Send file again');

    slack.faults.clear();
    expect(await store.ledger.settle(failed.id, 'sent-again', clock.now(), true)).toBe(true);
    scheduler.checkNow();
    await run(one, ({ fileState }) => fileState === 'posted');
    expect(posts(learning)).toHaveLength(1);
    const files = slack.messages('#learning').filter(({ files }) => files.length > 0);
    expect(files.map(({ threadTs }) => threadTs)).toEqual([failed.message?.ts]);
  }, 40_000);
});

describe('a Slack that refuses connections', () => {
  it('has received nothing: the digest is delivered once when Slack is back', async () => {
    const { digest, run, slack, parts, posts, wait } = await openTestWorkspace();
    const door = await openDoor(new URL(slack.apiUrl));
    const log = createLogger({ level: 'error', forPeople: false, destination: { write: () => {} } });
    const transport = { mode: 'socket', appToken: slack.appToken } as const;
    const { botToken } = slack;
    const config = {
      botToken,
      apiUrl: door.url,
      transport,
      signingSecretUnused: false,
      trustEmail: false,
      proxies: {},
    };
    const clients = slackClients(config, log, () => {});
    onTestFinished(() => clients.close());
    const scheduler = digestScheduler(withSlack({ ...parts, client: clients.posting }));
    onTestFinished(() => scheduler.stop());
    await door.shut();
    const one = await digest(seldom);
    scheduler.start();
    // It is tried again and again.
    const waiting = await run(one, ({ state, errorCode }) => state === 'queued' && errorCode !== undefined);
    expect(waiting).toMatchObject({ state: 'queued', errorCode: 'connection_refused', attempts: 0 });
    expect(waiting.reason).toBe('Slack cannot be reached.');
    expect(scheduler.outages()).toMatchObject([{ cause: 'slack', code: 'connection_refused' }]);
    await door.open();
    wait(60_000);
    expect(await run(one, ({ state }) => state === 'posted', 20_000)).toMatchObject({ attempts: 1 });
    expect(posts(learning)).toHaveLength(1);
    await expect.poll(() => scheduler.outages()).toEqual([]);
  }, 40_000);
});

/** A way to a server that can be shut, so that connections are refused, and opened again at the same address. */
async function openDoor(behind: URL) {
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;
  async function open() {
    server = createServer((socket) => {
      const onward = openSocket(Number(behind.port), behind.hostname);
      for (const one of [socket, onward]) {
        sockets.add(one);
        one.on('error', () => {});
        one.on('close', () => {
          sockets.delete(one);
          socket.destroy();
          onward.destroy();
        });
      }
      socket.pipe(onward).pipe(socket);
    });
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
    const address = server.address();
    if (typeof address === 'object' && address) port = address.port;
  }
  async function shut() {
    const closed = new Promise((resolve) => server?.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  }
  await open();
  onTestFinished(shut);
  return { url: `http://127.0.0.1:${port}${behind.pathname}`, open, shut };
}
