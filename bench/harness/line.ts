import type { Measured } from './measured.js';

/** What a line may use: it closes nothing of it. */
export interface Bench {
  /** A folder for its files, emptied when the line is done. */
  readonly folder: string;
  /** Says what is going on, on one line of the terminal. */
  say(words: string): void;
}

/** One line of the targets. Each is a file of `bench/lines/`, listed in its `index.ts`. */
export interface BenchLine {
  /** What follows `npm run bench --` to run it alone. */
  readonly name: string;
  readonly title: string;
  run(bench: Bench): Promise<readonly Measured[]>;
}
