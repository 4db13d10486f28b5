import { type Level, levels, type RuleSubject } from '../../access/levels.js';
import type { AccessEvent, SentPlace, SentWhat } from '../../access/record.js';
import type { ReportName } from '../../catalogue/index.js';
import {
  byHand,
  integer,
  integerOrNull,
  itsUser,
  itsWords,
  noPerson,
  noPersonOrNull,
  oneOf,
  orNull,
  type Row,
  table,
  text,
  user,
} from './tables.js';

/**
 * The kinds of events in the record of access. `checkpoint`: Rollcall deleted the events up to one of them because of
 * their age, or the events before have another key.
 */
export type EventKind =
  | AccessEvent['kind']
  | 'approved'
  | 'withdrawn'
  | 'released'
  | 'rule-changed'
  | 'setting-changed'
  | 'erased'
  | 'checkpoint';

/* The tables of rights, approvals and the record of access. */

export const accessTables = {
  approved_channels: table(['channel'], {
    channel: noPerson,
    approved_by: text({ holds: 'user', erase: 'replace', counts: 'approvals' }),
    approved_at: integer,
  }),
  released_keys: table(['metadata_key'], {
    metadata_key: noPerson,
    released_by: text({ holds: 'user', erase: 'replace', counts: 'approvals' }),
    released_at: integer,
  }),
  access_rules: table(['subject_kind', 'subject', 'report'], {
    subject_kind: oneOf<RuleSubject['kind']>('everyone', 'group', 'person'),
    /** Empty for everyone. IDs of groups are none of people. */
    subject: text({ holds: 'user', erase: 'delete', counts: 'rules' }),
    /** Empty for all reports. */
    report: text<ReportName | ''>('no-person'),
    level: oneOf<Level>(...levels),
    set_by: user,
    set_at: integer,
  }),
  access_admins: table(['person'], {
    person: text({ holds: 'user', erase: 'delete', counts: 'rules' }),
    added_by: user,
    added_at: integer,
  }),
  shared_channels: table(['channel'], { channel: noPerson, shared_at: integer }),
  approval_requests: table(['channel'], {
    channel: noPerson,
    day: noPerson,
    requested_by: user,
    decided: integer,
  }),
  /** Events of the record of access. It names people by tokens. */
  event_chain: table(
    ['seq'],
    {
      seq: integer,
      at: integer,
      kind: text<EventKind>('no-person'),
      person: noPersonOrNull,
      place: noPersonOrNull,
      report: orNull(text<ReportName>('no-person')),
      details_hash: noPerson,
      previous_hash: noPerson,
      hash: noPerson,
      /** The key that the hash was made with. */
      key_id: noPerson,
    },
    {
      keepDays: 'record',
      indexes: {
        by_kind: 'kind, seq',
        by_person: 'person, seq WHERE person IS NOT NULL',
        by_place: 'place, seq',
        by_report: 'report, seq',
        by_time: 'at',
      },
    },
  ),
  event_details: table(['seq'], {
    seq: integer,
    salt: orNull(byHand),
    details: orNull(byHand),
  }),
  event_subjects: table(
    ['seq', 'token'],
    { seq: integer, token: noPerson },
    { indexes: { by_token: 'token, seq' } },
  ),
  /** What stays of the events of evidence once their age has deleted them. */
  kept_evidence: table(['seq'], {
    seq: integer,
    at: integer,
    hash: noPerson,
    key_id: noPerson,
    /** Of `evidence-zipped`: the position of its `evidence-made`, and the SHA-256 of the ZIP. */
    made: integerOrNull,
    zip: noPersonOrNull,
  }),
  person_tokens: table(['token'], { token: noPerson, person: byHand }, { unique: ['person'] }),
  /** The key of each process that runs on the database, by its ID. */
  record_keys: table(['process'], { process: noPerson, key_id: noPerson, used_at: integer }),
  /** What people typed last into fields of open forms that suggest titles and names, until the record has it. */
  form_searches: table(
    ['form', 'field'],
    {
      /** The ID of the form's draft. */
      form: noPerson,
      /** Such as `content` or `departments`. */
      field: noPerson,
      person: itsUser,
      place: noPerson,
      report: text<ReportName>('no-person'),
      content: itsWords,
      typed_at: integer,
    },
    { indexes: { by_person: 'person', by_time: 'typed_at' } },
  ),
  /**
   * The numbers of people in rows that were sent, by keyed hashes of the user ID and the address that a row had. An ID
   * and an address have a number each, because an address can get to another person.
   */
  person_numbers: table(
    ['person_id', 'address'],
    {
      /** Empty for rows without a user ID. */
      person_id: noPerson,
      /** Empty for rows without an address. */
      address: noPerson,
      id_number: integerOrNull,
      address_number: integerOrNull,
      /** When a row had both for the first time. */
      since: integer,
      /** The last time, give or take a week. */
      seen_at: integer,
    },
    {
      age: 'seen_at',
      keepDays: 'record',
      indexes: { by_address: 'address', by_time: 'seen_at' },
    },
  ),
  /** Which address a Slack account had from when on, as keyed hashes. */
  account_addresses: table(
    ['account', 'since'],
    { account: noPerson, since: integer, address: noPerson, seen_at: integer },
    {
      age: 'seen_at',
      keepDays: 'record',
      indexes: { by_address: 'address, since', by_time: 'seen_at' },
    },
  ),
  /** Files and rows about learners that were sent, with the numbers of the people in them. */
  sent_rows: table(
    ['post'],
    {
      /** The post that sent them, or an ID of its own. If Slack did not take the post, they were not sent. */
      post: noPerson,
      at: integer,
      /** Who got them; null for the command line. */
      recipient: orNull(user),
      report: text<ReportName>('no-person'),
      what: oneOf<SentWhat>('file', 'rows', 'people'),
      /** Where: `direct`, `channel` or `command-line`. */
      place: oneOf<SentPlace>('direct', 'channel', 'command-line'),
      first_number: integer,
      last_number: integer,
      /** A `PeopleSet`; null for everybody between. */
      people: noPersonOrNull,
    },
    { age: 'at', keepDays: 'record', indexes: { by_time: 'at' } },
  ),
  /** Numbers that admins and Rollcall set. */
  record_settings: table(['name'], {
    name: oneOf('asker-names', 'next-person'),
    setting: integer,
    set_by: orNull(user),
    set_at: integer,
  }),
  /** Settings of the operator about access, as the last start saw them. */
  operator_settings: table(['name'], { name: noPerson, setting: noPerson, seen_at: integer }),
};

export type EventRow = Row<typeof accessTables.event_chain.columns>;
