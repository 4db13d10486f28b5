import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Measures from now on. Each call returns the longest stall of the event loop since the last one, in milliseconds. */
export function watchStalls(): () => number {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  return () => {
    const longest = delays.max / 1e6;
    delays.reset();
    return longest;
  };
}
