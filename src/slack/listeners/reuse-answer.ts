import { ok, type Result, refused } from '../../errors/result.js';
import type { RequestLogEntry } from '../../store/requests/request-log.js';
import { type AnswerUse, findAnswer } from '../answers/answer-rights.js';
import type { ListenerParts } from '../answers/context.js';
import { hidesPeople, peopleHidden } from '../answers/hidden-people.js';
import { maySee } from '../saved/items.js';

/** The same for a form, whose place is what its button noted. */
export async function findAnswerOfForm(
  id: string,
  use: AnswerUse,
  parts: ListenerParts,
): Promise<RequestLogEntry | undefined> {
  const entry = await parts.store.requestLog.find(id);
  if (!entry || entry.asker === use.asker) return entry;
  return (await maySee(use.channel, use.asker, parts)) ? findAnswer(id, use, parts) : undefined;
}

export const answerExpired = 'That report has expired. Run it again.';

/**
 * The answer whose request a person wants to reuse, or why they cannot: it is gone, or it names people whom they
 * neither chose nor may ask for.
 *
 * @param find `findAnswerOfForm` for a form
 */
export async function answerToReuse(
  verb: 'change' | 'save' | 'schedule',
  id: string,
  use: AnswerUse,
  parts: ListenerParts,
  find: typeof findAnswerOfForm = findAnswer,
): Promise<Result<RequestLogEntry>> {
  const entry = await find(id, use, parts);
  if (!entry) return refused(answerExpired);
  const { request, asker, choseFilters } = entry;
  const chose = asker === use.asker && choseFilters !== false;
  const filters = { request, choseFilters: chose, channel: use.channel };
  return (await hidesPeople(filters, use.asker, parts)) ? refused(peopleHidden(verb)) : ok(entry);
}
