import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { configFrom, runConfigFrom, slackConfigFrom, storeConfigFrom } from '../config/config.js';
import { checkConfig, exitCodeForBadConfig } from '../config/load.js';
import { checkService } from '../reporting-api/check-service.js';
import type { ReportingSettings } from '../reporting-api/settings.js';
import { examineDatabase } from '../store/backup.js';
import { DatabaseUnusable } from '../store/errors.js';
import { lookAtSlack } from './doctor-slack.js';
import { type Finding, fine, wrong } from './finding.js';
import { wordsForOperator } from './operator-messages.js';

export { lineOf } from './finding.js';

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
    slack.ok ? lookAtSlack(slack.config, timeLimit(signal)) : [],
    run.ok ? lookAtService(run.config.reporting, timeLimit(signal)) : [],
  ]);
  signal.throwIfAborted();
  return [
    ...(whole.ok
      ? [fine('Settings', 'Nothing is missing.')]
      : whole.problems.map(({ sentence }) => wrong('Settings', sentence))),
    ...(store.ok ? [lookAtStore(store.config.databasePath)] : []),
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
    examineDatabase(path);
    return fine('Database', `${path} is whole and can be used.`);
  } catch (error) {
    return wrong('Database', wordsForOperator(error));
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
    return wrong('Database', wordsForOperator(new DatabaseUnusable(path, 'EACCES')));
  }
}

async function lookAtService(settings: ReportingSettings, signal: AbortSignal): Promise<readonly Finding[]> {
  try {
    await checkService(settings, Date.now(), signal);
    return [fine('Reporting Service', 'It answers, and takes the token.')];
  } catch (error) {
    const isLate = signal.aborted;
    const late = `It did not answer within ${timeoutMs / 1000} s. Check the network, HTTPS_PROXY and REPORTING_BASE_URL.`;
    return [wrong('Reporting Service', isLate ? late : wordsForOperator(error))];
  }
}
