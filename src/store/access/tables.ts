import type { Level, Subject } from '../../access/levels.js';
import type { ReportName } from '../../catalogue/index.js';
import type { EventKind } from './event-chain.js';

/* The columns of the tables of access. `migrations/0011-access.ts` creates them. */

export interface AccessTables {
  approved_channels: { channel: string; approved_by: string; approved_at: number };
  released_keys: { metadata_key: string; released_by: string; released_at: number };
  shared_channels: { channel: string; shared_at: number };
  approval_requests: { channel: string; day: string; requested_by: string; decided: number };
  access_rules: AccessRuleRow;
  access_admins: { person: string; added_by: string; added_at: number };
  event_chain: EventRow;
  event_details: { seq: number; salt: string | null; details: string | null };
  /** The key of each process that runs on the database, by its ID. */
  record_keys: { process: string; key_id: string; used_at: number };
  event_subjects: { seq: number; token: string };
  form_searches: {
    form: string;
    field: string;
    person: string;
    place: string;
    report: ReportName;
    content: string;
    typed_at: number;
  };
  person_tokens: { token: string; person: string };
}

interface AccessRuleRow {
  subject_kind: Subject['kind'];
  /** Empty for everyone. */
  subject: string;
  /** Empty for all reports. */
  report: ReportName | '';
  level: Level;
  set_by: string;
  set_at: number;
}

interface EventRow {
  seq: number;
  at: number;
  kind: EventKind;
  person: string | null;
  place: string | null;
  report: ReportName | null;
  details_hash: string;
  previous_hash: string;
  hash: string;
  /** The key that the hash was made with; null for events of earlier versions. */
  key_id: string | null;
}
