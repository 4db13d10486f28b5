import cliProgress from 'cli-progress';
import { sayCount } from '../figures/format/values.js';

/** Shows on a terminal that a run is under way. Elsewhere it shows nothing. */
export interface ProgressBar {
  records(records: number): void;
  /** The service makes the run wait, in milliseconds; undefined: nobody knows how long. */
  waits(milliseconds: number | undefined): void;
  stop(): void;
}

/** Nobody knows how many records there will be, so the bar is of no length: a count that grows, and the time. */
export function progressBar(stream: NodeJS.WritableStream & { readonly isTTY?: boolean }): ProgressBar {
  if (!stream.isTTY) return { records: () => {}, waits: () => {}, stop: () => {} };
  const bar = new cliProgress.SingleBar({
    format: '{standing}  {duration_formatted}',
    stream,
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(0, 0, { standing: 'Waiting for the first records' });
  return {
    records: (records) => bar.update({ standing: `${sayCount(records)} records` }),
    waits: (milliseconds) =>
      bar.update({
        standing:
          milliseconds === undefined
            ? 'Waiting for earlier questions'
            : `The Reporting Service lets us ask again in ${Math.ceil(milliseconds / 1000)} s`,
      }),
    stop: () => bar.stop(),
  };
}
