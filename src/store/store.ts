import { type Approvals, approvalsIn } from './approvals.js';
import { type Asks, asksIn } from './asks.js';
import { type BuilderDrafts, builderDraftsIn } from './builder-drafts.js';
import { openDatabase } from './database.js';
import { type Forgotten, forgetPerson } from './forgotten.js';
import { type KnownValues, knownValuesIn } from './known-values.js';
import { type LastFigures, lastFiguresIn } from './last-figures.js';
import { type SeenEnvelopes, seenEnvelopesIn } from './seen-envelopes.js';

/** Everything that Rollcall keeps, by subject. Times are milliseconds since the epoch. */
export interface Store {
  readonly asks: Asks;
  readonly approvals: Approvals;
  readonly seenEnvelopes: SeenEnvelopes;
  readonly lastFigures: LastFigures;
  readonly builderDrafts: BuilderDrafts;
  readonly knownValues: KnownValues;
  /** Takes a Slack user out of everything. */
  forgetPerson(user: string): Promise<Forgotten>;
  close(): Promise<void>;
}

/**
 * Opens the store in a file, which is made where it is not there yet.
 *
 * @throws DatabaseUnusable, DatabaseTooNew
 */
export async function openStore(path: string, now: () => number): Promise<Store> {
  const db = openDatabase(path, now);
  return {
    asks: asksIn(db),
    approvals: approvalsIn(db),
    seenEnvelopes: seenEnvelopesIn(db),
    lastFigures: lastFiguresIn(db),
    builderDrafts: builderDraftsIn(db),
    knownValues: knownValuesIn(db),
    forgetPerson: (user) => forgetPerson(db, user),
    close: () => db.destroy(),
  };
}
