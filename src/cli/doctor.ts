import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { configFrom, runConfigFrom, slackConfigFrom, storeConfigFrom } from '../config/config-from.js';
import { checkConfig, exitCodeForBadConfig } from '../config/load.js';
import { checkService } from '../reporting-api/check-service.js';
import type { ReportingSettings } from '../reporting-api/settings.js';
import { DatabaseUnusable } from '../store/errors.js';
import { openStore } from '../store/store.js';
import { wordsForOperator } from '../words-for-operators.js';
import { lookAtSlack } from './doctor-slack.js';
import { type Finding, fine, wrong } from './finding.js';

export { lineOf } from './finding.js';

/** How long Slack and the service may take to answer, in milliseconds. */
const patience = 15_000;

/** Looks at everything that the bot needs, and says of each whether it is in order. */
export async function examine(signal: AbortSignal): Promise<readonly Finding[]> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  const whole = checkConfig(configFrom);
  const [slack, run, store] = [
    checkConfig(slackConfigFrom),
    checkConfig(runConfigFrom),
    checkConfig(storeConfigFrom),
  ];
  return [
    ...(whole.ok
      ? [fine('Settings', 'Nothing is missing.')]
      : whole.problems.map(({ sentence }) => wrong('Settings', sentence))),
    ...(store.ok ? [await lookAtStore(store.config.databasePath)] : []),
    ...(slack.ok ? await lookAtSlack(slack.config, inTime) : []),
    ...(run.ok ? [await lookAtService(run.config.reporting, inTime)] : []),
  ];
}

/** 78 for settings, 1 for anything else that is wrong. */
export function exitCodeFor(findings: readonly Finding[]): number {
  const problems = findings.filter(({ ok }) => !ok);
  if (problems.some(({ of }) => of === 'Settings')) return exitCodeForBadConfig;
  return problems.length > 0 ? 1 : 0;
}

async function lookAtStore(path: string): Promise<Finding> {
  try {
    if (!existsSync(path)) return lookAtFolder(path);
    const store = await openStore(path, Date.now);
    await store.close();
    return fine('Database', `${path} can be used.`);
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

async function lookAtService(settings: ReportingSettings, signal: AbortSignal): Promise<Finding> {
  try {
    await checkService(settings, Date.now(), signal);
    return fine('Reporting Service', 'It answers, and takes the token.');
  } catch (error) {
    return wrong('Reporting Service', wordsForOperator(error));
  }
}
