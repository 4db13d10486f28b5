import type { Generated } from 'kysely';

/* The columns of the digest tables. `migrations/` creates them, from `0004-digests.ts` on. */

export interface DigestTables {
  digests: DigestRow;
  digest_notices: DigestNotificationRow;
  digest_outages: DigestOutageRow;
  digest_drafts: DigestDraftRow;
}

export interface DigestRow {
  id: string;
  channel: string;
  owner: string;
  made_by: string;
  request: string;
  schedule: string;
  skip_empty: number;
  state: 'active' | 'paused';
  paused_why: string | null;
  next_due: number | null;
  revision: number;
  failures: number;
  made_at: number;
  deleted_at: number | null;
  pending_owner: string | null;
  pending_since: number | null;
  handed_over_at: number | null;
  replaces: Generated<number>;
  keep_days: number | null;
}

export interface DigestNotificationRow {
  id: string;
  recipient: string;
  kind: string;
  subject: string;
  made_at: number;
  ready_at: number | null;
  sent_at: number | null;
  message_channel: string | null;
  message_ts: string | null;
}

export interface DigestOutageRow {
  id: string;
  cause: 'service' | 'slack';
  code: string;
  reason: string | null;
  since: number;
  ended_at: number | null;
}

interface DigestDraftRow {
  id: string;
  owner: string;
  content: string;
  changed_at: number;
  used_at: number | null;
}
