import { Agent } from 'undici';
import { afterEach, beforeEach } from 'vitest';
import { exchange } from '../../src/reporting-api/http-exchange.js';
import { type FaultServer, openFaultServer } from './fault-server.js';

/** A new server for each test. */
export let server: FaultServer;
let dispatcher: Agent;

/** Call once in each file that uses `server` or `ask`. */
export function setUpExchange(): void {
  beforeEach(async () => {
    server = await openFaultServer();
    dispatcher = new Agent();
  });
  afterEach(async () => {
    await dispatcher.destroy();
    await server.close();
  });
}

export interface Choices {
  readonly url?: string;
  readonly idleTimeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly write?: (chunk: Buffer) => Promise<void> | undefined;
  readonly onBegun?: () => void;
}

/** The bytes of the answer, as text. */
export async function ask(choices: Choices = {}): Promise<string> {
  const { url = `${server.url}/api/v1/reports/x`, idleTimeoutMs = 10_000, write, onBegun } = choices;
  const chunks: Buffer[] = [];
  const keep = (chunk: Buffer) => {
    chunks.push(Buffer.from(chunk));
    return undefined;
  };
  const headers = { authorization: 'Bearer s3cret', 'content-type': 'application/json' };
  const signal = choices.signal ?? new AbortController().signal;
  const options = { dispatcher, signal, ...(onBegun ? { onBegun } : {}) };
  await exchange({ url, headers, body: '{"email":true}', idleTimeoutMs }, write ?? keep, options);
  return Buffer.concat(chunks).toString('utf8');
}
