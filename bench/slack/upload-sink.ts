import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A Slack that accepts uploads and keeps only their length and framing. */
export interface UploadSink {
  readonly apiUrl: string;
  /** The bytes of file content in the last upload. */
  readonly received: () => number;
  stop(): Promise<void>;
}

export async function startUploadSink(): Promise<UploadSink> {
  let received = 0;
  let length = 0;
  const server = createServer(async (request, response) => {
    const answer = (body: object) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    const path = request.url ?? '';
    if (path.startsWith('/upload')) {
      const bytes = await lengthOf(request);
      // A form adds some bytes around the file. The file itself has the announced length.
      received = bytes >= length ? length : bytes;
      response.end(`OK - ${received}`);
    } else if (path.includes('files.getUploadURLExternal')) {
      length = Number(new URLSearchParams(await textOf(request)).get('length'));
      answer({ ok: true, upload_url: `${address()}/upload`, file_id: 'F1' });
    } else {
      await lengthOf(request);
      answer({ ok: true, files: [{ id: 'F1' }] });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    apiUrl: `${address()}/api/`,
    received: () => received,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function lengthOf(request: IncomingMessage): Promise<number> {
  return new Promise((resolve) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on('end', () => resolve(bytes));
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
