import type { DigestRun } from '../digests/digest.js';
import type { DigestRunRow } from './digests-tables.js';

export function runOf(row: DigestRunRow): DigestRun {
  const { message_channel: channel, message_ts: ts, message_link: link } = row;
  return {
    id: row.id,
    digest: row.digest,
    channel: row.channel,
    dueAt: row.due_at,
    state: row.state,
    ...(row.ready_at === null ? {} : { readyAt: row.ready_at }),
    attempts: row.attempts,
    limited: row.limited,
    missed: row.missed,
    late: row.late === 1,
    ...(row.row_count === null ? {} : { rows: row.row_count }),
    ...(channel !== null && ts !== null
      ? { message: { channel, ts, ...(link === null ? {} : { link }) } }
      : {}),
    fileState: row.file_state,
    ...(row.error_code === null ? {} : { errorCode: row.error_code }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.settled === null ? {} : { settled: row.settled }),
    ...(row.finished_at === null ? {} : { finishedAt: row.finished_at }),
  };
}
