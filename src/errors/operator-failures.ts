import { failure } from './failure-entry.js';

/** Of sysexits.h. With that of `config`, a restart does not help. */
export const exitCodes = { usage: 64, config: 78 } as const;

/** Failures of a start, of the database and of the command line. Most have a text for the terminal alone. */
export const operatorFailures = {
  /** `problems`: the settings that are missing or invalid. */
  'bad-config': failure<{ readonly problems: readonly { readonly sentence: string }[] }>({
    exitCode: exitCodes.config,
    log: ({ problems }) => problems.map(({ sentence }) => sentence).join('\n'),
    operator: ({ problems }) => problems.map(({ sentence }) => sentence).join('\n'),
  }),
  /** Only another token helps. `reason`: Slack's error code, such as `invalid_auth` or `missing_scope`. */
  'slack-token-refused': failure<{
    readonly variable: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN';
    readonly reason: string;
  }>({
    scope: 'slack',
    exitCode: exitCodes.config,
    log: ({ variable, reason }) => `Slack refuses ${variable}: ${reason}`,
    operator: ({ variable, reason }) =>
      `Slack does not accept ${variable} (${reason}). ${tokenFixes[variable]} on the page of your app at api.slack.com/apps, then start Rollcall again.`,
  }),
  /** `reason`: the system's error code, such as `EADDRINUSE`. */
  'cannot-listen': failure<{ readonly host: string; readonly port: number; readonly reason: string }>({
    log: ({ host, port, reason }) => `Cannot listen on ${host}:${port}: ${reason}`,
    operator: ({ host, port, reason }) =>
      `Rollcall cannot listen on ${host}:${port}: ${listenReasons[reason] ?? `the system reports ${reason}`}. Change HOST, PORT or OPERATIONS_PORT.`,
  }),
  /** `sentence`: the problem with the arguments, and its fix. */
  'wrong-usage': failure<{ readonly sentence: string }>({
    exitCode: exitCodes.usage,
    log: 'The command was not understood',
    operator: ({ sentence }) => sentence,
  }),
  /** `rollcall run` got invalid words, or words that work only in Slack. `sentence`: the problem and its fix. */
  'run-words-refused': failure<{ readonly sentence: string }>({
    log: 'The words after run were not understood',
    operator: ({ sentence }) => sentence,
  }),
  /** `reason`: the system's error code, such as `ENOENT`. */
  'evidence-unreadable': failure<{ readonly path: string; readonly reason: string }>({
    exitCode: exitCodes.usage,
    log: ({ reason }) => `A file of evidence cannot be read: ${reason}`,
    operator: ({ path, reason }) =>
      reason === 'ENOENT'
        ? `There is no file ${path}. Type the path of a ZIP that Rollcall sent.`
        : `${path} cannot be read: the system reports ${reason}.`,
  }),
  /** `path`: of the database, or the name of a PostgreSQL server. `reason`: for the log. */
  'database-unusable': failure<{
    readonly path: string;
    readonly reason: string;
    readonly trouble: DatabaseTrouble;
  }>({
    canRetry: ({ trouble }) => !['damaged', 'unsaved', 'refused'].includes(trouble),
    log: ({ path, reason, trouble }) => `The database ${path} cannot be used: ${trouble} (${reason})`,
    reason: ({ trouble }) => `My database cannot be used: ${databaseTroubles[trouble].asker[0]}.`,
    advice: ({ trouble }) => databaseTroubles[trouble].asker[1],
    others: 'My database cannot be used.',
    operator: ({ path, reason, trouble }) => `${path} cannot be used: ${whyUnusable(reason, trouble)}`,
  }),
  /** A newer version wrote the database. `found`, `known`: the last migration in it, and of this version. */
  'database-too-new': failure<{ readonly path: string; readonly found: number; readonly known: number }>({
    log: ({ found, known }) =>
      `The database is at version ${found}, and this program knows versions up to ${known}`,
    operator: ({ path }) =>
      `${path} was written by a newer version of Rollcall. Start that version, or restore a backup from before the upgrade.`,
  }),
  /** `found`, `wanted`: the IDs of the workspaces of the database and of the bot's token. */
  'database-of-another-workspace': failure<{
    readonly path: string;
    readonly found: string;
    readonly wanted: string;
  }>({
    log: ({ found, wanted }) => `The database holds the data of the workspace ${found}, not of ${wanted}`,
    operator: ({ path, found }) =>
      `${path} holds the data of another Slack workspace, ${found}. Set DATABASE_URL to another file, or SLACK_BOT_TOKEN to a token of that workspace.`,
  }),
  'database-in-use': failure<{ readonly path: string }>({
    log: 'The database is in use by another process',
    operator: ({ path }) => `${path} is in use. Stop Rollcall first.`,
  }),
  'database-not-compacted': failure<{ readonly reason: 'busy' | 'disk-full' }>({
    log: ({ reason }) => `The database could not be compacted: ${reason}`,
    operator: ({ reason }) =>
      `The data is erased, but its old bytes may still be in the file, because ${
        reason === 'busy'
          ? 'the database is busy. Run the command again.'
          : 'the disk is too full to rewrite the file. Free some space and run the command again.'
      }`,
  }),
  'backup-exists': failure<{ readonly path: string }>({
    log: 'The file of the backup is already there',
    operator: ({ path }) => `${path} already exists. Choose another name.`,
  }),
  'target-not-empty': failure<{ readonly path: string }>({
    log: 'The target of the copy is not empty',
    operator: ({ path }) => `${path} is not empty. Copy into an empty database.`,
  }),
  /** `found`, `wanted`: rows of the table in the copy and in its source. */
  'copy-differs': failure<{
    readonly path: string;
    readonly table: string;
    readonly wanted: number;
    readonly found: number;
  }>({
    log: ({ table }) => `The copy differs in the table ${table}`,
    operator: ({ path, table, wanted, found }) =>
      `The table ${table} of ${path} differs from the source (${found} rows, not ${wanted}). The source changed while it was copied. Empty the target and copy again.`,
  }),
  'record-key-unusable': failure<{ readonly path: string; readonly reason: string }>({
    exitCode: exitCodes.config,
    log: ({ reason }) => `The key of the record cannot be used: ${reason}`,
    operator: ({ path, reason }) =>
      `The key of the record in ${path} cannot be used: ${reason}. Restore the file, or set RECORD_KEY.`,
  }),
  /** `isInUse`: a process that runs now has the other key. */
  'record-key-differs': failure<{ readonly isInUse?: boolean }>({
    exitCode: exitCodes.config,
    log: 'The record of access was written with another key',
    operator: ({ isInUse }) =>
      isInUse
        ? 'A process that runs has another RECORD_KEY. Set the same key for all processes. To change it, stop them all first.'
        : 'RECORD_KEY is not the key of this record, or somebody changed the database. Set the key that the bot has. If that key is lost, start the bot once: the record then goes on with the new one.',
  }),
  /** This process may not do what the leader alone does. */
  'not-leading': failure({ log: 'Another process leads' }),
  /** Nothing more about the post is stored. */
  'post-erased': failure({ log: 'Data of the post was erased' }),
} as const;

const tokenFixes = {
  SLACK_BOT_TOKEN: 'Copy the Bot User OAuth Token from “OAuth & Permissions”',
  SLACK_APP_TOKEN:
    'Turn on Socket Mode and create an app-level token with the scope connections:write under “Basic Information”',
} as const;

const listenReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses that port',
  EACCES: 'this account has no permission',
};

/** Why a database cannot be used, as far as the fix differs. */
export type DatabaseTrouble = keyof typeof databaseTroubles;

const databaseTroubles = {
  full: { asker: ['my disk is full', 'Tell your admin.'], operator: 'the disk is full. Free some space.' },
  'read-only': {
    asker: ['it is read-only', 'Tell your admin.'],
    operator: 'the file or its file system is read-only. Make it writable.',
  },
  locked: {
    asker: ['another program has locked it', 'Try again in a minute.'],
    operator: 'another program has locked it. End that program.',
  },
  damaged: {
    asker: ['it is damaged', 'Tell your admin to restore a backup.'],
    operator: 'it is damaged. Restore an intact backup.',
  },
  /** The disk did not take what SQLite had committed. Only a start finds out what is there. */
  unsaved: {
    asker: ['the disk failed to save it', 'Tell your admin to check the disk.'],
    operator: 'the disk failed to save it. Check the disk, then restart Rollcall.',
  },
  /** PostgreSQL's server cannot be reached, or is starting, stopping or out of connections. */
  unreachable: {
    asker: ['it cannot be reached', 'Try again in a minute.'],
    operator: 'its server cannot be reached. Check DATABASE_URL, the network, and that PostgreSQL runs.',
  },
  refused: {
    asker: ['it refuses my account', 'Tell your admin.'],
    operator:
      'PostgreSQL refuses the account, or has no such database or schema. Check DATABASE_URL and the rights of its user.',
  },
  other: { asker: ['the system reports an error', 'Tell your admin.'], operator: undefined },
} as const;

/** PostgreSQL's code for a standby, and for a database that its administrator made read-only. */
const readOnlyServer = '25006';

function whyUnusable(reason: string, trouble: DatabaseTrouble): string {
  if (reason === readOnlyServer)
    return 'PostgreSQL lets nobody write to it. Name the primary server in DATABASE_URL, or turn off default_transaction_read_only.';
  const known = unusableReasons[reason];
  return (
    (known === undefined ? databaseTroubles[trouble].operator : undefined) ??
    `${known ?? `the system reports ${reason}`}. Check the path or DATABASE_URL.`
  );
}

const unusableReasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'this account has no permission',
  EPERM: 'this account has no permission',
  SQLITE_CANTOPEN: 'the file cannot be opened',
  SQLITE_NOTADB: 'it is not a database',
  'not-ours': 'it is not a Rollcall database',
  'before-release':
    'a development version of Rollcall wrote it, and no release can read it. Start with a new one',
  'in-use-by-older': 'processes of an earlier version use it. Stop them first',
  older: 'an earlier version of Rollcall wrote it. Start this version with it once',
  'half-copied': 'a copy into it did not finish. Run rollcall migrate again',
  'postgres-too-old': 'PostgreSQL is older than version 14',
  pooler: 'a connection pooler stands before PostgreSQL, and Rollcall needs the server itself',
};
