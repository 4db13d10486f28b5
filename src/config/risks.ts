import { statSync } from 'node:fs';
import { join } from 'node:path';
import { environmentWithDotenv } from './config.js';
import type { Environment } from './read-variables.js';
import type { VariableName } from './variables.js';

/** Variables that hold a secret. */
const secrets = [
  'SLACK_BOT_TOKEN',
  'SLACK_APP_TOKEN',
  'SLACK_SIGNING_SECRET',
  'REPORTING_API_TOKEN',
] as const satisfies readonly VariableName[];

/** Addresses to which secrets are sent, with their defaults. */
const addresses = ['REPORTING_BASE_URL', 'SLACK_API_URL'] as const satisfies readonly VariableName[];

/** The permission bits of a file; undefined if there is no such file. */
export type ModeOf = (path: string) => number | undefined;

/**
 * Settings that work and are dangerous, one sentence each with what to do: secrets that other accounts can read, and
 * secrets that cross a network in plain text.
 */
export function settingRisks(
  environment: Environment = process.env,
  folder: string = process.cwd(),
  modeOf: ModeOf = modeOfFile,
): readonly string[] {
  const all = environmentWithDotenv(environment, folder);
  if (!all.ok) return [];
  const files = [join(folder, '.env'), ...secrets.flatMap((name) => all.value[`${name}_FILE`]?.trim() || [])];
  const readable = [...new Set(files)].filter((path) => ((modeOf(path) ?? 0) & 0o077) !== 0);
  const plain = addresses.filter((name) => isPlainAndRemote(all.value[name]));
  return [
    ...readable.map((path) => `Other accounts of this machine can read ${path}. Run: chmod 600 ${path}`),
    ...plain.map(
      (name) =>
        `${name} begins with http://, so that tokens and records cross the network in plain text. Use https://.`,
    ),
  ];
}

function isPlainAndRemote(address: string | undefined): boolean {
  if (!address || !URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  return protocol === 'http:' && !isLoopback;
}

function modeOfFile(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mode;
}
