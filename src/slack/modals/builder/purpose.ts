import type { AnyBlock } from '@slack/types';
import type { Digest } from '../../../digests/digest.js';
import { ok, type Result, refused } from '../../../errors/result.js';
import type { Asker, ReportRequest } from '../../../requests/request.js';
import { reportForRequest } from '../../../requests/request-defaults.js';
import type { SavedReport } from '../../../store/saved-reports/saved-reports.js';
import type { OutgoingMessage } from '../../delivery/post-message.js';
import { responseUrl } from '../../delivery/response-url.js';
import type { ListenerParts } from '../../listeners/context.js';
import type { MemberContext } from '../../request-context.js';
import { changeNotAllowed, mayChange, rangeRefusal } from '../../saved/saved-reports.js';
import { type FormValues, readInputs } from '../inputs.js';
import type { AcknowledgeDeadline } from '../modal.js';
import { rangeInput } from './ranges.js';
import { type BuilderDraft, type InputProblems, inputNames, inputProblem } from './state.js';
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

/** A function to call after the form has closed, or the problems of its inputs. Its reply goes where it was opened. */
export type ValidatedBuilder = Result<() => Promise<OutgoingMessage | undefined>, InputProblems>;

/** A purpose of the builder: the action on its request when it is submitted. */
export interface BuilderPurpose {
  readonly name: string;
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

/** The values that identify what a builder edits, at the revision that the person saw. */
export function editedExtra(
  what: 'digest' | 'saved',
  item?: { readonly id: string; readonly revision: number },
) {
  return {
    [`${purposeInputPrefix}${what}`]: item?.id ?? null,
    [`${purposeInputPrefix}${what}-revision`]: item ? String(item.revision) : null,
  };
}

export function editedId(what: 'digest' | 'saved', { extra }: BuilderDraft): string | undefined {
  const id = extra[`${purposeInputPrefix}${what}`];
  return typeof id === 'string' ? id : undefined;
}

/** What a builder edits, unless it is gone, somebody changed it, or the person may not change it. */
export async function findEdited<Item extends Digest | SavedReport>(
  what: 'digest' | 'saved',
  find: (id: string) => Promise<Item | undefined>,
  { draft, asker }: BuilderSubmission,
  parts: ListenerParts,
): Promise<Result<Item, InputProblems>> {
  const refuse = (sentence: string) => refused(inputProblem(inputNames.report, sentence));
  const item = await find(editedId(what, draft) ?? '');
  const name = what === 'saved' ? 'report' : what;
  if (!item || item.deletedAt !== undefined)
    return refuse(`Somebody deleted this ${name}, so it can’t be changed.`);
  if (!(await mayChange(item, asker.id, parts))) return refuse(changeNotAllowed);
  const isSame = String(item.revision) === draft.extra[`${purposeInputPrefix}${what}-revision`];
  return isSame ? ok(item) : refuse(changedMeanwhile(name));
}

export function changedMeanwhile(name: string): string {
  return `Not saved, because somebody else changed this ${name} after you opened it. Close this form and press Edit again.`;
}
