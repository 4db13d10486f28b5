import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkService } from '../../src/reporting-api/check-service.js';
import { answer, type FaultServer, openFaultServer, silent, status } from './fault-server.js';

let server: FaultServer;

beforeEach(async () => {
  server = await openFaultServer();
});

afterEach(() => server.close());

const settings = () => ({
  baseUrl: server.url,
  token: 's3cret',
  authScheme: 'bearer' as const,
  idleTimeoutMs: 300,
  maxRequestsPerMinute: 1,
  maxParallelRequests: 1,
  maxRangeDays: 0,
  proxies: {},
});
const now = Date.UTC(2026, 10, 20, 12, 0, 0, 999);
const never = new AbortController().signal;

it('sends one small query, as a report would', async () => {
  server.behave(answer('[]'), answer('[{"workshop_id":"w1"}]'));
  expect(await checkService(settings(), now, never)).toBe(0);
  expect(await checkService(settings(), now, never)).toBe(1);
  expect(server.seen).toHaveLength(2);
  expect(server.seen[0]).toMatchObject({
    path: '/api/v1/reports/workshop-engagement/1795089600/1795176000',
    headers: { authorization: 'Bearer s3cret' },
    body: '{"workshop_id":true}',
  });
});

it('fails as a report would, without a retry', async () => {
  server.behave(status(401), status(503), answer('{}'), silent);
  await expect(checkService(settings(), now, never)).rejects.toMatchObject({ code: 'token-refused' });
  await expect(checkService(settings(), now, never)).rejects.toMatchObject({ code: 'service-broken' });
  await expect(checkService(settings(), now, never)).rejects.toMatchObject({ code: 'answer-not-an-array' });
  await expect(checkService(settings(), now, never)).rejects.toMatchObject({ code: 'service-timed-out' });
  expect(server.seen).toHaveLength(4);
});
