import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { TitleOption } from '../catalogue/index.js';
import type { LearningLinks } from '../catalogue/learning-link.js';
import {
  checkConfig,
  configFrom,
  databaseFrom,
  environmentWithDotenv,
  runConfigFrom,
  type SlackConfig,
  slackConfigFrom,
  storeConfigFrom,
} from '../config/config.js';
import { describeUnknownVariables, settingRisks } from '../config/risks.js';
import { Failure, isFailure } from '../errors/failure.js';
import { exitCodes } from '../errors/operator-failures.js';
import { formatPlural } from '../figures/format/values.js';
import { checkService } from '../reporting-api/check-service.js';
import type { ReportingSettings } from '../reporting-api/settings.js';
import { compact } from '../requests/text.js';
import { isPermanentError, type SlackClients, slackErrorCode } from '../slack/delivery/clients.js';
import { assistantPath, assistantScope, botScopes, optionalScopes } from '../slack/manifest.js';
import { fetchIdentity } from '../slack/transport/transport.js';
import { compareRecordKey, recordKeyFile } from '../store/access/record-key.js';
import { checkDatabase } from '../store/database/backup.js';
import { databaseUnusable } from '../store/database/errors.js';
import { databaseName, isPostgresUrl } from '../store/database/location.js';
import { type Inspection, inspectAccess, inspectDatabase } from '../store/inspect.js';
import { withTimeLimit } from '../time/clock.js';
import { checkBlocks } from './check-blocks.js';
import {
  checkAccess,
  checkClock,
  checkContent,
  checkSpace,
  checkZoneData,
  describeAddresses,
  existingFolder,
  type Finding,
  fine,
  wrong,
} from './machine-checks.js';
import { describeForOperator } from './operator-messages.js';
import { withSlackClients } from './slack-clients.js';

const defaultTimeoutMs = 15_000;

/** Checks all that the bot needs: Slack and the service within `timeoutMs`. @throws the signal's reason */
export async function diagnose(
  signal: AbortSignal,
  timeoutMs = defaultTimeoutMs,
): Promise<readonly Finding[]> {
  const timeLimit = () => withTimeLimit(timeoutMs, signal);
  const whole = checkConfig(configFrom);
  const unknown = describeUnknownVariables();
  const [slack, run, store] = [
    checkConfig(slackConfigFrom),
    checkConfig(runConfigFrom),
    checkConfig(databaseFrom),
  ];
  // In parallel, so that one that hangs does not delay the other.
  const assistants = whole.ok ? whole.value.assistants : undefined;
  const [ofSlack, ofService] = await Promise.all([
    slack.ok ? checkSlack(slack.value, assistants?.publicUrl, timeLimit()) : [],
    run.ok ? checkReportingService(run.value.reporting, timeLimit(), timeoutMs) : [],
  ]);
  signal.throwIfAborted();
  return compact(
    whole.ok
      ? fine('Settings', 'All required settings are there.')
      : whole.refusal.map(({ sentence }) => wrong('Settings', sentence)),
    whole.ok && describeLinks(whole.value.learningLinks),
    settingRisks().map((sentence) => wrong('Secrets', sentence)),
    unknown && wrong('Unknown variables', unknown),
    store.ok && (await checkStore(store.value)),
    store.ok && checkSpace(store.value),
    checkZoneData(process.versions.tz, Date.now()),
    ofSlack,
    ofService,
  );
}

/** Which titles are links, and where to. A typing mistake in the host shows only here. */
function describeLinks(links: LearningLinks): readonly Finding[] {
  return Object.entries(links).map(([kind, address]) =>
    fine('Links', `Titles of ${kindWords[kind as TitleOption]} lead to ${new URL(address).host}.`),
  );
}

const kindWords: Readonly<Record<TitleOption, string>> = {
  content: 'content',
  track: 'tracks',
  assessment: 'assessments',
  workshop: 'workshops',
};

/** 78 for a problem with settings, 1 for any other problem. */
export function exitCodeFor(findings: readonly Finding[]): number {
  const problems = findings.filter(({ ok }) => !ok);
  if (problems.some(({ subject }) => subject === 'Settings')) return exitCodes.config;
  return problems.length > 0 ? 1 : 0;
}

/** Changes nothing, because an older bot may be using the database. */
async function checkStore(location: string): Promise<readonly Finding[]> {
  try {
    const isServer = isPostgresUrl(location);
    if (!isServer && !existsSync(location)) return [checkFolder(location)];
    if (!isServer) checkDatabase(location);
    const inspection = await inspectDatabase(location);
    const outcome = isServer ? 'can be reached' : 'is intact';
    return compact(
      fine('Database', `${databaseName(location)} ${outcome}.`),
      isServer && checkAccess(await inspectAccess(location)),
      inspection && checkContent(inspection, hasConfiguredAdmins()),
      inspection && checkRecordKey(location, inspection),
    );
  } catch (error) {
    return [wrong('Database', describeForOperator(error))];
  }
}

/** Whether this is the key with which the newest event of the record was written. */
function checkRecordKey(location: string, { recordKeyId }: Inspection): readonly Finding[] {
  const settings = checkConfig(storeConfigFrom);
  // Without a valid key, a line about settings says so.
  if (!settings.ok) return [];
  const { recordKey } = settings.value;
  const file = recordKeyFile(location);
  const where = recordKey === undefined ? file : 'RECORD_KEY';
  try {
    const outcome = compareRecordKey(location, recordKey, recordKeyId);
    if (outcome !== 'same') {
      const missing = `${file} is missing. Put it back, or set RECORD_KEY. Otherwise the next start makes a new key, and nobody can verify the record so far.`;
      const differs = `${where} is not the key that the record has. Set the key from before. Otherwise the record goes on from a checkpoint at the next start, and nobody can verify what is before it.`;
      return [wrong('Record key', outcome === 'missing' ? missing : differs)];
    }
    const same = `${where} is the key of the record. Keep a copy apart from backups of the database.`;
    return recordKeyId ? [fine('Record key', same)] : [];
  } catch (error) {
    return [wrong('Record key', describeForOperator(error))];
  }
}

/** Read alone, because other settings may be missing. */
function hasConfiguredAdmins(): boolean {
  const environment = environmentWithDotenv(process.env, process.cwd());
  return environment.ok && Boolean(environment.value.ROLLCALL_ADMINS?.trim());
}

/** The first start creates the database and its folders. */
function checkFolder(path: string): Finding {
  try {
    accessSync(existingFolder(dirname(path)), constants.W_OK | constants.X_OK);
    return fine('Database', `${path} will be created at the first start.`);
  } catch {
    return wrong('Database', describeForOperator(databaseUnusable(path, 'EACCES')));
  }
}

async function checkReportingService(
  settings: ReportingSettings,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<readonly Finding[]> {
  try {
    const startedAt = performance.now();
    const records = await checkService(settings, Date.now(), signal);
    const milliseconds = Math.round(performance.now() - startedAt).toLocaleString('en');
    const count = formatPlural(records, ['record', 'records']);
    return [
      fine(
        'Reporting Service',
        `It accepts the token and answered a small query: ${count} in ${milliseconds} ms.`,
      ),
    ];
  } catch (error) {
    const isLate = signal.aborted;
    const late = `It did not answer within ${timeoutMs / 1000} s. Check the network, HTTPS_PROXY and REPORTING_BASE_URL.`;
    return [wrong('Reporting Service', isLate ? late : describeForOperator(error))];
  }
}

/** Checks the bot token, its scopes, and the connection from Slack as far as possible from here. */
function checkSlack(
  config: SlackConfig,
  publicUrl: string | undefined,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  return withSlackClients(config, signal, async (clients) => {
    const [token, transport, clock, addresses, blocks, assistants] = await Promise.all([
      checkBotToken(clients, publicUrl !== undefined),
      checkTransport(config, clients),
      compareClocks(config, clients, signal),
      checkAddresses(config, clients),
      checkBlocks(clients.posting),
      publicUrl === undefined ? undefined : checkAssistantPath(publicUrl, clients, signal),
    ]);
    return compact(token, transport, assistants, clock, addresses, blocks);
  });
}

/** Whether requests of Slackbot arrive: one without a signature is refused by Rollcall itself. */
export async function checkAssistantPath(
  publicUrl: string,
  { fetch }: Pick<SlackClients, 'fetch'>,
  signal: AbortSignal,
): Promise<Finding> {
  const url = publicUrl + assistantPath;
  const headers = { 'content-type': 'application/json' };
  try {
    const answer = await fetch(url, { method: 'POST', headers, body: '{}', redirect: 'manual', signal });
    const { status } = answer;
    const isOurs = (await answer.text()).startsWith('{"jsonrpc"');
    if (status === 401 && isOurs) return fine('Slackbot', `Rollcall answers at ${url}.`);
    return wrong('Slackbot', `${url} gives status ${status}. ${assistantFixFor(status, isOurs)}`);
  } catch {
    const what = signal.aborted ? 'did not answer in time' : 'cannot be reached from here';
    return wrong('Slackbot', `${url} ${what}. ${assistantFix}`);
  }
}

const assistantFix = 'Forward POST requests for /mcp to HOST and PORT of Rollcall, without a redirect.';

function assistantFixFor(status: number, isOurs: boolean): string {
  if (isOurs && status === 403)
    return 'What forwards the requests changes their host: pass on the header Host.';
  if (status === 401 || status === 403)
    return 'It is not Rollcall that refuses: let POST requests for /mcp through to it without a login.';
  if (status === 404) return `Start Rollcall with MCP=yes. ${assistantFix}`;
  return assistantFix;
}

/** Any answer of Slack tells its time. Without an answer, another check says that Slack cannot be reached. */
async function compareClocks(
  { apiUrl }: SlackConfig,
  { fetch }: SlackClients,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  try {
    const { headers } = await fetch(`${apiUrl}api.test`, { method: 'POST', signal });
    return [checkClock(headers.get('date'), Date.now())];
  } catch {
    return [];
  }
}

const membersPerPage = 200;
/** Slack allows about twenty pages a minute, and the running bot needs some of them. */
const maxMemberPages = 10;

/** For how many members Slack says that their address is confirmed. Nothing if Slack does not list them. */
async function checkAddresses(
  { trustEmail }: SlackConfig,
  { reading }: SlackClients,
): Promise<readonly Finding[]> {
  const said = { yes: 0, no: 0, nothing: 0 };
  let cursor: string | undefined;
  try {
    for (let page = 0; page < maxMemberPages; page += 1) {
      const { members = [], response_metadata } = await reading.users.list({ limit: membersPerPage, cursor });
      for (const { deleted, is_bot, is_restricted, id, is_email_confirmed: isConfirmed } of members) {
        if (deleted || is_bot || is_restricted || id === 'USLACKBOT') continue;
        if (isConfirmed === undefined) said.nothing += 1;
        else said[isConfirmed ? 'yes' : 'no'] += 1;
      }
      cursor = response_metadata?.next_cursor || undefined;
      if (cursor === undefined) break;
    }
  } catch {
    return [];
  }
  if (said.yes + said.no + said.nothing === 0) return [];
  return [describeAddresses(said, { trustEmail, isPart: cursor !== undefined })];
}

async function checkBotToken(clients: SlackClients, forSlackbot: boolean): Promise<readonly Finding[]> {
  try {
    const { workspaceUrl, botUserId, scopes } = await fetchIdentity(clients.reading);
    return [
      fine('Slack', `The token belongs to ${botUserId} in ${workspaceUrl}.`),
      checkScopes(scopes, forSlackbot),
    ];
  } catch (error) {
    return [wrong('Slack', describeSlackError(error))];
  }
}

function checkScopes(scopes: readonly string[], forSlackbot: boolean): Finding {
  const wanted: readonly string[] = forSlackbot ? [...botScopes, assistantScope] : botScopes;
  const missing = wanted.filter((scope) => !scopes.includes(scope));
  const optional = missing.filter(isOptional);
  const unneeded = scopes.filter((scope) => !wanted.includes(scope));
  const command = forSlackbot ? 'rollcall manifest --url … --mcp' : 'rollcall manifest';
  const fix = `Update the manifest of the app (${command}) and install the app again.`;
  if (scopes.length === 0) return fine('Scopes', 'Slack does not list them.');
  if (missing.length > optional.length)
    return wrong('Scopes', `The token lacks ${missing.join(', ')}. ${fix}`);
  if (unneeded.length > 0) {
    return wrong(
      'Scopes',
      `The token has scopes that Rollcall does not need: ${unneeded.join(', ')}. ${fix}`,
    );
  }
  const without = optional.map((scope) => ` Without ${scope} (optional), ${effectOfMissing[scope]}.`);
  return fine('Scopes', `The token has the scopes that Rollcall needs.${without.join('')}`);
}

type OptionalScope = (typeof optionalScopes)[number];

function isOptional(scope: string): scope is OptionalScope {
  return optionalScopes.some((one) => one === scope);
}

const effectOfMissing: Readonly<Record<OptionalScope, string>> = {
  'channels:join': 'people add Rollcall to a channel with /invite @Rollcall',
  'usergroups:read': 'rules for user groups narrow what people may ask, and never widen it',
};

async function checkTransport({ transport }: SlackConfig, { reading }: SlackClients): Promise<Finding> {
  if (transport.mode === 'http') {
    const { host, port } = transport;
    return fine('HTTP mode', `Forward https requests of Slack to http://${host}:${port}/slack/events.`);
  }
  try {
    await reading.apps.connections.open({ token: transport.appToken });
    return fine('Socket Mode', 'Slack accepts connections.');
  } catch (error) {
    const refusal = new Failure('slack-token-refused', {
      variable: 'SLACK_APP_TOKEN',
      reason: slackErrorCode(error),
    });
    return wrong(
      'Socket Mode',
      isPermanentError(error) ? describeForOperator(refusal) : describeSlackError(error),
    );
  }
}

function describeSlackError(error: unknown): string {
  if (isFailure(error, 'slack-token-refused')) return describeForOperator(error);
  return `Slack cannot be reached (${slackErrorCode(error)}). Check the network, HTTPS_PROXY and SLACK_API_URL.`;
}

export function lineOf({ subject, ok, sentence }: Finding): string {
  return `${ok ? 'ok     ' : 'PROBLEM'}  ${subject}: ${sentence}`;
}
