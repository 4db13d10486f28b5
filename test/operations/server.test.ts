import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMetrics } from '../../src/operations/metrics.js';
import { serveOperations } from '../../src/operations/server.js';

const log = { error: () => {} };

/** Serves with little patience. `ask` sends bytes as they are, and resolves to what came back before the end. */
async function served(state = () => ({ ready: true })) {
  const logged: string[] = [];
  const server = await serveOperations({
    port: 0,
    state,
    metrics: { page: async () => ({ contentType: 'text/plain', text: 'x 1\n' }) },
    log: {
      error: (_details: object, message: string) => {
        logged.push(message);
      },
    },
    timeoutMs: 400,
  });
  onTestFinished(() => server.close());
  async function ask(bytes: string | Uint8Array): Promise<string> {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    socket.write(bytes);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
    });
    await new Promise<void>((resolve) => socket.once('close', () => resolve()));
    return text;
  }
  /** The status of the answer to one request line; 0 where the connection was closed without one. */
  async function status(line: string, more = ''): Promise<number> {
    const text = await ask(`${line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${more}\r\n`);
    return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);
  }
  return { port: server.port, logged, ask, status };
}

describe('requests to the operations server', () => {
  it.each([
    ['GET //', 404],
    ['GET ///healthz', 404],
    ['GET //healthz', 404],
    ['GET /%', 404],
    ['GET /healthz/', 404],
    ['GET /healthz?a=1?b', 200],
    ['GET http://[/', 400],
    ['GET http://localhost/readyz', 200],
    ['GET *', 400],
    ['OPTIONS *', 405],
    ['POST /healthz', 405],
    ['DELETE //', 405],
    ['HEAD /healthz', 200],
    ['BREW /healthz', 400],
  ])('%s gets %i', async (line, expected) => {
    const { status } = await served();
    expect(await status(line)).toBe(expected);
  });

  it('get 500 for a page that throws, and the next request works', async () => {
    let isBroken = true;
    const { status, logged } = await served(() => {
      if (isBroken) throw new Error('broken');
      return { ready: true };
    });
    expect(await status('GET /readyz')).toBe(500);
    expect(logged).toEqual(['A health or metrics page failed']);
    isBroken = false;
    expect(await status('GET /readyz')).toBe(200);
  });

  it('get an answer or are closed, for any bytes', async () => {
    const { ask, status, logged } = await served();
    const target = fc.stringMatching(/^[/:?#%@a-z.\\[\]*]{0,8}$/);
    const request = fc
      .tuple(
        fc.constantFrom('GET', 'HEAD', 'PUT', 'CONNECT', 'g'),
        target,
        fc.constantFrom('1.1', '1.0', '9'),
      )
      .map(([method, path, version]) => `${method} /${path} HTTP/${version}\r\nhost: x\r\n\r\n`);
    const anything = fc.oneof(request, target, fc.uint8Array({ maxLength: 200 }));
    await fc.assert(
      fc.asyncProperty(fc.array(anything, { minLength: 20, maxLength: 20 }), async (many) => {
        const answers = await Promise.all(many.map((bytes) => ask(bytes)));
        for (const text of answers) expect(text).toMatch(/^$|^HTTP\/1\.1 [2345]\d\d /);
      }),
      { numRuns: 4 },
    );
    expect(logged).toEqual([]);
    expect(await status('GET /healthz')).toBe(200);
  });

  it.each([
    ['nothing', ''],
    ['half a header', 'GET /healthz HTTP/1.1\r\nhost: '],
    ['half a body', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 900\r\n\r\nabc'],
    ['half a chunk', 'GET /healthz HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nff\r\na'],
    ['one request and no more', 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'],
  ])('keep no connection open by sending %s', async (_what, bytes) => {
    const { ask, status } = await served();
    const began = performance.now();
    const held = Array.from({ length: 30 }, () => ask(bytes));
    expect(await status('GET /healthz')).toBe(200);
    await Promise.all(held);
    expect(performance.now() - began).toBeLessThan(4000);
  });

  it('keep no connection open by sending byte after byte', async () => {
    const { port } = await served();
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    let isClosed = false;
    socket.once('close', () => {
      isClosed = true;
    });
    socket.write('GET /healthz HTTP/1.1\r\nx: ');
    socket.resume();
    for (let i = 0; i < 60 && !isClosed; i += 1) {
      socket.write('a');
      await wait(50);
    }
    expect(isClosed).toBe(true);
  });
});

describe('the operations server', () => {
  it('reports that the process runs, and whether Slack can reach the bot', async () => {
    let ready = false;
    const metrics = createMetrics(() => ready);
    const server = await serveOperations({ port: 0, state: () => ({ ready, mode: 'http' }), metrics, log });
    const look = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`);
    expect((await look('/healthz')).status).toBe(200);
    expect((await look('/readyz')).status).toBe(503);
    ready = true;
    const answer = await look('/readyz');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ ready: true, mode: 'http' });
    expect((await look('/')).status).toBe(404);
    await server.close();
    await expect(look('/healthz')).rejects.toThrow();
    metrics.close();
  });

  it('shows what runs and waits, and NaN while that cannot be read', async () => {
    let read = async () => ({
      requests: { running: 1, waiting: 2 },
      queries: { running: 3, waiting: 4 },
      digests: { queued: 5, due: 6, late: 7 },
      deletions: 9,
      events: 8,
    });
    const metrics = createMetrics(
      () => true,
      () => read(),
    );
    const seriesOf = async () => (await metrics.page()).text;
    for (const line of [
      'rollcall_requests_running 1',
      'rollcall_requests_waiting 2',
      'rollcall_queries_running 3',
      'rollcall_queries_waiting 4',
      'rollcall_digest_runs_queued 5',
      'rollcall_digest_runs_due 6',
      'rollcall_digest_runs_late 7',
      'rollcall_deletions_waiting 9',
      'rollcall_events_recorded_total 8',
    ])
      expect(await seriesOf()).toContain(`${line}\n`);
    read = () => Promise.reject(new Error('locked'));
    expect(await seriesOf()).toMatch(/^rollcall_digest_runs_late (Nan|NaN)$/m);
    metrics.close();
  });

  it('counts requests and failures without names', async () => {
    const metrics = createMetrics(() => true);
    metrics.requestEnded({ report: 'engagement', outcome: 'answered', seconds: 2, records: 412 });
    metrics.requestEnded({
      report: 'engagement',
      outcome: 'failed',
      seconds: 1,
      records: 0,
      code: 'service-timed-out',
    });
    metrics.digestEnded({ outcome: 'delivered', secondsLate: 3 });
    metrics.digestEnded({ outcome: 'failed', code: 'is_archived', secondsLate: 70 });
    metrics.slackFailed('chat.postMessage', 'not_in_channel');
    metrics.slackFailed('chat.postMessage', 'ada@example.com may not');
    metrics.waitedForRateLimit(1500);
    metrics.acknowledged(40);
    metrics.tookOver(4_000);
    metrics.bytesRead(1200);
    metrics.requestRefused({ level: 'totals', reason: 'totals-only' });
    metrics.unhandledRejection();
    const { text, contentType } = await metrics.page();
    expect(contentType).toContain('text/plain');
    for (const line of [
      'rollcall_requests_total{report="engagement",outcome="answered",code=""} 1',
      'rollcall_requests_total{report="engagement",outcome="failed",code="service-timed-out"} 1',
      'rollcall_request_duration_seconds_sum{report="engagement",outcome="answered"} 2',
      'rollcall_records_read_total{report="engagement"} 412',
      'rollcall_digest_runs_total{outcome="delivered",code=""} 1',
      'rollcall_digest_runs_total{outcome="failed",code="is_archived"} 1',
      'rollcall_digest_delay_seconds_sum 3',
      'rollcall_slack_api_errors_total{method="chat.postMessage",code="not_in_channel"} 1',
      'rollcall_slack_api_errors_total{method="chat.postMessage",code="other"} 1',
      'rollcall_reporting_wait_seconds_sum 1.5',
      'rollcall_unhandled_rejections_total 1',
      'rollcall_acknowledge_seconds_bucket{le="0.05"} 1',
      'rollcall_hand_over_seconds_sum 4',
      'rollcall_reporting_bytes_total 1200',
      'rollcall_requests_refused_total{level="totals",reason="totals-only"} 1',
      'rollcall_ready 1',
    ]) {
      expect(text).toContain(line);
    }
    expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds \d/);
    expect(text).not.toContain('ada');
    metrics.close();
  });
});
