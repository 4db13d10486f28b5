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

/** The file cannot be opened, or is not a Rollcall database. */
export class DatabaseUnusable extends KnownError {
  readonly code = 'database-unusable';
  constructor(
    readonly path: string,
    /** The error code of the system or SQLite, such as `EACCES`, `SQLITE_NOTADB` or `SQLITE_FULL`. */
    readonly reason: string,
    options?: { cause?: unknown },
  ) {
    super(`The database cannot be used: ${reason}`, options);
  }
}

/** Another process has the database open. */
export class DatabaseInUse extends KnownError {
  readonly code = 'database-in-use';
  constructor(readonly path: string) {
    super('The database is in use by another process');
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

/** An erasure ended a post, so nothing more about it is stored. */
export class PostErased extends KnownError {
  readonly code = 'post-erased';
  constructor() {
    super('Data of the post was erased');
  }
}
