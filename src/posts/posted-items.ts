/** A message or file that Slack confirmed. */
export interface PostedItem {
  readonly kind: 'message' | 'file';
  readonly channel: string;
  /** The `ts` of a message, or the ID of a file. */
  readonly item: string;
}

/** An item with the message that it belongs to: the first one of its thread, or the summary of a file. */
export interface NewPostedItem extends PostedItem {
  readonly root?: { readonly channel: string; readonly ts: string } | undefined;
  /** True for a message that shows rows. It is deleted at the age that admins set for its channel, as all files are. */
  readonly holdsRows?: boolean;
  /** The file of a digest: deleted at once if its message is gone already. */
  readonly isOfDigest?: boolean;
}

/** An item that Rollcall is to delete from Slack. */
export interface DueDeletion extends PostedItem {
  /** How often Slack refused to delete it. */
  readonly refusals: number;
}

/** The subject of the setting for everybody's direct messages with Rollcall. No channel has this ID. */
export const directMessages = 'D';

/** The queue of deletions: posted items that Rollcall may have to delete. Only confirmed posts enter it. */
export interface PostedItems {
  /** Records an item that is no part of an answer or a digest. */
  add(item: NewPostedItem, at: number): Promise<void>;
  /** Items to delete now, the longest waiting first. */
  due(now: number, limit: number): Promise<readonly DueDeletion[]>;
  /** How many items there are to delete now. */
  countDue(now: number): Promise<number>;
  /** The item is gone from Slack, or Rollcall has given up. */
  end(item: PostedItem, at: number): Promise<void>;
  /** @param isRefusal counts towards giving up */
  postpone(item: PostedItem, readyAt: number, isRefusal: boolean): Promise<void>;
  /** Forgets at most `limit` items posted before `time`. Returns how many. */
  deleteBefore(time: number, limit: number): Promise<number>;
}

/** Admins' settings of conversations: after how many days Rollcall deletes its files and rows there. */
export interface ChannelAges {
  /** For direct messages without a setting of their own, that of all direct messages. */
  find(channel: string): Promise<number | undefined>;
  all(): Promise<readonly { readonly channel: string; readonly days: number }[]>;
  /** @param days absent: they stay */
  set(
    channel: string | typeof directMessages,
    days: number | undefined,
    by: string,
    at: number,
  ): Promise<void>;
}

/** Slack's answer to a deletion. An item that is gone already counts as `deleted`. */
export type DeletionOutcome =
  | { readonly kind: 'deleted' }
  /** Slack was not reached, was busy or refused the bot's token. */
  | { readonly kind: 'wait'; readonly code: string; readonly seconds: number }
  | { readonly kind: 'refused'; readonly code: string };
