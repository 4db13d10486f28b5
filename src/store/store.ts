import { type Approvals, approvalsIn } from './approvals.js';
import { type Asks, asksIn } from './asks.js';
import { type BuilderDrafts, builderDraftsIn } from './builder-drafts.js';
import { openDatabase } from './database.js';
import { type Digests, digestsIn } from './digests.js';
import { type DigestDrafts, digestDraftsIn } from './digests-drafts.js';
import { type DigestNotices, digestNoticesIn } from './digests-notices.js';
import { type DigestOutages, digestOutagesIn } from './digests-outages.js';
import { type Forgotten, forgetPerson } from './forgotten.js';
import { type KnownValues, knownValuesIn } from './known-values.js';
import { type LastFigures, lastFiguresIn } from './last-figures.js';
import { type Ledger, ledgerIn } from './ledger.js';
import { type SavedReports, savedReportsIn } from './saved-reports.js';
import { type SeenEnvelopes, seenEnvelopesIn } from './seen-envelopes.js';

/** Everything that Rollcall keeps, by subject. Times are milliseconds since the epoch. */
export interface Store {
  readonly asks: Asks;
  readonly approvals: Approvals;
  readonly seenEnvelopes: SeenEnvelopes;
  readonly lastFigures: LastFigures;
  readonly builderDrafts: BuilderDrafts;
  readonly knownValues: KnownValues;
  readonly savedReports: SavedReports;
  readonly digests: Digests;
  readonly ledger: Ledger;
  readonly digestDrafts: DigestDrafts;
  readonly digestNotices: DigestNotices;
  readonly digestOutages: DigestOutages;
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
    savedReports: savedReportsIn(db),
    digests: digestsIn(db),
    ledger: ledgerIn(db),
    digestDrafts: digestDraftsIn(db),
    digestNotices: digestNoticesIn(db),
    digestOutages: digestOutagesIn(db),
    forgetPerson: (user) => forgetPerson(db, user, now()),
    close: () => db.destroy(),
  };
}
