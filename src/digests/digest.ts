import { createHash } from 'node:crypto';
import type { PostState } from '../posts/states.js';
import type { ReportRequest } from '../requests/request.js';
import type { Cadence, Schedule } from '../schedule/cadence.js';

/** What a person decides about a digest. Plain data. */
export interface DigestSettings {
  /** Where it goes: a channel, or its owner's direct messages with the bot. */
  readonly channel: string;
  /** The Slack user ID with whose rights it runs. */
  readonly owner: string;
  /** What is asked; its `csv` says whether the file comes too. */
  readonly request: ReportRequest;
  readonly schedule: Schedule;
  /** Leaves out runs that find nothing. */
  readonly skipEmpty: boolean;
}

/**
 * Why a digest does not run.
 * - `by-hand`: somebody paused it.
 * - `owner-left`, `owner-erased`, `owner-may-not-ask`: its owner's rights ended.
 * - `unreadable`, `no-next-time`: nothing can be worked out from what is kept of it.
 * - anything else: the code of the last of three permanent failures in a row.
 */
export type PauseReason = string;

export interface Digest extends DigestSettings {
  readonly id: string;
  readonly createdBy: string;
  readonly state: 'active' | 'paused';
  readonly pauseReason?: PauseReason;
  /** Absent while it is paused or deleted, and where its cadence never comes again. */
  readonly nextDue?: number;
  /** Goes up with every change, so that nobody overwrites what they have not seen. */
  readonly revision: number;
  /** Permanent failures of its own in a row. */
  readonly failures: number;
  readonly createdAt: number;
  readonly deletedAt?: number;
}

/** One due time of a digest, and what became of it. */
export interface DigestRun {
  readonly id: string;
  readonly digest: string;
  readonly channel: string;
  readonly dueAt: number;
  readonly state: PostState;
  /** When it may be taken on; absent while somebody has it, and when it is over. */
  readonly readyAt?: number;
  /** Tries, without those at which Slack asked to wait, or that something else ended which is not its own. */
  readonly attempts: number;
  /** How often Slack asked to wait. */
  readonly rateLimited: number;
  /** Due times before it that passed while nobody could run them. */
  readonly missed: number;
  readonly late: boolean;
  readonly rows?: number;
  readonly message?: { readonly channel: string; readonly ts: string; readonly link?: string };
  /** Of the file that follows it; with one, tries, waits and errors here are those of the file. */
  readonly fileState: PostState | 'none';
  /** What went wrong with its last try, or why it was left out. */
  readonly errorCode?: string;
  /** The same as people are told it, where something failed. */
  readonly reason?: string;
  /** What its owner said about an unknown one. */
  readonly settled?: 'arrived' | 'sent-again';
  readonly finishedAt?: number;
}

/** How a run ended, for whoever counts. */
export interface RunEnd {
  readonly outcome: 'delivered' | 'skipped' | 'failed' | 'unknown';
  /** What went wrong, or why it was left out, if there is something to say. */
  readonly code?: string;
  /** From when it was due to when it ended. */
  readonly secondsLate: number;
}

/** A digest that somebody is about to set up, or to change. Plain data: it outlives a restart of the bot. */
export interface DigestDraft {
  readonly request: ReportRequest;
  readonly channel: string;
  readonly owner: string;
  readonly cadence: Cadence;
  /** IANA zone. */
  readonly zone: string;
  readonly skipEmpty: boolean;
  /** The digest that it changes, as it was then; absent: it is a new one. */
  readonly changes?: { readonly id: string; readonly revision: number };
}

/**
 * Equal for runs that one question can answer, as far as a digest alone says. What belongs to rights is told apart
 * where they are known.
 */
export function dedupeKey(request: ReportRequest, zone: string, dueAt: number): string {
  const { toMe: _toMe, ...asked } = request;
  return createHash('sha256')
    .update(JSON.stringify([asked, zone, dueAt]))
    .digest('base64url')
    .slice(0, 22);
}

/** Somebody wanted it to pause, so that editing does not resume it, as it does one that failed. */
export function isPausedByHand({ state, pauseReason = 'by-hand' }: Digest): boolean {
  return state === 'paused' && pauseReason === 'by-hand';
}
