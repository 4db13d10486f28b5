import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  createInspector,
  readable,
  startRecordingProxy,
} from '../../../../playground/slack/server/inspector.js';

describe('inspector entries', () => {
  test('are newest first, up to a maximum', () => {
    const inspector = createInspector(() => 0);
    for (let index = 0; index < 400; index += 1)
      inspector.begin({ direction: 'bot to Slack', title: `${index}`, body: {} });
    expect(inspector.entries()).toHaveLength(300);
    expect(inspector.entries()[0]?.title).toBe('399');
    inspector.clear();
    expect(inspector.entries()).toEqual([]);
  });

  test('have the time of the clock, and durations in real time', () => {
    let now = 1000;
    const inspector = createInspector(() => now);
    const exchange = inspector.begin({ direction: 'bot to Slack', title: 'x', body: {} });
    now += 3_600_000;
    exchange.end({ state: 'ok' });
    expect(inspector.entries()[0]).toMatchObject({ at: 1000, durationMs: expect.any(Number) });
    expect(inspector.entries()[0]?.durationMs).toBeLessThan(1000);
  });

  test('never contain a token', () => {
    const text = readable({
      token: 'secret',
      nested: { app_token: 'secret' },
      text: 'has xoxb-1-abc and xapp-1-x in it',
    });
    expect(text).not.toMatch(/secret|xoxb|xapp/);
    expect(text).toContain('has (token) and (token) in it');
  });

  test('have indented JSON, and cut long texts', () => {
    expect(readable('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(readable('{"a":')).toBe('{"a":');
    expect(readable('x'.repeat(30_000))).toMatch(/^x{20000}\n… cut here, of 30000 characters$/);
  });
});

async function service(answer: (respond: import('node:http').ServerResponse, body: string) => void) {
  const server = createServer(async (incoming, outgoing) => {
    let body = '';
    for await (const chunk of incoming) body += chunk;
    answer(outgoing, `${incoming.method} ${incoming.url} ${incoming.headers.authorization} ${body}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const inspector = createInspector();
  const proxy = await startRecordingProxy(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    inspector,
  );
  onTestFinished(() => proxy.stop());
  return { proxy, inspector };
}

const ask = (url: string) =>
  fetch(`${url}/api/v1/reports/x/1/2?a=b`, {
    method: 'POST',
    headers: { authorization: 'secret' },
    body: '{"email":true}',
  });

describe('the recording proxy', () => {
  test('forwards requests and answers unchanged, and records both', async () => {
    const { proxy, inspector } = await service((outgoing, body) => outgoing.end(JSON.stringify([body])));
    const answer = await (await ask(proxy.url)).json();
    expect(answer).toEqual(['POST /api/v1/reports/x/1/2?a=b secret {"email":true}']);
    expect(inspector.entries()).toMatchObject([
      {
        direction: 'bot to Reporting Service',
        title: 'POST /api/v1/reports/x/1/2?a=b',
        state: 'ok',
        request: '{\n  "email": true\n}',
        answerBytes: JSON.stringify(answer).length,
      },
    ]);
  });

  test('records statuses, and a part of a large answer', async () => {
    const { proxy, inspector } = await service((outgoing) =>
      outgoing.writeHead(503).end('y'.repeat(100_000)),
    );
    const response = await ask(proxy.url);
    expect([response.status, (await response.text()).length]).toEqual([503, 100_000]);
    await expect
      .poll(() => inspector.entries()[0])
      .toMatchObject({ state: 'refused', error: '503', answerBytes: 100_000 });
    expect(inspector.entries()[0]?.answer?.length).toBeLessThan(21_000);
  });

  test('forwards an answer that ends early', async () => {
    const { proxy, inspector } = await service((outgoing) => {
      outgoing.writeHead(200, { 'content-length': '100' });
      outgoing.write('[{');
      setTimeout(() => outgoing.destroy(), 20);
    });
    await expect(ask(proxy.url).then((response) => response.text())).rejects.toThrow();
    await expect.poll(() => inspector.entries()[0]).toMatchObject({ state: 'failed', error: 'cut short' });
  });

  test('cancels the request when the bot disconnects', async () => {
    let gone = false;
    const { proxy } = await service((outgoing) => {
      outgoing.write('[');
      outgoing.on('close', () => {
        gone = true;
      });
    });
    const asked = request(`${proxy.url}/`, { method: 'POST' }, (response) => {
      response.on('error', () => {});
      response.once('data', () => asked.destroy());
    });
    asked.on('error', () => {});
    asked.end();
    await expect.poll(() => gone).toBe(true);
  });
});
