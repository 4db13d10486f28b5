import { describeEntry, type RecordEntry } from '../../access/own-record.js';
import type { PageRow, PageSection, RecordPage } from '../../access/record-page.js';
import { compact } from '../../requests/text.js';
import { keptEvent, type NamedPerson } from '../../store/erasure/kept-data.js';
import { isAbout, type RecordOwner } from '../../store/erasure/own-record.js';
import type { Store } from '../../store/store.js';

export type CopyParts = Pick<Store, 'ownRecord' | 'keptData' | 'events' | 'personNumbers'>;

const pageSize = 200;

/** Titles of tables. Others have the words of their name. */
const tableTitles: Readonly<Record<string, string>> = {
  requests: 'Your requests',
  sent_rows: 'Files and rows that you got',
  saved_reports: 'Saved reports of yours',
  digests: 'Digests of yours',
  builder_drafts: 'Forms that you opened',
  digest_drafts: 'Digests that you began to set up',
  notifications: 'Messages to you about digests',
  access_rules: 'Rules of access about you, or set by you',
  access_admins: 'Admins: you, or added by you',
  form_searches: 'What you typed into open forms',
  inbox: 'What Rollcall is working on for you',
};

/** Everything that Rollcall keeps about one person, without other people's names. */
export function recordCopy(owner: RecordOwner, made: number, parts: CopyParts): RecordPage {
  const { ownRecord, keptData, events } = parts;
  const person: NamedPerson = {
    account: owner.account,
    emails: owner.addresses.map(({ email }) => email.toLowerCase()),
  };
  const about = entriesOf(owner, ownRecord);
  return {
    title: 'What Rollcall keeps about you',
    notes: compact(
      'Rollcall answers questions about learning in Slack. This is a copy of all that its database has about you. Names of other people are left out.',
      'Your learning records themselves are at the Reporting Service of your workplace. Rollcall keeps no copy of them.',
      'Files and rows are known by a number for you, which is stored with keyed hashes of your user ID and your address. An address counts from the day on which Rollcall first saw it with your Slack account.',
      'Not in this copy: messages and files in Slack, backups, the log of the operator, and keyed hashes of your rows, which alerts of new rows may have.',
    ),
    about: {
      made: timeOf(made),
      slack_user: owner.account,
      ...Object.fromEntries(
        owner.addresses.map(({ email, from }, index) => [
          index === 0 ? 'address' : `address_${index + 1}`,
          from > 0 ? `${email}, since ${timeOf(from)}` : email,
        ]),
      ),
    },
    sections: [
      {
        key: 'files_and_requests',
        title: 'Files and rows that held you, and requests that named you',
        notes: ['Without totals, and without what you asked yourself.'],
        columns: ['day', 'what', 'report', 'kind'],
        rows: about,
      },
      {
        key: 'events',
        title: 'Events of the record that you did, or that name you',
        rows: eventsOf(owner, person, events),
      },
      ...keptData.tables.map(
        (table): PageSection => ({
          key: table,
          title: tableTitles[table] ?? `Settings: ${table.replaceAll('_', ' ')}`,
          rows: keptData.rowsOf(table, person),
        }),
      ),
      {
        key: 'named_by_others',
        title: 'What others set up that names you',
        rows: keptData.namedByOthers(owner),
      },
    ],
  };
}

async function* entriesOf(owner: RecordOwner, { entries }: CopyParts['ownRecord']): AsyncGenerator<PageRow> {
  for (let position: Parameters<typeof entries>[2] | undefined = {}; position; ) {
    const page: Awaited<ReturnType<typeof entries>> = await entries(owner, pageSize, position);
    for (const entry of page.entries) yield rowOf(entry);
    position = page.next;
  }
}

function rowOf(entry: RecordEntry): PageRow {
  const day = timeOf(entry.at).slice(0, 10);
  return { day, what: describeEntry(entry), report: entry.report, kind: entry.what };
}

/** Of an address that somebody else had before, without the events about that person. */
async function* eventsOf(
  owner: RecordOwner,
  person: NamedPerson,
  events: CopyParts['events'],
): AsyncGenerator<PageRow> {
  const people = compact(person.account, person.emails);
  if (people.length === 0) return;
  for (let after: number | undefined; ; ) {
    const page = await events.oldest({ people }, pageSize, after);
    for (const event of page) {
      const isOwn = event.person !== undefined && event.person === person.account;
      if (isOwn || isAbout(event, owner)) yield keptEvent(event, person);
    }
    after = page.at(-1)?.seq;
    if (page.length < pageSize) return;
  }
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
