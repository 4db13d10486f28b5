import type { AttemptCount, Claim, PostedMessage } from '../posts/post.js';
import type { Digest, DigestRun } from './digest.js';
import type { FailureReason } from './failure.js';
import type { NotificationRequest } from './store-ports.js';

/** A due time on its way into the ledger. */
export interface NewRun {
  readonly dueAt: number;
  /** Equal for runs that one question to the service can answer. */
  readonly dedupeKey: string;
  /** Due times that passed before it, and were not run. */
  readonly missed: number;
  readonly late: boolean;
}

export interface DueDigest {
  readonly digest: Digest;
  readonly run: NewRun;
  /** `null`: it never comes again. */
  readonly nextDue: number | null;
}

/** Writing down that something is due. */
export interface RunCreation {
  /**
   * Enters due times and moves their digests on to the next ones: all of it or nothing. Earlier runs that still wait, or
   * have to wait again, are left out, since of several only the latest is delivered. Undefined in the place of a digest that somebody else
   * entered or changed, and of a due time that was entered before.
   */
  enter(due: readonly DueDigest[], at: number): Promise<readonly (string | undefined)[]>;
  /** Enters a run that somebody asks for now; undefined where one of that digest is on its way, or came a moment ago. */
  enterNow(digest: Digest, sameAs: string, at: number): Promise<string | undefined>;
}

interface ClaimOptions {
  /** Names this process among all that ever work on this database. */
  readonly worker: string;
  readonly now: number;
  readonly leaseMs: number;
  /** Runs at most, each of another channel. */
  readonly limit: number;
  /** Channels that have their turn already. */
  readonly busyChannels: readonly string[];
}

/** Taking runs on, and taking them from those who died with them. */
export interface Claims {
  /**
   * Takes on what waits, the earliest first; those that one question can answer stand together. Of a run that is posted
   * it is the file that is taken on.
   */
  claim(order: ClaimOptions): Promise<readonly DigestRun[]>;
  /** Holds on to what a worker is working on. */
  renewLeases(ids: readonly string[], worker: string, until: number): Promise<void>;
  /** Who holds runs now, each with the earliest moment at which one of them is not held any more. */
  leaseHolders(): Promise<readonly LeaseHolder[]>;
  /**
   * Frees what a worker will not finish: that whose lease ran out, or all of it. What had not begun to be posted waits
   * again. What had is unknown, and so is a file on its way: its owner is asked.
   *
   * @param worker `expired`: only that whose lease ran out
   * @param atWork runs that are under way here, whatever the clock says
   * @returns the runs that are unknown now
   */
  reclaim(
    worker: { readonly name: string; readonly expired: boolean },
    atWork: readonly string[],
    now: number,
  ): Promise<readonly DigestRun[]>;
}

interface LeaseHolder {
  readonly worker: string;
  readonly until: number;
}

interface Posted {
  /** Absent where Slack gives no name for it, as for a file, or an answer through a `response_url`. */
  readonly message?: PostedMessage | undefined;
  /** A file is to follow: whoever posted the message holds it. */
  readonly fileFollows: boolean;
}

/**
 * Writing down how far a post has come, and in the same step who has to hear of it, since a process may end at any
 * moment. Where somebody else has the post by now, nothing is written, and the answer is false.
 */
export interface Transitions {
  /** Written before Slack is called, and only by whoever has the post: false means that Slack must not be called. */
  markPosting(held: Claim, facts?: { readonly rows: number; readonly late: boolean }): Promise<boolean>;
  /** From Slack's own answer. */
  markPosted(held: Claim, posted: Posted, at: number): Promise<boolean>;
  /** Nothing was found. */
  markSkipped(held: Claim, at: number): Promise<boolean>;
  /** Its digest is not there any more. */
  markDeleted(held: Claim, at: number): Promise<boolean>;
  /** The asker does not want it any more. */
  markCancelled(held: Claim, at: number): Promise<boolean>;
  /** @param pauseAfter so many failures in a row pause its digest; absent: this one does not count */
  markFailed(
    held: Claim,
    why: FailureReason,
    at: number,
    told?: NotificationRequest,
    pauseAfter?: number,
  ): Promise<boolean>;
  /** Nobody can know whether it arrived. False where it was not being posted. */
  markUnconfirmed(held: Claim, why: FailureReason, at: number, told?: NotificationRequest): Promise<boolean>;
  /** Not posted: it waits again, unless nobody wants it any more. */
  release(held: Claim, readyAt: number, why: FailureReason, counts: AttemptCount): Promise<boolean>;
}

/** What people say of runs that are over. Each answer counts once: false where it came too late. */
export interface OwnerDecisions {
  /** Its owner says that an unknown one arrived, or wants it sent. */
  settle(id: string, settled: 'arrived' | 'sent-again', at: number): Promise<boolean>;
  /** The same about the file of a posted one; one that failed can be sent again too. */
  settleFile(id: string, settled: 'arrived' | 'sent-again', at: number): Promise<boolean>;
  /** Somebody wants a failed one tried again. */
  retry(id: string, at: number): Promise<boolean>;
}

/** Runs that wait, all of them or those of one digest: there may be very many. */
export interface WaitingRuns {
  /** The owners of all digests of which a run waits. */
  waitingOwners(): Promise<readonly string[]>;
  /**
   * Runs that wait are ready now, those first that were due first: what they wait for is over.
   *
   * @param from those that would wait for longer than until then; absent: all of them
   */
  makeReady(now: number, from?: number): Promise<void>;
  /** Nothing of a digest is to be posted any more that is not on its way: it was paused or deleted. */
  skipWaiting(digest: string, why: 'by-hand' | 'deleted', at: number): Promise<void>;
}

/** Whatever is posted, and what became of it: answers by hand, occurrences of digests, and their files. */
export interface Ledger extends RunCreation, Claims, Transitions, OwnerDecisions, WaitingRuns {
  /** An occurrence of a digest. */
  find(id: string): Promise<DigestRun | undefined>;
  /** A digest's runs, newest first. */
  history(digest: string, limit: number): Promise<readonly DigestRun[]>;
  /** The newest run of each of some digests, by digest. */
  newest(digests: readonly string[]): Promise<ReadonlyMap<string, DigestRun>>;
  /** Deletes at most `limit` posts from before a time that are over. Returns how many. */
  deleteBefore(time: number, limit: number): Promise<number>;
}
