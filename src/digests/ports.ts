import type { WebClient } from '@slack/web-api';
import type { ReportSource } from '../runner/report-source.js';
import type { RefusedBlocks } from '../slack/delivery/refused-blocks.js';
import type { AnswerFiles, ShareFile } from '../slack/delivery/upload.js';
import type { Channels } from '../slack/directory/channels.js';
import type { Memberships } from '../slack/directory/memberships.js';
import type { People } from '../slack/directory/people.js';
import type { Store } from '../store/store.js';
import type { WeekStart } from '../time/calendar.js';
import type { Clock } from '../time/clock.js';
import type { RunEnd } from './digest.js';

/** What digests work with, all of it made in `app.ts`. */
export interface DigestParts {
  readonly team: string;
  /** `https://example.slack.com/` */
  readonly workspaceUrl: string;
  readonly source: ReportSource;
  readonly weekStart: WeekStart;
  readonly defaultZone: string;
  readonly store: Store;
  /** Makes its calls once, with no retries of its own, and rejects rate-limited ones at once. */
  readonly client: WebClient;
  readonly share: ShareFile;
  readonly people: People;
  readonly channels: Channels;
  readonly memberships: Memberships;
  readonly files: AnswerFiles;
  readonly refused: RefusedBlocks;
  /** Slack user IDs. */
  readonly admins: readonly string[];
  readonly personLevelChannels: '*' | readonly string[];
  readonly clock: Clock;
  /** Milliseconds of a clock that nobody moves. */
  readonly monotonic: () => number;
  readonly log: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
  };
  /** Told how each run ended. */
  readonly onRunEnd?: (end: RunEnd) => void;
  /** Posts a second that this workspace may get from digests. */
  readonly postsPerSecond?: number;
  /** Milliseconds between two posts to one channel. */
  readonly channelPostIntervalMs?: number;
  /** Milliseconds between two looks at the wall clock, which may have jumped. */
  readonly lookIntervalMs?: number;
}
