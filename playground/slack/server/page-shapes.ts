/**
 * The things of the local workspace as the browser page sees them. Types only: the page imports this file, so nothing
 * here may need Node. Blocks, views and state values keep Slack's own JSON; everything else is in our own words.
 */

/** Anything JSON. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json | undefined;
}

/** A Block Kit block or element, exactly as the bot sent it (blocks without a `block_id` have got one). */
export type SlackBlock = JsonObject & { readonly type: string; readonly block_id?: string };

/** What an input holds, in Slack's own form: `{type, value | selected_option | selected_options | selected_date …}`. */
export type StateValue = JsonObject & { readonly type: string };
/** By `block_id`, then `action_id`. */
export type StateValues = Readonly<Record<string, Readonly<Record<string, StateValue>>>>;

export interface PageUser {
  readonly id: string;
  /** What others call the person: `Ada Moreau`. */
  readonly name: string;
  /** What is typed after `@`: `ada`. */
  readonly handle: string;
  readonly title: string;
  readonly email: string;
  /** IANA zone of the profile. */
  readonly zone: string;
  readonly kind: 'member' | 'admin' | 'guest' | 'external' | 'bot' | 'deactivated';
  /** Two letters and a colour, since nobody here has a photograph. */
  readonly initials: string;
  readonly colour: string;
}

export type ChannelKind = 'public' | 'private' | 'im' | 'mpim';

export interface PageChannel {
  readonly id: string;
  readonly kind: ChannelKind;
  /** Without `#`. For a direct message the other person's name, as the one who looks sees it. */
  readonly name: string;
  readonly topic: string;
  readonly members: readonly string[];
  readonly hasBot: boolean;
  /** True when the one who looks is a member, and so can write. */
  readonly joined: boolean;
  readonly archived: boolean;
  /** Shared with another organization. */
  readonly shared: boolean;
  /** About to be shared with another organization. */
  readonly sharePending: boolean;
  readonly readOnly: boolean;
  /** Timestamp of the last message that the one who looks has seen; absent: none. */
  readonly seen?: string;
}

export interface PageFile {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  /** Bytes. */
  readonly size: number;
  readonly mimetype: string;
  /** Words for a screen reader; may be empty. */
  readonly altText: string;
  /** Path on this server that answers with the bytes: `/files/F…/report.csv`. */
  readonly url: string;
  readonly deleted: boolean;
}

export interface PageMessage {
  readonly channel: string;
  /** Slack's `ts`: the message's name within its channel, increasing. */
  readonly ts: string;
  /** Milliseconds since the epoch by the workspace's clock. */
  readonly at: number;
  readonly user: string;
  /** Mrkdwn as Slack keeps it, escaped (`&amp;`, `<@U1>`). With blocks it is only the fallback for screen readers. */
  readonly text: string;
  readonly blocks: readonly SlackBlock[];
  /** Only for messages that are notices of the workspace itself: `channel_join`, `channel_archive`, `file_deleted` … */
  readonly notice?: string;
  /** Parent of the thread; equal to `ts` on a parent that has replies. */
  readonly threadTs?: string;
  readonly replyCount: number;
  readonly latestReply?: string;
  /** Milliseconds; present: shown as "(edited)". */
  readonly editedAt?: number;
  readonly files: readonly PageFile[];
  /** "Only visible to you". */
  readonly ephemeral: boolean;
  /** What the person has typed or chosen in the inputs of this message. */
  readonly state: StateValues;
  /** A click on this message that went wrong: the bot did not answer in time, or answered wrongly. */
  readonly failed?: string;
}

export interface PageView {
  readonly id: string;
  readonly type: 'modal' | 'home';
  readonly callbackId: string;
  readonly title: string;
  /** Absent: the view has no such button (a modal without one has no inputs). */
  readonly submit?: string;
  readonly close: string;
  readonly blocks: readonly SlackBlock[];
  readonly state: StateValues;
  /** Changes with every update. Typed values survive when `block_id` and `action_id` stay. */
  readonly hash: string;
  /** Sentences under inputs, by `block_id`. */
  readonly errors: Readonly<Record<string, string>>;
  /** A sentence across the view, when the bot did not answer or answered wrongly. */
  readonly failed?: string;
  /** Submitted, and the bot's answer is awaited. */
  readonly waiting: boolean;
}

export interface PageCommand {
  readonly command: string;
  readonly description: string;
  readonly usageHint: string;
}

export interface PageShortcut {
  readonly callbackId: string;
  readonly type: 'global' | 'message';
  readonly name: string;
  readonly description: string;
}

/** One rule that a payload broke. */
export interface RuleViolation {
  /** Short and stable: `too_long`, `missing`, `not_allowed_here` … */
  readonly code: string;
  /** Slack's own kind of sentence: `must be less than 151 characters`. */
  readonly message: string;
  /** JSON pointer into the payload: `/blocks/0/text/text`. */
  readonly pointer: string;
}

/** Something that Slack would refuse, shown in red. */
export interface PageRefusal {
  readonly id: number;
  /** Milliseconds since the epoch by the workspace's clock, as messages have it. */
  readonly at: number;
  /** `chat.postMessage`, `views.open`, `response_url`, `answer to view_submission` … */
  readonly method: string;
  /** Slack's error: `invalid_blocks`, `not_in_channel` … */
  readonly error: string;
  /** A sentence for people. */
  readonly sentence: string;
  readonly rules: readonly RuleViolation[];
  /** Where it would have appeared, when that is known. */
  readonly channel?: string;
}

export interface InspectorEntry {
  readonly id: number;
  /** Milliseconds since the epoch by the machine's own clock. */
  readonly at: number;
  readonly direction: 'bot to Slack' | 'Slack to bot' | 'bot to Reporting Service';
  /** `chat.postMessage`, `slash_commands /report`, `POST …/reports/user-engagement/…`. */
  readonly title: string;
  readonly state: 'waiting' | 'ok' | 'refused' | 'failed';
  /** Slack's error, an HTTP status, or what went wrong. */
  readonly error?: string;
  /** Bodies as readable text, tokens masked, long ones cut with a line that says so. */
  readonly request: string;
  readonly answer?: string;
  /** Whole size of the answer in bytes. */
  readonly answerBytes?: number;
  /** From the request to its whole answer. */
  readonly durationMs?: number;
}

export interface PageClock {
  /** Milliseconds since the epoch by the workspace's clock, at the time of sending. */
  readonly now: number;
  /** How far the workspace's clock is ahead of the machine's, in milliseconds. */
  readonly offsetMs: number;
}
