import type { ResponseUrl } from './delivery/response-url.js';
import type { PersonLevel } from './delivery/route.js';

/** Where something was asked, and what may be done there. */
export interface Place {
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
