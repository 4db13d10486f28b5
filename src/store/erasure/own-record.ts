import type { RecordEntry } from '../../access/own-record.js';
import type { AskedDetails } from '../../access/record.js';
import { compact } from '../../requests/text.js';
import {
  always,
  type PersonNumbers,
  type SentRows,
  type sentRowsIn,
  type Wanted,
} from '../access/person-numbers.js';
import { rowsOf } from '../database/rows.js';
import type { Db } from '../database/schema.js';
import { isSlackId } from './erase-person.js';
import type { Events, RecordedEvent } from './events.js';

/** Somebody whose record is read. */
export interface RecordOwner {
  /** The Slack user ID. Absent: an operator names somebody of whom no account is known. */
  readonly account: string | undefined;
  /** Addresses with the times in which they are theirs. */
  readonly addresses: readonly { readonly email: string; readonly from: number; readonly until: number }[];
  readonly wanted: readonly Wanted[];
}

/** The last ones that were read of what was sent and of the events. */
export interface RecordPosition {
  readonly sent?: { readonly at: number; readonly post: string } | undefined;
  readonly seq?: number | undefined;
}

const eventPage = 100;
const tokenPage = 1_000;

/** What was done with the data of one person, as that person may see it. */
export function ownRecordIn(
  db: Db,
  {
    events,
    sentRows,
    personNumbers,
    askerNamesFrom,
  }: {
    readonly events: Pick<Events, 'newest'>;
    readonly sentRows: Pick<ReturnType<typeof sentRowsIn>, 'findOf'>;
    readonly personNumbers: PersonNumbers;
    readonly askerNamesFrom: () => Promise<number | undefined>;
  },
) {
  /** Requests of others that named the owner, newest first. */
  async function namingEvents(owner: RecordOwner, limit: number, before: number | undefined) {
    const found: RecordedEvent[] = [];
    const people = compact(
      owner.account,
      owner.addresses.map(({ email }) => email),
    );
    if (people.length === 0) return found;
    // What names a person cannot be shared in a channel.
    const kinds = ['asked', 'record-read'] as const;
    for (let edge = before; ; ) {
      const page = await events.newest({ people, relation: 'named', kinds }, eventPage, edge);
      for (const event of page) {
        if (isAbout(event, owner)) found.push(event);
        if (found.length === limit) return found;
      }
      edge = page.at(-1)?.seq;
      if (page.length < eventPage) return found;
    }
  }

  return {
    /** Somebody in Slack. @param email the address that Slack has confirmed */
    async ownerOf(account: string, email: string | undefined): Promise<RecordOwner> {
      if (email !== undefined) await personNumbers.noteAccounts([{ id: account, email }]);
      // Of an earlier address, the database has only the hash. The record names it in plain if a request did.
      const hadOthers = await personNumbers.hasHadOther(account, email);
      const named = hadOthers ? (await knownPeople(db)).addresses : [];
      return {
        account,
        addresses: await personNumbers.addressTimes(account, [...new Set(compact(email, named))]),
        wanted: await personNumbers.ofAccount(account),
      };
    },

    /** Somebody whom an operator names, by a Slack user ID, an address or a user ID of the service. */
    async ownerNamed(name: string): Promise<RecordOwner> {
      const named = name.trim();
      const known = await knownPeople(db);
      const account = isSlackId(named) ? named : (await personNumbers.accountsWith(named, known.accounts))[0];
      if (account !== undefined) {
        const addresses = await personNumbers.addressTimes(account, known.addresses);
        return { account, addresses, wanted: await personNumbers.ofAccount(account) };
      }
      const addresses = named.includes('@') ? [{ email: named.toLowerCase(), ...always }] : [];
      return { account, addresses, wanted: await personNumbers.ofName(named) };
    },

    /** The newest entries before a position, and where the next ones begin; no `next`: there are no more. */
    async entries(owner: RecordOwner, limit: number, position: RecordPosition = {}) {
      const namesFrom = await askerNamesFrom();
      const sent = await sentRows.findOf(owner.wanted, owner.account, limit + 1, position.sent);
      const naming = await namingEvents(owner, limit + 1, position.seq);
      const all = [
        ...sent.map((row) => ({ entry: entryOfSent(row), row, event: undefined })),
        ...naming.map((event) => ({ entry: entryOfEvent(event), row: undefined, event })),
      ].sort((a, b) => b.entry.at - a.entry.at);
      const shown = all.slice(0, limit);
      const lastSent = shown.findLast(({ row }) => row)?.row;
      const lastEvent = shown.findLast(({ event }) => event)?.event;
      const next: RecordPosition = {
        sent: lastSent ? { at: lastSent.at, post: lastSent.post } : position.sent,
        seq: lastEvent?.seq ?? position.seq,
      };
      const mayName = ({ at }: RecordEntry) => namesFrom !== undefined && at >= namesFrom;
      return {
        entries: shown.map(
          ({ entry: { by, ...entry } }): RecordEntry => ({
            ...entry,
            by: mayName(entry) ? by : undefined,
          }),
        ),
        namesFrom,
        next: all.length > limit ? next : undefined,
      };
    },
  };
}

/** By an address only for the time in which it was theirs, and never what they did themselves. */
export function isAbout(
  { at, person, subjects }: RecordedEvent,
  { account, addresses }: RecordOwner,
): boolean {
  if (person !== undefined && person === account) return false;
  if (account !== undefined && subjects.includes(account)) return true;
  return addresses.some(
    ({ email, from, until }) => at >= from && at < until && subjects.includes(email.toLowerCase()),
  );
}

function entryOfSent({ at, report, what, place, isCertain, recipient }: SentRows): RecordEntry {
  return { at, report, what, place, isCertain, by: recipient };
}

function entryOfEvent({ at, kind, report, person, details }: RecordedEvent): RecordEntry {
  const { refused, origin }: Partial<AskedDetails> = details ?? {};
  const isByOperator = origin === 'command-line' || (person === undefined && kind === 'record-read');
  return {
    at,
    what: kind === 'record-read' ? 'record' : 'asked',
    report,
    place: isByOperator ? 'command-line' : undefined,
    wasRefused: refused !== undefined,
    isCertain: true,
    by: person,
  };
}

/** Everybody whom the record names in plain. */
async function knownPeople(db: Db) {
  const accounts: string[] = [];
  const addresses: string[] = [];
  for (let after = ''; ; ) {
    const page = await rowsOf(db, 'person_tokens', {})
      .select('person')
      .where('person', '>', after)
      .orderBy('person')
      .limit(tokenPage)
      .execute();
    for (const { person } of page) (person.includes('@') ? addresses : accounts).push(person);
    after = page.at(-1)?.person ?? '';
    if (page.length < tokenPage) return { accounts, addresses };
  }
}
