import type {
  AllMiddlewareArgs,
  SlackViewMiddlewareArgs,
  ViewStateValue,
  ViewSubmitAction,
} from '@slack/bolt';
import type { ModalView } from '@slack/types';
import type { Asker } from '../../../requests/request.js';
import { replyInContext } from '../../delivery/notify-asker.js';
import type { OutgoingMessage } from '../../delivery/post-message.js';
import { type AcknowledgeDeadline, deadlineFrom, rejectionResponse, resultBy } from '../../modals/modal.js';
import { type RequestContext, resolveAsker } from '../../request-context.js';
import { receivedAtMs } from '../../transport/listener-apps.js';
import type { ListenerParts } from '../context.js';

/** A form that a member of this workspace submitted. */
export interface SubmittedForm {
  readonly asker: Asker;
  readonly view: ViewSubmitAction['view'];
  /** The words of its private metadata. */
  readonly metadata: readonly string[];
  readonly deadline: AcknowledgeDeadline;
  /** What stands in an input whose block and action share a name. */
  input(name: string): ViewStateValue | undefined;
}

/** Why a form cannot be taken; without an input, or with one that it does not show, under its first one. */
interface FormProblem {
  readonly sentence: string;
  readonly input?: string;
}

/** Something to say to one person, and where. */
export interface Reply {
  readonly message: OutgoingMessage;
  readonly context: RequestContext;
}

/** What a validation finds. It only reads: everything that is written is written by `commit`. */
export type ValidatedForm =
  | { readonly problems: readonly FormProblem[] }
  /** The form has no use any more. */
  | { readonly replaceWith: ModalView }
  /** Called once the form has closed, and only then. Gives what to say of it. */
  | { readonly commit: () => Promise<readonly Reply[]> };

export function rejectForm(sentence: string, input?: string): ValidatedForm {
  return { problems: [{ sentence, ...(input === undefined ? {} : { input }) }] };
}

/** Something to say to somebody in their direct messages. */
export function directReply(user: string, message: OutgoingMessage): Reply {
  return { message, context: { channel: user, asker: user } };
}

const tooSlow = rejectForm('Slack is slow, so nothing was done. Try again.');

const maxDecisions = 1_000;

/**
 * Takes a submitted form: validates it, acknowledges it before Slack gives up, commits, and says what came of it. What
 * is not validated in time is refused, and never committed afterwards. A view that is submitted twice is committed once.
 */
export function onSubmission(
  parts: ListenerParts,
  validate: (form: SubmittedForm) => Promise<ValidatedForm>,
) {
  const decisions = new Map<string, Promise<ValidatedForm>>();

  async function decide(form: Omit<SubmittedForm, 'asker'>, user: string): Promise<ValidatedForm> {
    const validating = resolveAsker(user, parts.people, parts.defaultZone).then((resolved) =>
      resolved.ok ? validate({ ...form, asker: resolved.value }) : rejectForm(resolved.refusal),
    );
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
    if (!('commit' in decision)) {
      // The same form is submitted again once it is put right.
      decisions.delete(view.id);
      await ack(
        'problems' in decision
          ? rejectionResponse(view, decision.problems)
          : { response_action: 'update', view: decision.replaceWith },
      );
      return;
    }
    await ack();
    if (before) return;
    forgetOldest(decisions);
    for (const { message, context } of await decision.commit()) await replyInContext(message, context, parts);
    parts.home.changed(user);
  };
}

function formIn(view: ViewSubmitAction['view'], deadline: AcknowledgeDeadline): Omit<SubmittedForm, 'asker'> {
  const metadata = view.private_metadata.split(' ');
  return { view, metadata, deadline, input: (name) => view.state.values[name]?.[name] };
}

function forgetOldest(decisions: Map<string, unknown>): void {
  const [oldest] = decisions.keys();
  if (decisions.size > maxDecisions && oldest !== undefined) decisions.delete(oldest);
}
