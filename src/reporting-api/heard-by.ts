import type { ReportSource } from '../runner/report-source.js';

/** The same source, with somebody told of each good answer. */
export function heardBy(source: ReportSource, onAnswer: () => void): ReportSource {
  return {
    async read(question, reading, options) {
      const read = await source.read(question, reading, options);
      onAnswer();
      return read;
    },
  };
}
