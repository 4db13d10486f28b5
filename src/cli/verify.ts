import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { loadConfig, storeConfigFrom } from '../config/config.js';
import { Failure, isFailure, systemCodeOf } from '../errors/failure.js';
import { type CheckedEvidence, checkEvidence, type EvidenceProblem } from '../evidence/verify-evidence.js';
import { formatCount } from '../figures/format/values.js';
import { compact, displayText } from '../requests/text.js';
import type { EventHead } from '../store/access/event-chain.js';
import type { RecordedEvidence } from '../store/access/evidence.js';
import { compareRecordKey } from '../store/access/record-key.js';
import { inspectDatabase } from '../store/inspect.js';
import { openStore, type Store } from '../store/store.js';
import { describeVerification } from './audit.js';
import { databaseLocation, hasStore, withExistingStore } from './backup.js';

type WholeEvidence = Extract<CheckedEvidence, { readonly problem?: undefined }>;

/** What verifying found, in sentences. */
interface Verdict {
  readonly proved: readonly string[];
  readonly wrong: readonly string[];
  readonly unproved: readonly string[];
}

/**
 * Verifies a file of evidence: that its parts agree, and with a database that its record holds the event and the hash.
 *
 * @returns the exit code: 1 if something is wrong
 * @throws `evidence-unreadable`, and the failures of the store
 */
export async function verify(file: string, print: (text: string) => void): Promise<0 | 1> {
  const zip = await orUnreadable(file, () => sha256Of(file));
  const alone = await checked(file);
  const { problem } = alone;
  const compared = isExpected()
    ? await withStore((store) => (problem ? findZip(store, zip) : compareWith(store, file, zip, alone)))
    : undefined;
  if (problem && !compared) {
    print(`${describeProblem(problem)}\nDo not rely on this file. Ask for the one that Rollcall sent.`);
    return 1;
  }
  const verdict: Verdict = {
    proved: compact(
      !problem &&
        `Its ${alone.parts} files agree with each other, byte for byte. Nobody changed one of them alone.`,
      !problem && alone.container === 'as-made' && !compared && 'It is the ZIP as it was made.',
      compared?.proved,
    ),
    wrong: compact(compared?.wrong),
    unproved: compact(
      problem && 'That its files agree with each other: this version of Rollcall cannot read them.',
      !problem && !compared && alone.container === 'zipped-again' && zippedAgain,
      !compared &&
        'That nobody made all files and their hashes anew. For that, run this where the database of Rollcall is: set DATABASE_URL and RECORD_KEY.',
      compared?.unproved,
      'That the Reporting Service was right, and that the rows are still the same today.',
    ),
  };
  print(
    compact(
      problem ? 'Evidence' : describeEvidence(alone),
      section('WRONG', verdict.wrong),
      section('PROVED', verdict.proved),
      section('NOT PROVED', verdict.unproved),
    ).join('\n'),
  );
  return verdict.wrong.length > 0 ? 1 : 0;
}

function describeEvidence({ about, link }: WholeEvidence): readonly string[] {
  const { command, madeAt, askedBy, purpose } = about;
  const why = purpose === undefined ? '' : `, for “${displayText(purpose, maxName)}”`;
  return [
    `Evidence of: ${displayText(command, maxCommand)}`,
    `Made ${formatTime(madeAt)} by Slack user ${displayText(askedBy.slackUser, maxName)}${why}. Event ${link.event.seq} of the record.`,
  ];
}

const maxCommand = 500;
const maxName = 200;

const zippedAgain =
  'That this is the ZIP that Rollcall sent: it was unpacked and zipped again. Its files are the same, but the SHA-256 of the ZIP is another one, and the record knows only that of the first.';

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `- ${line}`)];
}

function formatTime(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

/** @throws `evidence-unreadable` */
function checked(file: string, onHeads?: (heads: readonly EventHead[]) => Promise<void>) {
  return orUnreadable(file, () => checkEvidence(file, onHeads));
}

async function sha256Of(file: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(file)) digest.update(chunk);
  return digest.digest('hex');
}

/** @throws `evidence-unreadable` */
async function orUnreadable<Found>(file: string, read: () => Promise<Found>): Promise<Found> {
  try {
    return await read();
  } catch (error) {
    if (isFailure(error)) throw error;
    throw new Failure('evidence-unreadable', { path: file, reason: systemCodeOf(error), cause: error });
  }
}

function describeProblem(problem: EvidenceProblem): string {
  switch (problem.kind) {
    case 'no-zip':
      return 'This is no ZIP, or it is damaged: some of its bytes were changed or are missing.';
    case 'no-evidence':
      return 'This ZIP is no evidence of Rollcall: it has no manifest.txt.';
    case 'container':
      return 'Bytes of this ZIP were changed, though its files are the same. It is not as it was made.';
    case 'changed':
      return `${displayText(problem.name, maxName)} was changed: it does not agree with the other files.`;
    case 'extra':
      return `${displayText(problem.name, maxName)} does not belong here: somebody added it.`;
    case 'missing':
      return `${problem.name} is missing: somebody removed it.`;
  }
}

/** True if there is a database, or one that is not the default is named. */
function isExpected(): boolean {
  return hasStore() || databaseLocation() !== defaultDatabase;
}

const defaultDatabase = 'data/rollcall.db';

/** Opens the store. Where its key is lost, no new one is made. */
async function withStore<Outcome>(work: (store: Store) => Promise<Outcome>): Promise<Outcome> {
  const { database, recordKey } = loadConfig(storeConfigFrom);
  if (!hasStore()) return withExistingStore(work);
  const keyId = (await inspectDatabase(database))?.recordKeyId;
  if (compareRecordKey(database, recordKey, keyId) !== 'missing') return withExistingStore(work);
  const store = await openStore(database, Date.now, { recordKey: randomBytes(32).toString('hex') });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** @returns undefined if the record has no key to verify it with */
function verifiedRecord({ events }: Store, head?: EventHead) {
  return events.verify(head).catch((error: unknown) => {
    if (isFailure(error, 'record-key-differs')) return undefined;
    throw error;
  });
}

const isVeryFile = 'The record holds the SHA-256 of this ZIP: it is the very file that was sent.';
/** Somebody who can change the database may have written it there. */
const hasItsHash = 'The database has the SHA-256 of this ZIP.';
const otherKey =
  'That nobody changed the database and this file together: RECORD_KEY is not the key from then, because it was changed or lost.';
const everythingAnew = 'That nobody has both the database and RECORD_KEY, and made everything anew.';

/**
 * What the record says about a ZIP that cannot be read as evidence: if it holds its hash, it is the file that was sent, in
 * a layout that this version does not know. Undefined: it does not.
 */
async function findZip(store: Store, zip: string): Promise<Verdict | undefined> {
  const seq = await store.evidence.madeAs(zip);
  if (seq === undefined) return undefined;
  const verified = await verifiedRecord(store);
  const isWhole = verified?.problems.length === 0;
  return {
    proved: compact(
      `${isWhole ? isVeryFile : hasItsHash} Its event is ${seq}.`,
      isWhole && 'None of the events up to the end of the record was changed or removed.',
    ),
    wrong: compact(verified && !isWhole && describeVerification(verified, undefined)),
    unproved: [
      verified && (seq > verified.start.seq || verified.ofEarlierKeys === 0) ? everythingAnew : otherKey,
    ],
  };
}

async function compareWith(
  store: Store,
  file: string,
  zip: string,
  { link, container }: WholeEvidence,
): Promise<Verdict> {
  const { evidence } = store;
  const { seq } = link.event;
  const found = await evidence.compare(link);
  const isFound = found.event === 'held' || found.event === 'kept';
  if (!isFound) return { proved: [], wrong: [describeAbsence(found, seq)], unproved: [] };
  let differing: number | undefined;
  let heads = 0;
  await checked(file, async (some) => {
    heads += some.length;
    differing ??= await evidence.differing(some);
  });
  const verified = found.isAuthentic
    ? await verifiedRecord(store, found.event === 'held' ? link.event : undefined)
    : undefined;
  const isWhole = verified === undefined || verified.problems.length === 0;
  const isSameZip = found.zip === zip;
  return {
    proved: compact(
      found.event === 'held' &&
        found.isAuthentic !== false &&
        `The ${found.isAuthentic ? 'record' : 'database'} holds event ${seq}, which has the hash of these files.`,
      found.event === 'kept' &&
        `The ${found.isAuthentic ? 'record' : 'database'} holds the hash and the date of event ${seq}. The event itself was deleted because of its age.`,
      found.isAuthentic === true && 'The hash of the event was made with the key of the record.',
      isSameZip && (found.isAuthentic && verified && isWhole ? isVeryFile : hasItsHash),
      differing === undefined &&
        verified &&
        isWhole &&
        `The record agrees with chain.txt (${formatCount(heads)} lines): none of its events up to this one was changed or removed.`,
    ),
    wrong: compact(
      found.isAuthentic === false &&
        `The hash of event ${seq} was not made with the key of the record: somebody wrote it into the database.`,
      differing !== undefined &&
        `Event ${differing} of the record is not the one in chain.txt: the record was changed after this evidence was made.`,
      !isWhole && verified && describeVerification(verified, undefined),
      found.zip === undefined &&
        'The record has no SHA-256 of a ZIP for this event: making the file was interrupted, so Rollcall never sent it.',
      found.zip !== undefined &&
        !isSameZip &&
        (container === 'zipped-again'
          ? 'It is not the ZIP that Rollcall sent: it was unpacked and zipped again. Its files are the same.'
          : 'The record has another SHA-256 for this ZIP: it is not the file that Rollcall sent.'),
    ),
    unproved: compact(
      found.isAuthentic === undefined && otherKey,
      found.isAuthentic === true && everythingAnew,
    ),
  };
}

function describeAbsence({ event, knowsKey, end }: RecordedEvidence, seq: number): string {
  const other = `This record never had the key that event ${seq} was made with: the evidence is of another installation.`;
  if (!knowsKey) return other;
  switch (event) {
    case 'after-end':
      return `The record ends at event ${end}, before event ${seq} of this evidence: somebody else made this file, or the newest events were cut off, or the record was restored from an older backup.`;
    case 'different':
      return `Event ${seq} of the record is another one: somebody else made this file, or the record was changed, or restored from an older backup and continued.`;
    default:
      return `The record has nothing of event ${seq}: it was removed, or it is older than ten years.`;
  }
}
