import { setFlagsFromString } from 'node:v8';

/*
 * undici's HTTP parser is WebAssembly with one very long function. The engine optimizes it after some megabytes, which
 * takes 30 MB of memory and 0.1 s of CPU in each thread, and does not pay. A module keeps the settings with which it is
 * compiled. From V8 13 on, the flags that turn the optimization off would reach modules that exist, so there it is only
 * put off until some gigabytes went through.
 */

const hasTieringFlags = Number.parseInt(process.versions.v8, 10) < 13;

/** WebAssembly that the process compiles from now on is not optimized. Call it before the first HTTP request. */
export function skipWasmOptimization(): void {
  setFlags(hasTieringFlags ? ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up'] : [budget(2_000_000_000)]);
}

/** WebAssembly that the process compiles from now on is optimized, as the engine does by itself. */
export function allowWasmOptimization(): void {
  setFlags(hasTieringFlags ? ['--wasm-dynamic-tiering', '--wasm-tier-up'] : [budget(1_800_000)]);
}

function budget(steps: number): string {
  return `--wasm-tiering-budget=${steps}`;
}

function setFlags(flags: readonly string[]): void {
  for (const flag of flags) setFlagsFromString(flag);
}
