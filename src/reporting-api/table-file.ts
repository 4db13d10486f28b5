import type { ReadPlan, ReadResult, TableFile } from '../runner/ports.js';

/**
 * Writes the file of a few rows of our own by the rules of answers: their cells, headings and formats.
 *
 * @throws `file-not-written`, `cancelled`; no file is left then
 */
export async function writeTable(
  { rows, columns, ...file }: TableFile,
  signal: AbortSignal,
): Promise<ReadResult['file']> {
  const plan: ReadPlan = { fields: columns.map(({ flag }) => flag), file: { ...file, columns } };
  // Only the reading thread needs it otherwise.
  const { AnswerStream } = await import('./answer/read-answer.js');
  const stream = new AnswerStream(plan, () => {
    throw new Error('A table has no figures');
  });
  try {
    await stream.beginAnswer();
    await stream.write(Buffer.from(JSON.stringify(rows)));
    await stream.endAnswer();
    const { file: written } = await stream.finish(signal);
    return written && { ...written, rows: rows.length };
  } catch (error) {
    await stream.discard();
    throw error;
  }
}
