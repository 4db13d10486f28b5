import { describe, expect, it } from 'vitest';
import { countThings } from '../../src/operations/metrics.js';
import { serveOperations } from '../../src/operations/server.js';

describe('the operations server', () => {
  it('tells that the process lives, and whether Slack can reach the bot', async () => {
    let ready = false;
    const metrics = countThings(() => ready);
    const server = await serveOperations({ port: 0, state: () => ({ ready, mode: 'http' }), metrics });
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

  it('counts what is asked and what fails, and names nobody', async () => {
    const metrics = countThings(() => true);
    metrics.askEnded({ report: 'engagement', outcome: 'answered', seconds: 2, records: 412 });
    metrics.askEnded({
      report: 'engagement',
      outcome: 'failed',
      seconds: 1,
      records: 0,
      code: 'service-silent',
    });
    metrics.digestEnded({ outcome: 'delivered', secondsLate: 3 });
    metrics.digestEnded({ outcome: 'failed', code: 'is_archived', secondsLate: 70 });
    metrics.slackFailed('chat.postMessage', 'not_in_channel');
    metrics.slackFailed('chat.postMessage', 'ada@example.com may not');
    metrics.waited(1500);
    metrics.unhandledRejection();
    const { text, contentType } = await metrics.page();
    expect(contentType).toContain('text/plain');
    for (const line of [
      'rollcall_asks_total{report="engagement",outcome="answered",code=""} 1',
      'rollcall_asks_total{report="engagement",outcome="failed",code="service-silent"} 1',
      'rollcall_ask_duration_seconds_sum{report="engagement",outcome="answered"} 2',
      'rollcall_records_read_total{report="engagement"} 412',
      'rollcall_digest_runs_total{outcome="delivered",code=""} 1',
      'rollcall_digest_runs_total{outcome="failed",code="is_archived"} 1',
      'rollcall_digest_delay_seconds_sum 3',
      'rollcall_slack_api_errors_total{method="chat.postMessage",code="not_in_channel"} 1',
      'rollcall_slack_api_errors_total{method="chat.postMessage",code="other"} 1',
      'rollcall_reporting_wait_seconds_sum 1.5',
      'rollcall_unhandled_rejections_total 1',
      'rollcall_ready 1',
    ]) {
      expect(text).toContain(line);
    }
    expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds \d/);
    expect(text).not.toContain('ada');
    metrics.close();
  });
});
