import type { Asker, ReportRequest, ResolvedRange } from '../requests/request.js';
import type { Approvals } from '../store/access/approvals.js';
import { randomId } from '../store/database.js';
import { answerRequest, type RequestContext } from './answer-request.js';
import { notifyAsker } from './delivery/notify-asker.js';
import type { ResponseUrl } from './delivery/response-url.js';
import type { PersonLevel } from './delivery/route.js';
import type { ChannelFacts, Channels } from './directory/channels.js';
import type { People } from './directory/people.js';
import type { ListenerParts } from './listeners/context.js';
import { describeFailure } from './messages/failures.js';
import { failureMessage, notice } from './messages/notices.js';

/** Where something was asked, and what may be done there. */
export interface Conversation {
  readonly channel: string;
  /** The thread it was asked in. */
  readonly thread?: string;
  /**
   * - `direct`: the direct messages between the asker and the bot.
   * - `member`: a channel that the bot is a member of.
   * - `elsewhere`: anywhere else; only the response URL reaches it.
   */
  readonly kind: 'direct' | 'member' | 'elsewhere';
  readonly personLevel: PersonLevel;
  readonly responseUrl?: ResponseUrl;
}

export interface ConversationParts {
  readonly channels: Channels;
  readonly store: { readonly approvals: Pick<Approvals, 'isChannelApproved'> };
  /** Channels that need no approval; `*`: all that are not shared. */
  readonly personLevelChannels: '*' | readonly string[];
}

export interface ConversationRef {
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
export async function resolveConversation(
  asked: ConversationRef,
  parts: ConversationParts,
  fresh = false,
): Promise<Conversation> {
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

async function isDirect(channel: string, asker: string, { channels }: ConversationParts): Promise<boolean> {
  if (!channel.startsWith('D')) return false;
  try {
    return (await channels.directWith(asker)) === channel;
  } catch {
    return false;
  }
}

async function personLevelOf(
  channel: string,
  facts: ChannelFacts,
  parts: ConversationParts,
): Promise<PersonLevel> {
  if (!facts.known || facts.isShared) return 'never';
  const { personLevelChannels, store } = parts;
  if (personLevelChannels === '*' || personLevelChannels.includes(channel)) return 'allowed';
  return (await store.approvals.isChannelApproved(channel)) ? 'allowed' : 'not-approved';
}

/** Somebody who may ask, or one sentence on why not. */
export type ResolvedAsker = { readonly asker: Asker } | { readonly refused: string };

/**
 * Judges whether somebody may ask: members of this workspace may; guests and people from elsewhere may not, and
 * somebody whom Slack does not describe may not either, since nobody can tell what they are.
 *
 * @param defaultZone for those whose profile gives none
 */
export async function resolveAsker(
  user: string,
  people: People,
  defaultZone: string,
): Promise<ResolvedAsker> {
  const person = await people.find(user);
  switch (person.standing) {
    case 'member':
      return {
        asker: {
          id: user,
          zone: person.zone ?? defaultZone,
          ...(person.email ? { email: person.email } : {}),
        },
      };
    case 'guest':
      return { refused: 'Guests cannot ask for reports. Ask a member of this workspace to do it for you.' };
    case 'outsider':
      return {
        refused: 'Only people of this workspace can ask for reports. Ask somebody here to do it for you.',
      };
    case 'unknown':
      return { refused: 'Slack could not tell me who you are just now. Try again in a minute.' };
    default:
      return { refused: 'Only people can ask for reports.' };
  }
}

/** An ask as it arrives, before anybody looked at who asks and where. */
export interface IncomingRequest extends ConversationRef, Pick<RequestContext, 'runOf' | 'isRepeat'> {
  readonly request: ReportRequest;
  /** After `/report `, as typed; absent where a button asked. */
  readonly typed?: string;
  /** Whose wall clock ranges follow, where it is not the asker's: that of the digest which is tried out. IANA. */
  readonly zone?: string;
  /** The range of an earlier answer, where the same is asked again. */
  readonly range?: ResolvedRange;
  /** The file alone, into the thread of the summary with this `ts`. */
  readonly fileInto?: string;
  /** Whom `me` means, where it is not the one who asks now: the asker of the answer that a file is wanted of. */
  readonly me?: string;
}

/** Takes an ask in: finds out who asks and where, and answers it. Never throws: what goes wrong is told. */
export async function receiveRequest(arriving: IncomingRequest, parts: ListenerParts): Promise<void> {
  let place: Conversation | undefined;
  try {
    const { request, typed, range, fileInto, zone, runOf, isRepeat } = arriving;
    const who = await resolveAsker(arriving.asker, parts.people, parts.defaultZone);
    place = await resolveConversation(arriving, parts);
    if ('refused' in who) {
      await notifyAsker(notice(who.refused), arriving.asker, place, parts.client);
      return;
    }
    const email = arriving.me ? (await parts.people.find(arriving.me)).email : who.asker.email;
    const { email: _own, ...asker } = who.asker;
    await answerRequest(
      {
        request,
        asker: { ...asker, ...(email ? { email } : {}), ...(zone ? { zone } : {}) },
        place,
        lookAgain: () => resolveConversation(arriving, parts, true),
        ...(typed === undefined ? {} : { typed }),
        ...(range ? { range } : {}),
        ...(fileInto ? { fileInto } : {}),
        ...(runOf ? { runOf } : {}),
        ...(isRepeat ? { isRepeat } : {}),
      },
      parts,
    );
  } catch (error) {
    const id = randomId();
    parts.log.error({ err: error, id }, 'A request could not be taken in');
    const message = failureMessage(describeFailure(error, id), undefined);
    await notifyAsker(message, arriving.asker, place ?? unknownPlace(arriving), parts.client);
  }
  parts.home.changed(arriving.asker);
}

/** Before anything is known of a place, only the command's own way back and the direct messages are sure. */
function unknownPlace({ channel, responseUrl }: ConversationRef): Conversation {
  return { channel, kind: 'elsewhere', personLevel: 'never', ...(responseUrl ? { responseUrl } : {}) };
}
