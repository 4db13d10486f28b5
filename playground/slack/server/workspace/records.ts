import type { ChannelKind, PageRefusal, StateValues } from '../page-shapes.js';

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
  /** `external`: a person of another organization. */
  readonly kind: 'member' | 'admin' | 'guest' | 'external' | 'bot' | 'deactivated';
  /** The person's own workspace; another one for external people. */
  readonly team: string;
  readonly initials: string;
  readonly colour: string;
  /** False until the person has confirmed the address; absent: confirmed; `unsaid`: the profile does not say. */
  readonly isEmailConfirmed?: boolean | 'unsaid';
  /** True for an owner of the workspace. */
  readonly isOwner?: boolean;
  /** What the person may see, in words for the page; absent: nothing is said. */
  readonly note?: string;
}

/** A Slack user group such as `@coaches`. */
export interface UserGroup {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly users: readonly string[];
  /** Seconds; 0 for a group in use. Slack disables groups and never deletes them. */
  readonly disabledAt: number;
  /** Seconds. */
  readonly updatedAt: number;
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
  /** Slack's subtype, on system messages only. */
  readonly notice?: string;
  edited?: { readonly user: string; readonly ts: string; readonly at: number };
  readonly files: readonly string[];
  /** On ephemeral messages: the only person who sees it. */
  readonly visibleTo?: string;
  /** Input values, by person. */
  readonly state: Map<string, StateValues>;
  /** Error messages after clicks, by person. */
  readonly failed: Map<string, string>;
}

export interface StoredFile {
  readonly id: string;
  readonly name: string;
  title: string;
  readonly size: number;
  readonly mimetype: string;
  readonly altText: string;
  /** Path of the content on disk. */
  readonly path: string;
  /** `expected`: declared and not yet uploaded. */
  state: 'expected' | 'uploaded' | 'complete' | 'deleted';
  readonly created: number;
  readonly shares: { readonly channel: string; readonly ts: string; readonly threadTs?: string }[];
}

export interface View {
  readonly id: string;
  readonly type: 'modal' | 'home';
  readonly user: string;
  /** The view as the bot sent it, with a `block_id` on every block. */
  content: SlackObject & { readonly blocks: readonly SlackObject[] };
  hash: string;
  state: StateValues;
  readonly rootId: string;
  readonly previousId?: string;
  errors: Readonly<Record<string, string>>;
  failed?: string;
  waiting: boolean;
}

/** A message that the bot posted. Posts are never removed, because crash tests count them. */
export interface Post
  extends Readonly<Pick<Message, 'channel' | 'ts' | 'text' | 'blocks' | 'files' | 'threadTs' | 'visibleTo'>> {
  readonly method:
    | 'chat.postMessage'
    | 'chat.postEphemeral'
    | 'files.completeUploadExternal'
    | 'response_url';
  /** Milliseconds by the machine's clock. */
  readonly at: number;
  /** False if a fault kept the answer from the bot. */
  answered: boolean;
}

export interface RefusedPayload extends Omit<PageRefusal, 'id' | 'at'> {
  /** The only person who sees it; absent if everybody does. */
  readonly user?: string;
}
