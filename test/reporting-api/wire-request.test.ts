import { expect, it } from 'vitest';
import { buildHttpRequest } from '../../src/reporting-api/http-request.js';

const settings = {
  baseUrl: 'http://service.test',
  token: 'secret',
  authScheme: 'raw',
  idleTimeoutMs: 1000,
} as const;
const engagement = {
  operation: 'user-engagement',
  range: { from: 1762646400, until: 1763251200 },
  addsUp: false,
  body: { email: true, user_filter: { departments: 'Sales,Field Operations' } },
};

it.each([
  ['http://service.test', 'http://service.test/api/v1/reports/user-engagement/1762646400/1763251200'],
  ['http://service.test/', 'http://service.test/api/v1/reports/user-engagement/1762646400/1763251200'],
  [
    'https://service.test:8443/lms//',
    'https://service.test:8443/lms/api/v1/reports/user-engagement/1762646400/1763251200',
  ],
])('adds the path to %s', (baseUrl, url) => {
  expect(buildHttpRequest(engagement, { ...settings, baseUrl }).url).toBe(url);
});

it('leaves the range out where a report has none', () => {
  const question = { operation: 'assessment-status', addsUp: false, body: {} };
  expect(buildHttpRequest(question, settings).url).toBe(
    'http://service.test/api/v1/reports/assessment-status',
  );
});

it('sends the token as configured, and the body as it stands', () => {
  expect(buildHttpRequest(engagement, settings)).toMatchObject({
    headers: { authorization: 'secret', 'content-type': 'application/json' },
    body: '{"email":true,"user_filter":{"departments":"Sales,Field Operations"}}',
    idleTimeoutMs: 1000,
  });
  expect(buildHttpRequest(engagement, { ...settings, authScheme: 'bearer' }).headers.authorization).toBe(
    'Bearer secret',
  );
});
