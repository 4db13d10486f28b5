import type { AnyBlock } from '@slack/types';
import { type Result, refused } from '../../errors/failure.js';
import type { Asker, ReportRequest } from '../../requests/request.js';
import type { ListenerParts } from '../answers/context.js';
import { type MemberContext, responseUrl } from '../context/request-context.js';
import { type BuilderDraft, choiceIn, type InputProblems, inputNames, inputProblem } from '../forms/draft.js';
import type { AcknowledgeDeadline } from '../forms/modal.js';
import { rangeInput } from '../forms/ranges.js';
import type { ItemKind } from '../limits.js';
import type { Reply } from '../messages/notices.js';
import { findItem, type Item } from '../saved/items.js';
import { rangeRefusal } from '../saved/saved-reports.js';

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
type ValidatedBuilder = Result<() => Promise<Reply | undefined>, InputProblems>;

/** A purpose of the builder: the action on its request when it is submitted. */
export interface BuilderPurpose {
  readonly name: string;
  readonly label: string;
  /** At most 24 characters. */
  readonly title: string;
  /** The text of the submit button: at most 24 characters. */
  readonly submit: string;
  /** What it changes; absent if that is nothing that was saved before. */
  readonly edits?: ItemKind;
  /** Its own inputs. `isProtected`: the reader sees no figure about few people, wherever the answer goes. */
  inputs(draft: BuilderDraft, isProtected: boolean): readonly AnyBlock[];
  /** Validates a form by its deadline. It only reads. The function that it returns writes. */
  validate(submitted: BuilderSubmission, parts: ListenerParts): Promise<ValidatedBuilder>;
}

/** True if answers go to the person who runs the report. The default is what the request in the builder says. */
export function answersGoToRunner(draft: BuilderDraft): boolean {
  const chosen = draft.values[inputNames.answersTo];
  // A builder without a conversation always has `me` as its destination, which no one chose.
  return chosen ? chosen === 'me' : draft.here !== undefined && choiceIn(draft, inputNames.where) === 'me';
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
  return sentence === undefined ? [] : inputProblem(rangeInput(draft), sentence);
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

/** What a builder edits, unless it is gone, another person changed it, or the person may not change it. */
export async function findEdited(
  kind: ItemKind,
  { draft: { edits }, context }: BuilderSubmission,
  parts: ListenerParts,
): Promise<Result<Item, InputProblems>> {
  const refuse = (sentence: string) => refused(inputProblem(inputNames.report, sentence));
  const found = await findItem(kind, edits?.id ?? '', 'change', context, parts);
  if (!found.ok) return refuse(found.refusal);
  return found.value.revision === edits?.revision ? found : refuse(changedMeanwhile(kind));
}

export function changedMeanwhile(kind: ItemKind): string {
  return `Not saved, because somebody else changed this ${kind} after you opened it. Close this form and press Edit again.`;
}
