import type { AnyBlock } from '@slack/types';
import type { Result } from '../../../errors/result.js';
import type { Asker, ReportRequest } from '../../../requests/request.js';
import { reportForRequest } from '../../../requests/request-defaults.js';
import type { Reply } from '../../delivery/notify-asker.js';
import type { OutgoingMessage } from '../../delivery/post-message.js';
import { responseUrl } from '../../delivery/response-url.js';
import type { ListenerParts } from '../../listeners/context.js';
import type { MemberContext } from '../../request-context.js';
import { rangeRefusal } from '../../saved/saved-reports.js';
import { type FormValues, readInputs } from '../inputs.js';
import type { AcknowledgeDeadline } from '../modal.js';
import { rangeInput } from './ranges.js';
import { type BuilderDraft, type InputProblems, inputProblem } from './state.js';
import { titleOptionOf, titleValue } from './which-rows.js';

/** A submitted builder with a valid request. */
export interface BuilderSubmission {
  readonly draft: BuilderDraft;
  readonly request: ReportRequest;
  readonly asker: Asker;
  /** The person's direct messages with the bot. */
  readonly context: MemberContext;
  readonly deadline: AcknowledgeDeadline;
}

/** A function to call after the form has closed, or the problems of its inputs. */
export type ValidatedBuilder = Result<() => Promise<readonly Reply[]>, InputProblems>;

/** A purpose of the builder: the action on its request when it is submitted. */
export interface BuilderPurpose {
  readonly name: string;
  /** The text of its radio button. */
  readonly label: string;
  /** At most 24 characters. */
  readonly title: string;
  /** The text of the submit button: at most 24 characters. */
  readonly submit: string;
  /** True if it changes something that was saved before. */
  readonly isEdit?: true;
  /** Absent: every builder offers it. */
  isOffered?(draft: BuilderDraft): boolean;
  /** Its own inputs. Their names begin with `own:`, and `draft.extra` holds their values. */
  inputs(draft: BuilderDraft): readonly AnyBlock[];
  /** Validates a form by its deadline. It only reads. The function that it returns writes. */
  validate(submitted: BuilderSubmission, parts: ListenerParts): Promise<ValidatedBuilder>;
}

/** The prefix for names of inputs that belong to a purpose. */
export const purposeInputPrefix = 'own:';

/** The values of a builder. Titles come with their text, since only the options of the form have it. */
export function readFormValues(values: Parameters<typeof readInputs>[0]): FormValues {
  return readInputs(values, (block, { selected_options: chosen }) =>
    titleOptionOf(block)
      ? (chosen ?? []).flatMap(({ value, text }) => (value ? titleValue(value, text.text) : []))
      : undefined,
  );
}

/** The inputs of a saved report. */
export const savedInputNames = {
  name: `${purposeInputPrefix}name`,
  answersTo: `${purposeInputPrefix}answers-to`,
} as const;

/** True if answers go to the person who runs the report. The default is what the request in the builder says. */
export function answersGoToRunner({ extra, state, here }: BuilderDraft): boolean {
  const chosen = extra[savedInputNames.answersTo];
  // A builder without a conversation always has `me` as its destination, which is nobody's choice.
  return typeof chosen === 'string' ? chosen === 'me' : here !== undefined && state.where === 'me';
}

/** The request as it is saved, for anyone to run in any conversation. */
export function requestToSave({ draft, request }: BuilderSubmission): ReportRequest {
  return { ...request, toMe: answersGoToRunner(draft) };
}

/** The problem of a range that no run can resolve at this time. */
export function rangeProblems(
  { draft, request, asker }: BuilderSubmission,
  parts: ListenerParts,
): InputProblems {
  const sentence = rangeRefusal(request, asker.zone, parts);
  const input = rangeInput(draft.state.range, reportForRequest(request));
  return sentence === undefined ? [] : inputProblem(input, sentence);
}

/** The conversation in which the builder was opened, or else the asker's direct messages. */
export async function builderContext(
  { draft, asker, context }: BuilderSubmission,
  parts: ListenerParts,
): Promise<MemberContext> {
  const { here } = draft;
  if (!here) return { ...context, channel: await parts.channels.directWith(asker.id) };
  const { channel, thread, answerUrl, at } = here;
  return {
    ...context,
    channel,
    thread,
    responseUrl:
      answerUrl === undefined ? undefined : responseUrl(answerUrl, parts.send, parts.clock.now() - at),
  };
}

/** A reply where the builder was opened. */
export async function replyWhereOpened(
  submitted: BuilderSubmission,
  message: OutgoingMessage,
  parts: ListenerParts,
): Promise<readonly Reply[]> {
  return [{ message, context: await builderContext(submitted, parts) }];
}
