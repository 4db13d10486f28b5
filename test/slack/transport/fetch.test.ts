import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Agent } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchThrough } from '../../../src/slack/delivery/clients.js';
import { outcomeOfLostCall } from '../../../src/slack/delivery/post-message.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server that answers every request in this way, and `fetch` to it. */
async function answering(answer: (response: ServerResponse) => void) {
  const seen: { url?: string; encoding?: string | string[]; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const text of request.setEncoding('utf8')) body += text;
    seen.push({ url: request.url, encoding: request.headers['accept-encoding'], body });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const dispatcher = new Agent({ connections: 1 });
  closing.push(
    () => dispatcher.destroy(),
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/x`;
  const send = (signal?: AbortSignal) =>
    fetchThrough(dispatcher)(url, { method: 'POST', body: 'a=1', headers: { 'x-y': 'z' }, signal });
  return { url, send, seen };
}

describe('fetch for Slack', () => {
  it('returns the status, headers and body of an answer', async () => {
    const { url, send, seen } = await answering((response) =>
      response.writeHead(429, { 'Retry-After': '7' }).end('{"ok":false}'),
    );
    const response = await send();
    expect(response).toMatchObject({ ok: false, status: 429, url });
    expect(response.headers.get('Retry-After')).toBe('7');
    expect(response.headers.get('none')).toBeNull();
    expect(Object.fromEntries(response.headers.entries())).toMatchObject({ 'retry-after': '7' });
    expect(await response.text()).toBe('{"ok":false}');
    expect(await response.json()).toEqual({ ok: false });
    expect(Buffer.from(await response.arrayBuffer()).toString()).toBe('{"ok":false}');
    expect(seen).toEqual([{ url: '/api/x', encoding: 'gzip', body: 'a=1' }]);
  });

  it('decompresses answers', async () => {
    const text = JSON.stringify({ ok: true, text: 'ä'.repeat(100_000) });
    const { send } = await answering((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text)),
    );
    const response = await send();
    expect(response.ok).toBe(true);
    expect(await response.text()).toBe(text);
  });

  it('leaves the connection free where nobody reads the answer', async () => {
    const { send, seen } = await answering((response) => response.writeHead(429).end('x'.repeat(300_000)));
    for (let calls = 0; calls < 3; calls += 1) expect((await send()).status).toBe(429);
    expect(seen).toHaveLength(3);
  });

  it('follows no redirect', async () => {
    const { send, seen } = await answering((response) =>
      response.writeHead(302, { location: '/elsewhere' }).end(),
    );
    await expect(send()).rejects.toThrow('redirected');
    expect(seen).toHaveLength(1);
  });

  it('fails with what a caller can tell apart: refused, cut off, and too late', async () => {
    const dispatcher = new Agent();
    closing.push(() => dispatcher.destroy());
    const refused: unknown = await fetchThrough(dispatcher)('http://127.0.0.1:1/').catch((error) => error);
    expect(outcomeOfLostCall(refused).kind).toBe('not-posted');
    const cut = await answering((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"ok"');
      setTimeout(() => response.destroy(), 20);
    });
    const lost: unknown = await cut.send().catch((error) => error);
    expect(lost).toBeInstanceOf(Error);
    expect(outcomeOfLostCall(lost).kind).toBe('unknown');
    const slow = await answering(() => {});
    await expect(slow.send(AbortSignal.timeout(50))).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('sends no files', async () => {
    const { url, seen } = await answering((response) => response.end());
    await expect(fetchThrough(new Agent())(url, { body: new FormData() })).rejects.toThrow(TypeError);
    expect(seen).toEqual([]);
  });
});
