import { stringify } from 'csv-stringify/sync';
import { formatRequest } from '../requests/parse-request.js';
import type { RequestLog, RequestLogEntry } from '../store/requests/request-log.js';
import { withExistingStore } from './backup.js';
import { WrongUsage } from './errors.js';

const columns = ['asked_at', 'asked_by', 'channel', 'asked', 'from', 'until', 'ended', 'rows', 'error'];

const page = 500;

/**
 * Writes who asked what since a day or a moment.
 *
 * @throws WrongUsage
 */
export async function audit(since: string, write: (text: string) => void): Promise<void> {
  const from = momentFrom(since);
  await withExistingStore(({ requestLog }) => writeAudit(requestLog, from, write));
}

/** Writes who asked what since a moment, as CSV, oldest first. Times are UTC. */
async function writeAudit(asks: RequestLog, since: number, write: (text: string) => void): Promise<void> {
  write(csvLine(columns));
  let found = await asks.since(since, page);
  while (found.length > 0) {
    for (const ask of found) write(csvLine(cellsOf(ask)));
    found = await asks.since(since, page, found.at(-1));
  }
}

/**
 * Milliseconds since the epoch of a day, `2026-11-01`, or a moment, `2026-11-01T09:00Z`; without a zone it is UTC.
 *
 * @throws WrongUsage
 */
export function momentFrom(text: string): number {
  const match = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text);
  const [, day = '', time = '00:00', zone = 'Z'] = match ?? [];
  const moment = match ? Date.parse(`${day}T${time}${zone}`) : Number.NaN;
  if (Number.isNaN(moment) || !isDay(day)) {
    throw new WrongUsage('--since takes a day such as 2026-11-01, or a moment such as 2026-11-01T09:00Z.');
  }
  return moment;
}

/** JavaScript takes 30 February for 2 March. */
function isDay(day: string): boolean {
  return new Date(`${day}T00:00Z`).toISOString().startsWith(day);
}

function cellsOf(ask: RequestLogEntry): string[] {
  return [
    new Date(ask.requestedAt).toISOString(),
    ask.asker,
    ask.channel,
    `/report ${formatRequest(ask.request)}`,
    ask.range?.firstDay ?? '',
    ask.range?.lastDay ?? '',
    ask.state === 'posted' ? 'answered' : ask.state,
    ask.rows === undefined ? '' : String(ask.rows),
    ask.errorCode ?? '',
  ];
}

function csvLine(cells: readonly string[]): string {
  return stringify([[...cells]], { escape_formulas: true });
}
