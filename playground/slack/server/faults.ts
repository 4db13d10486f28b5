import type { SlackObject } from './workspace/records.js';

/** What goes wrong with a call, for tests of what a bot does then. */
export type Fault =
  /** The call is carried out, then the connection is cut before the answer. */
  | { readonly kind: 'done, then cut' }
  /** The connection is cut before anything is done. */
  | { readonly kind: 'cut' }
  /** Another HTTP status; `done` says whether the call is carried out first. */
  | { readonly kind: 'status'; readonly status: number; readonly done?: boolean }
  | { readonly kind: 'ratelimited'; readonly retryAfter: number }
  /** `ok: false` with that error; `done` says whether the call is carried out first. */
  | { readonly kind: 'error'; readonly error: string; readonly done?: boolean }
  /** The call is carried out that many milliseconds later. */
  | { readonly kind: 'slow'; readonly milliseconds: number }
  /** Carried out, never answered. */
  | { readonly kind: 'done, then silent' };

export interface Faults {
  /**
   * Lets the next calls of a method go wrong. Beside the methods there are `upload` (the bytes) and `response_url`.
   * @param times how often; once when left out, `Infinity` for ever
   * @param when only calls with such arguments
   */
  set(method: string, fault: Fault, more?: { times?: number; when?: (args: SlackObject) => boolean }): void;
  clear(): void;
  /** Takes the fault that this call meets, if any. */
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
