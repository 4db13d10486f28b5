import { createHash } from 'node:crypto';
import { filePostId, type PostState } from '../posts/states.js';
import type { AlertCondition } from '../requests/alert-condition.js';
import type { ReportRequest } from '../requests/request.js';
import type { Schedule } from '../schedule/cadence.js';
import { nextRuns } from '../schedule/next-runs.js';
import { nextWave } from '../schedule/reader-runs.js';

/** The settings that a person chooses for a digest. Plain data. */
export interface DigestSettings {
  /** A channel, or the owner's direct messages with the bot. */
  readonly channel: string;
  /** Slack user ID. The digest runs with the rights of this person. */
  readonly owner: string;
  /** Its `file` says which file the digest includes. */
  readonly request: ReportRequest;
  readonly schedule: Schedule;
  /** Skips runs that find no records. */
  readonly skipEmpty: boolean;
  /** Deletes the last message, with what Rollcall posted in its thread, once the next one is posted. */
  readonly replace?: boolean | undefined;
  /** Deletes its messages and files after so many days. `null` in a change: they stay. */
  readonly keepDays?: number | null | undefined;
  /** Makes it an alert: it posts only when this becomes true. `null` in a change: at every run. */
  readonly when?: AlertCondition | null | undefined;
  /** Who gets it: each manager, in direct messages. Absent, and `null` in a change: its channel. */
  readonly audience?: 'managers' | null | undefined;
  /** IANA zones of the managers whom its last run or its rehearsal found: it is due at its hour in each of them. */
  readonly zones?: readonly string[] | null | undefined;
  /** The admin who confirmed that it may reach many managers. */
  readonly approvedBy?: string | null | undefined;
}

/**
 * Why a digest does not run.
 * - `by-hand`: a person paused it.
 * - `owner-left`, `owner-erased`, `owner-may-not-ask`: the owner lost the right to run reports.
 * - `person-erased`: a filter named only a person whose data was erased.
 * - `uninstalled`: Slack reported that the app was uninstalled. Installing it again resumes the digest.
 * - `access-refused`: the owner's level of access does not allow what the digest wants.
 * - `unreadable`, `no-next-time`: its stored settings are invalid or have no next time.
 * - anything else: the code of the last of three permanent failures in a row.
 */
export type PauseReason = string;

export interface Digest extends DigestSettings {
  readonly id: string;
  readonly createdBy: string;
  readonly state: 'active' | 'paused';
  readonly pauseReason?: PauseReason;
  /** Absent while the digest is paused or deleted, and if its cadence has no further time. */
  readonly nextDue?: number;
  /** Increases with every change, so that no one overwrites a change they have not seen. */
  readonly revision: number;
  /** Permanent failures in a row. */
  readonly failures: number;
  readonly createdAt: number;
  /** The person who has yet to accept a hand-over, and since when, in milliseconds since the epoch. */
  readonly pendingOwner?: { readonly id: string; readonly since: number } | undefined;
  /** When it was last handed over. From then on, only the owner and admins may edit it. */
  readonly handedOverAt?: number | undefined;
  readonly deletedAt?: number;
  /** Of a digest for managers: readers whose hour had come by then were served, or are not served any more. */
  readonly coveredUntil?: number | undefined;
}

/** One occurrence of a digest and its outcome. */
export interface DigestRun {
  readonly id: string;
  readonly digest: string;
  readonly channel: string;
  readonly dueAt: number;
  readonly state: PostState;
  /** When a worker may claim it; absent while claimed and once finished. */
  readonly readyAt?: number;
  /** Excludes attempts that ended with a rate limit, a stop or an outage. */
  readonly attempts: number;
  /** How often Slack rate-limited this run. */
  readonly rateLimited: number;
  /** Occurrences before this one that were not run. */
  readonly missed: number;
  readonly late: boolean;
  readonly rows?: number;
  readonly message?: { readonly channel: string; readonly ts: string; readonly link?: string };
  /** Once a file follows, `attempts`, `rateLimited` and the error are those of the file. */
  readonly fileState: PostState | 'none';
  /** Why the last attempt failed, or why the run was skipped. */
  readonly errorCode?: string;
  /** The failure in words for people. */
  readonly reason?: string;
  /** True if a person started it: an alert posts then whatever it found. */
  readonly isByHand: boolean;
  /** The owner's answer about an unconfirmed delivery. */
  readonly settled?: 'arrived' | 'sent-again';
  readonly finishedAt?: number;
}

/** A run that this worker holds. */
export interface ClaimedRun {
  readonly digest: Digest;
  readonly run: DigestRun;
  readonly claim: { readonly id: string; readonly worker: string };
  readonly signal: AbortSignal;
}

/** The file of a run, or its rows, is a post of its own, claimed by the same worker. */
export function followUpClaim({ run, claim }: Pick<ClaimedRun, 'run' | 'claim'>): ClaimedRun['claim'] {
  return { ...claim, id: filePostId(run.id) };
}

/** The digest with the channel of a posted message: the digest's own channel may have changed since. */
export function withMessageChannel(digest: Digest, { channel }: NonNullable<DigestRun['message']>): Digest {
  return channel.startsWith('D') ? digest : { ...digest, channel };
}

/** How a run ended, for metrics. */
export interface RunEnd {
  readonly outcome: 'delivered' | 'skipped' | 'failed' | 'unknown';
  /** Why the run failed or was skipped. */
  readonly code?: string | undefined;
  /** Absent for a digest that is no alert. `held`: it found so few rows that its owner is asked. */
  readonly alert?: 'posted' | 'quiet' | 'baseline' | 'held' | 'not-run' | undefined;
  /** Seconds between the due time and the end. */
  readonly secondsLate: number;
}

/** A digest that a person is about to create or change. Plain data, because drafts survive a restart. */
export interface DigestDraft extends Omit<DigestSettings, 'schedule'>, Pick<Schedule, 'cadence' | 'zone'> {
  /** The digest that the draft changes, at the revision the person saw. Absent for a new digest. */
  readonly changes?: { readonly id: string; readonly revision: number };
  /** How many managers it would reach, by its rehearsal. */
  readonly readers?: number;
}

/** What the runs of a digest ask: an alert on new rows lists them as the rows of a digest are listed. */
export function requestOfRuns({ request, when }: Pick<DigestSettings, 'request' | 'when'>): ReportRequest {
  return when?.kind === 'new-rows' ? { ...request, showRows: true } : request;
}

/** Equal for runs that one query can answer. The key covers the digest alone; callers add the rights to it. */
export function dedupeKey(request: ReportRequest, zone: string, dueAt: number): string {
  const { toMe: _toMe, ...rest } = request;
  return createHash('sha256')
    .update(JSON.stringify([rest, zone, dueAt]))
    .digest('base64url')
    .slice(0, 22);
}

/** The post that follows a digest's message: its file, or rows that its channel may not get. */
export function followUpName({ request }: Pick<Digest, 'request'>): 'file' | 'rows' {
  return request.file === undefined ? 'rows' : 'file';
}

/** Editing resumes a digest that paused after failures, but not one that a person paused. */
export function isPausedByHand({ state, pauseReason = 'by-hand' }: Digest): boolean {
  return state === 'paused' && pauseReason === 'by-hand';
}

export interface NewRun {
  readonly dueAt: number;
  /** Equal for runs that share one query to the service. */
  readonly dedupeKey: string;
  /** How many earlier due times passed without a run. */
  readonly missed: number;
  readonly late: boolean;
}

export interface DueDigest {
  readonly digest: Digest;
  readonly run: NewRun;
  /** `null`: the schedule has no further due time. */
  readonly nextDue: number | null;
}

export interface DigestBacklog {
  readonly queued: number;
  readonly due: number;
  readonly late: number;
}

export interface ClaimOptions {
  /** Unique for each process that uses this database. */
  readonly worker: string;
  readonly now: number;
  readonly leaseMs: number;
  /** Maximum runs. Each is for a different channel. */
  readonly limit: number;
  /** Channels to leave out. */
  readonly busyChannels: readonly string[];
  /** Leaves out the runs of owners who have one in progress. */
  readonly skipBusyOwners?: boolean;
}

/** A new due time. It applies only if the digest still has the revision and due time given here. */
export interface Rescheduling {
  readonly id: string;
  readonly revision: number;
  readonly previousDue: number | null;
  readonly nextDue: number | null;
}

type Timed = Pick<DigestSettings, 'schedule' | 'audience' | 'zones'>;

/** When a digest is due next after an instant; undefined if it has no further time. One for managers is due in waves. */
export function nextDueOf({ schedule, audience, zones }: Timed, after: number): number | undefined {
  if (audience !== 'managers') return nextRuns(schedule, after, 1)[0];
  return nextWave(schedule, [schedule.zone, ...(zones ?? [])], after);
}
