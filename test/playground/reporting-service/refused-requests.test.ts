import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noFaults } from '../../../playground/reporting-service/faults.js';
import type { RunningReportingService } from '../../../playground/reporting-service/reporting-service.js';
import { reportServer } from '../../../playground/reporting-service/server.js';
import { engagementPath, expectRefusal, send, startService } from './service.js';

let service: RunningReportingService;
beforeAll(async () => {
  service = await startService({ learners: 5 });
});
afterAll(() => service.stop());

describe('refused requests', () => {
  it('a valid request is answered', async () => {
    expect(await send(service)).toMatchObject({ status: 200, text: '[{},{},{},{},{}]' });
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])('the method %s', async (method) => {
    const { headers } = await expectRefusal(service, { method }, 405, method, 'POST');
    expect(headers.allow).toBe('POST');
  });

  it.each([
    '/',
    '/api/v1/reports',
    '/api/v1/reports/user-engagements/1/2',
    '/api/v2/reports/user-engagement/1/2',
    '/api/v1/report/user-engagement/1/2',
    '/API/v1/reports/user-engagement/1/2',
    '//api/v1/reports/user-engagement/1/2',
    '/api/v1/reports/user-engagement',
    '/api/v1/reports/user-engagement/1',
    '/api/v1/reports/user-engagement/1/2/3',
    '/api/v1/reports/user-engagement/1/2/',
    '/api/v1/reports/assessment-status/1/2',
    '/api/v1/reports/%75ser-engagement/1/2',
  ])('the path %s', async (target) => {
    await expectRefusal(service, { path: target }, 404, '/api/v1/reports/');
  });

  it.each([
    ['-1', '5', 'from', '-1'],
    ['1.5', '5', 'from', 'digits'],
    ['1e3', '5', 'from', 'digits'],
    ['5', '', 'until', 'digits'],
    ['last-week', '5', 'from', 'digits'],
    ['1', '٣', 'until', 'digits'],
    ['1', '1763631000000', 'until', 'milliseconds'],
    ['1763631000000', '1763631000001', 'from', 'milliseconds'],
    ['9'.repeat(400), '5', 'from', 'milliseconds'],
    ['6', '5', 'until', 'before'],
  ])('the range %s to %s', async (from, until, name, because) => {
    const target = `/api/v1/reports/user-engagement/${encodeURI(from)}/${encodeURI(until)}`;
    const { body } = await expectRefusal(
      service,
      { path: target },
      400,
      name,
      because === '٣' ? 'digits' : because,
    );
    expect(body.member).toBe(name);
  });

  it('an empty range is valid, and has no records', async () => {
    expect((await send(service, { path: '/api/v1/reports/assignment-summary/7/7' })).text).toBe('[]');
  });

  const json = { 'content-type': 'application/json' };

  it('a missing or wrong token', async () => {
    const wrong = [
      undefined,
      '',
      'other',
      `Bearer ${service.token}`,
      `${service.token}x`,
      service.token.toUpperCase(),
    ];
    for (const authorization of wrong) {
      const headers = { ...json, ...(authorization === undefined ? {} : { authorization }) };
      const answer = await expectRefusal(service, { headers }, 401, 'Authorization');
      expect(answer.headers['www-authenticate']).toBeDefined();
      expect(answer.text).not.toContain(service.token);
    }
  });

  it('pages of other sites', async () => {
    const headers = { ...json, authorization: service.token };
    await expectRefusal(
      service,
      { headers: { ...headers, origin: 'https://elsewhere.example' } },
      403,
      'Origin',
    );
    await expectRefusal(service, { headers: { ...headers, origin: 'null' } }, 403, 'Origin');
    expect((await send(service, { headers: { ...headers, origin: 'http://localhost:3000' } })).status).toBe(
      200,
    );
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=iso-8859-1',
    'application/jsonp',
    '',
  ])('the content type %s', async (type) => {
    const headers = { authorization: service.token, ...(type === '' ? {} : { 'content-type': type }) };
    await expectRefusal(service, { headers }, 415, 'application/json');
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"'])(
    'but takes %s',
    async (type) => {
      const headers = { authorization: service.token, 'content-type': type };
      expect((await send(service, { headers })).status).toBe(200);
    },
  );
});

describe('a service that is still generating its data', () => {
  it('answers 503 with Retry-After', async () => {
    const { server } = reportServer({
      world: () => undefined,
      token: 'T',
      scheme: 'raw',
      filterBy: 'names',
      now: Date.now,
      faults: noFaults(),
      onFailure: () => {},
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const headers = { authorization: 'T', 'content-type': 'application/json' };
      const response = await fetch(`http://127.0.0.1:${port}${engagementPath}`, {
        method: 'POST',
        headers,
        body: '{}',
      });
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});

describe('a request that is not HTTP', () => {
  it('is refused in JSON too', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.end('GET nothing at all\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status: 400, error: 'not_http' });
  });
});

describe('a service with bearer tokens', () => {
  it('accepts only that form', async () => {
    const strict = await startService({ learners: 5, auth: 'bearer', token: 'T' });
    try {
      const status = async (authorization: string) => {
        const headers = { authorization, 'content-type': 'application/json' };
        return (await fetch(`${strict.url}${engagementPath}`, { method: 'POST', headers, body: '{}' }))
          .status;
      };
      expect(await status('Bearer T')).toBe(200);
      expect(await status('bearer T')).toBe(200);
      expect(await status('T')).toBe(401);
      expect(await status('Bearer t')).toBe(401);
    } finally {
      await strict.stop();
    }
  });
});
