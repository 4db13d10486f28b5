import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { checkAssistantPath } from '../../src/cli/doctor.js';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server where PUBLIC_URL leads. Returns its address, and the paths of its requests. */
async function serverThat(answers: (response: ServerResponse) => unknown) {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(`${request.method} ${request.url}`);
    request.resume();
    request.on('end', () => answers(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}

const fromRollcall = JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message: 'No' }, id: null });
const forward = 'Forward POST requests for /mcp to HOST and PORT of Rollcall, without a redirect.';
const notRollcall =
  'It is not Rollcall that refuses: let POST requests for /mcp through to it without a login.';

const cases: readonly (readonly [string, (response: ServerResponse) => unknown, string])[] = [
  ['Rollcall', (to) => to.writeHead(401).end(fromRollcall), 'ok'],
  [
    'a login before Rollcall',
    (to) => to.writeHead(401).end('<h1>Log in'),
    `gives status 401. ${notRollcall}`,
  ],
  ['a firewall', (to) => to.writeHead(403).end('Forbidden'), `gives status 403. ${notRollcall}`],
  [
    'Rollcall behind a proxy with another host',
    (to) => to.writeHead(403).end(fromRollcall),
    'gives status 403. What forwards the requests changes their host: pass on the header Host.',
  ],
  [
    'no such path',
    (to) => to.writeHead(404).end(),
    `gives status 404. Start Rollcall with MCP=yes. ${forward}`,
  ],
  ['a redirect', (to) => to.writeHead(307, { location: '/mcp/' }).end(), `gives status 307. ${forward}`],
  ['a proxy without Rollcall', (to) => to.writeHead(502).end(), `gives status 502. ${forward}`],
  ['another site', (to) => to.writeHead(200).end('<h1>Hello'), `gives status 200. ${forward}`],
  ['nothing for long', () => {}, `did not answer in time. ${forward}`],
  ['half an answer', (to) => to.writeHead(401).write('{'), `did not answer in time. ${forward}`],
  ['a closed connection', (to) => to.destroy(), `cannot be reached from here. ${forward}`],
];

describe('rollcall doctor, where /mcp is', () => {
  it.each(cases)('%s, says so', async (_, answers, said) => {
    const { url, paths } = await serverThat(answers);
    // Long enough for what answers, and not for what never does.
    const signal = AbortSignal.timeout(said.startsWith('did not') ? 300 : 20_000);
    const { subject, ok, sentence } = await checkAssistantPath(url, { fetch }, signal);
    expect(subject).toBe('Slackbot');
    expect(ok).toBe(said === 'ok');
    expect(sentence).toBe(said === 'ok' ? `Rollcall answers at ${url}/mcp.` : `${url}/mcp ${said}`);
    expect(paths).toEqual(['POST /mcp']);
  });
});
