import { createHmac, randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { signingSecret } from '../sides/jobs.js';

export interface SendResult {
  readonly seconds: number;
  /** The 99th percentile of the time from a request to its response, in milliseconds. */
  readonly p99: number;
}

/** Enough parallel senders to keep a process busy without a queue. */
const askers = 8;

/** Few enough that each of 500 runs has a place, and none is refused. */
const people = 50;

const slackRequest = { path: '/slack/events', method: 'POST' } as const;

/**
 * Sends signed slash commands of many people in parallel.
 *
 * @param text the words after `/report`, by the number of the command
 * @throws an error for any answer but 200
 */
export async function sendCommands(
  port: number,
  count: number,
  text: (n: number) => string,
): Promise<SendResult> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: askers, pipelining: 1 });
  const requests = Array.from({ length: count }, (_, n) => signed(text(n), n % people));
  const times: number[] = [];
  let next = 0;
  const ask = async () => {
    while (next < count) {
      const request = requests[next];
      next += 1;
      if (!request) return;
      const begun = performance.now();
      const { statusCode, body } = await pool.request({ ...slackRequest, ...request });
      await body.dump();
      times.push(performance.now() - begun);
      if (statusCode !== 200) throw new Error(`A command was answered with ${statusCode}`);
    }
  };
  const begun = performance.now();
  try {
    await Promise.all(Array.from({ length: askers }, ask));
    const seconds = (performance.now() - begun) / 1000;
    times.sort((a, b) => a - b);
    return { seconds, p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN };
  } finally {
    await pool.destroy();
  }
}

/**
 * A slash command as Slack sends it.
 *
 * @param person the number of the person who types it
 */
function signed(text: string, person: number) {
  const body = new URLSearchParams({
    command: '/report',
    text,
    team_id: 'T00LEARN01',
    channel_id: 'C1',
    user_id: `U${person}`,
    trigger_id: randomUUID(),
    // Nothing listens there. A run that only starts does not need it.
    response_url: 'http://127.0.0.1:9/response',
  }).toString();
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  return {
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${signature}`,
    },
  };
}

/** Sends one command of one person. Throws for any answer but 200. */
export async function sendCommand(pool: Pool, text: string): Promise<void> {
  const { statusCode, body } = await pool.request({ ...slackRequest, ...signed(text, 1) });
  await body.dump();
  if (statusCode !== 200) throw new Error(`A command was answered with ${statusCode}`);
}
