import type { ViewStateValue } from '@slack/bolt';
import type { AnyBlock } from '@slack/types';
import type { Result } from '../../../errors/result.js';
import { reportForRequest } from '../../../requests/report-for.js';
import type { Asker, ReportRequest } from '../../../requests/request.js';
import type { OutgoingMessage } from '../../delivery/post-message.js';
import { responseUrl } from '../../delivery/response-url.js';
import type { ListenerParts } from '../../listeners/context.js';
import type { Reply } from '../../listeners/submissions/submission.js';
import type { RequestContext } from '../../request-context.js';
import { rangeRefusal } from '../../saved/saved-reports.js';
import type { AcknowledgeDeadline } from '../modal.js';
import { answersDirectly } from '../saved-report-forms.js';
import { rangeInput } from './ranges.js';
import {
  type BuilderDraft,
  type FormValues,
  type InputProblems,
  type InputValue,
  inputProblem,
} from './state.js';

/** A builder that was submitted, with a request that is possible. */
export interface BuilderSubmission {
  readonly draft: BuilderDraft;
  readonly request: ReportRequest;
  readonly asker: Asker;
  readonly deadline: AcknowledgeDeadline;
}

/** What to do after the form has closed, or the problems of its inputs. */
export type ValidatedBuilder = Result<() => Promise<readonly Reply[]>, InputProblems>;

/** Something that can be done with what the builder asks for. */
export interface BuilderPurpose {
  readonly name: string;
  /** Where several purposes can be chosen. */
  readonly label: string;
  /** Over the form, and on its button: at most 24 characters. */
  readonly title: string;
  readonly submit: string;
  /** Whether this builder can have it; absent: every builder can. */
  isOffered?(draft: BuilderDraft): boolean;
  /** The inputs that it has for itself. Their names begin with `own:`, and `draft.extra` has what stands in them. */
  inputs(draft: BuilderDraft): readonly AnyBlock[];
  /** Validates a form by its deadline. It only reads. The function that it returns writes. */
  validate(submitted: BuilderSubmission, parts: ListenerParts): Promise<ValidatedBuilder>;
}

/** The beginning of the names of inputs that purposes have for themselves. */
export const purposeInputPrefix = 'own:';

/** What the inputs of a form hold: each of its blocks has one input, and is named after it. */
export function readFormValues(
  values: Readonly<Record<string, Readonly<Record<string, ViewStateValue>>>>,
): FormValues {
  return new Map(
    Object.entries(values).flatMap(([block, held]): [string, InputValue][] => {
      const [value] = Object.values(held);
      return value ? [[block, valueOfInput(value)]] : [];
    }),
  );
}

function valueOfInput(held: ViewStateValue): InputValue {
  if (held.selected_options) return held.selected_options.flatMap(({ value }) => value ?? []);
  return (
    held.selected_option?.value ??
    held.selected_conversation ??
    held.selected_channel ??
    held.selected_user ??
    held.selected_date ??
    held.selected_time ??
    held.value ??
    null
  );
}

/** What a builder asks for, as it is kept: for whoever runs it, wherever that is. */
export function requestToSave({ draft, request }: BuilderSubmission): ReportRequest {
  return { ...request, toMe: answersDirectly(draft) };
}

/** What stands under the range where no run could have it, as things are. */
export function rangeProblems(
  { draft, request, asker }: BuilderSubmission,
  parts: ListenerParts,
): InputProblems {
  const sentence = rangeRefusal(request, asker.zone, parts);
  const input = rangeInput(draft.state.range, reportForRequest(request));
  return sentence === undefined ? [] : inputProblem(input, sentence);
}

/** Where a builder was opened; the direct messages where that was no conversation. */
export async function conversationOpenedIn(
  { draft, asker }: BuilderSubmission,
  parts: ListenerParts,
): Promise<RequestContext> {
  const { here } = draft;
  if (!here) return { channel: await parts.channels.directWith(asker.id), asker: asker.id };
  const { channel, thread, answerUrl, at } = here;
  return {
    channel,
    asker: asker.id,
    thread,
    responseUrl:
      answerUrl === undefined ? undefined : responseUrl(answerUrl, parts.send, parts.clock.now() - at),
  };
}

/** What is said of a builder, where it was opened. */
export async function replyWhereOpened(
  submitted: BuilderSubmission,
  message: OutgoingMessage,
  parts: ListenerParts,
): Promise<readonly Reply[]> {
  return [{ message, context: await conversationOpenedIn(submitted, parts) }];
}
