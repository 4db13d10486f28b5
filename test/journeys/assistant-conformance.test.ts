import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assistantSettings, sendSigned } from './assistant-client.js';
import { eventsUrl } from './bot-process.js';
import { testWorkspace } from './test-workspace.js';

/*
 * The protocol's own tests against a running bot. They sign nothing, so a proxy signs their requests as Slack would, and
 * passes on every host but its own.
 */

const work = testWorkspace(() => ({ mode: 'http', environment: assistantSettings }));
const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');
let proxy: Server;

beforeAll(async () => {
  const url = (await eventsUrl(work().bot)).replace('/slack/events', '/mcp');
  const secret = work().slack.signingSecret;
  proxy = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const {
      host = '',
      origin,
      accept,
      'content-type': type,
      'mcp-protocol-version': version,
    } = request.headers;
    const isOurs = /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(host);
    const headers = {
      ...(!isOurs && { host, origin }),
      accept,
      'content-type': type,
      'mcp-protocol-version': typeof version === 'string' ? version : undefined,
    };
    const sent = await sendSigned({ url, secret, body, method: request.method ?? 'GET', headers });
    response.writeHead(sent.status, { 'content-type': sent.headers.get('content-type') ?? 'text/plain' });
    response.end(sent.text);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => proxy.close(resolve)));

describe('the conformance tests of the protocol', () => {
  it.each(['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'])(
    'pass in %s',
    { timeout: 60_000 },
    async (scenario) => {
      const { port } = proxy.address() as AddressInfo;
      const url = `http://localhost:${port}/mcp`;
      const child = spawn(process.execPath, [program, 'server', '--url', url, '--scenario', scenario], {
        cwd: work().folder,
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => {
          output += text;
        });
      const code = await new Promise((resolve) => child.on('exit', resolve));
      expect(output).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed, 0 warnings/);
      expect(code).toBe(0);
    },
  );
});
