import type { AllMiddlewareArgs, SlackOptionsMiddlewareArgs } from '@slack/bolt';
import { audienceOf, type Level } from '../../access/levels.js';
import { KnownError } from '../../errors/known-error.js';
import { Cancelled } from '../../reporting-api/errors.js';
import { type Asker, plainRequest, type TitleChoice } from '../../requests/request.js';
import { type Titled, titlesContaining } from '../../requests/titles.js';
import { titleListsFor } from '../../runner/suggestions.js';
import { answerRightsOf } from '../answer-rights.js';
import { searchTitles } from '../complete-request.js';
import { offeredTitles } from '../messages/choices.js';
import { withFormValues } from '../modals/builder/open.js';
import { readFormValues } from '../modals/builder/purpose.js';
import { requestFromState } from '../modals/builder/read-state.js';
import type { BuilderDraft } from '../modals/builder/state.js';
import { canBeOption, foundChoice, titleOptionOf } from '../modals/builder/which-rows.js';
import { option } from '../modals/inputs.js';
import { deadlineFrom, resultBy } from '../modals/modal.js';
import { resolveAsker, resolveConversation } from '../request-context.js';
import { receivedAtMs } from '../transport/listener-apps.js';
import type { ListenerParts } from './context.js';
import { maxOptions } from './options.js';

/** Shorter texts are not searched for: almost every title has them. */
const minSearchedLength = 2;

/**
 * Suggests titles from recent answers. Where none has the text, searches the service. A search that takes too long for
 * Slack goes on until the person types more, and what it finds is suggested then.
 */
export function titleSuggestions(parts: ListenerParts) {
  /** Ends the search of a person. */
  const searches = new Map<string, AbortController>();

  /** The titles of the newest search of a person, or none if it takes too long. */
  async function searchBy(
    deadline: number,
    draft: BuilderDraft,
    choice: TitleChoice,
    asker: Asker,
  ): Promise<readonly Titled[]> {
    const ending = new AbortController();
    searches.set(asker.id, ending);
    const found = searchInForm(draft, choice, asker, ending.signal, parts).finally(() => {
      if (searches.get(asker.id) === ending) searches.delete(asker.id);
    });
    return (await resultBy(deadline, found)) ?? [];
  }

  return async ({
    payload: { block_id: block, value: text },
    body,
    ack,
    context,
  }: SlackOptionsMiddlewareArgs<'block_suggestion'> & AllMiddlewareArgs) => {
    const { lookUpBy } = deadlineFrom(context[receivedAtMs]);
    const asker = await resolveAsker(body.user.id, parts.people, parts.defaultZone);
    if (!asker.ok) return void (await ack({ options: [] }));
    const draft = await parts.store.builderDrafts.find(body.view?.private_metadata ?? '', body.user.id);
    const wanted = titleOptionOf(block);
    if (!draft || draft === 'used' || !wanted) return void (await ack({ options: [] }));
    searches.get(asker.value.id)?.abort(new Cancelled());
    const choice = { option: wanted, text };
    const { level } = await parts.access.accessOf(asker.value.id, draft.state.report);
    const known = await knownTitles(choice, level, parts);
    const isSearched = known.length === 0 && level !== 'nothing' && text.trim().length >= minSearchedLength;
    // Inputs that have not changed the form are not in its draft yet.
    const filledIn = withFormValues(draft, readFormValues(body.view?.state.values ?? {}));
    const found = isSearched ? await searchBy(lookUpBy, filledIn, choice, asker.value) : known;
    const offered = found.filter(canBeOption).slice(0, maxOptions);
    await ack({ options: offered.map((titled) => option(foundChoice(titled, offered))) });
  };
}

async function knownTitles(
  { option: wanted, text }: TitleChoice,
  level: Level,
  { store }: ListenerParts,
): Promise<readonly Titled[]> {
  if (level === 'nothing') return [];
  const values = await store.suggestions.all(titleListsFor(wanted), audienceOf(level));
  const titled = values.flatMap(({ entry, title }) => (title === undefined ? [] : [{ id: entry, title }]));
  return titlesContaining(text, titled);
}

/** The titles that match in the range and with the filters of a form, else the nearest. Never fails. */
async function searchInForm(
  { state, here }: BuilderDraft,
  choice: TitleChoice,
  asker: Asker,
  signal: AbortSignal,
  parts: ListenerParts,
): Promise<readonly Titled[]> {
  const inForm = requestFromState(state);
  const { report, view, range, assigned, dateField, states, filters } = inForm.ok
    ? inForm.value
    : plainRequest(state.report);
  // Only what decides which records are searched: a file, say, may be more than the asker's level allows.
  const request = { ...plainRequest(report), view, range, assigned, dateField, states, filters };
  try {
    const context = { channel: here?.channel ?? asker.id, asker: asker.id };
    const conversation = await resolveConversation(context, parts);
    const rights = await answerRightsOf(request, asker, conversation, false, parts);
    const [matches] = await searchTitles(request, [choice], { ...rights, asker }, { signal }, parts);
    return matches ? offeredTitles(matches) : [];
  } catch (error) {
    if (!(error instanceof KnownError)) parts.log.error({ err: error }, 'A search for titles failed');
    return [];
  }
}
