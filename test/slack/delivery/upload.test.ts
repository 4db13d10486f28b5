import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebClient } from '@slack/web-api';
import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shareFile } from '../../../src/slack/delivery/upload.js';
import { quiet } from '../../playground/slack/server/test-bot.js';

type Step = 'files.getUploadURLExternal' | 'upload' | 'files.completeUploadExternal';

let folder: string;
let server: Server;
let agent: Agent;
let hash: string;
let upload: { readonly length: string | undefined; readonly framing: string | undefined };
let completed: URLSearchParams | undefined;
/** Failures by step. */
let faults: Partial<Record<Step, (response: ServerResponse) => void>>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-upload-'));
  agent = new Agent();
  [faults, completed, hash] = [{}, undefined, ''];
  server = createServer(async (request, response) => {
    const step = (request.url ?? '').split('/').at(-1) as Step;
    const fault = faults[step];
    if (step !== 'upload') {
      const form = new URLSearchParams(await textOf(request));
      if (fault) return fault(response);
      if (step === 'files.completeUploadExternal') completed = form;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ok: true, upload_url: `${address()}/upload`, file_id: 'F1', files: [] }));
      return;
    }
    if (fault) return fault(response);
    upload = {
      length: request.headers['content-length'],
      framing: request.headers['transfer-encoding'],
    };
    const digest = createHash('sha256');
    for await (const chunk of request) {
      digest.update(chunk);
      // A slow reader lets the sender read ahead as far as it can.
      if (Math.random() < 0.1) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    hash = digest.digest('hex');
    response.end('OK');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  await agent.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

function address(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function textOf(request: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

async function share(content: Buffer, signal?: AbortSignal) {
  const path = join(folder, 'answer.csv');
  writeFileSync(path, content);
  const client = new WebClient('xoxb-1', {
    slackApiUrl: `${address()}/api/`,
    retryConfig: { retries: 0 },
    logger: quiet,
  });
  const file = { path, bytes: content.length, name: 'a.csv' };
  const uploaded = await shareFile(client, agent)(file, signal);
  return uploaded({ channel: 'C1', thread: '1.2' });
}

describe('an upload', () => {
  it.each([1, 1000, 256 * 1024, 256 * 1024 + 1, 20_000_000])(
    'arrives byte for byte: %i bytes',
    async (bytes) => {
      const content = randomBytes(bytes);
      await share(content);
      expect(hash).toBe(createHash('sha256').update(content).digest('hex'));
      expect(upload).toEqual({ length: String(bytes), framing: undefined });
      expect(completed?.get('channel_id')).toBe('C1');
      expect(completed?.get('thread_ts')).toBe('1.2');
    },
  );

  it.each<[Step, (response: ServerResponse) => void, string, boolean]>([
    [
      'files.getUploadURLExternal',
      (response) =>
        response
          .setHeader('content-type', 'application/json')
          .end('{"ok":false,"error":"storage_limit_reached"}'),
      'storage_limit_reached',
      false,
    ],
    ['upload', (response) => response.writeHead(500).end(), 'http_500', false],
    ['upload', (response) => response.destroy(), 'connection_lost', false],
    [
      'files.completeUploadExternal',
      (response) =>
        response.setHeader('content-type', 'application/json').end('{"ok":false,"error":"not_in_channel"}'),
      'not_in_channel',
      false,
    ],
    ['files.completeUploadExternal', (response) => response.destroy(), 'connection_lost', true],
    ['files.completeUploadExternal', (response) => response.writeHead(503).end(), 'http_503', true],
  ])('%s fails: says why, and whether it may have arrived', async (step, fault, reason, mayHaveArrived) => {
    faults[step] = fault;
    const failure = await share(randomBytes(300_000)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'file-not-shared', details: { reason, mayHaveArrived } });
  });

  it('stops when its run is cancelled, and is not completed', async () => {
    const cancel = new AbortController();
    faults.upload = () => cancel.abort(new Error('called off'));
    await expect(share(randomBytes(5_000_000), cancel.signal)).rejects.toThrow('called off');
    expect(completed).toBeUndefined();
  });
});
