import { request } from 'node:http';
import { expect } from 'vitest';
import { type Faults, noFaults } from '../../../playground/reporting-service/faults.js';
import {
  type ReportingServiceOptions,
  type RunningReportingService,
  startReportingService,
} from '../../../playground/reporting-service/reporting-service.js';
import { reportServer } from '../../../playground/reporting-service/server.js';
import type { World } from '../../../playground/reporting-service/world/world.js';
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

/** Options of a small world. By default its time is that Friday. */
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

/** The records of an answer. Fails unless the status is 200. */
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

/** A body with all flags of a report. */
export function everyFlag(report: ReportName): Record<string, unknown> {
  return Object.fromEntries(reportNamed(report).fields.map(({ flag }) => [flag, true]));
}

/** The real server over a world. An unexpected error fails the test that stops the server. */
export async function serveWorld(
  world: World,
  now: () => number,
  faults: Faults = noFaults(),
): Promise<RunningReportingService> {
  const failures: unknown[] = [];
  const { server, idle } = reportServer({
    world: () => world,
    token: 'token',
    scheme: 'raw',
    filterBy: 'names',
    now: () => now() * 1000,
    faults,
    onFailure: (error) => failures.push(error),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Not listening');
  return {
    url: `http://127.0.0.1:${address.port}`,
    token: 'token',
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await idle();
      await world.remove();
      if (failures.length > 0) throw failures[0];
    },
  };
}

export const engagementPath = '/api/v1/reports/user-engagement/1000/2000';

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

export interface Answered {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

/** A request by node:http, which allows invalid ones. The default is a valid request. */
export function send(
  { url, token }: RunningReportingService,
  { method = 'POST', path = engagementPath, headers, body = '{}' }: Sent = {},
): Promise<Answered> {
  const usual = { authorization: token, 'content-type': 'application/json' };
  const options = { host: '127.0.0.1', port: new URL(url).port, method, path, headers: headers ?? usual };
  return new Promise((resolve, reject) => {
    const asking = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    asking.on('error', reject);
    asking.end(['GET', 'DELETE', 'OPTIONS'].includes(method) ? undefined : body);
  });
}

/** Expects a refusal in JSON with this status and message. */
export async function expectRefusal(
  service: RunningReportingService,
  sent: Sent,
  status: number,
  ...named: readonly string[]
): Promise<Answered & { readonly body: { readonly message: string; readonly member?: string } }> {
  const answer = await send(service, sent);
  expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
  const body = JSON.parse(answer.text);
  expect(body).toMatchObject({ status, error: expect.stringMatching(/^[a-z0-9_]+$/) });
  for (const name of named) expect(body.message).toContain(name);
  expect(answer.headers['content-type']).toContain('application/json');
  return { ...answer, body };
}
