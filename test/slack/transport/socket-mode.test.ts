import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { commandPayload, type StubSlack } from './stub-slack.js';
import { onCommand, surroundings, until } from './transport-test-app.js';

const socket = { mode: 'socket', appToken: 'xapp-1' } as const;
const around = surroundings();

/** Acknowledges every command and records its text. */
function recordCommands(received: string[]) {
  return onCommand(async ({ command, ack }) => {
    await ack();
    received.push(command.text);
  });
}

/** Both connections break without notice. */
async function breakAll({ sockets }: StubSlack) {
  await Promise.all(
    [...sockets].map((lost) => {
      const closed = once(lost, 'close');
      lost.terminate();
      return closed;
    }),
  );
}

describe('Socket Mode', () => {
  it('opens two connections and replies through them', async () => {
    const slack = await around.slack();
    const connection = await around.connect(
      slack,
      socket,
      onCommand(({ ack }) => ack({ text: 'hello' })),
    );
    await until(() => slack.sockets.size === 2);
    await until(() => connection.state().ready);
    const ids = Array.from({ length: 10 }, (_, i) => slack.deliver('slash_commands', commandPayload(`${i}`)));
    await until(() => ids.every((id) => slack.acks.has(id)));
    expect(slack.acks.get(ids[0] ?? '')).toEqual([{ text: 'hello' }]);
    expect(connection).toMatchObject({
      teamId: 'T1',
      botUserId: 'UBOT',
      workspaceUrl: 'https://x.slack.com/',
    });
    expect(connection.scopes).toEqual(['commands', 'chat:write']);
    expect(slack.calls['auth.test']).toBe(1);
  });

  it('loses and repeats no command while connections are renewed, even both at once', async () => {
    const slack = await around.slack();
    const received: string[] = [];
    await around.connect(slack, socket, recordCommands(received));
    await until(() => slack.sockets.size === 2);

    const sent: string[] = [];
    const pouring = setInterval(() => {
      for (let i = 0; i < 2; i += 1) {
        sent.push(String(sent.length));
        slack.deliver('slash_commands', commandPayload(String(sent.length - 1)));
      }
    }, 2);
    for (let round = 0; round < 2; round += 1) {
      const [one, two] = [...slack.sockets];
      if (one) await slack.renew(one);
      if (two) await slack.renew(two);
      await until(() => slack.sockets.size === 2);
      await Promise.all([...slack.sockets].map((both) => slack.renew(both)));
      await until(() => slack.sockets.size === 2);
    }
    await until(() => sent.length > 100);
    clearInterval(pouring);

    await until(() => slack.acks.size === sent.length && received.length >= sent.length);
    expect([...received].sort()).toEqual([...sent].sort());
    expect([...slack.acks.values()].every((acks) => acks.length === 1)).toBe(true);
  });

  it('reconnects when a connection breaks without notice', async () => {
    const slack = await around.slack();
    const received: string[] = [];
    const connection = await around.connect(slack, socket, recordCommands(received));
    await until(() => slack.sockets.size === 2);
    await breakAll(slack);
    await until(() => slack.sockets.size === 2 && connection.state().ready);
    slack.deliver('slash_commands', commandPayload('still there'));
    await until(() => received.length > 0);
  });

  it('retries a renewal that Slack refuses', async () => {
    const slack = await around.slack();
    const received: string[] = [];
    const connection = await around.connect(slack, socket, recordCommands(received));
    await until(() => slack.sockets.size === 2);
    const opened = slack.calls['apps.connections.open'] ?? 0;
    slack.answer('apps.connections.open', () => ({ ok: false, error: 'invalid_auth' }));
    await breakAll(slack);
    await until(() => (slack.calls['apps.connections.open'] ?? 0) >= opened + 2);
    await until(() => !connection.state().ready);
    slack.answer('apps.connections.open', () => ({
      ok: true,
      url: slack.apiUrl.replace(/^http(.*)api\/$/, 'ws$1link'),
    }));
    await until(() => connection.state().ready);
    slack.deliver('slash_commands', commandPayload('again'));
    await until(() => received.length > 0);
    expect(around.logged.some(({ msg }) => msg === 'A connection to Slack could not be opened')).toBe(true);
  });

  it('runs a repeated envelope once, even if both connections deliver it at once', async () => {
    const slack = await around.slack();
    const received: string[] = [];
    await around.connect(slack, socket, recordCommands(received));
    await until(() => slack.sockets.size === 2);
    const payload = commandPayload('once');
    const id = slack.deliver('slash_commands', payload);
    slack.deliver('slash_commands', payload, id);
    await until(() => slack.acks.get(id)?.length === 2);
    slack.deliver('slash_commands', payload, id, { retry_attempt: 1, retry_reason: 'timeout' });
    await until(() => slack.acks.get(id)?.length === 3);
    // The same text in another envelope is another command.
    slack.deliver('slash_commands', payload);
    await until(() => received.length === 2);
    expect(received).toEqual(['once', 'once']);
  });

  it('recognizes repeated deliveries after a restart', async () => {
    const slack = await around.slack();
    const store = await around.store();
    const received: string[] = [];
    const first = await around.connect(slack, socket, recordCommands(received), store);
    await until(() => slack.sockets.size === 2);
    const id = slack.deliver('slash_commands', commandPayload('once'));
    await until(() => received.length === 1);
    await first.stop();
    await around.connect(slack, socket, recordCommands(received), store);
    await until(() => slack.sockets.size === 2);
    slack.deliver('slash_commands', commandPayload('once'), id);
    await until(() => slack.acks.get(id)?.length === 2);
    expect(received).toEqual(['once']);
  });

  it('refuses deliveries from another workspace', async () => {
    const slack = await around.slack();
    const received: string[] = [];
    await around.connect(slack, socket, recordCommands(received));
    const id = slack.deliver('slash_commands', commandPayload('theirs', { team_id: 'T2' }));
    await until(() => slack.acks.has(id));
    expect(received).toEqual([]);
  });

  it('runs a command whose acknowledgement could not be sent', async () => {
    const slack = await around.slack();
    const received: string[] = [];
    await around.connect(
      slack,
      socket,
      onCommand(async ({ command, ack }) => {
        await breakAll(slack);
        await new Promise((resolve) => setTimeout(resolve, 50));
        await ack();
        received.push(command.text);
      }),
    );
    slack.deliver('slash_commands', commandPayload('anyway'));
    await until(() => received.length === 1);
  });

  it('stops after running listeners have finished, and closes its sockets', async () => {
    const slack = await around.slack();
    let begun = false;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const connection = await around.connect(
      slack,
      socket,
      onCommand(async ({ ack }) => {
        begun = true;
        await released;
        await ack();
      }),
    );
    await until(() => slack.sockets.size === 2);
    const id = slack.deliver('slash_commands', commandPayload('slow'));
    await until(() => begun);
    const stopping = connection.stop();
    const late = slack.deliver('slash_commands', commandPayload('late'));
    await until(() => slack.acks.has(late));
    release();
    await stopping;
    expect(slack.acks.has(id)).toBe(true);
    expect(slack.acks.get(late)).toEqual([{ text: expect.stringContaining('Try again') }]);
    await until(() => slack.sockets.size === 0);
    expect(connection.state()).toEqual({ mode: 'socket', ready: false, connections: 0 });
  });

  it('reports which token Slack rejects', async () => {
    const slack = await around.slack();
    slack.answer('apps.connections.open', () => ({ ok: false, error: 'not_allowed_token_type' }));
    await expect(around.connect(slack, socket)).rejects.toMatchObject({
      code: 'slack-token-refused',
      details: { variable: 'SLACK_APP_TOKEN', reason: 'not_allowed_token_type' },
    });
    slack.answer('auth.test', () => ({ ok: false, error: 'invalid_auth' }));
    await expect(around.connect(slack, socket)).rejects.toMatchObject({ code: 'slack-token-refused' });
  });

  it('waits while Slack cannot be reached', async () => {
    const slack = await around.slack();
    let asked = 0;
    slack.answer('auth.test', () => {
      asked += 1;
      return asked < 4 ? { status: 503 } : { ok: true, team_id: 'T1', user_id: 'UBOT', bot_id: 'BBOT' };
    });
    const connection = await around.connect(slack, socket);
    expect(connection.state().ready).toBe(true);
    expect(around.logged.some(({ reason }) => reason === 'http_503')).toBe(true);
  });
});
