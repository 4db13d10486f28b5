import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningReportingService } from '../../../playground/reporting-service/reporting-service.js';
import { allReports } from '../../../src/catalogue/index.js';
import { expectRefusal, send, startService } from './service.js';

let service: RunningReportingService;
beforeAll(async () => {
  service = await startService({ learners: 5 });
});
afterAll(() => service.stop());

describe('refused bodies', () => {
  const json = { 'content-type': 'application/json' };

  it('a body that is compressed', async () => {
    const headers = { ...json, authorization: service.token, 'content-encoding': 'gzip' };
    await expectRefusal(service, { headers }, 415, 'Content-Encoding');
  });

  it('a body that is too large, announced or not', async () => {
    const large = `{"user_filter":{"email":"${'x'.repeat(1_100_000)}"}}`;
    await expectRefusal(service, { body: large }, 413, 'larger');
    const headers = { ...json, authorization: service.token, 'content-length': String(10 ** 9) };
    await expectRefusal(service, { headers, body: '{' }, 413, 'larger');
  });

  it.each([
    ['', 'is empty'],
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
    await expectRefusal(service, { body }, 400, because);
  });

  it('a body that is not UTF-8', async () => {
    await expectRefusal(service, { body: Buffer.from('{"\xff":true}', 'latin1') }, 400, 'UTF-8');
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
    expect((await expectRefusal(service, { body }, 400, member)).body.member).toBe(member);
  });

  it('an unknown date or order, naming the known ones', async () => {
    const of = (operation: string, body: object) => ({
      path: `/api/v1/reports/${operation}/1/2`,
      body: JSON.stringify(body),
    });
    await expectRefusal(
      service,
      of('assignment-summary', { range_target: 'hired_on' }),
      400,
      'range_target',
      'assigned_date',
    );
    await expectRefusal(service, of('assignment-summary', { range_target: 7 }), 400, 'range_target');
    await expectRefusal(
      service,
      of('content-completion', { sort_by: 'content' }),
      400,
      'sort_by',
      'updated_date',
    );
    await expectRefusal(service, of('track-status', { sort_by: 'email' }), 400, 'sort_by');
  });

  it('messages quote only a short part of the body', async () => {
    const { text } = await expectRefusal(
      service,
      { body: JSON.stringify({ [`x${'y'.repeat(5000)}`]: true }) },
      400,
      'xyyy',
    );
    expect(text.length).toBeLessThan(6000);
    expect(JSON.parse(text).message.length).toBeLessThan(300);
  });

  it('a flag that is false counts as absent, in every report', async () => {
    for (const { operation, range, fields } of allReports) {
      const body = JSON.stringify({ [fields[0]?.flag ?? '']: false });
      const target = `/api/v1/reports/${operation}${range ? '/0/99999999999' : ''}`;
      const records: unknown[] = JSON.parse((await send(service, { path: target, body })).text);
      expect(records.every((record) => JSON.stringify(record) === '{}')).toBe(true);
    }
  });
});
