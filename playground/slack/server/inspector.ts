import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import type { InspectorEntry } from './page-shapes.js';

const mostKept = 300;
const longestText = 20_000;

export interface Exchange {
  /** Completes the entry: what came back. */
  end(answer: { state: InspectorEntry['state']; body?: unknown; error?: string; bytes?: number }): void;
}

/** Remembers each request and answer between the bot, Slack and the Reporting Service. */
export interface Inspector {
  begin(request: { between: InspectorEntry['between']; title: string; body: unknown }): Exchange;
  /** Newest first. */
  entries(): readonly InspectorEntry[];
  clear(): void;
  /** Called with every new entry and every change of one. Returns the way to stop listening. */
  listen(listener: (entry: InspectorEntry) => void): () => void;
}

/** What is known of an exchange; its bodies become text only when somebody looks. */
interface Known {
  readonly entry: Omit<InspectorEntry, 'request' | 'answer'>;
  readonly request: unknown;
  readonly answer?: unknown;
}

export function createInspector(realNow: () => number = Date.now): Inspector {
  let kept: Known[] = [];
  let ids = 0;
  const listeners = new Set<(entry: InspectorEntry) => void>();
  const tell = (known: Known) => {
    if (listeners.size === 0) return;
    const entry = asText(known);
    for (const listener of [...listeners]) listener(entry);
  };

  return {
    begin({ between, title, body }) {
      ids += 1;
      const at = realNow();
      const asked: Known = { entry: { id: ids, at, between, title, state: 'waiting' }, request: body };
      kept = [asked, ...kept.slice(0, mostKept - 1)];
      tell(asked);
      return {
        end({ state, body: answer, error, bytes }) {
          const answered: Known = {
            request: asked.request,
            answer,
            entry: {
              ...asked.entry,
              state,
              milliseconds: realNow() - at,
              ...(error !== undefined && { error }),
              ...(bytes !== undefined && { answerBytes: bytes }),
            },
          };
          kept = kept.map((one) => (one === asked ? answered : one));
          tell(answered);
        },
      };
    },
    entries: () => kept.map(asText),
    clear() {
      kept = [];
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function asText({ entry, request, answer }: Known): InspectorEntry {
  return {
    ...entry,
    request: readable(request),
    ...(answer !== undefined && { answer: readable(answer) }),
  };
}

const secretMember = /token|authorization|secret/i;
const secretText = /\bx(?:ox[a-z]|app)-[A-Za-z0-9-]+/g;

/** A body as text to read: JSON laid out, tokens masked, cut where it is long. */
export function readable(body: unknown): string {
  const text = typeof body === 'string' ? layOut(body) : stringify(body);
  const masked = text.replace(secretText, '(token)');
  if (masked.length <= longestText) return masked;
  return `${masked.slice(0, longestText)}\n… cut here, of ${masked.length} characters`;
}

function layOut(text: string): string {
  if (!/^\s*[[{]/.test(text) || text.length > 10 * longestText) return text;
  try {
    return stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

function stringify(body: unknown): string {
  const hide = (name: string, value: unknown) =>
    secretMember.test(name) && typeof value === 'string' ? '(hidden)' : value;
  return JSON.stringify(body, hide, 2) ?? '';
}

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
