import {
  type ReportingServiceOptions,
  type RunningReportingService,
  startReportingService,
} from '../../../playground/reporting-service/reporting-service.js';
import { type Report, type ReportName, reportNamed } from '../../../src/catalogue/index.js';

/** A Friday. */
export const friday = Date.UTC(2026, 10, 20, 9, 30) / 1000;

export const day = 24 * 60 * 60;

export interface Asking {
  readonly from?: number;
  readonly until?: number;
  readonly body?: unknown;
}

export type JsonRecord = Readonly<Record<string, unknown>>;

/** A small world that stands still on that Friday, unless told otherwise. */
export function startService(options: ReportingServiceOptions = {}): Promise<RunningReportingService> {
  return startReportingService({ learners: 40, now: () => friday * 1000, ...options });
}

function pathOf(report: Report, { from = friday - 90 * day, until = friday }: Asking): string {
  return `/api/v1/reports/${report.operation}${report.range ? `/${from}/${until}` : ''}`;
}

export async function askRaw(
  { url, token }: RunningReportingService,
  report: ReportName,
  asking: Asking = {},
): Promise<Response> {
  return fetch(`${url}${pathOf(reportNamed(report), asking)}`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify(asking.body ?? {}),
  });
}

/** The records of an answer that has to succeed. */
export async function ask(
  service: RunningReportingService,
  report: ReportName,
  asking: Asking = {},
): Promise<readonly JsonRecord[]> {
  const response = await askRaw(service, report, asking);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return JSON.parse(text);
}

/** A body that flags every field of a report. */
export function everyFlag(report: ReportName): Record<string, unknown> {
  return Object.fromEntries(reportNamed(report).fields.map(({ flag }) => [flag, true]));
}
