import type { WebAPICallResult, WebClient } from '@slack/web-api';
import { pagesOf } from '../delivery/clients.js';

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
  return findByName(
    name,
    (cursor) => client.users.list({ limit: perPage, cursor }),
    ({ members = [] }) =>
      members.map(({ id, name: handle, real_name, profile }) => ({
        id,
        names: [handle, real_name, profile?.display_name, profile?.real_name],
      })),
  );
}

export async function findPersonByAddress(client: WebClient, email: string): Promise<string | undefined> {
  // An address can be in the record without an account in Slack.
  return client.users.lookupByEmail({ email }).then(
    ({ user }) => user?.id,
    () => undefined,
  );
}

/** Finds a channel by its name, among those that the bot can see. */
export function findChannel(client: WebClient, name: string): Promise<FoundByName> {
  const types = 'public_channel,private_channel';
  return findByName(
    name,
    (cursor) => client.conversations.list({ types, limit: perPage, cursor }),
    ({ channels = [] }) => channels.map(({ id, name: channel }) => ({ id, names: [channel] })),
  );
}

interface Named {
  readonly id?: string | undefined;
  readonly names: readonly (string | undefined)[];
}

async function findByName<Page extends WebAPICallResult>(
  name: string,
  nextPage: (cursor: string | undefined) => Promise<Page>,
  itemsOf: (page: Page) => readonly Named[],
): Promise<FoundByName> {
  const wanted = name.trim().toLowerCase();
  const found = new Set<string>();
  try {
    for await (const page of pagesOf(nextPage, maxPages)) {
      for (const { id, names } of itemsOf(page)) {
        if (id !== undefined && names.some((known) => known?.toLowerCase() === wanted)) found.add(id);
      }
    }
  } catch {
    return { kind: 'unreachable' };
  }
  const [id, ...more] = found;
  if (id === undefined) return { kind: 'none' };
  return more.length > 0 ? { kind: 'too-many' } : { kind: 'one', id };
}
