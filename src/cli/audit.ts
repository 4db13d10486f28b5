import { stringify } from 'csv-stringify/sync';
import { formatRequest } from '../requests/parse-request.js';
import type { RequestLog, RequestLogEntry } from '../store/requests/request-log.js';
import { withExistingStore } from './backup.js';
import { WrongUsage } from './errors.js';

const columns = ['asked_at', 'asked_by', 'channel', 'asked', 'from', 'until', 'ended', 'rows', 'error'];

const page = 500;

/**
 * Writes the request log since a day or a time.
 *
 * @throws WrongUsage
 */
export async function audit(since: string, write: (text: string) => void): Promise<void> {
  const from = parseSince(since);
  await withExistingStore(({ requestLog }) => writeAudit(requestLog, from, write));
}

/** Writes the request log as CSV, oldest first. Times are UTC. */
async function writeAudit(log: RequestLog, since: number, write: (text: string) => void): Promise<void> {
  write(csvLine(columns));
  let found = await log.since(since, page);
  while (found.length > 0) {
    for (const entry of found) write(csvLine(cellsOf(entry)));
    found = await log.since(since, page, found.at(-1));
  }
}

/**
 * Parses a day (`2026-11-01`) or a time (`2026-11-01T09:00Z`) into milliseconds since the epoch. The default zone is UTC.
 *
 * @throws WrongUsage
 */
export function parseSince(text: string): number {
  const match = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text);
  const [, day = '', time = '00:00', zone = 'Z'] = match ?? [];
  const moment = match ? Date.parse(`${day}T${time}${zone}`) : Number.NaN;
  if (Number.isNaN(moment) || !isDay(day)) {
    throw new WrongUsage('--since needs a day such as 2026-11-01, or a time such as 2026-11-01T09:00Z.');
  }
  return moment;
}

/** JavaScript reads 30 February as 2 March. */
function isDay(day: string): boolean {
  return new Date(`${day}T00:00Z`).toISOString().startsWith(day);
}

function cellsOf(entry: RequestLogEntry): string[] {
  return [
    new Date(entry.requestedAt).toISOString(),
    entry.asker,
    entry.channel,
    `/report ${formatRequest(entry.request)}`,
    entry.range?.firstDay ?? '',
    entry.range?.lastDay ?? '',
    entry.state === 'posted' ? 'answered' : entry.state,
    entry.rows === undefined ? '' : String(entry.rows),
    entry.errorCode ?? '',
  ];
}

function csvLine(cells: readonly string[]): string {
  return stringify([[...cells]], { escape_formulas: true });
}
