import type { ChannelKind, RuleViolation, StateValues } from '../page-shapes.js';

export type SlackObject = Readonly<Record<string, unknown>>;

export interface Person {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly title: string;
  readonly email: string;
  /** IANA zone. */
  readonly zone: string;
  readonly locale: string;
  /** `gone`: they have left the workspace, and their account is deactivated. */
  readonly kind: 'member' | 'admin' | 'guest' | 'external' | 'bot' | 'deactivated';
  /** The person's own workspace; another one for a stranger. */
  readonly team: string;
  readonly initials: string;
  readonly colour: string;
}

export interface Channel {
  readonly id: string;
  readonly kind: ChannelKind;
  name: string;
  topic: string;
  /** Seconds. */
  readonly created: number;
  readonly creator: string;
  readonly members: Set<string>;
  archived: boolean;
  shared: boolean;
  sharePending: boolean;
  readOnly: boolean;
}

export interface Message {
  readonly channel: string;
  readonly ts: string;
  /** Milliseconds by the workspace's clock. */
  readonly at: number;
  readonly user: string;
  text: string;
  blocks: readonly SlackObject[];
  attachments: readonly SlackObject[];
  metadata?: SlackObject;
  readonly threadTs?: string;
  /** A notice of the workspace itself, by Slack's subtype. */
  readonly notice?: string;
  edited?: { readonly user: string; readonly ts: string; readonly at: number };
  readonly files: readonly string[];
  /** Present on an ephemeral message: the only person who sees it. */
  readonly visibleTo?: string;
  /** What people have put into its inputs, by person. */
  readonly state: Map<string, StateValues>;
  /** A click that went wrong, by person. */
  readonly failed: Map<string, string>;
}

export interface StoredFile {
  readonly id: string;
  readonly name: string;
  title: string;
  readonly size: number;
  readonly mimetype: string;
  readonly altText: string;
  /** Where the bytes lie. */
  readonly path: string;
  /** Declared, uploaded, completed, deleted. */
  state: 'expected' | 'uploaded' | 'complete' | 'deleted';
  readonly created: number;
  readonly shares: { readonly channel: string; readonly ts: string; readonly threadTs?: string }[];
}

export interface View {
  readonly id: string;
  readonly type: 'modal' | 'home';
  readonly user: string;
  /** What the bot sent, with a `block_id` on every block. */
  content: SlackObject & { readonly blocks: readonly SlackObject[] };
  hash: string;
  state: StateValues;
  readonly rootId: string;
  readonly previousId?: string;
  errors: Readonly<Record<string, string>>;
  failed?: string;
  waiting: boolean;
}

/** One message that the local Slack has recorded for the bot, kept for ever: the count that crash tests trust. */
export interface Post {
  readonly channel: string;
  readonly ts: string;
  readonly method:
    | 'chat.postMessage'
    | 'chat.postEphemeral'
    | 'files.completeUploadExternal'
    | 'response_url';
  readonly text: string;
  readonly blocks: readonly SlackObject[];
  readonly threadTs?: string;
  readonly visibleTo?: string;
  readonly files: readonly string[];
  readonly metadata?: SlackObject;
  /** Milliseconds by the machine's own clock. */
  readonly at: number;
  /** False when a fault kept Slack's `ok` from the bot. */
  answered: boolean;
}

export interface RefusedPayload {
  readonly method: string;
  readonly error: string;
  readonly sentence: string;
  readonly rules: readonly RuleViolation[];
  readonly channel?: string;
  /** Only this person sees it; absent: everybody does. */
  readonly user?: string;
}
