import type { Kysely } from 'kysely';
import type { DigestRun } from '../../digests/digest.js';
import type { PostState } from '../../posts/states.js';
import type { Tables } from '../schema.js';

/** Runs of digests, each joined with its file. They are told by their kind, because the index of digests is as long. */
export function selectRuns(db: Kysely<Tables>) {
  return db
    .selectFrom('posts')
    .leftJoin('posts as file', 'file.parent', 'posts.id')
    .selectAll('posts')
    .select([
      'file.state as file_state',
      'file.ready_at as file_ready_at',
      'file.attempts as file_attempts',
      'file.limited as file_limited',
      'file.error_code as file_error_code',
      'file.reason as file_reason',
    ])
    .where('posts.kind', '=', 'digest');
}

type RunRow = Awaited<ReturnType<ReturnType<typeof selectRuns>['executeTakeFirstOrThrow']>>;

export function runOf(row: RunRow): DigestRun {
  const { message_channel: channel, message_ts: ts, message_link: link } = row;
  return {
    id: row.id,
    digest: row.digest ?? '',
    channel: row.channel,
    dueAt: row.due_at,
    state: row.state,
    ...attemptsOf(row),
    missed: row.missed,
    late: row.late === 1,
    rows: row.row_count ?? undefined,
    message: channel !== null && ts !== null ? { channel, ts, link: link ?? undefined } : undefined,
    settled: row.settled ?? undefined,
    finishedAt: row.finished_at ?? undefined,
  };
}

/** A file exists only after its message is posted, so from then on attempts and errors are those of the file. */
function attemptsOf(
  row: RunRow,
): Pick<DigestRun, 'readyAt' | 'attempts' | 'rateLimited' | 'fileState' | 'errorCode' | 'reason'> {
  const { file_state: fileState } = row;
  return fileState === null
    ? {
        fileState: 'none',
        ...attemptFields(row.ready_at, row.attempts, row.limited, row.error_code, row.reason),
      }
    : {
        fileState: fileState satisfies PostState,
        ...attemptFields(
          row.file_ready_at,
          row.file_attempts ?? 0,
          row.file_limited ?? 0,
          row.file_error_code,
          row.file_reason,
        ),
      };
}

function attemptFields(
  readyAt: number | null,
  attempts: number,
  rateLimited: number,
  errorCode: string | null,
  reason: string | null,
) {
  return {
    readyAt: readyAt ?? undefined,
    attempts,
    rateLimited,
    errorCode: errorCode ?? undefined,
    reason: reason ?? undefined,
  };
}
