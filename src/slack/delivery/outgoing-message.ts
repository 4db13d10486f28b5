import type { Block, KnownBlock } from '@slack/types';

/** What a person is to see: blocks, and the same said in plain text for notifications and screen readers. */
export interface OutgoingMessage {
  readonly text: string;
  /** Absent: the text alone. */
  readonly blocks?: readonly (KnownBlock | Block)[];
}
