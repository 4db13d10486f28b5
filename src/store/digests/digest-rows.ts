import type { Selectable } from 'kysely';
import type { Digest, DigestSettings } from '../../digests/digest.js';
import { readRequest, readSchedule } from '../../digests/stored-settings.js';
import { UnreadableDigest } from '../../digests/unreadable.js';
import type { DigestRow } from './tables.js';

type Columns = Pick<DigestRow, 'channel' | 'owner' | 'request' | 'schedule' | 'skip_empty'>;
type SettingColumns<Settings> = Settings extends DigestSettings ? Columns : Partial<Columns>;

/** Settings as they are kept; of a part of them, that part. */
export function columnsOf<Settings extends Partial<DigestSettings>>(
  settings: Settings,
): SettingColumns<Settings>;
export function columnsOf({ channel, owner, request, schedule, skipEmpty }: Partial<DigestSettings>) {
  return {
    ...(channel === undefined ? {} : { channel }),
    ...(owner === undefined ? {} : { owner }),
    ...(request === undefined ? {} : { request: JSON.stringify(request) }),
    ...(schedule === undefined ? {} : { schedule: JSON.stringify(schedule) }),
    ...(skipEmpty === undefined ? {} : { skip_empty: skipEmpty ? 1 : 0 }),
  };
}

/** @throws UnreadableDigest */
export function digestOf(row: Selectable<DigestRow>): Digest {
  return {
    id: row.id,
    channel: row.channel,
    owner: row.owner,
    madeBy: row.made_by,
    ...whatAndWhen(row),
    skipEmpty: row.skip_empty === 1,
    state: row.state,
    ...(row.paused_why === null ? {} : { pausedWhy: row.paused_why }),
    ...(row.next_due === null ? {} : { nextDue: row.next_due }),
    revision: row.revision,
    failures: row.failures,
    madeAt: row.made_at,
    ...(row.deleted_at === null ? {} : { deletedAt: row.deleted_at }),
  };
}

/** The same, with the error in the place of a digest that cannot be read: others go on beside it. */
export function digestOrNot(row: Selectable<DigestRow>): Digest | UnreadableDigest {
  try {
    return digestOf(row);
  } catch (error) {
    if (error instanceof UnreadableDigest) return error;
    throw error;
  }
}

/** Digests to be shown, without those that cannot be read. */
export function readable(rows: readonly Selectable<DigestRow>[]): readonly Digest[] {
  return rows.map(digestOrNot).flatMap((digest) => (digest instanceof UnreadableDigest ? [] : [digest]));
}

function whatAndWhen(row: Selectable<DigestRow>): Pick<Digest, 'request' | 'schedule'> {
  try {
    return { request: readRequest(row.request), schedule: readSchedule(row.schedule) };
  } catch (cause) {
    throw new UnreadableDigest(row.id, row.owner, row.channel, { cause });
  }
}
