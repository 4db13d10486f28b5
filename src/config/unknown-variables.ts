import { distance } from 'fastest-levenshtein';
import { nearest } from '../requests/nearest.js';
import { environmentWithDotenv } from './config.js';
import type { Environment } from './read-variables.js';
import { variables } from './variables.js';

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
