import type { LastRun } from '../figures/changes.js';

/*
 * An answer may be posted before the period before is read. It is edited once when the changes are known. The ledger
 * has the edit from the post on, so that another process makes it if the first one ends. Repeating an edit is harmless.
 */

/** The data with which another process can make the edit, besides the request. Plain data. */
export interface EditFacts {
  /** IANA zone of the asker, as the answer used it. */
  readonly zone: string;
  /** The Slack user ID that `me` means; absent: the asker. */
  readonly me?: string | undefined;
  /** The words after `/report `, as typed. */
  readonly typed?: string | undefined;
  /** The run that the figures were compared with. By now, the last run is the answer itself. */
  readonly lastRun?: LastRun | undefined;
  /** A hash of what the asker might see, and where. If that has changed, nothing is edited. */
  readonly rights: string;
}

/** An edit that is not made yet. */
export interface DueEdit {
  /** The ID of the answer's post. */
  readonly id: string;
  /** The process that has it in hand. */
  readonly process: string | undefined;
  /** How many processes have had it in hand before. */
  readonly takeovers: number;
  /** When the answer was posted, milliseconds since the epoch. */
  readonly postedAt: number;
  readonly facts: EditFacts;
}

export interface AnswerEdits {
  /** Oldest first, also those that processes have in hand. */
  dueEdits(): Promise<readonly DueEdit[]>;
  /** False once the edit was made or given up, an erasure ended it, or another process took it over. */
  isEditDue(id: string): Promise<boolean>;
  /** True while any process may still edit the answer, also while its post is on its way. */
  mayBeEdited(id: string): Promise<boolean>;
  /** Takes an edit over from a process that has ended. Returns false if another process took it. */
  takeEdit(edit: DueEdit): Promise<boolean>;
  endEdit(id: string, end: 'done' | 'given-up'): Promise<void>;
}
