import type { AddressInfo } from 'node:net';
import { App } from '@slack/bolt';
import { serveSide } from '../harness/side.js';
import type { ListenJob } from './jobs.js';

/** The first example of Bolt's documentation: it checks the signature and acknowledges. */
serveSide(async ({ apiUrl, signingSecret }: ListenJob) => {
  const app = new App({ token: 'xoxb-bench', signingSecret, clientOptions: { slackApiUrl: apiUrl } });
  app.command('/report', async ({ ack }) => ack());
  const server = await app.start({ port: 0, host: '127.0.0.1' });
  return { port: (server.address() as AddressInfo).port };
});
