import type { WebClient } from '@slack/web-api';
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
  let cursor: string | undefined;
  for (let page = 0; page < maxMemberPages; page += 1) {
    const answer = await client.conversations.members({ channel, limit: membersPerPage, cursor });
    ids.push(...(answer.members ?? []));
    cursor = answer.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) return { ids, isAll: true };
  }
  return { ids, isAll: false };
}

async function countOneByOne(ids: readonly string[], { people }: ChannelReadersParts) {
  const standings = await Promise.all(ids.map(async (id) => (await people.find(id)).standing));
  const guests = standings.filter((standing) => standing === 'guest' || standing === 'outsider').length;
  return { guests, isAtLeast: standings.includes('unknown') };
}

async function countInList(ids: readonly string[], { client }: ChannelReadersParts) {
  const left = new Set(ids);
  let guests = 0;
  let cursor: string | undefined;
  for (let page = 0; page < maxPeoplePages && left.size > 0; page += 1) {
    const answer = await client.users.list({ limit: peoplePerPage, cursor });
    for (const { id, is_restricted, is_ultra_restricted, ...member } of answer.members ?? []) {
      if (id === undefined || !left.delete(id)) continue;
      const isStranger = 'is_stranger' in member && member.is_stranger === true;
      if (is_restricted || is_ultra_restricted || isStranger) guests += 1;
    }
    cursor = answer.response_metadata?.next_cursor || undefined;
    if (cursor === undefined) break;
  }
  return { guests, isAtLeast: left.size > 0 };
}
