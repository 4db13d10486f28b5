import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import type { InspectorEntry } from './page-shapes.js';

const maxEntries = 300;
const maxTextLength = 20_000;

interface Exchange {
  /** Completes the entry with the answer. */
  end(answer: { state: InspectorEntry['state']; body?: unknown; error?: string; bytes?: number }): void;
}

/** Records each request and answer between the bot, Slack and the Reporting Service. */
export interface Inspector {
  begin(request: { direction: InspectorEntry['direction']; title: string; body: unknown }): Exchange;
  /** Newest first. */
  entries(): readonly InspectorEntry[];
  clear(): void;
  /** Called with each new or changed entry. Returns a function that unsubscribes. */
  subscribe(listener: (entry: InspectorEntry) => void): () => void;
}

/** A recorded exchange. Bodies become text only when they are read, which keeps recording cheap. */
interface StoredEntry {
  readonly entry: Omit<InspectorEntry, 'request' | 'answer'>;
  readonly request: unknown;
  readonly answer?: unknown;
}

/** @param now the playground's time, in milliseconds since the epoch */
export function createInspector(now: () => number = Date.now): Inspector {
  let stored: StoredEntry[] = [];
  let lastId = 0;
  const listeners = new Set<(entry: InspectorEntry) => void>();
  const notify = (changed: StoredEntry) => {
    if (listeners.size === 0) return;
    const entry = toPageEntry(changed);
    for (const listener of [...listeners]) listener(entry);
  };

  return {
    begin({ direction, title, body }) {
      lastId += 1;
      // Durations are in real time, because the playground's time jumps.
      const startedAt = performance.now();
      const pending: StoredEntry = {
        entry: { id: lastId, at: now(), direction, title, state: 'waiting' },
        request: body,
      };
      stored = [pending, ...stored.slice(0, maxEntries - 1)];
      notify(pending);
      return {
        end({ state, body: answer, error, bytes }) {
          const completed: StoredEntry = {
            request: pending.request,
            answer,
            entry: {
              ...pending.entry,
              state,
              durationMs: performance.now() - startedAt,
              error,
              answerBytes: bytes,
            },
          };
          stored = stored.map((one) => (one === pending ? completed : one));
          notify(completed);
        },
      };
    },
    entries: () => stored.map(toPageEntry),
    clear() {
      stored = [];
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function toPageEntry({ entry, request, answer }: StoredEntry): InspectorEntry {
  return {
    ...entry,
    request: readable(request),
    answer: answer === undefined ? undefined : readable(answer),
  };
}

const secretMembers = /token|authorization|secret/i;
const secretText = /\bx(?:ox[a-z]|app)-[A-Za-z0-9-]+/g;

/** A body as readable text: JSON indented, tokens masked, long texts cut. */
export function readable(body: unknown): string {
  const text = typeof body === 'string' ? indentJson(body) : stringify(body);
  const masked = text.replace(secretText, '(token)');
  if (masked.length <= maxTextLength) return masked;
  return `${masked.slice(0, maxTextLength)}\n… cut here, of ${masked.length} characters`;
}

function indentJson(text: string): string {
  if (!/^\s*[[{]/.test(text) || text.length > 10 * maxTextLength) return text;
  try {
    return stringify(JSON.parse(text));
  } catch {
    return text;
  }
}

function stringify(body: unknown): string {
  const hide = (name: string, value: unknown) =>
    secretMembers.test(name) && typeof value === 'string' ? '(hidden)' : value;
  return JSON.stringify(body, hide, 2) ?? '';
}

/** Bytes of a body that are recorded. */
const maxBodyBytes = 20_000;

export interface RecordingProxy {
  readonly url: string;
  stop(): Promise<void>;
}

/** A proxy in front of the Reporting Service that records each request and answer, and changes nothing. */
export async function startRecordingProxy(target: string, inspector: Inspector): Promise<RecordingProxy> {
  const server = createServer((incoming, outgoing) => {
    const requestChunks: Buffer[] = [];
    const answerChunks: Buffer[] = [];
    let requestBytes = 0;
    let answerBytes = 0;
    let exchange: ReturnType<Inspector['begin']> | undefined;

    const forward = send(
      `${target}${incoming.url ?? ''}`,
      { method: incoming.method ?? 'GET', headers: { ...incoming.headers, host: new URL(target).host } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('data', (chunk: Buffer) => {
          answerBytes += chunk.length;
          if (answerBytes - chunk.length < maxBodyBytes) answerChunks.push(chunk);
        });
        const ok = (answer.statusCode ?? 500) < 300;
        pipeline(answer, outgoing, (error) => {
          if (error) finish('failed', 'cut short');
          else if (ok) finish('ok', undefined);
          else finish('refused', String(answer.statusCode));
        });
      },
    );
    forward.on('error', () => {
      finish('failed', 'the service cannot be reached');
      outgoing.destroy();
    });
    // The client has disconnected, so the service can stop.
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) forward.destroy();
    });

    incoming.on('data', (chunk: Buffer) => {
      requestBytes += chunk.length;
      if (requestBytes - chunk.length < maxBodyBytes) requestChunks.push(chunk);
    });
    incoming.on('end', () => {
      exchange = inspector.begin({
        direction: 'bot to Reporting Service',
        title: `${incoming.method} ${incoming.url}`,
        body: Buffer.concat(requestChunks).toString(),
      });
    });
    pipeline(incoming, forward, () => {});

    function finish(state: 'ok' | 'refused' | 'failed', error: string | undefined) {
      exchange?.end({
        state,
        bytes: answerBytes,
        body: textOf(answerChunks, answerBytes),
        error,
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
  const text = Buffer.concat(chunks).toString().slice(0, maxBodyBytes);
  return bytes > maxBodyBytes ? `${text}\n… ${bytes} bytes in all` : text;
}
