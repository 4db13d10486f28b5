import { request } from 'node:http';
import { expect } from 'vitest';
import type { RunningReportingService } from '../../../playground/reporting-service/reporting-service.js';

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

/** Over node:http, which sends whatever it is told; what is not told is right. */
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

/** Expects a refusal in JSON with that status, whose message names what it should. */
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
