import { KnownError } from '../errors/known-error.js';

/** A newer version of Rollcall wrote the database. */
export class DatabaseTooNew extends KnownError {
  readonly code = 'database-too-new';
  constructor(
    readonly path: string,
    /** The number of the last migration applied to the file. */
    readonly found: number,
    /** The number of this version's last migration. */
    readonly known: number,
  ) {
    super(`The database is at version ${found}, and this program knows versions up to ${known}`);
  }
}

/** Why a database cannot be used, as far as the fix differs. */
export type DatabaseTrouble =
  | 'full'
  | 'read-only'
  | 'locked'
  | 'damaged'
  /** The disk did not take what SQLite had committed. Only a start finds out what is there. */
  | 'unsaved'
  /** PostgreSQL's server cannot be reached, or is starting, stopping or out of connections. */
  | 'unreachable'
  /** PostgreSQL refuses the account, or does not have the database. */
  | 'refused'
  | 'other';

/** The database cannot be opened, read or written, or is not a Rollcall database. */
export class DatabaseUnusable extends KnownError {
  readonly code = 'database-unusable';
  readonly trouble: DatabaseTrouble;
  override readonly isRetryable: boolean;
  constructor(
    readonly path: string,
    /** The error code of the system, SQLite or PostgreSQL, such as `EACCES`, `SQLITE_FULL` or `53100`; `not-synced: EIO` after a commit. */
    readonly reason: string,
    options?: { cause?: unknown },
  ) {
    super(`The database cannot be used: ${reason}`, options);
    this.trouble = troubleOf(reason);
    this.isRetryable = !['damaged', 'unsaved', 'refused'].includes(this.trouble);
  }
}

function troubleOf(reason: string): DatabaseTrouble {
  // SQLite cannot enlarge a side file.
  if (/^(?:SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT|53100)/.test(reason)) return 'full';
  if (reason.startsWith('not-synced')) return 'unsaved';
  if (/^(?:SQLITE_READONLY|EROFS|25006)/.test(reason)) return 'read-only';
  if (/^(?:SQLITE_BUSY|SQLITE_LOCKED|40001|40P01|55P03|57014)/.test(reason)) return 'locked';
  if (/^(?:08|53|57P|25P0|ECONN|ETIMEDOUT|ENOTFOUND|EAI_|EHOST|ENET|EPIPE)/.test(reason))
    return 'unreachable';
  if (/^(?:28|3D000|3F000|42501|no-schema)/.test(reason)) return 'refused';
  return /^(?:SQLITE_CORRUPT|SQLITE_NOTADB|damaged)/.test(reason) ? 'damaged' : 'other';
}

/** Another process leads, so this one may not do what the leader alone does. */
export class NotLeading extends KnownError {
  readonly code = 'not-leading';
  constructor() {
    super('Another process leads');
  }
}

/** Another process has the database open. */
export class DatabaseInUse extends KnownError {
  readonly code = 'database-in-use';
  constructor(readonly path: string) {
    super('The database is in use by another process');
  }
}

/** The database that another one is to be copied into holds data. */
export class TargetNotEmpty extends KnownError {
  readonly code = 'target-not-empty';
  constructor(readonly path: string) {
    super('The target of the copy is not empty');
  }
}

/** A copy does not have the same content as its source. */
export class CopyDiffers extends KnownError {
  readonly code = 'copy-differs';
  constructor(
    readonly path: string,
    readonly table: string,
    readonly wanted: number,
    readonly found: number,
  ) {
    super(`The copy differs in the table ${table}`);
  }
}

/** The backup file already exists. */
export class BackupExists extends KnownError {
  readonly code = 'backup-exists';
  constructor(readonly path: string) {
    super('The file of the backup is already there');
  }
}

/** The database holds the data of another Slack workspace. */
export class DatabaseOfAnotherWorkspace extends KnownError {
  readonly code = 'database-of-another-workspace';
  constructor(
    readonly path: string,
    /** The ID of the workspace in the database. */
    readonly found: string,
    /** The ID of the workspace that the bot's token belongs to. */
    readonly wanted: string,
  ) {
    super(`The database holds the data of the workspace ${found}, not of ${wanted}`);
  }
}

/** The file with the key of the record cannot be used. */
export class RecordKeyUnusable extends KnownError {
  readonly code = 'record-key-unusable';
  /** @param reason for the operator */
  constructor(
    readonly path: string,
    readonly reason: string,
    options?: { cause?: unknown },
  ) {
    super(`The key of the record cannot be used: ${reason}`, options);
  }
}

/** The record of access was written with another key than this process has. */
export class RecordKeyDiffers extends KnownError {
  readonly code = 'record-key-differs';
  /** @param isInUse true if a process that runs now has the other key */
  constructor(readonly isInUse = false) {
    super('The record of access was written with another key');
  }
}

/** An erasure ended a post, so nothing more about it is stored. */
export class PostErased extends KnownError {
  readonly code = 'post-erased';
  constructor() {
    super('Data of the post was erased');
  }
}
