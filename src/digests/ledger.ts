import type { AttemptCount, Claim, PostedMessage } from '../posts/post.js';
import type { NewPostedItem } from '../posts/posted-items.js';
import type { PostState } from '../posts/states.js';
import type { AnswerForButtons } from '../runner/answer-totals.js';
import type { Digest, DigestRun } from './digest.js';
import type { FailureReason } from './failure.js';
import type { NotificationRequest } from './store-ports.js';

/** A run to add to the ledger. */
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

/** Adds runs to the ledger. */
export interface RunCreation {
  /**
   * Adds due runs and sets the digests' next due times, in one transaction. Skips earlier runs of the same digests that
   * still wait, because people need only the latest one.
   *
   * @returns the new run IDs, in order; undefined for a digest that changed meanwhile and for a due time that exists
   */
  enter(due: readonly DueDigest[], at: number): Promise<readonly (string | undefined)[]>;
  /**
   * Adds a run that a person starts by hand. Returns undefined if the digest has an open run, or got one since seconds
   * before the press.
   *
   * @param pressedAt absent: `at`
   */
  enterNow(digest: Digest, dedupeKey: string, at: number, pressedAt?: number): Promise<string | undefined>;
}

interface ClaimOptions {
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

/** Leases on runs, and the recovery of runs whose worker ended. */
export interface Claims {
  /**
   * Claims waiting runs, earliest first. Runs that share a query come together. If the message of a run is posted, the
   * claim is on its file.
   */
  claim(order: ClaimOptions): Promise<readonly DigestRun[]>;
  /** Extends a worker's leases. */
  renewLeases(ids: readonly string[], worker: string, until: number): Promise<void>;
  /** Workers with leases. `until` is when the first lease of each ends. */
  leaseHolders(): Promise<readonly LeaseHolder[]>;
  /**
   * Ends the leases of a worker that will not finish. Posts that it had not begun to send wait again. Messages and files
   * that it was sending become `unknown`, and their owners are asked.
   *
   * @param worker `expired`: true for expired leases only, false for all
   * @param activeRuns runs of this process, which keep their leases whatever the clock says
   * @returns the runs that became unknown
   */
  reclaim(
    worker: { readonly name: string; readonly expired: boolean },
    activeRuns: readonly string[],
    now: number,
  ): Promise<readonly DigestRun[]>;
}

interface LeaseHolder {
  readonly worker: string;
  readonly until: number;
}

interface Posted {
  /** Absent if Slack returns no ID, as for files and answers through a `response_url`. */
  readonly message?: PostedMessage | undefined;
  /** Adds a post for the file, claimed by the same worker. */
  readonly fileFollows: boolean;
  /** What may have to be deleted later, besides the message of a digest. */
  readonly item?: NewPostedItem | undefined;
  /** True for the message of a digest that shows rows. */
  readonly holdsRows?: boolean;
}

/**
 * Changes of a post's state. Each writes its notifications in the same transaction, because the process may end at any
 * moment. Methods write nothing and return false if another worker has the post by now.
 */
export interface Transitions {
  /**
   * Call this before Slack. If it returns false, do not call Slack.
   *
   * @param facts what histories show, without rows where their number may not be shown; `answer`: of a request by hand
   */
  markPosting(
    claim: Claim,
    facts?: {
      readonly rows: number | undefined;
      readonly late: boolean;
      readonly answer?: AnswerForButtons | undefined;
    },
  ): Promise<boolean>;
  /** Call this only after Slack confirmed the post. */
  markPosted(claim: Claim, posted: Posted, at: number): Promise<boolean>;
  /** The result was empty. */
  markSkipped(claim: Claim, at: number): Promise<boolean>;
  /** The digest no longer exists. */
  markDeleted(claim: Claim, at: number): Promise<boolean>;
  /** The asker cancelled the request. */
  markCancelled(claim: Claim, at: number): Promise<boolean>;
  /** @param pauseAfter failures in a row that pause the digest; absent: this failure does not count */
  markFailed(
    claim: Claim,
    reason: FailureReason,
    at: number,
    notification?: NotificationRequest,
    pauseAfter?: number,
  ): Promise<boolean>;
  /** Nobody can know whether the post arrived. Returns false if it was not being posted. */
  markUnconfirmed(
    claim: Claim,
    reason: FailureReason,
    at: number,
    notification?: NotificationRequest,
  ): Promise<boolean>;
  /** Puts a post that was not sent back in the queue, or skips it if it was superseded, paused or deleted. */
  release(claim: Claim, readyAt: number, reason: FailureReason, counts: AttemptCount): Promise<boolean>;
}

/** Decisions of people about ended runs. Only the first decision counts; later ones return false. */
export interface OwnerDecisions {
  /** The owner confirms that an unknown message arrived, or has it sent again. */
  settle(id: string, settled: 'arrived' | 'sent-again', at: number): Promise<boolean>;
  /** The same for the file of a posted run. A failed file can also be sent again. */
  settleFile(id: string, settled: 'arrived' | 'sent-again', at: number): Promise<boolean>;
  /** Queues a failed run again. */
  retry(id: string, at: number): Promise<boolean>;
}

/** The details of answers, which follow a press. */
export interface DetailsPosts {
  /**
   * Enters the details of an answer as a post that this process holds, or takes one up that failed. Its ID is that of
   * `detailsPostId`.
   *
   * @param request the ID of the answer's entry in the request log
   * @param options `again`: a person wants an unconfirmed one sent again
   * @returns `begun` for one caller at a time; the state for all others, which post nothing
   */
  beginDetails(
    request: string,
    channel: string,
    at: number,
    options?: { readonly again?: boolean },
  ): Promise<'begun' | PostState>;
}

/** Runs in the queue. There may be many thousands, so methods work in batches. */
export interface WaitingRuns {
  /**
   * Owners of digests with waiting runs.
   *
   * @param maxRuns looks at the first of that many runs, rounded up; absent: all
   */
  waitingOwners(maxRuns?: number): Promise<readonly string[]>;
  /**
   * Makes waiting runs ready now, in the order of their due times.
   *
   * @param from only runs that would wait longer than this; absent: all
   */
  makeReady(now: number, from?: number): Promise<void>;
  /** Skips a digest's runs that are not being posted yet, because it was paused or deleted. */
  skipWaiting(digest: string, why: 'by-hand' | 'deleted', at: number): Promise<void>;
}

export interface DigestBacklog {
  readonly queued: number;
  readonly due: number;
  readonly late: number;
}

/** Everything Rollcall posts, with its state: answers, runs of digests, files and details. */
export interface Ledger extends RunCreation, Claims, Transitions, OwnerDecisions, WaitingRuns, DetailsPosts {
  find(id: string): Promise<DigestRun | undefined>;
  /** Newest first. */
  history(digest: string, limit: number): Promise<readonly DigestRun[]>;
  /** The newest run of each digest, by digest ID. */
  newest(digests: readonly string[]): Promise<ReadonlyMap<string, DigestRun>>;
  /**
   * Runs of digests that wait (`queued`); that are due and not ended (`due`), digests whose run is not entered yet
   * included; and those of them that were due before `lateBefore` (`late`).
   */
  backlog(now: number, lateBefore: number): Promise<DigestBacklog>;
  /** Deletes at most `limit` ended posts created before `time`. Returns how many. */
  deleteBefore(time: number, limit: number): Promise<number>;
}
