import type { Question } from '../runner/query.js';
import type { ReportingSettings } from './settings.js';

/** One POST to the Reporting Service, ready to send. Plain data: it crosses to the thread that reads. */
export interface WireRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
  /** The longest silence accepted, in milliseconds. */
  readonly silenceMs: number;
}

type Connection = Pick<ReportingSettings, 'baseUrl' | 'token' | 'authScheme' | 'silenceMs'>;

/** The request that asks a question. Its body is sent as it stands. */
export function wireRequest(question: Question, settings: Connection): WireRequest {
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
    silenceMs: settings.silenceMs,
  };
}
