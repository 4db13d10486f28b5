import type { SlackConfig } from '../config/variables.js';
import { botScopes } from '../slack/manifest.js';
import { type SlackClients, slackClients, slackErrorCode } from '../slack/transport/clients.js';
import { SlackTokenRefused } from '../slack/transport/errors.js';
import { askOnce, isRefusal } from '../slack/transport/identity.js';
import { type Finding, fine, wrong } from './finding.js';
import { wordsForOperator } from './operator-messages.js';

/** Whose token this is, what it may do, and whether Slack can reach the bot as far as that can be seen from here. */
export async function lookAtSlack(config: SlackConfig, signal: AbortSignal): Promise<readonly Finding[]> {
  const clients = slackClients(config, silent, () => {});
  const abandon = () => clients.close();
  signal.addEventListener('abort', abandon, { once: true });
  try {
    return [...(await lookAtBotToken(clients)), await lookAtWayIn(config, clients)];
  } finally {
    signal.removeEventListener('abort', abandon);
    await clients.close();
  }
}

async function lookAtBotToken(clients: SlackClients): Promise<readonly Finding[]> {
  try {
    const { workspaceUrl, botUserId, scopes } = await askOnce(clients.reading);
    return [fine('Slack', `The token is that of ${botUserId} in ${workspaceUrl}.`), lookAtScopes(scopes)];
  } catch (error) {
    return [wrong('Slack', wordsForSlackError(error))];
  }
}

function lookAtScopes(scopes: readonly string[]): Finding {
  const missing = botScopes.filter((scope) => !scopes.includes(scope));
  const needless = scopes.filter((scope) => !botScopes.some((known) => known === scope));
  const remedy = 'Bring the app’s manifest up to date (rollcall manifest) and install the app again.';
  if (scopes.length === 0) return fine('Scopes', 'Slack does not tell them.');
  if (missing.length > 0) return wrong('Scopes', `The token lacks ${missing.join(', ')}. ${remedy}`);
  if (needless.length > 0) {
    return wrong('Scopes', `The token may do more than Rollcall needs: ${needless.join(', ')}. ${remedy}`);
  }
  return fine('Scopes', 'The token may do what Rollcall needs, and no more.');
}

async function lookAtWayIn({ transport }: SlackConfig, { reading }: SlackClients): Promise<Finding> {
  if (transport.mode === 'http') {
    const { host, port } = transport;
    return fine(
      'HTTP mode',
      `Slack’s requests have to arrive at http://${host}:${port}/slack/events, through https on the way.`,
    );
  }
  try {
    await reading.apps.connections.open({ token: transport.appToken });
    return fine('Socket Mode', 'Slack gives out connections.');
  } catch (error) {
    const refusal = new SlackTokenRefused('SLACK_APP_TOKEN', slackErrorCode(error));
    return wrong('Socket Mode', isRefusal(error) ? wordsForOperator(refusal) : wordsForSlackError(error));
  }
}

function wordsForSlackError(error: unknown): string {
  if (error instanceof SlackTokenRefused) return wordsForOperator(error);
  return `Slack cannot be reached (${slackErrorCode(error)}). Check the network, HTTPS_PROXY and SLACK_API_URL.`;
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
