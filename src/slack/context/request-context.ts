import type { BlockAction } from '@slack/bolt';
import type { FetchFunction } from '@slack/web-api';
import { ok, type Result, refused } from '../../errors/failure.js';
import type { Asker } from '../../requests/request.js';
import type { PersonLevel } from '../../runner/answer-parts.js';
import type { ReportResult } from '../../runner/run-report.js';
import type { Approvals } from '../../store/access/rules.js';
import { type OutgoingMessage, outcomeOfLostCall, type PostOutcome } from '../delivery/post-message.js';
import type { ChannelFacts, Channels, Freshness, Memberships } from '../directory/channels.js';
import type { People } from '../directory/people.js';

/** Work that another process had before, and may have begun. */
export interface TakenOver {
  /** Milliseconds since the epoch. */
  readonly arrivedAt: number;
}

/**
 * The assistant through which a person asks. The response URL of its context leads back to it, so it gets what the person
 * would be told.
 */
export interface Assistant {
  /** Takes figures in place of a message. Absent: the answer goes to the person's direct messages. */
  readonly takeFigures?: (figures: AssistantFigures) => void;
  /** Cancels what runs for it. */
  readonly signal: AbortSignal;
  readonly onRecords: (records: number) => void;
  /** The run waits for the service, in milliseconds; undefined: for an unknown time. */
  readonly onWait: (milliseconds: number | undefined) => void;
}

export interface AssistantFigures {
  readonly result: ReportResult;
  /** `/report engagement last-week` */
  readonly command: string;
  /** Throws if the person no longer has the same rights. */
  readonly lookAgain: () => Promise<unknown>;
}

/** The person and the conversation of a request, as Slack reported them. */
export interface RequestContext {
  /** A Slack user ID. */
  readonly asker: string;
  readonly channel: string;
  /** The `ts` of the first message of its thread. */
  readonly thread?: string | undefined;
  readonly responseUrl?: ResponseUrl | undefined;
  readonly responseAddress?: string | undefined;
  /** Opens a form within three seconds. Absent: Slack gave none. */
  readonly triggerId?: string | undefined;
  /** The words after `/report `, as typed; absent if the request came from a button or a form. */
  readonly typed?: string | undefined;
  /** True where the asker wants the entries of filters as they were typed. */
  readonly asTyped?: boolean | undefined;
  /** For the test of a digest: its channel. The asker sees what that will get. */
  readonly testOf?: string | undefined;
  readonly assistant?: Assistant | undefined;
}

/** The context of a delivery, whose asker is not looked up yet. */
export interface UncheckedContext extends RequestContext {
  /** The ID of the delivery, and of the request that it makes. */
  readonly requestId: string;
  /** Set where another process had the delivery before, and may have begun its work. */
  readonly takenOver?: TakenOver | undefined;
  readonly member?: Asker;
}

/** The context of a request by a member of this workspace. The router looks it up, once. */
export interface MemberContext extends UncheckedContext {
  readonly member: Asker;
  /** Where the row asks for it. */
  readonly conversation?: Conversation | undefined;
}

/** For rows that ask for the conversation. */
export interface PlacedContext extends MemberContext {
  readonly conversation: Conversation;
}

/** The same request in another channel. Only its asker is there. */
export function inChannel(
  { asker, member, requestId, takenOver }: MemberContext,
  channel: string,
): MemberContext {
  return { asker, member, requestId, takenOver, channel };
}

/** Where a button was pressed; undefined outside of conversations, such as on the Home tab. */
export function contextOf(body: BlockAction, { send }: { readonly send: Send }): RequestContext | undefined {
  const channel = body.channel?.id ?? body.container?.channel_id;
  if (!channel) return undefined;
  // Slack does not send the text of an ephemeral message, only where it is.
  const { ts, thread_ts: thread }: { ts?: string; thread_ts?: string } = body.message ?? body.container ?? {};
  return {
    channel,
    asker: body.user.id,
    thread: thread === ts ? undefined : thread,
    responseUrl: body.response_url ? responseUrl(body.response_url, send) : undefined,
    responseAddress: body.response_url || undefined,
    triggerId: body.trigger_id,
  };
}

/** The conversation of a request, and what Rollcall may do there. */
export interface Conversation {
  readonly channel: string;
  /** The `ts` of the first message of its thread. */
  readonly thread?: string | undefined;
  /**
   * - `direct`: the direct messages between the asker and the bot.
   * - `member`: a channel that the bot is a member of.
   * - `elsewhere`: anywhere else; only the response URL reaches it.
   */
  readonly kind: 'direct' | 'member' | 'elsewhere';
  readonly personLevel: PersonLevel;
  /** For the test of a digest in a channel: whether that may get person-level data. */
  readonly testOf?: PersonLevel | undefined;
  readonly responseUrl?: ResponseUrl | undefined;
  readonly assistant?: Assistant | undefined;
}

export interface ConversationParts {
  readonly channels: Channels;
  readonly store: { readonly approvals: Pick<Approvals, 'isChannelApproved' | 'lostApproval'> };
  /** Channels that need no approval; `*`: all that are not shared. */
  readonly personLevelChannels: '*' | readonly string[];
}

/** Finds out what Rollcall may do in a conversation. `fresh`: how old the description of the channel may be. */
export async function resolveConversation(
  { channel, thread, asker, responseUrl, testOf, assistant }: RequestContext,
  parts: ConversationParts,
  fresh: Freshness = false,
): Promise<Conversation> {
  const common = { channel, thread, responseUrl, assistant };
  // Nobody knows who reads what an assistant writes.
  if (assistant?.takeFigures) return { ...common, kind: 'elsewhere', personLevel: 'never' };
  const isOfTwo = channel.startsWith('D');
  if (isOfTwo && (await isDirect(channel, asker, parts))) {
    const direct = { ...common, kind: 'direct', personLevel: 'allowed' } as const;
    if (testOf === undefined || testOf === channel) return direct;
    const there = await resolveConversation({ channel: testOf, asker }, parts, fresh);
    return there.kind === 'direct' ? direct : { ...direct, testOf: there.personLevel };
  }
  // An ID that begins with D is a conversation between two people, and Slack does not let a bot read those.
  const facts: ChannelFacts = isOfTwo
    ? { known: false, isTemporary: false }
    : await parts.channels.find(channel, fresh);
  return {
    ...common,
    kind: facts.known && facts.isMember ? 'member' : 'elsewhere',
    personLevel: await personLevelIn(channel, facts, parts),
  };
}

/** The safe assumption before Slack has described the conversation: only the response URL reaches it. */
export function unresolvedConversation({ channel, responseUrl, assistant }: RequestContext): Conversation {
  return { channel, kind: 'elsewhere', personLevel: 'never', responseUrl, assistant };
}

/**
 * Checks whether a person may request reports. Members of this workspace may. Guests, people from other workspaces and
 * people whom Slack does not describe may not. The refusal is a sentence for them.
 *
 * @param defaultZone IANA zone for people whose profile has none
 */
export async function resolveAsker(
  user: string,
  people: People,
  defaultZone: string,
): Promise<Result<Asker>> {
  const { standing, zone = defaultZone, email } = await people.find(user);
  return standing === 'member' ? ok({ id: user, zone, email }) : refused(askerRefusals[standing]);
}

const askerRefusals = {
  guest: 'Guests cannot ask for reports. Ask a member of this workspace to do it for you.',
  outsider: 'Only members of this workspace can ask for reports. Ask one of them to do it for you.',
  unknown: 'Slack could not tell me who you are just now. Try again in a minute.',
  bot: 'Only people can ask for reports.',
  gone: 'Only people can ask for reports.',
};

/**
 * Why an answer may not be posted in a channel that a person chose, and what to do. Undefined if it may. Slack is asked
 * about the channel and its members now, because people choose from lists that may be old.
 */
export async function postingRefusal(
  channel: string,
  user: string,
  { channels, memberships }: { readonly channels: Channels; readonly memberships: Memberships },
): Promise<string | undefined> {
  const reason = unusableChannel(await channels.find(channel, true));
  if (reason !== undefined) return reason;
  const isMember = await memberships.isMember(channel, user, true);
  if (isMember === 'unknown') return 'Slack did not say who is in that channel. Try again.';
  return isMember ? undefined : 'You are not a member of that channel. Join it first, or choose another one.';
}

/** Why Rollcall cannot work in a channel, and what to do. Undefined if it can. */
export function unusableChannel(facts: ChannelFacts, { posts = true } = {}): string | undefined {
  if (!facts.known && facts.isTemporary) return 'Slack did not find that channel in time. Try again.';
  if (!facts.known || !facts.isMember) {
    return 'I am not in that channel. Type /invite @Rollcall there, or choose another channel.';
  }
  if (facts.isArchived) return 'That channel is archived. Choose another one.';
  return posts && facts.isReadOnly ? 'That channel is read-only. Choose another one.' : undefined;
}

export async function isDirect(
  channel: string,
  asker: string,
  { channels }: Pick<ConversationParts, 'channels'>,
): Promise<boolean> {
  if (!channel.startsWith('D')) return false;
  try {
    return (await channels.directWith(asker)) === channel;
  } catch {
    return false;
  }
}

/**
 * True if a person may see what is saved in a channel: in their own direct messages with the bot, in public channels,
 * and in private channels of which both are members.
 */
export async function maySee(
  channel: string,
  user: string,
  parts: { readonly channels: Channels; readonly memberships: Memberships },
): Promise<boolean> {
  if (channel.startsWith('D')) return isDirect(channel, user, parts);
  const facts = await parts.channels.find(channel);
  if (facts.known && !facts.isPrivate) return true;
  return (await parts.memberships.channelsOf(user))?.has(channel) ?? false;
}

async function personLevelIn(
  channel: string,
  facts: ChannelFacts,
  { personLevelChannels, store }: ConversationParts,
): Promise<PersonLevel> {
  if (!facts.known || facts.isShared) return 'never';
  const isConfigured = personLevelChannels === '*' || personLevelChannels.includes(channel);
  if (isConfigured && !(await store.approvals.lostApproval(channel))) return 'allowed';
  return (await store.approvals.isChannelApproved(channel)) ? 'allowed' : 'not-approved';
}

/** Slack accepts five replies within 30 minutes. Rollcall stops at 25, so that none arrives late. */
export const maxUrlUses = 5;
const lifetimeMs = 25 * 60_000;

/** `fetch` through the proxies of the settings, to Slack alone. Throws NotSlack for other addresses. */
export type Send = FetchFunction;

/** A response URL that does not lead to Slack. Nothing was sent. */
class NotSlack extends Error {}

/**
 * Limits `fetch` to Slack. A request that was forged with the signing secret may name any address, and answers
 * would go there.
 *
 * @param apiUrl the address of the Web API; its host is trusted too, whatever the port. All names of this machine are one
 */
export function sendToSlackOnly(fetch: FetchFunction, apiUrl: string): Send {
  const { hostname: apiHost } = new URL(apiUrl);
  const nameOfHost = (host: string) =>
    /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(host) ? 'localhost' : host;
  return async (url, init) => {
    const { protocol, hostname } = new URL(String(url));
    const isSlack = protocol === 'https:' && /\.slack(?:-gov)?\.com$/.test(hostname);
    if (!isSlack && nameOfHost(hostname) !== nameOfHost(apiHost))
      throw new NotSlack('The response URL does not lead to Slack');
    return fetch(url, init);
  };
}

/** It works in conversations without the bot. `age`: milliseconds since Slack sent it, in real time. */
export function responseUrl(url: string, send: Send, age = 0) {
  const expires = performance.now() + lifetimeMs - age;
  let left = maxUrlUses;

  async function answer(body: object): Promise<PostOutcome> {
    left -= 1;
    try {
      const response = await send(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(30_000),
      });
      return outcomeOf(response.status, (await response.text()).slice(0, 500));
    } catch (error) {
      if (error instanceof NotSlack) return { kind: 'not-posted', code: 'not_slack' };
      return outcomeOfLostCall(error);
    }
  }

  return {
    /** False if it has been used up or has expired. */
    isOpen: () => left > 0 && performance.now() < expires,
    toAsker: (message: OutgoingMessage) =>
      answer({ response_type: 'ephemeral', replace_original: false, ...message }),
    toChannel: (message: OutgoingMessage) =>
      answer({ response_type: 'in_channel', replace_original: false, ...message }),
    /** Replaces the message with the button. */
    replaceOriginal: (message: OutgoingMessage) => answer({ replace_original: true, ...message }),
    deleteOriginal: () => answer({ delete_original: true }),
  };
}

/** The response URL that Slack sends with a command or a button. */
export type ResponseUrl = ReturnType<typeof responseUrl>;

/**
 * Slack replies `ok`, or a status or text with an error. After a server error the outcome is unknown, and after the page
 * of a proxy too.
 */
function outcomeOf(status: number, text: string): PostOutcome {
  if (status >= 500) return { kind: 'unknown', code: `http_${status}` };
  if (status === 429) return { kind: 'not-posted', code: 'ratelimited' };
  const code = errorIn(text);
  if (status >= 300 || code !== undefined) {
    return { kind: 'not-posted', code: code ?? `http_${status}` };
  }
  if (text.trimStart().startsWith('<')) return { kind: 'unknown', code: 'connection_lost' };
  return { kind: 'posted', channel: '', ts: '' };
}

/** The error in a reply: `{"ok":false,"error":"…"}` or the bare code; undefined for `ok`. */
function errorIn(text: string): string | undefined {
  const bare = text.trim();
  if (bare === '' || bare === 'ok') return undefined;
  try {
    const answer: unknown = JSON.parse(bare);
    if (typeof answer !== 'object' || answer === null || !('ok' in answer) || answer.ok === true)
      return undefined;
    return 'error' in answer && typeof answer.error === 'string' ? answer.error : 'not_ok';
  } catch {
    return /^[a-z_]{3,60}$/.test(bare) ? bare : undefined;
  }
}
