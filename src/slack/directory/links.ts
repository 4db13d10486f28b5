import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { RequestLogEntry } from '../../store/requests/request-log.js';

export interface Links {
  /** Adds links to the answers, if Slack returns them. Never throws. */
  of(entries: readonly RequestLogEntry[]): Promise<readonly RequestLogEntry[]>;
}

const maxLinks = 5_000;

/** Links to messages never change, so each is fetched once. */
export function linksOf(client: WebClient): Links {
  const cache = new LRUCache<string, Promise<string | undefined>>({ max: maxLinks });

  function linkTo(channel: string, ts: string): Promise<string | undefined> {
    const key = `${channel} ${ts}`;
    const cached = cache.get(key);
    if (cached) return cached;
    const link = client.chat.getPermalink({ channel, message_ts: ts }).then(
      ({ permalink }) => permalink,
      () => {
        cache.delete(key);
        return undefined;
      },
    );
    cache.set(key, link);
    return link;
  }

  return {
    of: (entries) =>
      Promise.all(
        entries.map(async (entry) => {
          const { message } = entry;
          if (!message || message.link !== undefined) return entry;
          const link = await linkTo(message.channel, message.ts);
          return link === undefined ? entry : { ...entry, message: { ...message, link } };
        }),
      ),
  };
}
