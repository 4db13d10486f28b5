import type { Measured } from './measured.js';

/** What a line may use. It closes none of it. */
export interface Bench {
  /** A folder for its files, emptied when the line is done. */
  readonly folder: string;
  /** Prints progress as one line. */
  say(words: string): void;
}

/** One line of the targets. Each is a file of `bench/lines/`, listed in its `index.ts`. */
export interface BenchLine {
  /** Runs it alone after `npm run bench --`. */
  readonly name: string;
  readonly title: string;
  run(bench: Bench): Promise<readonly Measured[]>;
}
