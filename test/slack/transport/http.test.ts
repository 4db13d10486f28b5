import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { App } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/logging/logger.js';
import type { SlackConnection } from '../../../src/slack/transport/connect.js';
import { httpTransport } from '../../../src/slack/transport/http.js';
import { commandPayload, signedForm, signedJson } from './stub-slack.js';
import { onCommand, onEvent, surroundings, until } from './transport-test-app.js';

const secret = 'a signing secret'.replaceAll(' ', '-');
const http = { mode: 'http', signingSecret: secret, host: '127.0.0.1', port: 0 } as const;
const around = surroundings();

function addressOf(connection: SlackConnection) {
  const state = connection.state();
  if (state.mode !== 'http') throw new Error('HTTP was expected');
  return `http://${state.host}:${state.port}/slack/events`;
}

const mention = (changes: Record<string, unknown> = {}) => ({
  type: 'event_callback',
  team_id: 'T1',
  event_id: 'Ev1',
  event: { type: 'app_mention', user: 'U1', channel: 'C1', text: '<@UBOT> help', ts: '1.1' },
  authorizations: [{ team_id: 'T1' }],
  ...changes,
});

describe('HTTP mode', () => {
  it('handles signed commands, and nothing else', async () => {
    const slack = await around.slack();
    const received: string[] = [];
    const connection = await around.connect(
      slack,
      http,
      onCommand(async ({ ack, command }) => {
        received.push(command.text);
        await ack({ text: 'hello' });
      }),
    );
    const address = addressOf(connection);
    expect(connection.state().ready).toBe(true);

    const answer = await fetch(address, signedForm(secret, commandPayload('help')));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ text: 'hello' });
    expect(received).toEqual(['help']);

    const unsigned = { ...signedForm(secret, commandPayload('help')), headers: {} };
    expect((await fetch(address, unsigned)).status).toBe(401);
    expect((await fetch(address, signedForm('another secret', commandPayload('help')))).status).toBe(401);
    const old = Math.floor(Date.now() / 1000) - 400;
    expect((await fetch(address, signedForm(secret, commandPayload('help'), old))).status).toBe(401);
    expect((await fetch(address)).status).toBe(404);
    for (const path of ['/', '/slack', '/slack/events/more', '//', '/healthz']) {
      const url = `${new URL(address).origin}${path}`;
      expect((await fetch(url, signedForm(secret, commandPayload('help')))).status).toBe(404);
    }
    const long = signedForm(secret, commandPayload('x'.repeat(3_000_000)));
    expect((await fetch(address, long)).status).toBe(413);
    expect((await fetch(address, { ...signedJson(secret, 0), body: '{' })).status).toBe(401);
    expect(received).toEqual(['help']);
  });

  it('refuses requests stamped more than five minutes off, in either direction', async () => {
    const slack = await around.slack();
    const received: string[] = [];
    const connection = await around.connect(
      slack,
      http,
      onCommand(async ({ ack, command }) => {
        received.push(command.text);
        await ack();
      }),
    );
    const address = addressOf(connection);
    const now = Math.floor(Date.now() / 1000);
    const statusAt = async (off: number, text: string, to = address) =>
      (await fetch(to, signedForm(secret, commandPayload(text), now + off))).status;
    for (const off of [-400, 400, 100_000_000]) {
      expect(await statusAt(off, 'off'), String(off)).toBe(401);
      expect(await statusAt(off, 'off', `${address}?`), String(off)).toBe(401);
      const check = signedJson(secret, { type: 'url_verification', challenge: 'abc' }, now + off);
      expect((await fetch(address, check)).status, String(off)).toBe(401);
    }
    expect([await statusAt(-200, 'slow'), await statusAt(200, 'fast')]).toEqual([200, 200]);
    expect(received).toEqual(['slow', 'fast']);
  });

  it('answers a signed body with nothing in it at once, and an unsigned one like every other', async () => {
    const slack = await around.slack();
    const address = addressOf(await around.connect(slack, http));
    const empty = [
      signedForm(secret, {}),
      signedForm(secret, { text: 'help' }),
      ...['', 'null', '{', '{}', '[]'].map((payload) => signedForm(secret, { payload })),
      ...[null, 1, 'x', [], {}, { type: 5 }].map((value) => signedJson(secret, value)),
    ];
    const startedAt = performance.now();
    for (const request of empty)
      expect([request.body, (await fetch(address, request)).status]).toEqual([request.body, 400]);
    // Bolt answers after three seconds what nobody has handled.
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    for (const request of empty) {
      const unsigned = { ...request, headers: { ...request.headers, 'x-slack-signature': 'v0=00' } };
      expect((await fetch(address, unsigned)).status).toBe(401);
    }
  });

  it('answers Slack’s verification of the URL', async () => {
    const slack = await around.slack();
    const address = addressOf(await around.connect(slack, http));
    const check = await fetch(address, signedJson(secret, { type: 'url_verification', challenge: 'abc' }));
    expect(await check.json()).toEqual({ challenge: 'abc' });
    expect((await fetch(address, signedForm(secret, { ssl_check: 1 }))).status).toBe(200);
  });

  it('runs an event once, however often Slack repeats it', async () => {
    const slack = await around.slack();
    const received: string[] = [];
    const connection = await around.connect(
      slack,
      http,
      onEvent(async ({ event }) => {
        received.push(event.text);
      }),
    );
    const first = await fetch(addressOf(connection), signedJson(secret, mention()));
    const again = signedJson(secret, mention());
    const repeated = await fetch(addressOf(connection), {
      ...again,
      headers: { ...again.headers, 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' },
    });
    expect([first.status, repeated.status]).toEqual([200, 200]);
    await fetch(addressOf(connection), signedJson(secret, mention({ event_id: 'Ev2' })));
    await until(() => received.length === 2);
  });

  it('runs a request once if a proxy repeats it', async () => {
    const slack = await around.slack();
    let runs = 0;
    const connection = await around.connect(
      slack,
      http,
      onCommand(async ({ ack }) => {
        runs += 1;
        await ack();
      }),
    );
    const request = signedForm(secret, commandPayload('help'));
    await fetch(addressOf(connection), request);
    expect((await fetch(addressOf(connection), request)).status).toBe(200);
    await fetch(addressOf(connection), signedForm(secret, commandPayload('help')));
    expect(runs).toBe(2);
  });

  it('recognizes a request in other spellings of its headers, and after a restart', async () => {
    const slack = await around.slack();
    let runs = 0;
    const listen = () =>
      around.connect(
        slack,
        http,
        onCommand(async ({ ack }) => {
          runs += 1;
          await ack();
        }),
      );
    const connection = await listen();
    const request = signedForm(secret, commandPayload('help'));
    const { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp } = request.headers;
    const statusWith = async (headers: Record<string, string>, address = addressOf(connection)) =>
      (await fetch(address, { ...request, headers: { ...request.headers, ...headers } })).status;
    expect(await statusWith({})).toBe(200);
    for (const spelled of [
      `${signature}=x`,
      `${signature}=`,
      signature.toUpperCase(),
      `v1${signature.slice(2)}`,
    ]) {
      expect(await statusWith({ 'x-slack-signature': spelled }), spelled).toBe(401);
    }
    for (const spelled of [
      `${timestamp}.0`,
      `0x${Number(timestamp).toString(16)}`,
      `${timestamp}e0`,
      `0${timestamp}`,
    ]) {
      expect(await statusWith({ 'x-slack-request-timestamp': spelled }), spelled).toBe(401);
    }
    expect(runs).toBe(1);

    await connection.stop();
    const restarted = await listen();
    expect(await statusWith({}, addressOf(restarted))).toBe(200);
    expect(runs).toBe(1);
  });

  it('closes connections that send a request too slowly, before anything is verified', async () => {
    const transport = httpTransport(
      { ...http, signingSecret: secret },
      createLogger({ level: 'error', forPeople: false, destination: { write: () => {} } }),
      { receiveTimeoutMs: 200 },
    );
    await transport.open(
      new App({ receiver: transport.receiver, token: 'xoxb-1', botId: 'B1', botUserId: 'U1' }),
    );
    const state = transport.state();
    if (state.mode !== 'http') throw new Error('HTTP was expected');
    const slow = async (start: string) => {
      const socket = connect(state.port, '127.0.0.1');
      let received = '';
      socket.setEncoding('utf8').on('data', (text) => {
        received += text;
      });
      socket.write(start);
      await once(socket, 'close');
      return received;
    };
    const head = 'POST /slack/events HTTP/1.1\r\nhost: x\r\n';
    expect(await slow(head)).toMatch(/^(HTTP\/1\.1 408|$)/);
    expect(await slow(`${head}content-length: 100\r\n\r\nhalf`)).toMatch(/^(HTTP\/1\.1 408|$)/);
    await transport.close(Promise.resolve());
  });

  it('refuses deliveries for another workspace, and accepts ours from a shared channel', async () => {
    const slack = await around.slack();
    const received: string[] = [];
    const connection = await around.connect(slack, http, ({ listen }) =>
      listen(async ({ body, ack }) => {
        await ack();
        if (body.event) received.push(body.event.text);
      }),
    );
    const address = addressOf(connection);
    const press = (body: object) =>
      signedForm(secret, {
        payload: JSON.stringify({ type: 'block_actions', actions: [{ action_id: 'a' }], ...body }),
      });
    const statusOf = async (request: RequestInit) => (await fetch(address, request)).status;

    expect(await statusOf(signedForm(secret, commandPayload('x', { team_id: 'T2' })))).toBe(401);
    expect(await statusOf(press({ team: { id: 'T2' }, user: { id: 'U1', team_id: 'T1' } }))).toBe(401);
    expect(await statusOf(press({ team: null, user: { id: 'U1', team_id: 'T2' } }))).toBe(401);
    expect(await statusOf(press({ team: { id: 'T1' }, user: { id: 'U1', team_id: 'T1' } }))).toBe(200);
    const theirs = { authorizations: [{ team_id: 'T2' }], event_id: 'Ev5' };
    expect(await statusOf(signedJson(secret, mention(theirs)))).toBe(401);
    const shared = { team_id: 'T2', authorizations: [{ team_id: 'T1' }], event_id: 'Ev6' };
    expect(await statusOf(signedJson(secret, mention(shared)))).toBe(200);
    await until(() => received.length === 1);
  });

  it('logs that Slack is rate-limiting events', async () => {
    const slack = await around.slack();
    const connection = await around.connect(slack, http);
    const limited = { type: 'app_rate_limited', team_id: 'T1', minute_rate_limited: 1, api_app_id: 'A1' };
    expect((await fetch(addressOf(connection), signedJson(secret, limited))).status).toBe(200);
    expect(around.logged.some(({ msg }) => String(msg).includes('rate-limiting events'))).toBe(true);
  });

  it('reports why it cannot listen', async () => {
    const slack = await around.slack();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    await expect(around.connect(slack, { ...http, port })).rejects.toMatchObject({
      code: 'cannot-listen',
      details: { reason: 'EADDRINUSE', port },
    });
    taken.close();
  });

  it('stops after answering requests, and closes kept-alive connections', async () => {
    const slack = await around.slack();
    let begun: () => void = () => {};
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const connection = await around.connect(
      slack,
      http,
      onCommand(async ({ ack }) => {
        begun();
        await new Promise((resolve) => setTimeout(resolve, 200));
        await ack({ text: 'just in time' });
      }),
    );
    const address = addressOf(connection);
    const asking = fetch(address, signedForm(secret, commandPayload('slow')));
    await started;
    const stopping = connection.stop();
    expect(await (await asking).json()).toEqual({ text: 'just in time' });
    await stopping;
    await expect(fetch(address)).rejects.toThrow();
  });
});
