import { KnownError } from '../errors/known-error.js';

/** The database was written by a newer version of Rollcall, whose tables this one does not know. */
export class DatabaseTooNew extends KnownError {
  readonly code = 'database-too-new';
  constructor(
    readonly path: string,
    /** The number of the last migration that the file has seen. */
    readonly found: number,
    /** The number of the last migration that this version has. */
    readonly known: number,
  ) {
    super(`The database is at version ${found}, and this program knows versions up to ${known}`);
  }
}

/** The file cannot be opened, or is not a database of Rollcall. */
export class DatabaseUnusable extends KnownError {
  readonly code = 'database-unusable';
  constructor(
    readonly path: string,
    /** The system's or SQLite's word for it, such as `EACCES`, `SQLITE_NOTADB` or `SQLITE_FULL`. */
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

/** A backup would overwrite a file that is already there. */
export class BackupExists extends KnownError {
  readonly code = 'backup-exists';
  constructor(readonly path: string) {
    super('The file of the backup is already there');
  }
}
