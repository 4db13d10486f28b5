import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  checkConfig,
  configFrom,
  exitCodeForBadConfig,
  runConfigFrom,
  slackConfigFrom,
  storeConfigFrom,
} from '../config/config.js';
import type { SlackConfig } from '../config/variables.js';
import { checkService } from '../reporting-api/check-service.js';
import type { ReportingSettings } from '../reporting-api/settings.js';
import { botScopes } from '../slack/manifest.js';
import {
  isPermanentError,
  type SlackClients,
  slackClients,
  slackErrorCode,
} from '../slack/transport/clients.js';
import { fetchIdentity } from '../slack/transport/connect.js';
import { SlackTokenRefused } from '../slack/transport/transport.js';
import { checkDatabase } from '../store/backup.js';
import { DatabaseUnusable } from '../store/errors.js';
import { describeForOperator } from './operator-messages.js';

/** How long Slack and the service may each take to answer, in milliseconds. */
const timeoutMs = 15_000;

/**
 * Looks at everything that the bot needs, and says of each whether it is in order.
 *
 * @throws the signal's reason
 */
export async function examine(signal: AbortSignal): Promise<readonly Finding[]> {
  const whole = checkConfig(configFrom);
  const [slack, run, store] = [
    checkConfig(slackConfigFrom),
    checkConfig(runConfigFrom),
    checkConfig(storeConfigFrom),
  ];
  // Side by side: one that hangs leaves the other its time.
  const [ofSlack, ofService] = await Promise.all([
    slack.ok ? lookAtSlack(slack.value, timeLimit(signal)) : [],
    run.ok ? lookAtService(run.value.reporting, timeLimit(signal)) : [],
  ]);
  signal.throwIfAborted();
  return [
    ...(whole.ok
      ? [fine('Settings', 'Nothing is missing.')]
      : whole.refusal.map(({ sentence }) => wrong('Settings', sentence))),
    ...(store.ok ? [lookAtStore(store.value.databasePath)] : []),
    ...ofSlack,
    ...ofService,
  ];
}

function timeLimit(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
}

/** 78 for settings, 1 for anything else that is wrong. */
export function exitCodeFor(findings: readonly Finding[]): number {
  const problems = findings.filter(({ ok }) => !ok);
  if (problems.some(({ of }) => of === 'Settings')) return exitCodeForBadConfig;
  return problems.length > 0 ? 1 : 0;
}

/** Nothing is changed: an older bot may be running on it. */
function lookAtStore(path: string): Finding {
  try {
    if (!existsSync(path)) return lookAtFolder(path);
    checkDatabase(path);
    return fine('Database', `${path} is whole and can be used.`);
  } catch (error) {
    return wrong('Database', describeForOperator(error));
  }
}

/** The first start makes the database, and the folders above it. */
function lookAtFolder(path: string): Finding {
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return fine('Database', `${path} will be made at the first start.`);
  } catch {
    return wrong('Database', describeForOperator(new DatabaseUnusable(path, 'EACCES')));
  }
}

async function lookAtService(settings: ReportingSettings, signal: AbortSignal): Promise<readonly Finding[]> {
  try {
    await checkService(settings, Date.now(), signal);
    return [fine('Reporting Service', 'It answers, and takes the token.')];
  } catch (error) {
    const isLate = signal.aborted;
    const late = `It did not answer within ${timeoutMs / 1000} s. Check the network, HTTPS_PROXY and REPORTING_BASE_URL.`;
    return [wrong('Reporting Service', isLate ? late : describeForOperator(error))];
  }
}

/** Whose token this is, what it may do, and whether Slack can reach the bot as far as that can be seen from here. */
async function lookAtSlack(config: SlackConfig, signal: AbortSignal): Promise<readonly Finding[]> {
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
    const { workspaceUrl, botUserId, scopes } = await fetchIdentity(clients.reading);
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
    return wrong(
      'Socket Mode',
      isPermanentError(error) ? describeForOperator(refusal) : wordsForSlackError(error),
    );
  }
}

function wordsForSlackError(error: unknown): string {
  if (error instanceof SlackTokenRefused) return describeForOperator(error);
  return `Slack cannot be reached (${slackErrorCode(error)}). Check the network, HTTPS_PROXY and SLACK_API_URL.`;
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** What one look at the surroundings came to. */
export interface Finding {
  readonly of: string;
  readonly ok: boolean;
  /** What is there, or what is wrong and what to do about it. */
  readonly sentence: string;
}

function fine(of: string, sentence: string): Finding {
  return { of, ok: true, sentence };
}

function wrong(of: string, sentence: string): Finding {
  return { of, ok: false, sentence };
}

export function lineOf({ of, ok, sentence }: Finding): string {
  return `${ok ? 'ok     ' : 'PROBLEM'}  ${of}: ${sentence}`;
}
