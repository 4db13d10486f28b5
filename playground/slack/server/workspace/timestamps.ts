/** Makes Slack's `ts`: seconds with six decimals, unique in the workspace and always increasing. */
export interface Timestamps {
  next(): { readonly ts: string; readonly at: number };
}

export function createTimestamps(now: () => number): Timestamps {
  let last = 0n;
  return {
    next() {
      const wanted = BigInt(Math.floor(now())) * 1000n;
      // A clock that was moved back still gives larger names: a message's name says its order, too.
      last = wanted > last ? wanted : last + 1n;
      const micros = last % 1_000_000n;
      return {
        ts: `${last / 1_000_000n}.${String(micros).padStart(6, '0')}`,
        at: Number(last / 1000n),
      };
    },
  };
}
