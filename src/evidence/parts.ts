import { createHash } from 'node:crypto';
import type { EventHead } from '../store/access/event-chain.js';
import { formatHead, parseHead, type WholeLink } from '../store/access/evidence.js';

/* The files in a file of evidence, and how they vouch for each other. */

/** In the order in which they are in the ZIP. `people.csv` is missing where the report has no learners. */
export const partNames = [
  'README.txt',
  'request.json',
  'figures.csv',
  'exceptions.txt',
  'rows.csv',
  'people.csv',
  'event.json',
  'chain.txt',
  'manifest.txt',
] as const;

/** The short ones. */
export const textParts = ['README.txt', 'request.json', 'figures.csv', 'exceptions.txt'] as const;

export type PartName = (typeof partNames)[number];

/** The parts that the manifest lists. Its last line vouches for the other two. */
export const listedParts: readonly PartName[] = partNames.filter(
  (name) => !['manifest.txt', 'event.json', 'chain.txt'].includes(name),
);

const firstLine = '# SHA-256 of each file of this evidence. Format 1.\n';

/** SHA-256 in hexadecimal, by the name of the part. */
export type PartHashes = ReadonlyMap<string, string>;

export function sha256(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The manifest without its last line, in the format of `sha256sum`. */
export function formatManifest(hashes: PartHashes): string {
  const lines = listedParts
    .filter((name) => hashes.has(name))
    .map((name) => `${hashes.get(name)}  ${name}\n`);
  return firstLine + lines.join('');
}

/** The last line of a manifest: the event of the record that has the hash of the lines above, and the files after it. */
export interface LastLine {
  readonly head: EventHead;
  /** The SHA-256 of `event.json`, and of `chain.txt`. */
  readonly event: string;
  readonly chain: string;
}

export function formatLastLine({ head, event, chain }: LastLine): string {
  return `# Event ${formatHead(head)} event.json ${event} chain.txt ${chain}\n`;
}

/** Undefined for everything that `formatManifest` and `formatLastLine` do not write. */
export function parseManifest(text: string) {
  const end = text.lastIndexOf('\n', text.length - 2) + 1;
  const [body, line] = [text.slice(0, end), text.slice(end)];
  const hashes = new Map(
    [...body.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)].map(([, hash = '', name = '']) => [name, hash]),
  );
  const [, head = '', event = '', chain = ''] =
    /^# Event (\S+) event\.json ([0-9a-f]{64}) chain\.txt ([0-9a-f]{64})\n$/.exec(line) ?? [];
  const of = parseHead(head);
  if (!of || formatManifest(hashes) !== body || !hashes.has('rows.csv')) return undefined;
  return { body, hashes, last: { head: of, event, chain } };
}

/** The event as JSON, with all that its hash is made of but the key of the record. */
export function formatEvent(link: WholeLink): string {
  return `${JSON.stringify(link, undefined, 2)}\n`;
}
