import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { z } from 'zod';
import { type EventHead, hashOfDetails } from '../store/access/event-chain.js';
import { formatHead, parseHead, type WholeLink } from '../store/access/evidence.js';
import { listedParts, type PartName, parseManifest, partNames, sha256 } from './parts.js';
import { hasFieldsOfEvidence, hasLayoutOfEvidence } from './zip-layout.js';

/** What is wrong with a file of evidence. `name`: the part, as it is in the ZIP. */
export type EvidenceProblem =
  | { readonly kind: 'no-zip' | 'no-evidence' | 'container' }
  | { readonly kind: 'changed' | 'extra' | 'missing'; readonly name: string };

export type CheckedEvidence =
  | { readonly problem: EvidenceProblem }
  | {
      readonly problem?: undefined;
      /** `zipped-again`: the parts are as they were made, and the ZIP around them is not. */
      readonly container: 'as-made' | 'zipped-again';
      readonly link: WholeLink;
      /** How many parts there are. */
      readonly parts: number;
      /** For people: what it is evidence of. */
      readonly about: z.infer<typeof aboutSchema>;
    };

const aboutSchema = z.object({
  command: z.string(),
  askedBy: z.object({ slackUser: z.string() }),
  purpose: z.string().optional(),
  madeAt: z.iso.datetime(),
});

const linkSchema = z.object({
  event: z.object({
    seq: z.number().int().positive(),
    at: z.number().int(),
    kind: z.literal('evidence-made'),
    person: z.string().nullable(),
    place: z.string().nullable(),
    report: z.string().nullable(),
    details_hash: z.string(),
    previous_hash: z.string(),
    hash: z.string(),
    key_id: z.string(),
    subjects: z.array(z.string()),
  }),
  salt: z.string(),
  details: z.string(),
  people: z.record(z.string(), z.string()),
});

/** Larger parts are not read at once. The ones that are have some kilobytes. */
const maxTextBytes = 8 * 1024 * 1024;
/** Rollcall makes nine files. */
const maxEntries = 100;

class Problem extends Error {
  constructor(readonly problem: EvidenceProblem) {
    super(problem.kind);
  }
}

const changed = (name: string) => new Problem({ kind: 'changed', name });

/**
 * Verifies that the parts of a file of evidence agree with each other, and that it is the very ZIP that Rollcall made of
 * them. In constant memory.
 *
 * @param onHeads is given the heads of the chain in pages. They are checked only when this has ended
 * @throws the error of a file that cannot be opened
 */
export async function checkEvidence(
  path: string,
  onHeads: (heads: readonly EventHead[]) => Promise<void> = async () => {},
): Promise<CheckedEvidence> {
  const file = await open(path);
  try {
    return await check(path, file, onHeads);
  } catch (error) {
    if (error instanceof Problem) return { problem: error.problem };
    if (error instanceof FromCaller) throw error.cause;
    // Whatever fails in reading a ZIP, it is none that Rollcall made.
    return { problem: { kind: 'no-zip' } };
  } finally {
    await file.close();
  }
}

/** An error that is not about the file. */
class FromCaller extends Error {}

async function check(
  path: string,
  file: FileHandle,
  onHeads: (heads: readonly EventHead[]) => Promise<void>,
): Promise<CheckedEvidence> {
  const zip = await openPromise(path, { lazyEntries: true, strictFileNames: true, autoClose: false });
  try {
    const { entries, isAsNamed } = await entriesOf(zip);
    const opened = (name: PartName) => zip.openReadStreamPromise(entryOf(entries, name));
    const textOf = async (name: PartName) => text(await opened(name), name);

    const manifest = parseManifest(await textOf('manifest.txt'));
    if (!manifest) throw changed('manifest.txt');
    const { body, hashes, last } = manifest;
    for (const name of listedParts) {
      const hash = hashes.get(name);
      if (hash === undefined && entries.has(name)) throw new Problem({ kind: 'extra', name });
      if (hash !== undefined && (await hashOf(await opened(name))) !== hash) throw changed(name);
    }
    const eventText = await textOf('event.json');
    if (sha256(eventText) !== last.event) throw changed('event.json');
    const link = parsed(linkSchema, eventText) as WholeLink | undefined;
    if (
      !link ||
      formatHead(link.event) !== formatHead(last.head) ||
      hashOfDetails(link) !== link.event.details_hash
    )
      throw changed('event.json');
    const details = parsed(z.object({ manifest: z.string() }), link.details);
    if (details?.manifest !== sha256(body)) throw changed('manifest.txt');
    await checkChain(await opened('chain.txt'), link, last.chain, onHeads);
    const about = parsed(aboutSchema, await textOf('request.json'));
    if (!about) throw changed('request.json');

    const files = [...entries].map(([name, { uncompressedSize: bytes }]) => ({ name, bytes }));
    const isAsMade = isAsNamed && (await hasLayoutOfEvidence(file, inOrder(files)));
    // Another program that zips it again writes other fields.
    if (!isAsMade && [...entries.values()].some(hasFieldsOfEvidence))
      throw new Problem({ kind: 'container' });
    return { container: isAsMade ? 'as-made' : 'zipped-again', link, parts: files.length, about };
  } finally {
    zip.close();
  }
}

/** The order in which Rollcall writes them. */
function inOrder<Named extends { readonly name: string }>(files: readonly Named[]): readonly Named[] {
  return partNames.flatMap((part) => files.find(({ name }) => name === part) ?? []);
}

/** The parts by their name. A ZIP of the folder into which one was unpacked has them in that folder. */
async function entriesOf(zip: ZipFile) {
  const found: Entry[] = [];
  if (zip.entryCount > maxEntries) throw new Problem({ kind: 'no-evidence' });
  for await (const entry of zip.eachEntry()) {
    const { fileName } = entry;
    if (!fileName.endsWith('/') && !/^__MACOSX\/|(?:^|\/)\.DS_Store$/.test(fileName)) found.push(entry);
  }
  const inFolder = found.find(({ fileName }) => fileName.endsWith('manifest.txt'))?.fileName;
  if (inFolder === undefined) throw new Problem({ kind: 'no-evidence' });
  const folder = inFolder.slice(0, -'manifest.txt'.length);
  const entries = new Map<string, Entry>();
  for (const entry of found) {
    const name = entry.fileName.startsWith(folder) ? entry.fileName.slice(folder.length) : entry.fileName;
    const isKnown = partNames.some((part) => part === name) && entry.fileName.startsWith(folder);
    if (!isKnown || entries.has(name)) throw new Problem({ kind: 'extra', name: entry.fileName });
    entries.set(name, entry);
  }
  return { entries, isAsNamed: folder === '' };
}

function entryOf(entries: ReadonlyMap<string, Entry>, name: PartName): Entry {
  const entry = entries.get(name);
  if (!entry) throw new Problem({ kind: 'missing', name });
  return entry;
}

async function hashOf(stream: Readable): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of stream) digest.update(chunk);
  return digest.digest('hex');
}

async function text(stream: Readable, name: PartName): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxTextBytes) throw changed(name);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed<Schema extends z.ZodType>(schema: Schema, json: string): z.infer<Schema> | undefined {
  try {
    return schema.parse(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** Each event follows the one before, and the last is that of the evidence. */
async function checkChain(
  stream: Readable,
  { event }: WholeLink,
  hash: string,
  onHeads: (heads: readonly EventHead[]) => Promise<void>,
): Promise<void> {
  const digest = createHash('sha256');
  let rest = '';
  let before: EventHead | undefined;
  let last: EventHead | undefined;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    digest.update(chunk);
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    // No head is as long.
    if (rest.length > 200) throw changed('chain.txt');
    const heads: EventHead[] = [];
    for (const line of lines) {
      const head = parseHead(line);
      if (!head || (last && head.seq !== last.seq + 1)) throw changed('chain.txt');
      before = last;
      last = head;
      heads.push(head);
    }
    await onHeads(heads).catch((cause: unknown) => {
      throw new FromCaller('The heads could not be compared', { cause });
    });
  }
  const isWhole =
    rest === '' &&
    digest.digest('hex') === hash &&
    last?.seq === event.seq &&
    last.hash === event.hash &&
    before?.hash === event.previous_hash;
  if (!isWhole) throw changed('chain.txt');
}
