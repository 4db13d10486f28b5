import type { SlackConfig } from '../config/config.js';
import { type SlackClients, slackClients } from '../slack/delivery/clients.js';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Calls Slack for a task, until the signal ends it. */
export async function withSlackClients<Value>(
  config: SlackConfig,
  signal: AbortSignal,
  work: (clients: SlackClients) => Promise<Value>,
): Promise<Value> {
  const clients = slackClients(config, silent, () => {});
  const abandon = () => void clients.close();
  signal.addEventListener('abort', abandon, { once: true });
  try {
    return await work(clients);
  } finally {
    signal.removeEventListener('abort', abandon);
    await clients.close();
  }
}
