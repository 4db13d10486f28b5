import { BadConfig } from '../config/config.js';
import { KnownError } from '../errors/known-error.js';
import { redactedMessage } from '../logging/logger.js';
import { describeFailure } from '../slack/messages/failures.js';
import { CannotListen, SlackTokenRefused } from '../slack/transport/transport.js';
import {
  BackupExists,
  CopyDiffers,
  DatabaseInUse,
  DatabaseOfAnotherWorkspace,
  DatabaseTooNew,
  type DatabaseTrouble,
  DatabaseUnusable,
  RecordKeyDiffers,
  RecordKeyUnusable,
  TargetNotEmpty,
} from '../store/errors.js';
import { DatabaseNotCompacted, RunWordsRefused, WrongUsage } from './errors.js';

/** The message for the terminal: one or two sentences, or a line for each problem with settings. */
export function describeForOperator(error: unknown): string {
  if (error instanceof BadConfig) return error.problems.map(({ sentence }) => sentence).join('\n');
  if (error instanceof SlackTokenRefused) return describeTokenRefusal(error);
  if (error instanceof CannotListen) return describeListenFailure(error);
  if (error instanceof RunWordsRefused || error instanceof WrongUsage) return error.sentence;
  if (error instanceof DatabaseNotCompacted) {
    const [why, fix] =
      error.reason === 'busy'
        ? ['the database is busy', 'Run the command again.']
        : ['the disk is too full to rewrite the file', 'Free some space and run the command again.'];
    return `The data is erased, but its old bytes may still be in the file, because ${why}. ${fix}`;
  }
  const storeMessage = describeStoreFailure(error);
  if (storeMessage !== undefined) return storeMessage;
  if (error instanceof KnownError) return describeFailure(error, error.code).sentence;
  return `Something went wrong: ${error instanceof Error ? redactedMessage(error) : 'the cause is unknown'}.`;
}

function describeTokenRefusal({ variable, reason }: SlackTokenRefused): string {
  const fix =
    variable === 'SLACK_BOT_TOKEN'
      ? 'Copy the Bot User OAuth Token from “OAuth & Permissions”'
      : 'Turn on Socket Mode and create an app-level token with the scope connections:write under “Basic Information”';
  return `Slack does not accept ${variable} (${reason}). ${fix} on the page of your app at api.slack.com/apps, then start Rollcall again.`;
}

function describeListenFailure({ host, port, reason }: CannotListen): string {
  const why =
    { EADDRINUSE: 'another program uses that port', EACCES: 'this account has no permission' }[reason] ??
    `the system reports ${reason}`;
  return `Rollcall cannot listen on ${host}:${port}: ${why}. Change HOST, PORT or OPERATIONS_PORT.`;
}

function describeStoreFailure(error: unknown): string | undefined {
  if (error instanceof DatabaseTooNew) {
    return `${error.path} was written by a newer version of Rollcall. Start that version, or restore a backup from before the upgrade.`;
  }
  if (error instanceof DatabaseOfAnotherWorkspace) {
    return `${error.path} holds the data of another Slack workspace, ${error.found}. Set DATABASE_URL to another file, or SLACK_BOT_TOKEN to a token of that workspace.`;
  }
  if (error instanceof DatabaseInUse) return `${error.path} is in use. Stop Rollcall first.`;
  if (error instanceof TargetNotEmpty) return `${error.path} is not empty. Copy into an empty database.`;
  if (error instanceof CopyDiffers) {
    return `The table ${error.table} of ${error.path} differs from the source (${error.found} rows, not ${error.wanted}). The source changed while it was copied. Empty the target and copy again.`;
  }
  if (error instanceof RecordKeyUnusable) {
    return `The key of the record in ${error.path} cannot be used: ${error.reason}. Restore the file, or set RECORD_KEY.`;
  }
  if (error instanceof RecordKeyDiffers) {
    return error.isInUse
      ? 'A process that runs has another RECORD_KEY. Set the same key for all processes. To change it, stop them all first.'
      : 'RECORD_KEY is not the key of this record, or somebody changed the database. Set the key that the bot has. If that key is lost, start the bot once: the record then goes on with the new one.';
  }
  if (error instanceof BackupExists) return `${error.path} already exists. Choose another name.`;
  return error instanceof DatabaseUnusable ? describeUnusableDatabase(error) : undefined;
}

function describeUnusableDatabase({ path, reason, trouble }: DatabaseUnusable): string {
  if (reason === readOnlyServer)
    return `${path} cannot be used: PostgreSQL lets nobody write to it. Name the primary server in DATABASE_URL, or turn off default_transaction_read_only.`;
  if (reason !== 'SQLITE_NOTADB' && trouble !== 'other') {
    const [why, fix] = databaseTroubles[trouble];
    return `${path} cannot be used: ${why}. ${fix}`;
  }
  const why =
    {
      ENOENT: 'there is no such file or folder',
      EACCES: 'this account has no permission',
      EPERM: 'this account has no permission',
      SQLITE_CANTOPEN: 'the file cannot be opened',
      'not-ours': 'it is not a Rollcall database',
      'before-release':
        'a development version of Rollcall wrote it, and no release can read it. Start with a new one',
      'in-use-by-older': 'processes of an earlier version use it. Stop them first',
      older: 'an earlier version of Rollcall wrote it. Start this version with it once',
      'half-copied': 'a copy into it did not finish. Run rollcall migrate again',
      'postgres-too-old': 'PostgreSQL is older than version 14',
      pooler: 'a connection pooler stands before PostgreSQL, and Rollcall needs the server itself',
      SQLITE_NOTADB: 'it is not a database',
    }[reason] ?? `the system reports ${reason}`;
  return `${path} cannot be used: ${why}. Check the path or DATABASE_URL.`;
}

/** PostgreSQL's code for a standby, and for a database that its administrator made read-only. */
const readOnlyServer = '25006';

/** Why, and the fix. */
const databaseTroubles: Readonly<Record<Exclude<DatabaseTrouble, 'other'>, readonly [string, string]>> = {
  full: ['the disk is full', 'Free some space.'],
  'read-only': ['the file or its file system is read-only', 'Make it writable.'],
  locked: ['another program has locked it', 'End that program.'],
  damaged: ['it is damaged', 'Restore an intact backup.'],
  unsaved: ['the disk failed to save it', 'Check the disk, then restart Rollcall.'],
  unreachable: ['its server cannot be reached', 'Check DATABASE_URL, the network, and that PostgreSQL runs.'],
  refused: [
    'PostgreSQL refuses the account, or has no such database or schema',
    'Check DATABASE_URL and the rights of its user.',
  ],
};
