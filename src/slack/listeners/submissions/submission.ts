import type {
  AllMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewStateValue,
  ViewSubmitAction,
} from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { type Result, refused } from '../../../errors/result.js';
import type { Asker } from '../../../requests/request.js';
import { replyInContext } from '../../delivery/notify-asker.js';
import type { OutgoingMessage } from '../../delivery/post-message.js';
import { formNotDoneMessage } from '../../messages/notices.js';
import { type AcknowledgeDeadline, deadlineFrom, rejectionResponse, resultBy } from '../../modals/modal.js';
import { type RequestContext, resolveAsker } from '../../request-context.js';
import { isTakenOver, receivedAtMs } from '../../transport/listener-apps.js';
import { inputTooLong, maxInputLength } from '../../typed-text.js';
import type { ListenerParts } from '../context.js';

/** A form that a member of this workspace submitted. */
export interface SubmittedForm {
  readonly asker: Asker;
  readonly view: ViewSubmitAction['view'];
  /** The words of its private metadata. */
  readonly metadata: readonly string[];
  readonly deadline: AcknowledgeDeadline;
  /** The state of an input whose block and action share a name. */
  input(name: string): ViewStateValue | undefined;
}

/** A problem of a form. It is shown under `input`, or under the first input if `input` is absent or not shown. */
interface FormProblem {
  readonly sentence: string;
  readonly input?: string;
}

/** A message to one person, and where they get it. */
export interface Reply {
  readonly message: OutgoingMessage;
  readonly context: RequestContext;
}

/** Problems to show in the form, or a view to show instead of a form that is no longer valid. */
type FormRefusal = { readonly problems: readonly FormProblem[] } | { readonly replaceWith: ModalView };

/**
 * Validation only reads. The function that it returns does all writing. It is called once, after the form has closed,
 * and returns the replies.
 */
export type ValidatedForm = Result<() => Promise<readonly Reply[]>, FormRefusal>;

export function rejectForm(sentence: string, input?: string): ValidatedForm {
  return refused({ problems: [{ sentence, input }] });
}

/** A message to somebody in their direct messages. */
export function directReply(user: string, message: OutgoingMessage): Reply {
  return { message, context: { channel: user, asker: user } };
}

const tooSlow = rejectForm('Slack is slow, so nothing was done. Try again.');

const maxDecisions = 1_000;

/**
 * Handles a submitted form: validates it, acknowledges it before Slack's timeout, commits it, and replies. A form that
 * is not validated in time is refused, and never committed later. A view that is submitted twice is committed once.
 */
export function onSubmission(
  parts: ListenerParts,
  validate: (form: SubmittedForm) => Promise<ValidatedForm>,
) {
  const decisions = new Map<string, Promise<ValidatedForm>>();

  async function decide(form: Omit<SubmittedForm, 'asker'>, user: string): Promise<ValidatedForm> {
    const tooLong = tooLongInput(form.view);
    const validating = resolveAsker(user, parts.people, parts.defaultZone).then((resolved) => {
      if (!resolved.ok) return rejectForm(resolved.refusal);
      if (tooLong !== undefined) return rejectForm(inputTooLong, tooLong);
      return validate({ ...form, asker: resolved.value });
    });
    const validated = await resultBy(form.deadline.acknowledgeBy, validating);
    if (!validated) parts.log.warn({ form: form.view.callback_id }, 'A form was not validated in time');
    return validated ?? tooSlow;
  }

  return async ({
    ack,
    view,
    body,
    context,
  }: SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs) => {
    const user = body.user.id;
    const before = decisions.get(view.id);
    const deciding = before ?? decide(formIn(view, deadlineFrom(context[receivedAtMs])), user);
    decisions.set(view.id, deciding);
    const decision = await deciding.catch((error: unknown) => {
      decisions.delete(view.id);
      throw error;
    });
    if (!decision.ok) {
      // People correct the same form and submit it again.
      decisions.delete(view.id);
      const { refusal } = decision;
      if (context[isTakenOver] === true) {
        const { message, context } = directReply(
          user,
          formNotDoneMessage(view.title.text, sentenceOf(refusal)),
        );
        return void (await replyInContext(message, context, parts));
      }
      await ack(
        'problems' in refusal
          ? rejectionResponse(view, refusal.problems)
          : { response_action: 'update', view: refusal.replaceWith },
      );
      return;
    }
    await ack();
    if (before) return;
    evictOldest(decisions);
    for (const { message, context } of await decision.value()) await replyInContext(message, context, parts);
    parts.home.changed(user);
  };
}

/** The block of an input whose text is too long to be read. */
function tooLongInput({ state }: ViewSubmitAction['view']): string | undefined {
  const isTooLong = ({ value }: ViewStateValue) => (value?.length ?? 0) > maxInputLength;
  return Object.entries(state.values).find(([, inputs]) => Object.values(inputs).some(isTooLong))?.[0];
}

/** The first problem, for a form that is already closed. */
function sentenceOf(refusal: FormRefusal): string | undefined {
  return 'problems' in refusal ? refusal.problems[0]?.sentence : undefined;
}

function formIn(view: ViewSubmitAction['view'], deadline: AcknowledgeDeadline): Omit<SubmittedForm, 'asker'> {
  const metadata = view.private_metadata.split(' ');
  return { view, metadata, deadline, input: (name) => view.state.values[name]?.[name] };
}

function evictOldest(decisions: Map<string, unknown>): void {
  const [oldest] = decisions.keys();
  if (decisions.size > maxDecisions && oldest !== undefined) decisions.delete(oldest);
}
