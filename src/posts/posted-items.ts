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

export interface DueDeletion extends PostedItem {
  /** How often Slack refused to delete it. */
  readonly refusals: number;
}

/** The subject of the setting for everybody's direct messages with Rollcall. No channel has this ID. */
export const directMessages = 'D';

/** Slack's answer to a deletion. An item that is gone already counts as `deleted`. */
export type DeletionOutcome =
  | { readonly kind: 'deleted' }
  /** Slack was not reached, was busy or refused the bot's token. */
  | { readonly kind: 'wait'; readonly code: string; readonly seconds: number }
  | { readonly kind: 'refused'; readonly code: string };
