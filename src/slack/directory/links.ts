import type { WebClient } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { RequestLogEntry } from '../../store/requests/request-log.js';

export interface Links {
  /** Adds links to the answers, if Slack returns them. Never throws. */
  of(entries: readonly RequestLogEntry[]): Promise<readonly RequestLogEntry[]>;
}

/**
 * A message's permalink, in the format that Slack uses. Undefined if Slack did not say where the workspace is.
 *
 * @param thread the `ts` of the first message of its thread, for a reply
 */
export function permalinkOf(
  workspaceUrl: string,
  { channel, ts }: { readonly channel: string; readonly ts: string },
  thread?: string,
): string | undefined {
  if (workspaceUrl === '' || ts === '') return undefined;
  const link = `${workspaceUrl.replace(/\/?$/, '/')}archives/${channel}/p${ts.replace('.', '')}`;
  return thread === undefined ? link : `${link}?thread_ts=${thread}&cid=${channel}`;
}

const maxLinks = 5_000;

/** Answers have their links. Those of earlier versions do not: each is fetched once, because it never changes. */
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
