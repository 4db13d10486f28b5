import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { type AccessEvent, evidenceMadeEvent, evidenceZippedEvent, recordExport } from '../access/record.js';
import { hasLearners } from '../catalogue/index.js';
import { Failure, throwIfCancelled } from '../errors/failure.js';
import { AnswerFile } from '../reporting-api/answer/answer-file.js';
import { evidencePathOf, personsPathOf } from '../runner/answer-parts.js';
import type { ReportResult } from '../runner/run-report.js';
import { type EventHead, emptyChain } from '../store/access/event-chain.js';
import { formatHead } from '../store/access/evidence.js';
import type { Store } from '../store/store.js';
import { type EvidenceFacts, textsOf } from './contents.js';
import { formatEvent, formatLastLine, formatManifest, type PartName, sha256, textParts } from './parts.js';
import { type ZipPart, zipOf } from './zip.js';

export interface EvidenceParts {
  readonly store: Pick<Store, 'events' | 'evidence'>;
}

/**
 * Makes the ZIP of an answer, in constant memory. The record gets an event with the hash of the
 * manifest, and then one with the hash of the ZIP: from the first on, `onRecorded` knows of it, and the caller records if
 * nobody gets the file.
 *
 * @param exported the event of an exported file with the same rows
 * @throws `export-not-recorded`, `file-not-written`, `post-erased`, `cancelled`
 */
export async function makeEvidence(
  { figures, ...rest }: ReportResult,
  facts: EvidenceFacts,
  exported: AccessEvent,
  { store }: EvidenceParts,
  onRecorded: (event: AccessEvent) => void,
  signal?: AbortSignal,
): Promise<{ readonly path: string; readonly bytes: number }> {
  const { file, report } = rest;
  if (!file || !figures) throw new Error('Evidence needs rows and figures');
  const { listed } = file;
  if (hasLearners(report) && !listed) throw new Error('Evidence needs the people of its rows');
  throwIfCancelled(signal);

  const hashes = new Map<string, string>();
  const texts = textsOf({ ...rest, figures }, listed, facts);
  let head: EventHead | undefined;

  const part = (name: PartName, open: () => Readable | Promise<Readable>): ZipPart => ({
    name,
    open: async () => hashed(await open(), (hash) => void hashes.set(name, hash)),
  });
  const text = (content: string) => Readable.from([Buffer.from(content)]);

  /** @throws `export-not-recorded` */
  async function append(event: AccessEvent): Promise<EventHead> {
    const heads: EventHead[] = [];
    await recordExport({ append: async (given) => void heads.push(await store.events.append(given)) }, event);
    return heads[0] ?? emptyChain;
  }

  async function recordManifest(): Promise<Readable> {
    const event = evidenceMadeEvent(exported, sha256(formatManifest(hashes)));
    head = await append(event);
    onRecorded(event);
    const link = await store.evidence.linkAt(head.seq);
    // An erasure took it meanwhile.
    if (!link) throw new Failure('post-erased');
    return text(formatEvent(link));
  }

  function manifest(): Readable {
    const last = {
      head: headMade(),
      event: hashes.get('event.json') ?? '',
      chain: hashes.get('chain.txt') ?? '',
    };
    return text(formatManifest(hashes) + formatLastLine(last));
  }

  function headMade(): EventHead {
    if (!head) throw new Error('The event of evidence comes before the chain');
    return head;
  }

  // In this order: each part has been read when the next is made.
  const parts: readonly ZipPart[] = [
    ...textParts.map((name) => part(name, () => text(texts[name]))),
    part('rows.csv', () => createReadStream(file.path)),
    ...(listed ? [part('people.csv', () => createReadStream(personsPathOf(file.path)))] : []),
    part('event.json', recordManifest),
    part('chain.txt', () => Readable.from(linesOf(store.evidence.headsThrough(headMade().seq)))),
    part('manifest.txt', manifest),
  ];
  const path = evidencePathOf(file.path);
  const zip = await AnswerFile.create(path);
  const digest = createHash('sha256');
  try {
    for await (const chunk of zipOf(parts)) {
      throwIfCancelled(signal);
      digest.update(chunk);
      zip.write(chunk);
      if (zip.isBacklogged) await zip.drain();
    }
    await zip.flush();
    await zip.close();
  } catch (error) {
    await zip.closeAndRemove();
    throw error;
  }
  await append(evidenceZippedEvent(exported, { of: headMade().seq, zip: digest.digest('hex') }));
  return { path, bytes: zip.length };
}

/** The same stream, whose SHA-256 is told at its end. */
function hashed(stream: Readable, tell: (hash: string) => void): Readable {
  const digest = createHash('sha256');
  async function* chunks() {
    for await (const chunk of stream) {
      digest.update(chunk);
      yield chunk;
    }
    tell(digest.digest('hex'));
  }
  return Readable.from(chunks(), { objectMode: false });
}

/** `chain.txt`: where the chain begins, and then each event, as `SEQ:HASH`. */
async function* linesOf(pages: AsyncIterable<readonly EventHead[]>): AsyncGenerator<Buffer> {
  for await (const page of pages) yield Buffer.from(page.map((head) => `${formatHead(head)}\n`).join(''));
}
