import { serveSide } from '../harness/side.js';
import { type AnswerJob, urlOf } from './jobs.js';

/* Fetches the whole answer and parses it. Writes nothing and counts nothing. It is the 1.0 of the targets. */

serveSide<AnswerJob>(async (job) => {
  const response = await fetch(urlOf(job), { method: 'POST' });
  const records: unknown[] = JSON.parse(await response.text());
  return { records: records.length };
});
