import { setTimeout as wait } from 'node:timers/promises';
import { ok, type Result, refused } from '../../errors/failure.js';
import type { RequestLogEntry } from '../../store/requests/request-log.js';
import type { SendParts } from '../answers/answer-run.js';
import type { ListenerParts } from '../answers/context.js';
import { hidesPeople, peopleHidden } from '../answers/hidden-people.js';
import { isDirect, maySee } from '../context/request-context.js';

/** Where a person uses the ID of an answer. */
export interface AnswerUse {
  readonly channel: string;
  readonly asker: string;
  /** The message of the button; absent if Slack does not name it. */
  readonly message?: { readonly ts: string } | undefined;
  /** True for what is shown to all readers of the answer. */
  readonly onlyWhereShown?: boolean;
}

/** People can press a button before the ledger has that Slack took the message. */
const maxLooks = 20;
const lookIntervalMs = 50;

/**
 * Finds the answer of a button. An ID gives no rights by itself: it counts in the conversation that has the answer, and
 * for its asker also where they asked and in their direct messages. Undefined anywhere else, as for one that is gone.
 */
export async function findAnswer(
  id: string,
  use: AnswerUse,
  parts: SendParts,
): Promise<RequestLogEntry | undefined> {
  for (let looks = 1; ; looks += 1) {
    const entry = await parts.store.requestLog.find(id);
    if (!entry || (await mayUse(entry, use, parts))) return entry;
    if (entry.state !== 'posting' || looks === maxLooks) return undefined;
    await wait(lookIntervalMs);
  }
}

async function mayUse({ asker, channel, message, state }: RequestLogEntry, use: AnswerUse, parts: SendParts) {
  const shownIn = message?.channel ?? channel;
  if (use.asker !== asker) {
    const isShown = use.channel === shownIn && state === 'posted';
    return isShown && (!use.message || !message || use.message.ts === message.ts);
  }
  if (use.channel === shownIn) return true;
  if (use.onlyWhereShown && message) return false;
  if (use.channel === channel) return true;
  return isDirect(use.channel, use.asker, parts);
}

/** Finds the answer of a form, whose place is what its button noted. */
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
