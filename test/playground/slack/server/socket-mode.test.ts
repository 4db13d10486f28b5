import { WebSocket } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LocalSlack } from '../../../../playground/slack/server/local-slack.js';
import { clientOf, openSlack, startBot } from './test-bot.js';

type Said = Record<string, unknown> & {
  type: string;
  envelope_id?: string;
  payload?: Record<string, unknown>;
};

/** A bare Socket Mode connection that keeps what it hears and acknowledges only when told to. */
async function connect(slack: LocalSlack) {
  const { url } = await clientOf(slack, slack.appToken).apps.connections.open({});
  const socket = new WebSocket(String(url));
  const heard: Said[] = [];
  let closed = false;
  socket.addEventListener('message', ({ data }) => heard.push(JSON.parse(String(data))));
  socket.addEventListener('close', () => {
    closed = true;
  });
  onTestFinished(() => socket.close());
  const next = (type: string, count = 1) =>
    slack.waitFor(() => heard.filter((one) => one.type === type)[count - 1], 3000, `${type} number ${count}`);
  await next('hello');
  return {
    address: String(url),
    heard,
    next,
    isClosed: () => closed,
    close: () => socket.close(),
    ack: (envelope_id: string | undefined, payload: unknown = {}) =>
      socket.send(JSON.stringify({ envelope_id, payload })),
  };
}

const slackbotIn = (slack: LocalSlack) =>
  slack
    .messages('#learning')
    .filter((one) => one.user === 'USLACKBOT')
    .map((one) => one.text);

describe('connections', () => {
  test('start with hello and their number', async () => {
    const slack = await openSlack();
    const first = await connect(slack);
    const second = await connect(slack);
    expect(first.heard[0]).toMatchObject({
      type: 'hello',
      num_connections: 1,
      connection_info: { app_id: 'A00ROLLCAL' },
    });
    expect(second.heard[0]).toMatchObject({
      num_connections: 2,
      debug_info: { host: expect.any(String), approximate_connection_time: 18_000 },
    });
    expect(slack.connections()).toBe(2);
  });

  test('a URL opens one connection, once', async () => {
    const slack = await openSlack();
    const { address } = await connect(slack);
    const again = new WebSocket(address);
    await new Promise((resolve) => again.addEventListener('close', resolve));
    expect(slack.connections()).toBe(1);
  });

  test('the eleventh is refused', async () => {
    const slack = await openSlack();
    for (let index = 0; index < 10; index += 1) await connect(slack);
    const { url } = await clientOf(slack, slack.appToken).apps.connections.open({});
    const eleventh = new WebSocket(String(url));
    const said = await new Promise((resolve) =>
      eleventh.addEventListener('message', ({ data }) => resolve(data)),
    );
    expect(JSON.parse(String(said))).toMatchObject({ type: 'disconnect', reason: 'too_many_websockets' });
    expect(slack.connections()).toBe(10);
  });

  test('get a warning, keep working, and are closed', async () => {
    const slack = await openSlack();
    const connection = await connect(slack);
    slack.renewConnections(1, 200);
    await connection.next('disconnect');
    const command = slack.as('ada').command('/report between', '#learning');
    connection.ack((await connection.next('slash_commands')).envelope_id);
    await command;
    await connection.next('disconnect', 2);
    await slack.waitFor(connection.isClosed);
    const reasons = connection.heard.filter((one) => one.type === 'disconnect').map((one) => one.reason);
    expect(reasons).toEqual(['warning', 'refresh_requested']);
    expect(slackbotIn(slack)).toEqual([]);
  });

  test('are renewed after their lifetime', async () => {
    const slack = await openSlack({ connectionSeconds: 1 });
    const connection = await connect(slack);
    expect(await connection.next('disconnect')).toMatchObject({ reason: 'warning' });
  });

  test("Slack's own client reconnects after a renewal", async () => {
    const slack = await openSlack();
    await startBot(slack, (app) => app.command('/report', async ({ ack }) => ack('Here')), {
      clientPingTimeout: 60,
    });
    slack.renewConnections(1, 0);
    await slack.waitFor(() => slack.connections() === 0);
    await slack.waitForBot();
    await slack.as('ada').command('/report', '#learning');
    expect(slack.messages('#learning').at(-1)).toMatchObject({ text: 'Here', visibleTo: 'U00ADA0001' });
  });
});

describe('envelopes', () => {
  test('a command has the members that Slack sends', async () => {
    const slack = await openSlack();
    const connection = await connect(slack);
    const command = slack.as('ada').command('/report engagement  "x & <y>"', '#learning');
    const envelope = await connection.next('slash_commands');
    expect(envelope).toMatchObject({ accepts_response_payload: true, envelope_id: expect.any(String) });
    expect(envelope.payload).toEqual({
      token: expect.any(String),
      team_id: 'T00LEARN01',
      team_domain: 'lindgren',
      channel_id: 'C00LEARN01',
      channel_name: 'learning',
      user_id: 'U00ADA0001',
      user_name: 'ada',
      command: '/report',
      text: 'engagement  "x & <y>"',
      api_app_id: 'A00ROLLCAL',
      is_enterprise_install: 'false',
      response_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/commands\/T00LEARN01\//),
      trigger_id: expect.any(String),
    });
    connection.ack(envelope.envelope_id, { text: 'Now', response_type: 'in_channel' });
    await command;
    expect(slack.messages('#learning')).toMatchObject([{ text: 'Now', user: 'U00ROLLCAL' }]);
    expect(slack.messages('#learning')[0]?.visibleTo).toBeUndefined();
  });

  test('connections take turns', async () => {
    const slack = await openSlack();
    const connections = [await connect(slack), await connect(slack)];
    for (let index = 0; index < 6; index += 1) slack.as('ada').message(`@rollcall ${index}`, '#learning');
    await slack.waitFor(() => connections.every((one) => one.heard.length === 4));
    const texts = connections.flatMap((one) =>
      one.heard.slice(1).map((each) => JSON.stringify(each.payload)),
    );
    expect(new Set(texts).size).toBe(6);
  });

  test('a command without an acknowledgement shows an error, and is not retried', async () => {
    const slack = await openSlack({ ackMs: 50 });
    const connection = await connect(slack);
    await slack.as('ada').command('/report', '#learning');
    expect(slackbotIn(slack)).toEqual(['/report failed with the error "operation_timeout"']);
    connection.ack((await connection.next('slash_commands')).envelope_id, { text: 'Too late' });
    await slack.settled();
    expect(slack.messages('#learning')).toHaveLength(1);
  });

  test('a command without a bot, and one with a lost connection', async () => {
    const slack = await openSlack();
    await slack.as('ada').command('/report', '#learning');
    const connection = await connect(slack);
    const command = slack.as('ada').command('/report', '#learning');
    await connection.next('slash_commands');
    connection.close();
    await command;
    expect(slackbotIn(slack)).toEqual(Array(2).fill('/report failed with the error "dispatch_failed"'));
  });

  test('an event without an acknowledgement is retried on another connection, with its attempt', async () => {
    const slack = await openSlack({ ackMs: 50, eventRetryDelays: [0, 20] });
    const connections = [await connect(slack), await connect(slack)];
    slack.as('ada').message('@rollcall help', '#learning');
    await slack.waitFor(() => connections.reduce((sum, one) => sum + one.heard.length, 0) === 5);
    const events = connections.flatMap((one) => one.heard.slice(1));
    expect(new Set(events.map((one) => (one.payload as { event_id: string }).event_id)).size).toBe(1);
    expect(events.map((one) => one.retry_attempt).sort()).toEqual([1, 2, undefined]);
    expect(connections.every((one) => one.heard.length > 1)).toBe(true);
    expect(events.find((one) => one.retry_attempt === 1)).toMatchObject({ retry_reason: 'timeout' });
  });

  test('an acknowledged event is not retried', async () => {
    const slack = await openSlack({ eventRetryDelays: [0] });
    const connection = await connect(slack);
    slack.as('ada').message('@rollcall help', '#learning');
    connection.ack((await connection.next('events_api')).envelope_id);
    await slack.settled();
    expect(connection.heard.filter((one) => one.type === 'events_api')).toHaveLength(1);
  });
});
