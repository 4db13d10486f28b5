import { createInterface } from 'node:readline/promises';
import type { AskedDetails } from '../access/record.js';
import { checkConfig, slackConfigFrom } from '../config/config.js';
import { Failure } from '../errors/failure.js';
import { formatPlural } from '../figures/format/values.js';
import { refersToAsker } from '../requests/request.js';
import { compact } from '../requests/text.js';
import { slackErrorCode } from '../slack/delivery/clients.js';
import { rollcallFilesBeside } from '../store/database/backup.js';
import { databaseName, isPostgresUrl } from '../store/database/location.js';
import { type ErasedData, isSlackId } from '../store/erasure/erase-person.js';
import type { Store } from '../store/store.js';
import { withTimeLimit } from '../time/clock.js';
import { databaseLocation, withExistingStore } from './backup.js';
import { wrongUsage } from './operator-messages.js';
import { withSlackClients } from './slack-clients.js';

const timeoutMs = 10_000;

/** How many requests of a person are looked through for the address that `me` meant in them. */
const maxEvents = 500;

const maxListed = 50;

export interface ForgetOptions {
  readonly person?: string | undefined;
  /** `--also`: further names and learner IDs of the person. */
  readonly also: readonly string[];
  /** True: do not ask. Without a terminal, there is no question either. */
  readonly isConfirmed: boolean;
  readonly stderr: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

/**
 * Erases a person from all stored data, once what is found was listed and, on a terminal, a person has typed yes. Their
 * requests stay without a name.
 *
 * @returns a message; undefined if it was not confirmed
 * @throws `wrong-usage`, `database-not-compacted`
 */
export async function forget(options: ForgetOptions): Promise<string | undefined> {
  const { person = '', also, isConfirmed, stderr, signal } = options;
  if (!isSlackId(person) && !isAddress(person)) {
    throw wrongUsage(
      'forget needs a Slack user ID such as U024BE7LH (“Copy member ID” in a profile), or an email address.',
    );
  }
  const tooShort = also.find((name) => name.trim().length < 2);
  if (tooShort !== undefined) throw wrongUsage('--also needs a name or an ID of two characters at least.');
  return withExistingStore(async (store) => {
    const known = await identify(person, store, signal);
    const people = distinct([person, ...known.people, ...also.map((name) => name.trim())]);
    const found = await store.erasePerson(people, { isRehearsal: true });
    const listed = listOf(people, known.notes, found);
    const asks = !isConfirmed && process.stdin.isTTY === true && countOf(found) > 0;
    if (asks) {
      stderr.write(`${listed.join('\n')}\n`);
      if (!(await confirm('Type yes to erase all of this: ', stderr, signal))) return undefined;
    }
    const erased = await store.erasePerson(people);
    await compactFiles(store);
    return [...(asks ? [] : listed), ...outcomeLines(person, erased), ...backupLines(person)].join('\n');
  });
}

interface Identity {
  /** The other Slack user ID or address, and names. */
  readonly people: readonly string[];
  /** Where they come from, and what could not be found. */
  readonly notes: readonly string[];
}

/** The address of a Slack user ID or the other way round, and the person's name: from Slack, else from the record. */
async function identify(person: string, store: Store, signal: AbortSignal): Promise<Identity> {
  const inSlack = await askSlack(person, signal);
  const missing = isSlackId(person) ? 'email address' : 'Slack user ID';
  const hasOther = inSlack.people.some(isSlackId(person) ? isAddress : isSlackId);
  const recorded = hasOther ? [] : await findInRecord(person, store);
  const addresses = [person, ...inSlack.people, ...recorded].filter(isAddress);
  const isUnknown = !hasOther && recorded.length === 0;
  const notes = compact(
    inSlack.notes,
    recorded.map((other) => `The record of access names ${other} as the ${missing} of ${person}.`),
    isUnknown &&
      `Rollcall does not know the ${missing} of ${person}. If there is one, run this command with it too.`,
  );
  return { people: [...inSlack.people, ...recorded, ...addresses.flatMap(namesIn)], notes };
}

async function askSlack(person: string, signal: AbortSignal): Promise<Identity> {
  const config = checkConfig(slackConfigFrom);
  if (!config.ok)
    return { people: [], notes: ['Slack was not asked, because its settings are not complete.'] };
  return withSlackClients(config.value, withTimeLimit(timeoutMs, signal), async ({ interactive }) => {
    try {
      const { user } = isSlackId(person)
        ? await interactive.users.info({ user: person })
        : await interactive.users.lookupByEmail({ email: person });
      const { email, real_name: realName, display_name: displayName } = user?.profile ?? {};
      // One word can be the name of many people.
      const names = distinct([realName, displayName, user?.real_name].filter((name) => name?.includes(' ')));
      const people = compact(user?.id, email, names.flatMap(variantsOf));
      const known = distinct([user?.id, email, ...names]).join(', ');
      return { people, notes: [`Slack knows ${person} as ${known}.`] };
    } catch (error) {
      const code = slackErrorCode(error);
      const why = /^users?_not_found$/.test(code)
        ? `knows no member as ${person}`
        : `did not answer (${code})`;
      return { people: [], notes: [`Slack ${why}.`] };
    }
  });
}

/** Requests with `me` say which address it meant. */
async function findInRecord(person: string, { events }: Pick<Store, 'events'>): Promise<readonly string[]> {
  const asked = await events.newest({ people: [person], kinds: ['asked'] }, maxEvents);
  return distinct(
    asked.flatMap(({ person: asker, subjects, details }) => {
      const { filters = [], conditions }: Partial<AskedDetails> = details ?? {};
      const usesMe = refersToAsker({ filters, conditions });
      const addresses = subjects.filter(isAddress);
      if (!usesMe || addresses.length !== 1) return [];
      return isSlackId(person) ? addresses : (asker ?? []);
    }),
  ).filter(isSlackId(person) ? isAddress : isSlackId);
}

/** `ada.lovelace@example.com`: Ada Lovelace. */
function namesIn(address: string): readonly string[] {
  const [, first, last] = /^([\p{L}']{2,})[._-]([\p{L}']{2,})@/u.exec(address) ?? [];
  if (first === undefined || last === undefined) return [];
  return [`${first}.${last}`, ...variantsOf(`${first} ${last}`)];
}

/** Names stand in either order. */
function variantsOf(name: string): readonly string[] {
  const words = name.trim().split(/\s+/);
  const [first, last, ...more] = words;
  if (first === undefined || last === undefined || more.length > 0) return [words.join(' ')];
  return [`${first} ${last}`, `${last} ${first}`, `${last}, ${first}`];
}

function isAddress(text: string): boolean {
  return /^[^@\s]+@[^@\s]+$/.test(text);
}

/** Without repetitions in another case. */
function distinct(texts: readonly (string | undefined)[]): readonly string[] {
  const byText = new Map<string, string>();
  for (const text of texts) {
    if (text && !byText.has(text.toLowerCase())) byText.set(text.toLowerCase(), text);
  }
  return [...byText.values()];
}

function listOf(
  people: readonly string[],
  notes: readonly string[],
  { list }: Pick<ErasedData, 'list'>,
): readonly string[] {
  const left = list.length - maxListed;
  return compact(
    notes,
    `Looked for: ${people.join('; ')}.`,
    list.slice(0, maxListed).map((line) => `- ${line}`),
    left > 0 && `- ${left} more`,
  );
}

function countOf({ list: _list, ...counts }: ErasedData): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

const erasedWords = [
  ['requests', ['request', 'requests']],
  ['savedReports', ['saved report', 'saved reports']],
  ['digests', ['digest', 'digests']],
  ['approvals', ['approval', 'approvals']],
  ['rules', ['rule', 'rules']],
  ['events', ['event', 'events']],
  ['other', ['draft, suggestion or figure', 'drafts, suggestions and figures']],
] as const;

function outcomeLines(person: string, erased: ErasedData): readonly string[] {
  if (countOf(erased) === 0) return [`There is no data about ${person}.`];
  const counts = erasedWords.map(([name, words]) => formatPlural(erased[name], words));
  return [
    `Erased ${person} from ${counts.join(', ')}.`,
    'Saved reports and digests in their direct messages are deleted. Their digests in channels are paused until an admin hands them over.',
    'A saved report or digest whose filter named only this person does not run until it is changed. Its owner is told.',
  ];
}

/**
 * Erases everything of the workspace, once a person has typed yes.
 *
 * @returns a message; undefined if it was not confirmed
 * @throws `wrong-usage`, `database-not-compacted`
 */
export async function forgetAll({
  person,
  also,
  isConfirmed,
  stderr,
  signal,
}: ForgetOptions): Promise<string | undefined> {
  if (person !== undefined || also.length > 0) throw wrongUsage('Use either --all or a person.');
  return withExistingStore(async (store) => {
    const what = `This erases every request, saved report, digest, rule and record in ${databaseName(databaseLocation())}.\n`;
    const question = `${what}Type yes to erase everything: `;
    if (!isConfirmed && !(await confirm(question, stderr, signal))) return undefined;
    await store.eraseAll();
    await compactFiles(store);
    return ['Erased everything of the workspace.', ...backupLines('everything')].join('\n');
  });
}

async function compactFiles({ compact }: Pick<Store, 'compact'>): Promise<void> {
  const compaction = await compact();
  if (compaction !== 'done') throw new Failure('database-not-compacted', { reason: compaction });
}

/** False, and said so, unless a person types yes. */
async function confirm(
  question: string,
  stderr: NodeJS.WritableStream,
  signal: AbortSignal,
): Promise<boolean> {
  stderr.write(question);
  const lines = createInterface({ input: process.stdin, signal });
  for await (const line of lines) {
    if (line.trim().toLowerCase() === 'yes') return true;
    break;
  }
  stderr.write('Nothing was erased.\n');
  return false;
}

function backupLines(what: string): readonly string[] {
  const location = databaseLocation();
  const beside = isPostgresUrl(location) ? [] : rollcallFilesBeside(location);
  return compact(
    `Backups from before still contain ${what}.`,
    beside.length > 0 && `Delete these if you do not need them: ${beside.join(', ')}.`,
  );
}
