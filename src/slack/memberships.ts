import type { WebClient } from '@slack/web-api';

/** Which channels somebody is a member of, as far as the bot can see them. */
export interface Memberships {
  /**
   * Public channels, and those private ones that the bot is in too. Undefined where Slack did not say. Never throws.
   */
  channelsOf(user: string): Promise<ReadonlySet<string> | undefined>;
  /** Somebody has come or gone somewhere. */
  forget(): void;
}

/** Slack lets an app ask about twenty times a minute. */
const freshForMilliseconds = 60_000;
const mostRemembered = 1_000;
const mostPages = 5;

/**
 * @param client may try again: these calls change nothing
 * @param now milliseconds of a clock that nobody moves
 */
export function membershipsOf(client: WebClient, now: () => number): Memberships {
  const known = new Map<
    string,
    { readonly channels: Promise<ReadonlySet<string> | undefined>; readonly at: number }
  >();

  return {
    channelsOf(user) {
      const found = known.get(user);
      if (found && now() - found.at < freshForMilliseconds) return found.channels;
      if (known.size >= mostRemembered) known.clear();
      const channels = askSlack(client, user).catch(() => undefined);
      const asked = { channels, at: now() };
      known.set(user, asked);
      void channels.then((said) => {
        if (said === undefined && known.get(user) === asked) known.delete(user);
      });
      return channels;
    },
    forget() {
      known.clear();
    },
  };
}

async function askSlack(client: WebClient, user: string): Promise<ReadonlySet<string>> {
  const channels = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const page = await client.users.conversations({
      user,
      types: 'public_channel,private_channel',
      exclude_archived: true,
      limit: 999,
      ...(cursor ? { cursor } : {}),
    });
    for (const { id } of page.channels ?? []) if (id) channels.add(id);
    cursor = page.response_metadata?.next_cursor;
    if (!cursor) break;
  }
  return channels;
}
