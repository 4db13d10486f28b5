import type { App, Receiver } from '@slack/bolt';

/** Whether Slack can reach the bot at this moment. */
export type ConnectionState =
  | { readonly mode: 'socket'; readonly ready: boolean; readonly connections: number }
  | { readonly mode: 'http'; readonly ready: boolean; readonly host: string; readonly port: number };

/** The way by which Slack reaches the bot. */
export interface Door {
  /** What Bolt is built with. It is opened and closed here, not through Bolt. */
  readonly receiver: Receiver;
  /** Resolves when commands come through to the app. */
  open(app: App): Promise<void>;
  /**
   * Lets nothing more in.
   *
   * @param listenersDone resolves when those who still have something to acknowledge are done, or out of time
   */
  close(listenersDone: Promise<unknown>): Promise<void>;
  /** Acknowledges an envelope by another way than that by which it came. False where there is none. */
  acknowledge(envelopeId: string, answer: unknown): boolean;
  state(): ConnectionState;
}
