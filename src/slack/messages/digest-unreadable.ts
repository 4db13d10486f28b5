import type { Digest } from '../../digests/digest.js';
import { UnreadableDigest } from '../../digests/unreadable.js';
import type { OutgoingMessage } from '../delivery/outgoing-message.js';
import { escaped } from '../text.js';
import { marked, section } from './blocks.js';
import { channelInWords, digestName } from './digest-notifications.js';

/** A digest is paused, since nobody can tell any more when it comes or what it asks. */
export function unreadableDigestMessage(digest: Digest | UnreadableDigest): OutgoingMessage {
  const line =
    digest instanceof UnreadableDigest
      ? `A digest of yours, to ${channelInWords(digest.channel)}, is paused: I cannot make sense any more of what I kept of it. Please set it up anew with \`/report schedule\`.`
      : `${escaped(digestName(digest))}, to ${channelInWords(digest.channel)}, is paused: I cannot work out any more when it comes. Please edit it from \`/report list\`.`;
  return { text: line, blocks: [section(marked(line))] };
}
