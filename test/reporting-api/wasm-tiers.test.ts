import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { expect, test } from 'vitest';
import { allowWasmOptimization, skipWasmOptimization } from '../../src/reporting-api/wasm-tiers.js';

setFlagsFromString('--allow-natives-syntax');
const isOptimized = new Function('loop', 'return %IsTurboFanFunction(loop)') as (loop: Loop) => boolean;

type Loop = (turns: number) => number;

/** The types of Node 20 do not have it. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

/** A function that counts down to 0. The engine shares code between equal modules, so each returns another number. */
function compiledLoop(result: number): Loop {
  const [type, functions, exports] = ['0106016001 7f017f', '03020100', '0707010373756d0000'];
  const body = `0a12011000 0340 2000 4101 6b 2200 0d00 0b 41${result.toString(16).padStart(2, '0')} 0b`;
  const code = `0061736d01000000${type}${functions}${exports}${body}`.replaceAll(' ', '');
  const instance = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(code, 'hex')));
  return (instance.exports as { sum: Loop }).sum;
}

async function isOptimizedWithin(turns: number, loop: Loop): Promise<boolean> {
  for (let turn = 0; turn < turns && !isOptimized(loop); turn++) {
    loop(2_000_000);
    await sleep(5);
  }
  return isOptimized(loop);
}

test('WebAssembly compiled after `skipWasmOptimization` is not optimized, and what follows `allow` is', async () => {
  skipWasmOptimization();
  const skipped = compiledLoop(1);
  allowWasmOptimization();
  const allowed = compiledLoop(2);
  skipWasmOptimization();
  expect(await isOptimizedWithin(500, allowed)).toBe(true);
  expect(await isOptimizedWithin(100, skipped)).toBe(false);
  expect([skipped(5), allowed(5)]).toEqual([1, 2]);
});
