import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import type { Inspector } from './inspector.js';

/** Bytes of a body that the inspector gets to see. */
const kept = 20_000;

export interface RecordingProxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** Stands in front of the Reporting Service and shows the inspector each request and answer, which pass as they are. */
export async function startRecordingProxy(target: string, inspector: Inspector): Promise<RecordingProxy> {
  const server = createServer((incoming, outgoing) => {
    const asked: Buffer[] = [];
    const answered: Buffer[] = [];
    let askedBytes = 0;
    let answeredBytes = 0;
    let exchange: ReturnType<Inspector['begin']> | undefined;

    const forward = send(
      `${target}${incoming.url ?? ''}`,
      { method: incoming.method ?? 'GET', headers: { ...incoming.headers, host: new URL(target).host } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('data', (chunk: Buffer) => {
          answeredBytes += chunk.length;
          if (answeredBytes - chunk.length < kept) answered.push(chunk);
        });
        const ok = (answer.statusCode ?? 500) < 300;
        pipeline(answer, outgoing, (error) => {
          finish(
            error ? 'failed' : ok ? 'ok' : 'refused',
            error ? 'cut short' : ok ? undefined : String(answer.statusCode),
          );
        });
      },
    );
    forward.on('error', () => {
      finish('failed', 'the service is not there');
      outgoing.destroy();
    });
    // Whoever asked has gone: the service need not go on.
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) forward.destroy();
    });

    incoming.on('data', (chunk: Buffer) => {
      askedBytes += chunk.length;
      if (askedBytes - chunk.length < kept) asked.push(chunk);
    });
    incoming.on('end', () => {
      exchange = inspector.begin({
        between: 'bot to Reporting Service',
        title: `${incoming.method} ${incoming.url}`,
        body: Buffer.concat(asked).toString(),
      });
    });
    pipeline(incoming, forward, () => {});

    function finish(state: 'ok' | 'refused' | 'failed', error: string | undefined) {
      exchange?.end({
        state,
        bytes: answeredBytes,
        body: textOf(answered, answeredBytes),
        ...(error && { error }),
      });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function textOf(chunks: readonly Buffer[], bytes: number): string {
  const text = Buffer.concat(chunks).toString().slice(0, kept);
  return bytes > kept ? `${text}\n… ${bytes} bytes in all` : text;
}
