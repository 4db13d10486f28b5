import type { InstalledApp } from '../app-manifest.js';
import type { Thing } from '../workspace/records.js';
import type { Triggers } from '../workspace/triggers.js';
import type { Uploads } from '../workspace/uploads.js';
import type { Views } from '../workspace/views.js';
import type { Workspace } from '../workspace/workspace.js';

/** Rate tiers of Slack: calls a minute are `1: 1, 2: 20, 3: 50, 4: 100`. */
export type Tier = 1 | 2 | 3 | 4 | 'post' | 'special';

/** What the methods work on. */
export interface Api {
  readonly workspace: Workspace;
  readonly views: Views;
  readonly uploads: Uploads;
  readonly triggers: Triggers;
  /** `http://127.0.0.1:4321`, known once the server listens. */
  origin(): string;
  /** A new address for a Socket Mode connection. */
  newSocketAddress(debugReconnects: boolean): string;
  /** Scopes of the bot token. */
  readonly scopes: ReadonlySet<string>;
  readonly app: InstalledApp;
}

/** One method of the Web API. */
export interface Method {
  readonly token: 'bot' | 'app' | 'none';
  readonly tier: Tier;
  /** The scopes that it needs with these arguments; one of each inner list is enough. */
  readonly scopes?: readonly string[] | ((args: Thing, api: Api) => readonly string[]);
  /** Answers the members beside `ok: true`, or throws a `Refusal`. */
  run(args: Thing, api: Api): Thing | Promise<Thing>;
}

export type Methods = Readonly<Record<string, Method>>;
