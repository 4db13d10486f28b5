import { searchedEvent } from '../../access/record.js';
import { searchesOwnRows } from '../../access/scope.js';
import { isFailure } from '../../errors/failure.js';
import { overTimeRefusal } from '../../figures/summary/over-time.js';
import { randomId } from '../../logging/logger.js';
import { withoutCommand } from '../../requests/parse-command.js';
import { quoteTypedWord } from '../../requests/problem.js';
import type { Asker, Narrowing, ReportRequest, TitleChoice } from '../../requests/request.js';
import type { Titled, TitleMatches } from '../../requests/titles.js';
import { type EntryChange, entryChangeOf, replaceEntry, titleChangeOf } from '../../requests/typed-entry.js';
import {
  type Completion,
  completeRequest,
  findTitlesInService,
  hasUnresolvedTitles,
  needsCompletion,
  withChosenTitle,
  withCorrectedEntries,
} from '../../runner/complete-request.js';
import { namesToStore } from '../../runner/daily-look.js';
import { logFailure, notifyAsker } from '../context/notify-asker.js';
import {
  type MemberContext,
  resolveConversation,
  unresolvedConversation,
} from '../context/request-context.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { buttons, commandActions } from '../messages/blocks.js';
import {
  entriesMessage,
  figureMessage,
  type NextStep,
  runnable,
  titlesMessage,
} from '../messages/choices.js';
import { describeFailure } from '../messages/failures.js';
import { failureMessage, notice } from '../messages/notices.js';
import type { AnswerParts } from './answer-request.js';
import { type AnswerRights, answerRightsOf } from './answer-run.js';
import { askerDestination, type ProgressDestination, showProgress } from './progress.js';

interface Next {
  readonly step: NextStep;
  /** The words after `/report` for this step. Used for requests that no one typed. */
  readonly command: (request: ReportRequest) => string;
  /** The filters and conditions that the asker typed now. Absent: all of the request. */
  readonly typedNow?: Narrowing;
}

interface CompletedRequest {
  readonly request: ReportRequest;
  /** What its asker may see of it now; absent: not looked up. */
  readonly rights?: AnswerRights;
}

/**
 * Completes a request before it is run, saved or scheduled: finds its titles, and asks about entries that look
 * mistyped. Undefined if the asker has to decide something first, or was told why it cannot go on. Checks the asker's
 * level before it searches anything. Never throws.
 */
export async function completeForAsker(
  request: ReportRequest,
  context: MemberContext,
  parts: AnswerParts,
  next: Next,
): Promise<CompletedRequest | undefined> {
  const { asTyped, typed, member: asker } = context;
  const { report, titles = [] } = request;
  let conversation = context.conversation ?? unresolvedConversation(context);
  const tell = (message: OutgoingMessage) => notifyAsker(message, asker.id, conversation, parts.client);
  const refusal = overTimeRefusal(request);
  if (refusal) {
    const { sentence, near: figure } = refusal;
    const question = { corrected: figure && next.command({ ...request, figure }), next: next.step };
    await tell(figureMessage(sentence, question, next.command(request)));
    return undefined;
  }
  if (!needsCompletion(request, asTyped)) return { request };
  if (titles.length > maxTitles) {
    await tell(notice(`A request may name ${maxTitles} titles. Name fewer, or use their identifiers.`));
    return undefined;
  }

  /** The words that were typed with these changes; where none were typed, those for the changed request. */
  const commandWith = (changes: readonly EntryChange[], changed: ReportRequest) => {
    const words = typed === undefined ? undefined : withoutCommand(typed);
    return (
      changes.reduce<string | undefined>((text, change) => text && replaceEntry(text, change), words) ??
      next.command(changed)
    );
  };

  const questionFor = (completion: Exclude<Completion, { kind: 'ready' }>) => {
    const question = { report, typed: commandWith([], request), next: next.step, asTyped };
    if (completion.kind === 'entries') {
      const { misses } = completion;
      const changes = misses.map((miss) => entryChangeOf(request, miss));
      return entriesMessage(misses, commandWith(changes, withCorrectedEntries(request, misses)), question);
    }
    const { choice, matches } = completion;
    const withTitle = (titled: Titled) =>
      commandWith([titleChangeOf(choice, titled, matches)], withChosenTitle(request, choice, titled));
    return titlesMessage(completion, withTitle, question);
  };

  const failureOf = (error: unknown): OutgoingMessage => {
    const command = commandWith([], request);
    if (isFailure(error, 'cancelled')) return notice(`Cancelled: /report ${command}`);
    const id = context.requestId;
    logFailure(error, { requestId: id, report }, 'A request could not be completed', parts.log);
    const failure = describeFailure(error, id, { typed });
    const message = failureMessage(failure, undefined);
    const action = asTyped ? commandActions.runAsTyped : commandActions.runWords;
    const again = failure.tryAgain ? runnable('Try again', command, action) : [];
    return again.length > 0
      ? { ...message, blocks: [...(message.blocks ?? []), buttons(...again)] }
      : message;
  };

  try {
    conversation = context.conversation ?? (await resolveConversation(context, parts));
    const rights = await answerRightsOf(request, asker, conversation, parts);
    const { store, clock } = parts;
    const place = conversation.channel;
    const origin = conversation.assistant ? 'assistant' : 'request';
    const facts = { at: clock.now(), person: asker.id, place, request, origin } as const;
    // Before anything of them is shown. The search of a form is recorded with the form.
    for (const choice of typed === undefined ? [] : titles) {
      if (choice.id === undefined) await store.events.append(searchedEvent(facts, choice));
    }
    const completion = await completeRequest(
      request,
      {
        minPeople: rights.minPeople,
        searchesOwnRows: searchesOwnRows(rights.scope),
        asTyped,
        typed: next.typedNow,
        findTitles: (choices) => {
          const destination = askerDestination(asker.id, conversation, parts);
          const { signal } = conversation.assistant ?? {};
          return searchTitles(request, choices, { ...rights, asker }, { destination, signal }, parts);
        },
      },
      { suggestions: store.suggestions, isListed: parts.isListed },
    );
    if (completion.kind === 'ready') {
      const { request: completed } = completion;
      return completed === request ? { request, rights } : { request: completed };
    }
    await tell(questionFor(completion));
  } catch (error) {
    // The run refuses it with the same sentence and records that; others may run what a person saves.
    const isRefusedLater = next.step === 'run' || !hasUnresolvedTitles(request);
    if (isFailure(error, 'access-refused') && isRefusedLater) return { request };
    await tell(failureOf(error));
  }
  return undefined;
}

/**
 * Searches the service, as one of the asker's requests: it waits its turn, and its asker can cancel it.
 *
 * @param options `destination`: where its progress is shown; `signal`: ends it
 * @throws the reason of a signal, and the errors of the search
 */
export async function searchTitles(
  request: ReportRequest,
  choices: readonly TitleChoice[],
  { asker, scope, minPeople }: Pick<AnswerRights, 'scope' | 'minPeople'> & { readonly asker: Asker },
  options: { readonly destination?: ProgressDestination; readonly signal?: AbortSignal },
  parts: AnswerParts,
): Promise<readonly TitleMatches[]> {
  const { running, clock, store } = parts;
  const id = randomId();
  const title = () => `a search for ${choices.map(({ text }) => `“${quoteTypedWord(text)}”`).join(' and ')}`;
  const progress = options.destination && showProgress(id, title, options.destination, parts);
  try {
    return await running.inTurn(id, asker.id, false, async (cancelled) => {
      const requestedAt = clock.now();
      const { matches, values, isLook } = await findTitlesInService(
        request,
        choices,
        {
          asker,
          scope,
          minPeople,
          requestedAt,
          signal: options.signal ? AbortSignal.any([cancelled, options.signal]) : cancelled,
          onRecords: minPeople > 1 ? undefined : progress?.records,
          onWait: progress?.waits,
        },
        parts,
      );
      const learned = await namesToStore(values, requestedAt, store.events.wasAnybodyErased);
      await store.suggestions.add(learned, clock.now(), isLook);
      return matches;
    });
  } finally {
    await progress?.remove();
  }
}

/** Each title is looked for among thousands. */
const maxTitles = 20;
