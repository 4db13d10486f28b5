import { Failure } from '../errors/failure.js';
import type { Query } from '../runner/ports.js';
import type { ReportingSettings } from './settings.js';

/** One POST to the Reporting Service, ready to send. Plain data: it crosses to the thread that reads. */
export interface HttpCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
  /** Timeout for the first byte, and between bytes, in milliseconds. */
  readonly idleTimeoutMs: number;
  /** Maximum bytes of the answer, decompressed; absent: no limit. */
  readonly maxBytes?: number | undefined;
}

type Connection = Pick<
  ReportingSettings,
  'baseUrl' | 'token' | 'authScheme' | 'idleTimeoutMs' | 'maxAnswerBytes'
>;

export function buildHttpCall(query: Query, settings: Connection): HttpCall {
  const { operation, range } = query;
  const path = ['api/v1/reports', operation, ...(range ? [range.from, range.until] : [])].join('/');
  return {
    url: `${settings.baseUrl.replace(/\/+$/, '')}/${path}`,
    headers: {
      authorization: settings.authScheme === 'bearer' ? `Bearer ${settings.token}` : settings.token,
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': 'rollcall',
    },
    body: JSON.stringify(query.body),
    idleTimeoutMs: settings.idleTimeoutMs,
    maxBytes: settings.maxAnswerBytes,
  };
}

const day = 86_400;
/** Days on which clocks go back are longer by up to this much. The setting counts days. */
const clocksPutBack = 3_600;

/**
 * Splits a query into adjacent windows of at most `maxRangeDays`. The last one may be shorter.
 *
 * @param maxRangeDays 0: no limit
 * @throws `range-too-long` if the range is too long and the report's rows cannot be added up over windows
 */
export function splitByRange(query: Query, maxRangeDays: number): readonly Query[] {
  const { range } = query;
  const step = maxRangeDays * day;
  if (!range || step === 0 || range.until - range.from <= step) return [query];
  if (!query.addsUp) {
    if (range.until - range.from <= step + clocksPutBack) return [query];
    const days = Math.ceil(((range.until - range.from) / day) * 10) / 10;
    throw new Failure('range-too-long', { operation: query.operation, days, maximumDays: maxRangeDays });
  }
  const windows: Query[] = [];
  for (let from = range.from; from < range.until; from += step) {
    windows.push({ ...query, range: { from, until: Math.min(from + step, range.until) } });
  }
  return windows;
}
