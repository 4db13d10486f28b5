import type { WebClient } from '@slack/web-api';
import type { RequestEntry } from '../../store/requests/request-log.js';

/** Finds the links to answers. */
export interface Links {
  /** The same questions, with links where Slack gives them. Never throws. */
  of(asks: readonly RequestEntry[]): Promise<readonly RequestEntry[]>;
}

const mostRemembered = 5_000;

/** Links to messages never change, so that each is asked for once. */
export function linksOf(client: WebClient): Links {
  const known = new Map<string, Promise<string | undefined>>();

  function linkTo(channel: string, ts: string): Promise<string | undefined> {
    const name = `${channel} ${ts}`;
    const found = known.get(name);
    if (found) return found;
    if (known.size >= mostRemembered) known.clear();
    const link = client.chat.getPermalink({ channel, message_ts: ts }).then(
      ({ permalink }) => permalink,
      () => {
        known.delete(name);
        return undefined;
      },
    );
    known.set(name, link);
    return link;
  }

  return {
    of: (asks) =>
      Promise.all(
        asks.map(async (ask) => {
          const { message } = ask;
          if (!message || message.link !== undefined) return ask;
          const link = await linkTo(message.channel, message.ts);
          return link === undefined ? ask : { ...ask, message: { ...message, link } };
        }),
      ),
  };
}
