import type { WebAPICallResult } from '@slack/web-api';
import { LRUCache } from 'lru-cache';

/**
 * What Slack says, for a while. Look-ups at the same time share a call.
 *
 * @param now monotonic milliseconds
 * @param isFinal false for an answer after which the next look-up asks Slack again
 */
export function lookUpCache<Value>(
  max: number,
  ttlMs: number,
  now: () => number,
  isFinal: (value: Value) => boolean,
) {
  const entries = new LRUCache<string, { readonly value: Promise<Value>; readonly at: number }>({ max });

  function set(key: string, value: Promise<Value>, at = now()): Promise<Value> {
    const entry = { value, at };
    entries.set(key, entry);
    void value.then((found) => {
      if (!isFinal(found) && entries.peek(key) === entry) entries.delete(key);
    });
    return value;
  }

  function get(key: string, maxAgeMs = ttlMs): Promise<Value> | undefined {
    const entry = entries.get(key);
    return entry && now() - entry.at < maxAgeMs ? entry.value : undefined;
  }

  return {
    find: (key: string, lookUp: () => Promise<Value>, maxAgeMs?: number) =>
      get(key, maxAgeMs) ?? set(key, lookUp()),
    get,
    set,
    /** Absent: everything. */
    invalidate(key?: string): void {
      if (key === undefined) entries.clear();
      else entries.delete(key);
    },
  };
}

export function callsOfMinute(now: () => number) {
  const calls: number[] = [];
  return {
    count(): number {
      while (calls[0] !== undefined && calls[0] <= now() - 60_000) calls.shift();
      return calls.length;
    },
    add: () => void calls.push(now()),
  };
}

/** The pages of a list from Slack. Those after `maxPages` are left out. */
export async function* pagesOf<Page extends WebAPICallResult>(
  call: (cursor: string | undefined) => Promise<Page>,
  maxPages = Number.POSITIVE_INFINITY,
): AsyncGenerator<Page> {
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await call(cursor);
    yield answer;
    cursor = nextCursor(answer);
    if (cursor === undefined) return;
  }
}

/** Undefined on the last page. */
export function nextCursor({ response_metadata }: WebAPICallResult): string | undefined {
  return response_metadata?.next_cursor || undefined;
}
