import type { ViewStateValue, ViewSubmitAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { LRUCache } from 'lru-cache';
import { ok, type Result, refused } from '../../errors/failure.js';
import type { Asker } from '../../requests/request.js';
import type { ListenerParts } from '../answers/context.js';
import type { MemberContext } from '../context/request-context.js';
import { inputs, validPurpose } from '../forms/forms.js';
import { type FormValues, readInputs, textIn } from '../forms/inputs.js';
import {
  type AcknowledgeDeadline,
  deadlineFrom,
  type FormProblem,
  rejectionResponse,
  resultBy,
} from '../forms/modal.js';
import { inputTooLong, maxInputLength } from '../markup.js';
import { formNotDoneMessage, type Reply, replyTo } from '../messages/notices.js';
import type { Delivery } from '../transport/deliveries.js';
import { type FindRoute, lookUp, type Need, type Route } from './router.js';

export interface SubmittedForm {
  readonly asker: Asker;
  /** Forms are in no conversation: these are the person's direct messages with the bot. */
  readonly context: MemberContext;
  readonly view: ViewSubmitAction['view'];
  readonly metadata: readonly string[];
  readonly deadline: AcknowledgeDeadline;
  readonly values: FormValues;
  /** What an input holds; empty where it holds nothing. */
  text(name: string): string;
  /** Replies to this person alone: in a channel, or in their direct messages. */
  reply(reply: Reply, channel?: string): Promise<void>;
}

/** Problems to show in the form, or a view to show instead of a form that is no longer valid. */
type FormRefusal = readonly FormProblem[] | { readonly replaceWith: ModalView };

/**
 * Validation only reads. The function that it returns does all writing, and replies. It is called once, after the form
 * has closed.
 */
type ValidatedForm = Result<() => Promise<void>, FormRefusal>;

/** @param find finds the row of a press, to go on with it */
export type ValidateForm = (
  form: SubmittedForm,
  parts: ListenerParts,
  find: FindRoute,
) => Promise<ValidatedForm>;

export function rejectForm(sentence: string, input?: string) {
  return refused<FormRefusal>([{ sentence, input }]);
}

export function fromInput<Value>(input: string, read: Result<Value>): Result<Value, FormRefusal> {
  return read.ok ? read : rejectForm(read.refusal, input);
}

/** The purpose in a form, where forms ask for one. */
export function readPurpose(
  { text }: SubmittedForm,
  { asksPurpose }: ListenerParts,
): Result<string | undefined, FormRefusal> {
  return asksPurpose ? fromInput(inputs.purpose, validPurpose(text(inputs.purpose))) : ok(undefined);
}

const tooSlow = rejectForm('Slack is slow, so nothing was done. Try again.');

const maxDecisions = 1_000;

/**
 * A form. It is validated, acknowledged before Slack's timeout, committed, and answered. A form that is not validated in
 * time is refused, and never committed later. A view that is submitted twice is committed once. Its delivery stays in
 * the inbox, so that another process can commit it.
 */
export function submission(id: string, needs: Need, validate: ValidateForm): Route {
  // With `max`, each form would reserve its memory at the start.
  const decisions = new LRUCache<string, Promise<ValidatedForm>>({
    maxSize: maxDecisions,
    sizeCalculation: () => 1,
  });

  async function decide(delivery: Delivery, parts: ListenerParts, find: FindRoute) {
    const { view, user } = delivery.body as ViewSubmitAction;
    const { requestId, takenOver } = delivery;
    const deadline = deadlineFrom(delivery.receivedAtMs);
    const unchecked = { asker: user.id, channel: user.id, requestId, takenOver };
    const tooLong = tooLongInput(view);
    const validating = lookUp(needs, unchecked, parts).then((found) => {
      if (!found.ok) return rejectForm(found.refusal);
      if (tooLong !== undefined) return rejectForm(inputTooLong, tooLong);
      const context = found.value;
      const values = readInputs(view.state.values);
      const form: SubmittedForm = {
        asker: context.member,
        context,
        view,
        metadata: view.private_metadata.split(' '),
        deadline,
        values,
        text: (name) => textIn(values, name),
        reply: (reply, channel) => replyTo(user.id, reply, parts, channel),
      };
      return validate(form, parts, find);
    });
    const validated = await resultBy(deadline.acknowledgeBy, validating);
    if (!validated) parts.log.warn({ form: id }, 'A form was not validated in time');
    return validated ?? tooSlow;
  }

  return {
    kind: 'view',
    id,
    needs,
    isKept: () => true,
    async handle(delivery, { parts, find }) {
      const { view, user } = delivery.body as ViewSubmitAction;
      const before = decisions.get(view.id);
      const deciding = before ?? decide(delivery, parts, find);
      decisions.set(view.id, deciding);
      const decision = await deciding.catch((error: unknown) => {
        decisions.delete(view.id);
        throw error;
      });
      if (!decision.ok) {
        // People correct the same form and submit it again.
        decisions.delete(view.id);
        return refuse(decision.refusal, delivery, parts);
      }
      await delivery.ack();
      if (before) return;
      await decision.value();
      parts.home.changed(user.id);
    },
  };
}

/** In the form; in direct messages if another process had it, because it is closed then. */
async function refuse(refusal: FormRefusal, { body, ack, takenOver }: Delivery, parts: ListenerParts) {
  const { view, user } = body as ViewSubmitAction;
  if (takenOver) {
    const sentence = 'replaceWith' in refusal ? undefined : refusal[0]?.sentence;
    return replyTo(user.id, formNotDoneMessage(view.title.text, sentence), parts);
  }
  await ack(
    'replaceWith' in refusal
      ? { response_action: 'update', view: refusal.replaceWith }
      : rejectionResponse(view, refusal),
  );
}

function tooLongInput({ state }: ViewSubmitAction['view']) {
  const isTooLong = ({ value }: ViewStateValue) => (value?.length ?? 0) > maxInputLength;
  return Object.entries(state.values).find(([, inputs]) => Object.values(inputs).some(isTooLong))?.[0];
}
