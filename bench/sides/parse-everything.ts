import { serveSide } from '../harness/side.js';
import { type AnswerJob, urlOf } from './jobs.js';

/* The targets call this 1.0: fetch the whole answer and parse it. It writes nothing and counts nothing. */

serveSide<AnswerJob>(async (job) => {
  const response = await fetch(urlOf(job), { method: 'POST' });
  const records: unknown[] = JSON.parse(await response.text());
  return { records: records.length };
});
