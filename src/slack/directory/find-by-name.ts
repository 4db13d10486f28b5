import type { WebClient } from '@slack/web-api';

/** The result of a search by name. `too-many`: several have the name. `unreachable`: Slack did not answer. */
export type FoundByName =
  | { readonly kind: 'one'; readonly id: string }
  | { readonly kind: 'none' | 'too-many' | 'unreachable' };

/** Slack allows about twenty of these calls a minute. */
const maxPages = 15;
const perPage = 999;

/**
 * Finds a person by the name that people type after `@`: as shown, as in the profile, or the handle.
 *
 * @param client may retry, because these calls change nothing
 */
export function findPerson(client: WebClient, name: string): Promise<FoundByName> {
  return findByName(name, async (cursor) => {
    const { members = [], response_metadata } = await client.users.list({ limit: perPage, cursor });
    const items = members.map(({ id, name: handle, real_name, profile }) => ({
      id,
      names: [handle, real_name, profile?.display_name, profile?.real_name],
    }));
    return { items, next: response_metadata?.next_cursor };
  });
}

/** Finds the person of an e-mail address. */
export async function findPersonByAddress(client: WebClient, email: string): Promise<string | undefined> {
  // An address can be in the record without an account in Slack.
  return client.users.lookupByEmail({ email }).then(
    ({ user }) => user?.id,
    () => undefined,
  );
}

/** Finds a channel by its name, among those that the bot can see. */
export function findChannel(client: WebClient, name: string): Promise<FoundByName> {
  return findByName(name, async (cursor) => {
    const types = 'public_channel,private_channel';
    const { channels = [], response_metadata } = await client.conversations.list({
      types,
      limit: perPage,
      cursor,
    });
    const items = channels.map(({ id, name: channel }) => ({ id, names: [channel] }));
    return { items, next: response_metadata?.next_cursor };
  });
}

interface NamedPage {
  readonly items: readonly {
    readonly id?: string | undefined;
    readonly names: readonly (string | undefined)[];
  }[];
  readonly next?: string | undefined;
}

async function findByName(
  name: string,
  page: (cursor: string | undefined) => Promise<NamedPage>,
): Promise<FoundByName> {
  const wanted = name.trim().toLowerCase();
  const found = new Set<string>();
  try {
    let cursor: string | undefined;
    for (let pages = 0; pages < maxPages; pages += 1) {
      const { items, next } = await page(cursor);
      for (const { id, names } of items) {
        if (id !== undefined && names.some((known) => known?.toLowerCase() === wanted)) found.add(id);
      }
      if (!next) break;
      cursor = next;
    }
  } catch {
    return { kind: 'unreachable' };
  }
  const [id, ...more] = found;
  if (id === undefined) return { kind: 'none' };
  return more.length > 0 ? { kind: 'too-many' } : { kind: 'one', id };
}
