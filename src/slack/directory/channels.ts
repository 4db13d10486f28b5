import type { WebClient } from '@slack/web-api';
import { isPermanentError } from '../transport/clients.js';

/** A channel as Slack describes it; not known where Slack refuses to, as for private ones that the bot is not in. */
export type ChannelFacts =
  | {
      readonly known: true;
      readonly isMember: boolean;
      /** Shared with another organization, or about to be. */
      readonly isShared: boolean;
      readonly isArchived: boolean;
      readonly isPrivate: boolean;
      /** Nobody but some may post there. */
      readonly isReadOnly: boolean;
    }
  /** `passing`: Slack could not be asked, rather than refused. */
  | { readonly known: false; readonly passing: boolean };

export interface Channels {
  /** Never throws. `fresh`: as Slack describes it at this moment. */
  find(channel: string, options?: { readonly fresh?: boolean }): Promise<ChannelFacts>;
  /** Something about the channel has changed. */
  forget(channel: string): void;
  /** The direct messages between the bot and a person. Throws where Slack opens none. */
  directWith(user: string): Promise<string>;
}

const freshForMilliseconds = 10 * 60_000;
const mostRemembered = 10_000;

/**
 * Channels as Slack describes them, remembered for ten minutes, since Slack lets an app ask about fifty a minute.
 *
 * @param client may try again: these calls change nothing that anybody sees
 * @param now milliseconds of a clock that nobody moves
 */
export function channelsOf(client: WebClient, now: () => number): Channels {
  const known = new Map<string, { readonly facts: Promise<ChannelFacts>; readonly at: number }>();
  const direct = new Map<string, string>();

  return {
    find(channel, { fresh = false } = {}) {
      const found = known.get(channel);
      if (!fresh && found && now() - found.at < freshForMilliseconds) return found.facts;
      if (known.size >= mostRemembered) known.clear();
      const facts = askSlack(client, channel);
      known.set(channel, { facts, at: now() });
      void facts.then((described) => {
        // A refusal stays one for a while; a Slack that could not be asked may answer the next time.
        if (!described.known && described.passing) known.delete(channel);
      });
      return facts;
    },
    forget(channel) {
      known.delete(channel);
    },
    async directWith(user) {
      const found = direct.get(user);
      if (found) return found;
      const { channel } = await client.conversations.open({ users: user });
      if (!channel?.id) throw new Error('Slack opened no direct messages');
      direct.set(user, channel.id);
      return channel.id;
    },
  };
}

async function askSlack(client: WebClient, channel: string): Promise<ChannelFacts> {
  try {
    const { channel: described } = await client.conversations.info({ channel });
    if (!described) return { known: false, passing: true };
    const { is_member, is_ext_shared, is_pending_ext_shared, is_org_shared, is_archived, is_private } =
      described;
    const isReadOnly = 'is_read_only' in described && described.is_read_only === true;
    const pending = described.pending_connected_team_ids ?? [];
    return {
      known: true,
      isMember: is_member === true,
      // Shared within one organization's workspaces is not shared with another organization.
      isShared:
        is_ext_shared === true ||
        is_pending_ext_shared === true ||
        (pending.length > 0 && is_org_shared !== true),
      isArchived: is_archived === true,
      isPrivate: is_private === true,
      isReadOnly,
    };
  } catch (error) {
    return { known: false, passing: !isPermanentError(error) };
  }
}
