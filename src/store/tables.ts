/*
 * The tables as queries see them. Their making is in `migrations/`.
 */

import type { DigestTables } from './digests/tables.js';
import type { PostTable } from './ledger/posts.js';

export interface Tables extends DigestTables {
  asks: AskRow;
  posts: PostTable;
  approved_channels: { channel: string; approved_by: string; approved_at: number };
  released_keys: { metadata_key: string; released_by: string; released_at: number };
  seen_envelopes: { envelope: string; seen_at: number };
  last_figures: { figures_of: string; figures: string; taken_at: number };
  builder_drafts: BuilderDraftRow;
  known_values: KnownValueRow;
  saved_reports: SavedReportRow;
}

export interface SavedReportRow {
  id: string;
  channel: string;
  name: string;
  name_key: string;
  owner: string;
  made_by: string;
  request: string;
  revision: number;
  made_at: number;
  changed_at: number;
  last_run_at: number | null;
  last_run_by: string | null;
  deleted_at: number | null;
}

export interface BuilderDraftRow {
  id: string;
  owner: string;
  content: string;
  revision: number;
  changed_at: number;
  used_at: number | null;
}

export interface KnownValueRow {
  list_name: string;
  entry: string;
  title: string | null;
  searched: string;
  seen_at: number;
}

export interface AskRow {
  id: string;
  /** What became of it: its own post, or the occurrence of a digest that it stands under. */
  post: string;
  team: string;
  channel: string;
  asker: string;
  request: string;
  range: string | null;
  asked_at: number;
}
