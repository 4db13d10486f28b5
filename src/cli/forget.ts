import { createInterface } from 'node:readline/promises';
import { rollcallFilesBeside } from '../store/backup.js';
import { databaseName, isPostgresUrl } from '../store/location.js';
import type { Store } from '../store/store.js';
import { databaseLocation, withExistingStore } from './backup.js';
import { DatabaseNotCompacted, WrongUsage } from './errors.js';

/**
 * Erases a person from all stored data. Their requests stay without a name.
 *
 * @returns a message
 * @throws WrongUsage, DatabaseNotCompacted
 */
export async function forget(person: string): Promise<string> {
  if (!/^(?:[UW][A-Z0-9]+|[^@\s]+@[^@\s]+)$/.test(person)) {
    throw new WrongUsage(
      'forget needs a Slack user ID such as U024BE7LH (“Copy member ID” in a profile), or an email address.',
    );
  }
  const { requests, approvals, savedReports, digests, rules, events, other } = await withExistingStore(
    async (store) => {
      const erased = await store.erasePerson(person);
      await compactFiles(store);
      return erased;
    },
  );
  if (requests + approvals + savedReports + digests + rules + events + other === 0) {
    return [`There is no data about ${person}.`, ...backupLines(person)].join('\n');
  }
  const erased = [
    formatCount(requests, 'request'),
    formatCount(savedReports, 'saved report'),
    formatCount(digests, 'digest'),
    formatCount(approvals, 'approval'),
    formatCount(rules, 'rule'),
    formatCount(events, 'event'),
    formatCount(other, 'draft, suggestion or figure', 'drafts, suggestions and figures'),
  ].join(', ');
  return [
    `Erased ${person} from ${erased}.`,
    ...(person.includes('@')
      ? []
      : [
          'Saved reports and digests in their direct messages are deleted. Their digests in channels are paused until an admin hands them over.',
          'Run this command with their email address too, because filters name people by address.',
        ]),
    'Saved reports and digests whose filter named nobody else do not run until it is changed. Their owners are told.',
    ...backupLines(person),
  ].join('\n');
}

/**
 * Erases everything of the workspace, once a person has typed yes.
 *
 * @returns a message; undefined if it was not confirmed
 * @throws WrongUsage, DatabaseNotCompacted
 */
export async function forgetAll({
  person,
  isConfirmed,
  stderr,
  signal,
}: {
  readonly person: string | undefined;
  readonly isConfirmed: boolean;
  readonly stderr: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}): Promise<string | undefined> {
  if (person !== undefined) throw new WrongUsage('Use either --all or a person.');
  return withExistingStore(async (store) => {
    if (!isConfirmed && !(await confirm(stderr, signal))) {
      stderr.write('Nothing was erased.\n');
      return undefined;
    }
    await store.eraseAll();
    await compactFiles(store);
    return ['Erased everything of the workspace.', ...backupLines('everything')].join('\n');
  });
}

async function compactFiles({ compact }: Pick<Store, 'compact'>): Promise<void> {
  const compaction = await compact();
  if (compaction !== 'done') throw new DatabaseNotCompacted(compaction);
}

async function confirm(stderr: NodeJS.WritableStream, signal: AbortSignal): Promise<boolean> {
  stderr.write(
    `This erases every request, saved report, digest, rule and record in ${databaseName(databaseLocation())}.\n`,
  );
  stderr.write('Type yes to erase everything: ');
  const lines = createInterface({ input: process.stdin, signal });
  for await (const line of lines) return line.trim().toLowerCase() === 'yes';
  return false;
}

function backupLines(what: string): readonly string[] {
  const location = databaseLocation();
  const beside = isPostgresUrl(location) ? [] : rollcallFilesBeside(location);
  return [
    `Backups from before still contain ${what}.`,
    ...(beside.length === 0 ? [] : [`Delete these if you do not need them: ${beside.join(', ')}.`]),
  ];
}

function formatCount(count: number, what: string, several = `${what}s`): string {
  return `${count} ${count === 1 ? what : several}`;
}
