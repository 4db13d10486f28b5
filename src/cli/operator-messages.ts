import { BadConfig } from '../config/config.js';
import { KnownError } from '../errors/known-error.js';
import { harmlessMessage } from '../logging/logger.js';
import { describeFailure } from '../slack/messages/failures.js';
import { CannotListen, SlackTokenRefused } from '../slack/transport/transport.js';
import { BackupExists, DatabaseInUse, DatabaseTooNew, DatabaseUnusable } from '../store/errors.js';
import { RunWordsRefused, WrongUsage } from './errors.js';

/** What stands on the operator's terminal about a failure: a sentence or two, or a line for each problem. */
export function describeForOperator(error: unknown): string {
  if (error instanceof BadConfig) return error.problems.map(({ sentence }) => sentence).join('\n');
  if (error instanceof SlackTokenRefused) return wordsForToken(error);
  if (error instanceof CannotListen) return wordsForListening(error);
  if (error instanceof RunWordsRefused || error instanceof WrongUsage) return error.sentence;
  const ofTheStore = wordsForStore(error);
  if (ofTheStore !== undefined) return ofTheStore;
  if (error instanceof KnownError) return describeFailure(error, error.code).sentence;
  return `Something unexpected went wrong: ${error instanceof Error ? harmlessMessage(error) : 'no more is known'}.`;
}

function wordsForToken({ variable, reason }: SlackTokenRefused): string {
  const where =
    variable === 'SLACK_BOT_TOKEN'
      ? 'Copy the Bot User OAuth Token from “OAuth & Permissions”'
      : 'Make an app-level token with the scope connections:write under “Basic Information”, switch Socket Mode on';
  return `Slack does not accept ${variable} (${reason}). ${where} on your app’s page at api.slack.com/apps, and start again.`;
}

function wordsForListening({ host, port, reason }: CannotListen): string {
  const why =
    { EADDRINUSE: 'another program listens there', EACCES: 'this account may not' }[reason] ??
    `the system says ${reason}`;
  return `Rollcall cannot listen on ${host}:${port}: ${why}. Set PORT, HOST or OPERATIONS_PORT to something else.`;
}

function wordsForStore(error: unknown): string | undefined {
  if (error instanceof DatabaseTooNew) {
    return `${error.path} was written by a newer Rollcall. Start that one, or restore a backup from before the upgrade.`;
  }
  if (error instanceof DatabaseInUse) return `${error.path} is in use. Stop Rollcall first.`;
  if (error instanceof BackupExists) return `${error.path} is already there. Name a file that is not.`;
  if (!(error instanceof DatabaseUnusable)) return undefined;
  const why =
    {
      ENOENT: 'there is no such file or folder',
      EACCES: 'this account may not',
      EPERM: 'this account may not',
      EROFS: 'nothing can be written there',
      'not-ours': 'it holds something else than Rollcall’s data',
      damaged: 'it is damaged',
      SQLITE_NOTADB: 'it is not a database',
      SQLITE_CORRUPT: 'it is damaged',
      SQLITE_FULL: 'the disk is full',
      ENOSPC: 'the disk is full',
    }[error.reason] ?? `the system says ${error.reason}`;
  const remedy =
    {
      damaged: 'Take a backup that is whole.',
      SQLITE_CORRUPT: 'Take a backup that is whole.',
      SQLITE_FULL: 'Free some space.',
      ENOSPC: 'Free some space.',
    }[error.reason] ?? 'Check the path, or DATABASE_URL.';
  return `${error.path} cannot be used: ${why}. ${remedy}`;
}
