/*
 * The tables of digests as queries see them. Their making is in `migrations/`, from `0004-digests.ts` on.
 */

import type { Unwanted } from './ledger-unwanted.js';

export interface DigestTables {
  digests: DigestRow;
  digest_runs: DigestRunRow;
  digest_notices: DigestNoticeRow;
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
}

export interface DigestRunRow {
  id: string;
  digest: string;
  channel: string;
  due_at: number;
  same_as: string;
  state: 'due' | 'claimed' | 'running' | 'posting' | 'delivered' | 'skipped' | 'failed' | 'unknown';
  ready_at: number | null;
  lease_owner: string | null;
  lease_until: number | null;
  attempts: number;
  limited: number;
  missed: number;
  late: number;
  row_count: number | null;
  message_channel: string | null;
  message_ts: string | null;
  message_link: string | null;
  file_state: 'none' | 'due' | 'sharing' | 'shared' | 'failed' | 'unknown';
  error_code: string | null;
  reason: string | null;
  unwanted: Unwanted | null;
  settled: 'arrived' | 'sent-again' | null;
  made_at: number;
  finished_at: number | null;
}

export interface DigestNoticeRow {
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

export interface DigestDraftRow {
  id: string;
  owner: string;
  content: string;
  changed_at: number;
  used_at: number | null;
}
