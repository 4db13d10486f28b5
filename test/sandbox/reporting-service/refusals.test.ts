import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sixReports } from '../../../src/reports/catalogue/index.js';
import { noFaults } from '../../../src/sandbox/reporting-service/faults/faults.js';
import type { RunningReportingService } from '../../../src/sandbox/reporting-service/reporting-service.js';
import { reportServer } from '../../../src/sandbox/reporting-service/server.js';
import { startService } from './service.js';

let service: RunningReportingService;

beforeAll(async () => {
  service = await startService({ learners: 5 });
});
afterAll(() => service.stop());

const path = '/api/v1/reports/user-engagement/1000/2000';

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

/** Over node:http, which sends whatever it is told. */
function send({ method = 'POST', path: target = path, headers, body = '{}' }: Sent = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (resolve, reject) => {
      const { port } = new URL(service.url);
      const usual = { authorization: service.token, 'content-type': 'application/json' };
      const asking = request(
        { host: '127.0.0.1', port, method, path: target, headers: headers ?? usual },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            text += chunk;
          });
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
          );
        },
      );
      asking.on('error', reject);
      asking.end(['GET', 'DELETE', 'OPTIONS'].includes(method) ? undefined : body);
    },
  );
}

async function expectRefusal(sent: Sent, status: number, ...named: readonly string[]) {
  const answer = await send(sent);
  expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
  const body = JSON.parse(answer.text);
  expect(body).toMatchObject({ status, error: expect.stringMatching(/^[a-z0-9_]+$/) });
  for (const name of named) expect(body.message).toContain(name);
  expect(answer.headers['content-type']).toContain('application/json');
  return { ...answer, body };
}

describe('what is refused', () => {
  it('answers what is right', async () => {
    expect(await send()).toMatchObject({ status: 200, text: '[{},{},{},{},{}]' });
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])('the method %s', async (method) => {
    const { headers } = await expectRefusal({ method }, 405, method, 'POST');
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
    await expectRefusal({ path: target }, 404, '/api/v1/reports/');
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
    const { body } = await expectRefusal({ path: target }, 400, name, because === '٣' ? 'digits' : because);
    expect(body.member).toBe(name);
  });

  it('takes an empty range, which holds nothing', async () => {
    expect((await send({ path: '/api/v1/reports/assignment-summary/7/7' })).text).toBe('[]');
  });

  const json = { 'content-type': 'application/json' };

  it('whoever does not show the token', async () => {
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
      const answer = await expectRefusal({ headers }, 401, 'Authorization');
      expect(answer.headers['www-authenticate']).toBeDefined();
      expect(answer.text).not.toContain(service.token);
    }
  });

  it('pages of other sites', async () => {
    const headers = { ...json, authorization: service.token };
    await expectRefusal({ headers: { ...headers, origin: 'https://elsewhere.example' } }, 403, 'Origin');
    await expectRefusal({ headers: { ...headers, origin: 'null' } }, 403, 'Origin');
    expect((await send({ headers: { ...headers, origin: 'http://localhost:3000' } })).status).toBe(200);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=iso-8859-1',
    'application/jsonp',
    '',
  ])('the content type %s', async (type) => {
    const headers = { authorization: service.token, ...(type === '' ? {} : { 'content-type': type }) };
    await expectRefusal({ headers }, 415, 'application/json');
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"'])(
    'but takes %s',
    async (type) => {
      const headers = { authorization: service.token, 'content-type': type };
      expect((await send({ headers })).status).toBe(200);
    },
  );

  it('a body that is compressed', async () => {
    const headers = { ...json, authorization: service.token, 'content-encoding': 'gzip' };
    await expectRefusal({ headers }, 415, 'Content-Encoding');
  });

  it('a body that is too large, announced or not', async () => {
    const large = `{"user_filter":{"email":"${'x'.repeat(1_100_000)}"}}`;
    await expectRefusal({ body: large }, 413, 'larger');
    const headers = { ...json, authorization: service.token, 'content-length': String(10 ** 9) };
    await expectRefusal({ headers, body: '{' }, 413, 'larger');
  });

  it.each([
    ['', 'no body'],
    [' ', 'not JSON'],
    ['{', 'not JSON'],
    ['{"email":true,}', 'not JSON'],
    ["{'email':true}", 'not JSON'],
    ['NaN', 'not JSON'],
    ['[]', 'object'],
    ['null', 'object'],
    ['"email"', 'object'],
    ['7', 'object'],
  ])('the body %j', async (body, because) => {
    await expectRefusal({ body }, 400, because);
  });

  it('a body that is not UTF-8', async () => {
    await expectRefusal({ body: Buffer.from('{"\xff":true}', 'latin1') }, 400, 'UTF-8');
  });

  it.each([
    ['{"emails":true}', 'emails'],
    ['{"Email":true}', 'Email'],
    ['{"__proto__":true}', '__proto__'],
    ['{"constructor":true}', 'constructor'],
    ['{"track_title":true}', 'track_title'],
    ['{"range_target":"created_at"}', 'range_target'],
    ['{"sort_by":"email"}', 'sort_by'],
    ['{"track_filter":{}}', 'track_filter'],
    ['{"email":"true"}', 'email'],
    ['{"email":1}', 'email'],
    ['{"email":null}', 'email'],
    ['{"user_filter":[]}', 'user_filter'],
    ['{"user_filter":"Sales"}', 'user_filter'],
    ['{"user_filter":null}', 'user_filter'],
    ['{"user_filter":{"department":"Sales"}}', 'user_filter.department'],
    ['{"user_filter":{"departments":["Sales"]}}', 'user_filter.departments'],
    ['{"user_filter":{"departments":null}}', 'user_filter.departments'],
    ['{"user_filter":{"suspended":true}}', 'user_filter.suspended'],
    ['{"user_filter":{"suspended":"yes"}}', 'user_filter.suspended'],
    ['{"user_filter":{"suspended":""}}', 'user_filter.suspended'],
    ['{"user_filter":{"__proto__":"x"}}', 'user_filter.__proto__'],
  ])('%s, naming %s', async (body, member) => {
    expect((await expectRefusal({ body }, 400, member)).body.member).toBe(member);
  });

  it('a date or an order that the report does not have, naming those it has', async () => {
    const of = (operation: string, body: object) => ({
      path: `/api/v1/reports/${operation}/1/2`,
      body: JSON.stringify(body),
    });
    await expectRefusal(
      of('assignment-summary', { range_target: 'hired_on' }),
      400,
      'range_target',
      'assigned_date',
    );
    await expectRefusal(of('assignment-summary', { range_target: 7 }), 400, 'range_target');
    await expectRefusal(of('content-completion', { sort_by: 'content' }), 400, 'sort_by', 'updated_date');
    await expectRefusal(of('track-status', { sort_by: 'email' }), 400, 'sort_by');
  });

  it('repeats only a little of what it was sent', async () => {
    const { text } = await expectRefusal(
      { body: JSON.stringify({ [`x${'y'.repeat(5000)}`]: true }) },
      400,
      'xyyy',
    );
    expect(text.length).toBeLessThan(6000);
    expect(JSON.parse(text).message.length).toBeLessThan(300);
  });

  it('a false flag is none, in every report', async () => {
    for (const { operation, range, fields } of sixReports) {
      const body = JSON.stringify({ [fields[0]?.flag ?? '']: false });
      const target = `/api/v1/reports/${operation}${range ? '/0/99999999999' : ''}`;
      const records: unknown[] = JSON.parse((await send({ path: target, body })).text);
      expect(records.every((record) => JSON.stringify(record) === '{}')).toBe(true);
    }
  });
});

describe('a service that is still making its world', () => {
  it('says so, and when to come back', async () => {
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
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
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

describe('what is not HTTP', () => {
  it('is refused in JSON too', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.end('GET nothing at all\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status: 400, error: 'not_http' });
  });
});

describe('a service that wants a bearer token', () => {
  it('takes it in that form only', async () => {
    const strict = await startService({ learners: 5, auth: 'bearer', token: 'T' });
    try {
      const status = async (authorization: string) => {
        const headers = { authorization, 'content-type': 'application/json' };
        return (await fetch(`${strict.url}${path}`, { method: 'POST', headers, body: '{}' })).status;
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
