import type { Query } from '../runner/ports.js';
import { RangeTooLong } from './errors.js';
import type { ReportingSettings } from './settings.js';

/** One POST to the Reporting Service, ready to send. Plain data: it crosses to the thread that reads. */
export interface HttpCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
  /** The longest silence accepted, in milliseconds. */
  readonly idleTimeoutMs: number;
}

type Connection = Pick<ReportingSettings, 'baseUrl' | 'token' | 'authScheme' | 'idleTimeoutMs'>;

/** The request that asks a question. Its body is sent as it stands. */
export function buildHttpCall(question: Query, settings: Connection): HttpCall {
  const { operation, range } = question;
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
    body: JSON.stringify(question.body),
    idleTimeoutMs: settings.idleTimeoutMs,
  };
}

const day = 86_400;
/** Where clocks are put back, whole days are so much longer; the setting counts days. */
const clocksPutBack = 3_600;

/**
 * The questions to ask in turn for one question, so that none spans more than `maxRangeDays`: adjacent windows, the
 * last one maybe shorter.
 *
 * @param maxRangeDays 0: any range in one question
 * @throws RangeTooLong where the range is too long and the report's rows do not add up over windows
 */
export function splitByRange(question: Query, maxRangeDays: number): readonly Query[] {
  const { range } = question;
  const step = maxRangeDays * day;
  if (!range || step === 0 || range.until - range.from <= step) return [question];
  if (!question.addsUp) {
    if (range.until - range.from <= step + clocksPutBack) return [question];
    const days = Math.ceil(((range.until - range.from) / day) * 10) / 10;
    throw new RangeTooLong(question.operation, days, maxRangeDays);
  }
  const windows: Query[] = [];
  for (let from = range.from; from < range.until; from += step) {
    windows.push({ ...question, range: { from, until: Math.min(from + step, range.until) } });
  }
  return windows;
}
