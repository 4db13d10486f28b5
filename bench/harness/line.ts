import type { Measured } from './measured.js';

/** What a benchmark gets from the program that runs it. */
export interface Bench {
  /** A folder for its files. It is deleted when the benchmark ends. */
  readonly folder: string;
  /** Prints progress as one line. */
  say(words: string): void;
}

/** One benchmark. Each is a file of `bench/lines/`, listed in its `index.ts`. */
export interface BenchLine {
  /** `npm run bench -- NAME` runs it alone. */
  readonly name: string;
  readonly title: string;
  run(bench: Bench): Promise<readonly Measured[]>;
}
