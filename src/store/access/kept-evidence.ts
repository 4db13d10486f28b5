import { createHash } from 'node:crypto';
import type { EvidenceZippedDetails } from '../../access/record.js';
import { deleteRows, is, jsonIn, rowsOf } from '../database/rows.js';
import type { Db, Trx } from '../database/schema.js';

/** Hash and date of an event of evidence stay this long, whatever KEEP_RECORD_DAYS is: ten years. */
const keepMs = 3653 * 24 * 3_600_000;

/**
 * Keeps hash and date of the events of evidence up to a position, before they are deleted because of their age. Deletes
 * what was kept for ten years.
 *
 * @returns what vouches for all that is kept, as `digestOfKept`
 */
export async function keepEvidence(trx: Trx, through: number, now: number): Promise<string | undefined> {
  await deleteRows(trx, 'kept_evidence', { at: is('<', now - keepMs) });
  const old = await trx
    .selectFrom('event_chain')
    .leftJoin('event_details', 'event_details.seq', 'event_chain.seq')
    .select(['event_chain.seq', 'at', 'hash', 'key_id', 'kind', 'details'])
    .where('event_chain.seq', '<=', through)
    .where('kind', 'in', ['evidence-made', 'evidence-zipped'])
    .where('at', '>=', now - keepMs)
    .execute();
  for (const { kind, details, ...kept } of old) {
    const zipped = kind === 'evidence-zipped' ? jsonIn<Partial<EvidenceZippedDetails>>(details) : undefined;
    const row = { ...kept, made: zipped?.of ?? null, zip: zipped?.zip ?? null };
    await trx.insertInto('kept_evidence').values(row).execute();
  }
  return digestOfKept(trx);
}

/** The SHA-256 of all that is kept of evidence, which the newest checkpoint holds; undefined where nothing is. */
export async function digestOfKept(db: Db): Promise<string | undefined> {
  const rows = await rowsOf(db, 'kept_evidence', {}).selectAll().orderBy('seq').execute();
  if (rows.length === 0) return undefined;
  const digest = createHash('sha256');
  for (const { seq, at, hash, key_id, made, zip } of rows)
    digest.update(`${JSON.stringify([seq, at, hash, key_id, made, zip])}\n`);
  return digest.digest('hex');
}
