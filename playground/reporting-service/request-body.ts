import type { IncomingMessage } from 'node:http';
import { quoted, Refusal } from './refusal.js';

/** Lists of entries beyond this would take longer than a turn to look things up in. */
const largestBody = 256 * 1024;

/**
 * The JSON value that a request carries.
 * @throws Refusal 415 for anything that is not JSON in UTF-8, 413 over 256 KiB, 400 for no body and for broken JSON
 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const tooLarge = new Refusal(413, 'too_large', `The body is larger than ${largestBody} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > largestBody) throw tooLarge;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > largestBody) throw tooLarge;
    chunks.push(chunk);
  }
  if (size === 0) throw new Refusal(400, 'no_body', 'There is no body: it is a JSON object, {} at least.');
  refuseOtherKinds(request);
  const text = decode(Buffer.concat(chunks));
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'not_json', 'The body is not JSON.');
  }
}

function refuseOtherKinds(request: IncomingMessage): void {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;\s*charset="?utf-?8"?\s*)?;?\s*$/i.test(type)) {
    throw new Refusal(
      415,
      'wrong_type',
      `Content-Type is ${quoted(type)}: it takes application/json in UTF-8.`,
    );
  }
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new Refusal(415, 'encoded', `Content-Encoding is ${quoted(encoding)}: the body is taken as it is.`);
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(400, 'not_utf8', 'The body is not UTF-8.');
  }
}
