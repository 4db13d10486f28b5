import type { WebClient } from '@slack/web-api';
import type { OutgoingMessage } from './outgoing-message.js';
import type { Place } from './place.js';

/**
 * Says something to one person alone, in the place where they asked: through the command's own way back while it is
 * open, else as an ephemeral message where both are members, else as a direct message.
 * It gives up quietly: there is nobody left to tell that telling failed.
 *
 * @param client makes its calls once, with no retries of its own
 * @param onlyHere for what makes no sense in the direct messages, where it stands already
 */
export async function tellAsker(
  message: OutgoingMessage,
  asker: string,
  place: Place,
  client: WebClient,
  onlyHere = false,
): Promise<boolean> {
  if (place.responseUrl?.isOpen()) {
    const outcome = await place.responseUrl.toAsker(message);
    if (outcome.kind === 'posted') return true;
  }
  const content = { text: message.text, ...(message.blocks ? { blocks: [...message.blocks] } : {}) };
  const thread = place.thread ? { thread_ts: place.thread } : {};
  if (place.kind === 'member') {
    const shown = client.chat.postEphemeral({ channel: place.channel, user: asker, ...thread, ...content });
    if (await succeeds(shown)) return true;
  }
  if (onlyHere) return false;
  const direct = place.kind === 'direct' ? { channel: place.channel, ...thread } : { channel: asker };
  return succeeds(
    client.chat.postMessage({ ...direct, ...content, unfurl_links: false, unfurl_media: false }),
  );
}

function succeeds(call: Promise<unknown>): Promise<boolean> {
  return call.then(
    () => true,
    () => false,
  );
}
