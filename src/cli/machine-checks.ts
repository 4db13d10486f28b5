import { existsSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCodeOf } from '../errors/failure.js';
import { compact } from '../requests/text.js';
import { isPostgresUrl } from '../store/database/location.js';
import type { Inspection, TroubledDigest } from '../store/inspect.js';
import type { DatabaseAccess } from '../store/postgres/inspect-postgres.js';
import { offsetAt } from '../time/calendar.js';

export interface Finding {
  readonly subject: string;
  readonly ok: boolean;
  /** What was found, and how to fix a problem. */
  readonly sentence: string;
}

export function fine(subject: string, sentence: string): Finding {
  return { subject, ok: true, sentence };
}

export function wrong(subject: string, sentence: string): Finding {
  return { subject, ok: false, sentence };
}

/** Below this, an answer with many rows may not fit. */
const lowSpaceBytes = 512_000_000;

/** The free space for the database and for the files of answers, which may be on another disk. */
export function checkSpace(location: string): readonly Finding[] {
  if (isPostgresUrl(location)) return [spaceOf('Space for answers', join('data', 'answers'))];
  const folder = dirname(location);
  return [spaceOf('Space for the database', folder), spaceOf('Space for answers', join(folder, 'answers'))];
}

function spaceOf(subject: string, path: string): Finding {
  const folder = existingFolder(path);
  try {
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    const megabytes = `${Math.floor(free / 1e6).toLocaleString('en')} MB`;
    return free < lowSpaceBytes
      ? wrong(subject, `Only ${megabytes} are free in ${folder}. Free some space, or use a larger disk.`)
      : fine(subject, `${megabytes} are free.`);
  } catch (error) {
    const code = systemCodeOf(error);
    return wrong(subject, `The free space of ${folder} cannot be read (${code}). Check DATABASE_URL.`);
  }
}

/** The folder itself, or the nearest one above it that exists. */
export function existingFolder(path: string): string {
  let folder = path;
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
}

/** Checks that a PostgreSQL database is Rollcall's own, and that no other role may connect to it. */
export function checkAccess(access: DatabaseAccess): readonly Finding[] {
  const { database, schema, role, everybodyMayConnect, everybodyMayCreate, hasTablesOfOthers } = access;
  const subject = 'Database access';
  const problems = compact(
    everybodyMayConnect &&
      `Every role of the server may connect to ${database}. Run REVOKE CONNECT ON DATABASE ${database} FROM PUBLIC; and GRANT CONNECT ON DATABASE ${database} TO ${role};`,
    everybodyMayCreate &&
      `Every role that may connect may create tables in the schema ${schema}. Run REVOKE CREATE ON SCHEMA ${schema} FROM PUBLIC;`,
    hasTablesOfOthers &&
      `${database} also holds tables of other programs. Give Rollcall a database of its own (docs/scaling.md).`,
  );
  return problems.length > 0
    ? problems.map((problem) => wrong(subject, problem))
    : [fine(subject, `${database} is Rollcall’s own, and only roles with a grant may connect.`)];
}

/** Slack signs requests with its time, and ones that are five minutes off are refused. */
const maxClockErrorMs = 60_000;

/**
 * Compares the clock of this machine with Slack's.
 *
 * @param date the `Date` header of an answer of Slack, which has whole seconds
 * @param now when the answer arrived, in milliseconds since the epoch
 */
export function checkClock(date: string | null, now: number): Finding {
  const slackTime = Date.parse(date ?? '');
  if (Number.isNaN(slackTime)) return fine('Clock', 'Slack does not tell its time.');
  const difference = now - slackTime;
  const seconds = Math.round(Math.abs(difference) / 1000).toLocaleString('en');
  if (Math.abs(difference) <= maxClockErrorMs) return fine('Clock', 'It agrees with Slack’s.');
  return wrong(
    'Clock',
    `This machine’s clock is ${seconds} s ${difference > 0 ? 'ahead of' : 'behind'} Slack’s. Turn on time synchronization (NTP).`,
  );
}

/** Paraguay has stayed three hours behind UTC since October 2024. Older data says four in July. */
const changedZone = {
  zone: 'America/Asuncion',
  instant: Date.UTC(2026, 6, 1) / 1000,
  offset: -3 * 3600,
  since: '2025a',
} as const;

/** Older zone data is reported. Governments change zones several times a year. */
const maxZoneDataYears = 2;

/**
 * Checks the time zones that Node.js knows, because digests follow them.
 *
 * @param version of the zone data, such as `2025b`; undefined if this build of Node.js does not say
 * @param now milliseconds since the epoch
 * @param offsetOf the offset of a zone at an instant in epoch seconds, in seconds
 */
export function checkZoneData(
  version: string | undefined,
  now: number,
  offsetOf: (instant: number, zone: string) => number = offsetAt,
): Finding {
  const named = version === undefined ? 'Their version is unknown' : `They are of version ${version}`;
  const { zone, instant, offset, since } = changedZone;
  if (offsetOf(instant, zone) !== offset) {
    return wrong(
      'Time zones',
      `${named} and miss a change of ${zone} (${since}), so digests there come at the wrong hour. Update Node.js.`,
    );
  }
  const year = Number(/^\d{4}/.exec(version ?? '')?.[0] ?? Number.NaN);
  if (new Date(now).getUTCFullYear() - year > maxZoneDataYears) {
    return wrong('Time zones', `${named}, more than ${maxZoneDataYears} years old. Update Node.js.`);
  }
  return fine('Time zones', `${named} and know the latest change of ${zone}.`);
}

/** Checks what people set up in Slack: who may change the rules, and digests that need attention. */
export function checkContent(inspection: Inspection, hasConfiguredAdmins: boolean): readonly Finding[] {
  const { digests, failing, ownerless } = inspection;
  const bad = compact(
    failing.length > 0 &&
      wrong(
        'Digests',
        `${failing.length} of ${digests} fail: ${listed(failing)}. Look at /report list in these channels.`,
      ),
    ownerless.length > 0 &&
      wrong(
        'Digests',
        `${ownerless.length} of ${digests} have no owner: ${listed(ownerless)}. An admin hands them over from /report list in these channels.`,
      ),
  );
  return [
    checkRules(inspection, hasConfiguredAdmins),
    ...(bad.length > 0 ? bad : [fine('Digests', `Each has an owner, and none fails (${digests}).`)]),
  ];
}

function checkRules({ rules, admins }: Inspection, hasConfiguredAdmins: boolean): Finding {
  if (rules > 0 && admins === 0 && !hasConfiguredAdmins) {
    return wrong(
      'Rules of access',
      `There are rules (${rules}) and no admin, so only the workspace’s owners can change them. Set ROLLCALL_ADMINS.`,
    );
  }
  return fine(
    'Rules of access',
    rules === 0 ? 'There are none.' : `There are rules (${rules}), and admins who can change them.`,
  );
}

const maxListed = 5;

function listed(digests: readonly TroubledDigest[]): string {
  const shown = digests.slice(0, maxListed).map(({ id, channel, code }) => `${id} in ${channel} (${code})`);
  const more = digests.length - shown.length;
  return compact(shown, more > 0 && `${more} more`).join(', ');
}

/**
 * Says for how many members an address can count: the level `team` needs one that is confirmed.
 *
 * @param said what Slack says of the members' addresses: confirmed, not confirmed, nothing
 * @param isPart true if the workspace has more members than these
 */
export function describeAddresses(
  said: { readonly yes: number; readonly no: number; readonly nothing: number },
  { trustEmail, isPart }: { readonly trustEmail?: boolean | undefined; readonly isPart: boolean },
): Finding {
  const all = said.yes + said.no + said.nothing;
  const members = `${said.yes.toLocaleString('en')} of ${isPart ? 'the first ' : ''}${all.toLocaleString('en')} members`;
  const sentence = `Slack says for ${members} that their address is confirmed.`;
  if (all === said.yes) return fine('Addresses', sentence);
  if (trustEmail) {
    return fine(
      'Addresses',
      `${sentence} TRUST_SLACK_EMAIL adds those of whom it says nothing (${said.nothing.toLocaleString('en')}).`,
    );
  }
  const effect = `${sentence} The level team gives the others totals.`;
  if (said.nothing === 0) return fine('Addresses', effect);
  const fix = `${effect} If people sign in to Slack with single sign-on, set TRUST_SLACK_EMAIL=yes.`;
  return said.yes === 0 ? wrong('Addresses', fix) : fine('Addresses', fix);
}
