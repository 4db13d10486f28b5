import type { Digest } from '../../digests/digest.js';
import { UnreadableDigest } from '../../digests/unreadable.js';
import type { OutgoingMessage } from '../outgoing-message.js';
import { channelInWords } from './digest-notices.js';
import { marked, section } from './parts/blocks.js';

/** A digest is paused, since nobody can tell any more when it comes or what it asks. */
export function unreadableDigestMessage(digest: Digest | UnreadableDigest): OutgoingMessage {
  const wayOut =
    digest instanceof UnreadableDigest
      ? 'Please set it up anew with `/report schedule`, or ask whoever runs Rollcall to look into its log.'
      : 'Please edit it from `/report list`, or ask whoever runs Rollcall to look into its log.';
  const line = `A digest of yours, to ${channelInWords(digest.channel)}, is paused: I cannot make sense any more of what I kept of it. ${wayOut}`;
  return { text: line, blocks: [section(marked(line))] };
}
