import { type Approvals, approvalsIn } from './access/approvals.js';
import { openDatabase } from './database.js';
import { type Digests, digestsIn } from './digests/digests.js';
import { type DigestDrafts, digestDraftsIn } from './digests/drafts.js';
import { type DigestNotices, digestNoticesIn } from './digests/notifications.js';
import { type DigestOutages, digestOutagesIn } from './digests/outages.js';
import { type Forgotten, forgetPerson } from './erase-person.js';
import { type Ledger, ledgerIn } from './ledger/ledger.js';
import { type BuilderDrafts, builderDraftsIn } from './requests/builder-drafts.js';
import { type LastFigures, lastFiguresIn } from './requests/last-figures.js';
import { type Asks, asksIn } from './requests/request-log.js';
import { type KnownValues, knownValuesIn } from './requests/suggestions.js';
import { type SavedReports, savedReportsIn } from './saved-reports/saved-reports.js';
import { type SeenEnvelopes, seenEnvelopesIn } from './slack/seen-deliveries.js';

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
