import type { Approvals } from '../store/access/approvals.js';
import type { ResponseUrl } from './delivery/response-url.js';
import type { PersonLevel } from './delivery/route.js';
import type { ChannelFacts, Channels } from './directory/channels.js';
import type { Place } from './request-context.js';

export interface WhereParts {
  readonly channels: Channels;
  readonly store: { readonly approvals: Pick<Approvals, 'isChannelApproved'> };
  /** Channels that need no approval; `*`: all that are not shared. */
  readonly personLevelChannels: '*' | readonly string[];
}

export interface AskedIn {
  readonly channel: string;
  readonly thread?: string;
  readonly asker: string;
  readonly responseUrl?: ResponseUrl;
}

/**
 * Finds out what can be done in the place where something was asked.
 *
 * @param fresh as Slack describes it at this moment, rather than within the last ten minutes
 */
export async function whereAsked(asked: AskedIn, parts: WhereParts, fresh = false): Promise<Place> {
  const { channel, thread, asker, responseUrl } = asked;
  const common = { channel, ...(thread ? { thread } : {}), ...(responseUrl ? { responseUrl } : {}) };
  if (await isDirect(channel, asker, parts)) return { ...common, kind: 'direct', personLevel: 'allowed' };
  // A channel's name begins with D only where two people talk to each other, which Slack does not let a bot look into.
  const facts: ChannelFacts = channel.startsWith('D')
    ? { known: false, passing: false }
    : await parts.channels.find(channel, { fresh });
  return {
    ...common,
    kind: facts.known && facts.isMember ? 'member' : 'elsewhere',
    personLevel: await personLevelOf(channel, facts, parts),
  };
}

async function isDirect(channel: string, asker: string, { channels }: WhereParts): Promise<boolean> {
  if (!channel.startsWith('D')) return false;
  try {
    return (await channels.directWith(asker)) === channel;
  } catch {
    return false;
  }
}

async function personLevelOf(channel: string, facts: ChannelFacts, parts: WhereParts): Promise<PersonLevel> {
  if (!facts.known || facts.isShared) return 'never';
  const { personLevelChannels, store } = parts;
  if (personLevelChannels === '*' || personLevelChannels.includes(channel)) return 'allowed';
  return (await store.approvals.isChannelApproved(channel)) ? 'allowed' : 'not-approved';
}
