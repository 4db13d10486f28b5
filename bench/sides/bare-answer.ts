import type { AddressInfo } from 'node:net';
import { App } from '@slack/bolt';
import { serveSide } from '../harness/side.js';
import type { ListenJob } from './jobs.js';

/** The shortest listener that answers: it acknowledges, fetches and parses the answer, and posts one sum of it. */
serveSide(async ({ apiUrl, signingSecret, serviceUrl }: ListenJob) => {
  const app = new App({ token: 'xoxb-bench', signingSecret, clientOptions: { slackApiUrl: apiUrl } });
  app.command('/report', async ({ ack, command, client }) => {
    await ack();
    const response = await fetch(`${serviceUrl}/api/v1/reports/engagement`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ words: command.text }),
    });
    const records = (await response.json()) as readonly { readonly sessions: number }[];
    const sessions = records.reduce((sum, record) => sum + record.sessions, 0);
    await client.chat.postMessage({
      channel: command.channel_id,
      text: `${records.length} people, ${sessions.toLocaleString('en')} sessions`,
    });
  });
  const server = await app.start({ port: 0, host: '127.0.0.1' });
  return { port: (server.address() as AddressInfo).port };
});
