import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { distance } from 'fastest-levenshtein';
import { nearest } from '../requests/nearest.js';
import { databaseFrom, environmentWithDotenv } from './config.js';
import type { Environment, ReadFile } from './read-variables.js';
import { variables } from './variables.js';

/** Addresses to which secrets are sent, with their defaults. */
const addresses = ['REPORTING_BASE_URL', 'SLACK_API_URL'];

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
  readFile: ReadFile = (path) => readFileSync(path, 'utf8'),
): readonly string[] {
  const all = environmentWithDotenv(environment, folder);
  if (!all.ok) return [];
  // Whoever puts a value into a file of its own means it to be secret.
  const ofVariables = [...variables.keys()].flatMap((name) => all.value[`${name}_FILE`]?.trim() || []);
  const files = [join(folder, '.env'), ...ofVariables];
  const readable = [...new Set(files)].filter((path) => ((modeOf(path) ?? 0) & 0o077) !== 0);
  const plain = addresses.filter((name) => isPlainAndRemote(all.value[name]));
  return [
    ...readable.map((path) => `Other accounts of this machine can read ${path}. Run: chmod 600 ${path}`),
    ...plain.map(
      (name) =>
        `${name} begins with http://, so that tokens and records cross the network in plain text. Use https://.`,
    ),
    ...(hasPlainDatabase(all.value, readFile, environment.PGSSLMODE) ? [plainDatabase] : []),
  ];
}

const plainDatabase =
  'DATABASE_URL names a PostgreSQL server on another machine without TLS, so that the password and all data cross the ' +
  'network in plain text. Add ?sslmode=verify-full to it.';

/**
 * The address may be in a file. One that cannot be read or is invalid is reported as a setting.
 *
 * @param sslMode PGSSLMODE, which the client of PostgreSQL reads too
 */
function hasPlainDatabase(environment: Environment, readFile: ReadFile, sslMode = ''): boolean {
  const store = databaseFrom({ environment, readFile });
  if (!store.ok || !/^postgres(?:ql)?:/.test(store.value)) return false;
  const { hostname, searchParams } = new URL(store.value);
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  if (host.startsWith('/') || isLoopback(host)) return false;
  const mode = searchParams.get('sslmode');
  // A name without a dot is on the same network, such as that of two containers. There it can be meant.
  if (mode !== null) return mode === 'disable' && host.includes('.');
  const isOn = /^(?:1|true|no-verify)$/.test(searchParams.get('ssl') ?? '');
  const hasCertificate = ['sslrootcert', 'sslcert', 'sslkey'].some((name) => searchParams.has(name));
  return !isOn && !hasCertificate && !/^(?:prefer|require|verify-ca|verify-full|no-verify)$/.test(sslMode);
}

function isPlainAndRemote(address: string | undefined): boolean {
  if (!address || !URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !isLoopback(hostname);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || /^\[?::1\]?$/.test(host) || /^127(?:\.\d+){3}$/.test(host);
}

function modeOfFile(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mode;
}

const known = [...variables.keys()];

/** Variables with these prefixes are meant for Rollcall. */
const ourPrefixes = /^(?:ROLLCALL|REPORTING|SLACK)_/;

/**
 * What other programs read: Slack's SDKs and command line, incoming webhooks, the reverse proxy of `deploy`, and the
 * addresses that Kubernetes gives to each container for a service named `rollcall` or `reporting`.
 */
const ofOthers =
  /^ROLLCALL_HOST$|^SLACK_(?:SDK|CLI|TEST|WEBHOOK|CONFIG_DIR|SERVICE_TOKEN|SKIP_UPDATE|DISABLE_TELEMETRY)(?:_|$)|_SERVICE_(?:HOST|PORT)(?:_\w+)?$|_PORT(?:_\d+_(?:TCP|UDP)(?:_\w+)?)?$/;

/** Shorter names are near to those of other programs by chance. */
const minNearLength = 8;

/**
 * A sentence about variables of the environment and of `.env` that look like ours, and that Rollcall does not read. It
 * names each with what was probably meant, and contains no value. Undefined if there is none.
 */
export function describeUnknownVariables(
  environment: Environment = process.env,
  folder: string = process.cwd(),
): string | undefined {
  const all = environmentWithDotenv(environment, folder);
  if (!all.ok) return undefined;
  const unknown = Object.keys(all.value)
    .sort()
    .flatMap((name) => {
      const suffix = /_FILE$/i.test(name) ? '_FILE' : '';
      const plain = name.slice(0, name.length - suffix.length);
      if (known.includes(plain) || known.includes(name) || ofOthers.test(plain)) return [];
      const near = nearVariable(plain.toUpperCase());
      if (near === undefined && !ourPrefixes.test(plain.toUpperCase())) return [];
      return near === undefined ? name : `${name} (did you mean ${near}${suffix}?)`;
    });
  if (unknown.length === 0) return undefined;
  return `Rollcall does not read these variables: ${unknown.join(', ')}. Correct their names, or remove them.`;
}

function nearVariable(name: string): string | undefined {
  if (ourPrefixes.test(name)) return nearest(name, known);
  return known.find(
    (one) =>
      one === name ||
      (one.length >= minNearLength && distance(name, one) <= (one.length >= 12 ? 2 : 1)) ||
      // PERSON_LEVEL, KEEP_RECORD
      (name.length >= minNearLength && name.includes('_') && one.startsWith(`${name}_`)),
  );
}
