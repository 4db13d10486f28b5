import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { responseUrl, sendToSlackOnly } from '../../../src/slack/context/request-context.js';

const servers: Server[] = [];

async function slackThatAnswers(status: number, text: string) {
  const received: unknown[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push(JSON.parse(body));
      response.writeHead(status).end(text);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/commands/1`, received };
}

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

describe('a response URL of somebody else', () => {
  it('gets nothing', async () => {
    const { url, received } = await slackThatAnswers(200, 'ok');
    const send = sendToSlackOnly(fetch, 'https://slack.com/api/');
    for (const theirs of [
      url,
      'http://hooks.slack.com/x',
      'https://hooks.slack.com.example.com/x',
      'not an address',
    ]) {
      const outcome = await responseUrl(theirs, send).toChannel({ text: 'hello' });
      expect(outcome.kind, theirs).not.toBe('posted');
    }
    expect(received).toEqual([]);
  });

  it('is recognized by the hosts of Slack, and by the host of the Web API', async () => {
    const sent: string[] = [];
    const note = async (url: unknown) => {
      sent.push(String(url));
      return new Response('ok');
    };
    const urls = ['https://hooks.slack.com/commands/1', 'https://hooks.slack-gov.com/commands/1'];
    for (const url of urls)
      await responseUrl(url, sendToSlackOnly(note as never, 'https://slack.com/api/')).toChannel({
        text: 'x',
      });
    const local = ['http://127.0.0.1:9999/response', 'http://localhost:9999/response'];
    for (const url of local)
      await responseUrl(url, sendToSlackOnly(note as never, 'http://127.0.0.1:3000/api/')).toChannel({
        text: 'x',
      });
    expect(sent).toEqual([...urls, ...local]);
  });
});

describe('a response URL', () => {
  it('replies to the asker or the channel, and closes after five uses', async () => {
    const { url, received } = await slackThatAnswers(200, 'ok');
    const back = responseUrl(url, fetch);
    expect(await back.toAsker({ text: 'one' })).toMatchObject({ kind: 'posted' });
    await back.toChannel({ text: 'two' });
    await back.replaceOriginal({ text: 'three' });
    await back.deleteOriginal();
    expect(back.isOpen()).toBe(true);
    await back.toAsker({ text: 'five' });
    expect(back.isOpen()).toBe(false);
    expect(received).toMatchObject([
      { response_type: 'ephemeral', text: 'one' },
      { response_type: 'in_channel', text: 'two' },
      { replace_original: true, text: 'three' },
      { delete_original: true },
      { response_type: 'ephemeral', text: 'five' },
    ]);
  });

  it.each([
    [200, 'ok', 'posted', undefined],
    [200, '', 'posted', undefined],
    [200, '{"ok":true}', 'posted', undefined],
    [200, '{"ok":false,"error":"expired_url"}', 'not-posted', 'expired_url'],
    [200, 'invalid_blocks', 'not-posted', 'invalid_blocks'],
    [404, 'used_url', 'not-posted', 'used_url'],
    [400, '<html>no</html>', 'not-posted', 'http_400'],
    [200, '<!doctype html><p>Sign in', 'unknown', 'connection_lost'],
    [429, '', 'not-posted', 'ratelimited'],
    [500, 'ok', 'unknown', 'http_500'],
  ])('%s %s is %s', async (status, text, kind, code) => {
    const { url } = await slackThatAnswers(status, text);
    const outcome = await responseUrl(url, fetch).toChannel({ text: 'hello' });
    expect(outcome).toMatchObject(code === undefined ? { kind } : { kind, code });
  });

  it('distinguishes a refused connection from a lost one', async () => {
    const { url } = await slackThatAnswers(200, 'ok');
    const [server] = servers;
    await new Promise((resolve) => server?.close(resolve));
    expect(await responseUrl(url, fetch).toChannel({ text: 'hello' })).toMatchObject({ kind: 'not-posted' });

    const cutting = createServer((request) => request.socket.destroy());
    servers.push(cutting);
    await new Promise<void>((resolve) => cutting.listen(0, '127.0.0.1', resolve));
    const there = `http://127.0.0.1:${(cutting.address() as AddressInfo).port}/`;
    expect(await responseUrl(there, fetch).toChannel({ text: 'hello' })).toMatchObject({ kind: 'unknown' });
  });
});
