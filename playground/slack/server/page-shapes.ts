/**
 * The objects of the local workspace as the browser page sees them. Types only: the page imports this file, so nothing
 * here may need Node. Blocks, views and state values keep Slack's JSON; the rest is this project's own.
 */

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: Json | undefined;
}

/** A Block Kit block or element as the bot sent it. Blocks sent without a `block_id` have a generated one. */
export type SlackBlock = JsonObject & { readonly type: string; readonly block_id?: string };

/** The value of an input, in Slack's form: `{type, value | selected_option | selected_options | selected_date …}`. */
export type StateValue = JsonObject & { readonly type: string };
/** By `block_id`, then `action_id`. */
export type StateValues = Readonly<Record<string, Readonly<Record<string, StateValue>>>>;

export interface PageUser {
  readonly id: string;
  /** Display name: `Ada Moreau`. */
  readonly name: string;
  /** The text after `@`: `ada`. */
  readonly handle: string;
  readonly title: string;
  readonly email: string;
  /** IANA time zone of the profile. */
  readonly zone: string;
  readonly kind: 'member' | 'admin' | 'guest' | 'external' | 'bot' | 'deactivated';
  /** Avatars show initials on a colour. */
  readonly initials: string;
  readonly colour: string;
  /** What the person may see, in words; absent: nothing is said. */
  readonly note?: string;
}

export type ChannelKind = 'public' | 'private' | 'im' | 'mpim';

export interface PageChannel {
  readonly id: string;
  readonly kind: ChannelKind;
  /** Without `#`. For a direct message, the name of the other person. */
  readonly name: string;
  readonly topic: string;
  readonly members: readonly string[];
  readonly hasBot: boolean;
  /** True if the viewer is a member. */
  readonly joined: boolean;
  readonly archived: boolean;
  /** Shared with another organization. */
  readonly shared: boolean;
  /** About to be shared with another organization. */
  readonly sharePending: boolean;
  readonly readOnly: boolean;
  /** Timestamp of the last message that the viewer has seen; absent if none. */
  readonly seen?: string;
}

export interface PageFile {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  /** Bytes. */
  readonly size: number;
  readonly mimetype: string;
  /** Alternative text for screen readers; may be empty. */
  readonly altText: string;
  /** Path of the content on this server: `/files/F…/report.csv`. */
  readonly url: string;
  readonly deleted: boolean;
}

export interface PageMessage {
  readonly channel: string;
  /** Slack's `ts`: the message's ID within its channel, increasing. */
  readonly ts: string;
  /** Milliseconds since the epoch by the workspace's clock. */
  readonly at: number;
  readonly user: string;
  /** Mrkdwn as Slack stores it, escaped (`&amp;`, `<@U1>`). With blocks, only the fallback for screen readers. */
  readonly text: string;
  readonly blocks: readonly SlackBlock[];
  /** Slack's subtype of a system message: `channel_join`, `channel_archive` … */
  readonly notice?: string;
  /** `ts` of the thread's parent; equal to `ts` on a parent with replies. */
  readonly threadTs?: string;
  readonly replyCount: number;
  readonly latestReply?: string;
  /** Milliseconds since the epoch. If present, the page shows "(edited)". */
  readonly editedAt?: number;
  readonly files: readonly PageFile[];
  /** Shown as "Only visible to you". */
  readonly ephemeral: boolean;
  /** Values of the message's inputs, as the person set them. */
  readonly state: StateValues;
  /** Error message after a click, when the bot did not answer in time or answered wrongly. */
  readonly failed?: string;
}

export interface PageView {
  readonly id: string;
  readonly type: 'modal' | 'home';
  readonly callbackId: string;
  readonly title: string;
  /** Absent if the view has no submit button. */
  readonly submit?: string;
  readonly close: string;
  readonly blocks: readonly SlackBlock[];
  readonly state: StateValues;
  /** Changes with every update. Typed values stay if `block_id` and `action_id` stay. */
  readonly hash: string;
  /** Error messages of inputs, by `block_id`. */
  readonly errors: Readonly<Record<string, string>>;
  /** Error message of the view, when the bot did not answer in time or answered wrongly. */
  readonly failed?: string;
  /** True between the submission and the bot's answer. */
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

/** A rule of Slack that a payload violates. */
export interface RuleViolation {
  /** Stable code: `too_long`, `missing`, `not_allowed_here` … */
  readonly code: string;
  /** Message in Slack's style: `must be less than 151 characters`. */
  readonly message: string;
  /** JSON pointer into the payload: `/blocks/0/text/text`. */
  readonly pointer: string;
}

/** A payload that Slack would refuse, shown in red. */
export interface PageRefusal {
  readonly id: number;
  /** Milliseconds since the epoch by the workspace's clock. */
  readonly at: number;
  /** `chat.postMessage`, `views.open`, `response_url`, `answer to view_submission` … */
  readonly method: string;
  /** Slack's error: `invalid_blocks`, `not_in_channel` … */
  readonly error: string;
  /** Message for people. */
  readonly sentence: string;
  readonly rules: readonly RuleViolation[];
  /** The channel it was meant for, if known. */
  readonly channel?: string;
}

export interface InspectorEntry {
  readonly id: number;
  /** Milliseconds since the epoch by the machine's clock. */
  readonly at: number;
  readonly direction: 'bot to Slack' | 'Slack to bot' | 'bot to Reporting Service';
  /** `chat.postMessage`, `slash_commands /report`, `POST …/reports/user-engagement/…`. */
  readonly title: string;
  readonly state: 'waiting' | 'ok' | 'refused' | 'failed';
  /** Slack's error, an HTTP status, or a description. */
  readonly error?: string;
  /** Bodies as readable text, with tokens masked and long texts cut. */
  readonly request: string;
  readonly answer?: string;
  /** Full size of the answer in bytes. */
  readonly answerBytes?: number;
  /** Time from the request to the end of the answer. */
  readonly durationMs?: number;
}

export interface PageClock {
  /** The workspace's time at sending, in milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds that the workspace's clock is ahead of the machine's. */
  readonly offsetMs: number;
}

/** One of several processes of the bot. */
export interface PageProcess {
  /** From 1 on. */
  readonly number: number;
  readonly state: 'starting' | 'running';
  /** True for the one that runs the digests. */
  readonly leads: boolean;
}
