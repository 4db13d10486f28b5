import type { WebClient } from '@slack/web-api';
import { nextCursor, pagesOf } from '../delivery/clients.js';
import type { Channels } from './channels.js';
import type { People } from './people.js';

/** Who reads a channel, as an admin should know before it gets data about people. */
export interface ChannelReaders {
  /** Guests, and people from other organizations; undefined if Slack did not say. */
  readonly guests: number | undefined;
  /** True if there may be more: the channel or the workspace is too large to read all of it, or Slack did not say. */
  readonly isAtLeast: boolean;
  /** True for a public channel, which everybody in the workspace may join; undefined if Slack did not say. */
  readonly isOpen: boolean | undefined;
}

interface ChannelReadersParts {
  /** May retry, because these calls change nothing. */
  readonly client: Pick<WebClient, 'conversations' | 'users'>;
  readonly channels: Pick<Channels, 'find'>;
  readonly people: Pick<People, 'find'>;
}

const membersPerPage = 999;
const maxMemberPages = 5;
/** People of a small channel are looked up one by one. */
const maxLookups = 40;
/** About 2 KB for each person, which are parsed at once. */
const peoplePerPage = 400;
/** Slack allows about twenty of these calls a minute. */
const maxPeoplePages = 10;

/** Counts the guests of a channel. Never throws. */
export async function readersOfChannel(channel: string, parts: ChannelReadersParts): Promise<ChannelReaders> {
  const facts = await parts.channels.find(channel);
  const isOpen = facts.known ? !facts.isPrivate : undefined;
  try {
    const members = await membersOf(channel, parts);
    const counted = await (members.ids.length > maxLookups
      ? countInList(members.ids, parts)
      : countOneByOne(members.ids, parts));
    return { guests: counted.guests, isAtLeast: counted.isAtLeast || !members.isAll, isOpen };
  } catch {
    return { guests: undefined, isAtLeast: true, isOpen };
  }
}

async function membersOf(channel: string, { client }: ChannelReadersParts) {
  const ids: string[] = [];
  let isAll = false;
  const nextPage = (cursor: string | undefined) =>
    client.conversations.members({ channel, limit: membersPerPage, cursor });
  for await (const page of pagesOf(nextPage, maxMemberPages)) {
    ids.push(...(page.members ?? []));
    isAll = nextCursor(page) === undefined;
  }
  return { ids, isAll };
}

async function countOneByOne(ids: readonly string[], { people }: ChannelReadersParts) {
  const standings = await Promise.all(ids.map(async (id) => (await people.find(id)).standing));
  const guests = standings.filter((standing) => standing === 'guest' || standing === 'outsider').length;
  return { guests, isAtLeast: standings.includes('unknown') };
}

async function countInList(ids: readonly string[], { client }: ChannelReadersParts) {
  const left = new Set(ids);
  let guests = 0;
  const nextPage = (cursor: string | undefined) => client.users.list({ limit: peoplePerPage, cursor });
  for await (const { members = [] } of pagesOf(nextPage, maxPeoplePages)) {
    for (const { id, is_restricted, is_ultra_restricted, ...member } of members) {
      if (id === undefined || !left.delete(id)) continue;
      const isStranger = 'is_stranger' in member && member.is_stranger === true;
      if (is_restricted || is_ultra_restricted || isStranger) guests += 1;
    }
    if (left.size === 0) break;
  }
  return { guests, isAtLeast: left.size > 0 };
}
