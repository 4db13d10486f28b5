import type { SlackObject } from './workspace/records.js';

/** A failure of one call, for tests of how a bot reacts. */
export type Fault =
  /** The call runs, then the connection closes before the answer. */
  | { readonly kind: 'done, then cut' }
  /** The connection closes before the call runs. */
  | { readonly kind: 'cut' }
  /** Another HTTP status; with `done`, the call runs first. */
  | { readonly kind: 'status'; readonly status: number; readonly done?: boolean }
  | { readonly kind: 'ratelimited'; readonly retryAfter: number }
  /** `ok: false` with that error; with `done`, the call runs first. */
  | { readonly kind: 'error'; readonly error: string; readonly done?: boolean }
  /** The call runs after this many milliseconds. */
  | { readonly kind: 'slow'; readonly milliseconds: number }
  /** The call runs, and no answer comes. */
  | { readonly kind: 'done, then silent' };

export interface Faults {
  /**
   * Makes the next calls of a method fail. `upload` (the bytes) and `response_url` count as methods.
   * @param times number of calls, 1 by default; `Infinity` for all
   * @param when selects calls by their arguments
   */
  set(method: string, fault: Fault, more?: { times?: number; when?: (args: SlackObject) => boolean }): void;
  clear(): void;
  /** Takes the fault for this call, if there is one. */
  take(method: string, args: SlackObject): Fault | undefined;
}

export function createFaults(): Faults {
  let waiting: { method: string; fault: Fault; left: number; when: (args: SlackObject) => boolean }[] = [];
  return {
    set(method, fault, { times = 1, when = () => true } = {}) {
      waiting.push({ method, fault, left: times, when });
    },
    clear() {
      waiting = [];
    },
    take(method, args) {
      const found = waiting.find((one) => one.method === method && one.when(args));
      if (!found) return undefined;
      found.left -= 1;
      if (found.left <= 0) waiting = waiting.filter((one) => one !== found);
      return found.fault;
    },
  };
}
