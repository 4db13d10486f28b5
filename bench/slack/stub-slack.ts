import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The few responses of Slack's Web API that a bot needs to start up and to start a run. */
const answers: Record<string, object> = {
  'auth.test': {
    ok: true,
    team_id: 'T00LEARN01',
    user_id: 'UBOT',
    bot_id: 'BBOT',
    url: 'https://bench.slack.com/',
  },
  'users.info': {
    ok: true,
    user: { id: 'U1', team_id: 'T00LEARN01', tz: 'Europe/Berlin', profile: { email: 'u1@example.com' } },
  },
  'conversations.info': { ok: true, channel: { id: 'C1', is_channel: true, is_member: true } },
  'chat.postMessage': { ok: true, channel: 'C1', ts: '1700000000.000100' },
};

export interface StubSlack {
  readonly apiUrl: string;
  stop(): Promise<void>;
}

/**
 * Starts it.
 *
 * @param onCall called with the method and the form of each call once it has arrived
 */
export async function startStubSlack(
  onCall?: (method: string, form: URLSearchParams) => void,
): Promise<StubSlack> {
  const server = createServer((request, response) => {
    const method = request.url?.replace('/api/', '') ?? '';
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      onCall?.(method, new URLSearchParams(Buffer.concat(parts).toString()));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answers[method] ?? { ok: true }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
