import { searchesOwnRows } from '../../access/scope.js';
import { Failure, isFailure } from '../../errors/failure.js';
import { type Asker, plainRequest, type ReportRequest, type TitleChoice } from '../../requests/request.js';
import { titlesContaining } from '../../requests/titles.js';
import { titleListsFor } from '../../runner/suggestions.js';
import { type AnswerRights, answerRightsOf } from '../answers/answer-run.js';
import { searchTitles } from '../answers/complete-request.js';
import type { ListenerParts } from '../answers/context.js';
import { conversationOfForm } from '../builder/open.js';
import { type BuilderDraft, builderActions, reportChoices } from '../forms/draft.js';
import { resultBy } from '../forms/modal.js';
import { readFormValues, requestIn, withFormValues } from '../forms/read-draft.js';
import { canBeOption, foundChoice, titleOptionOf } from '../forms/which-rows.js';
import { offeredTitles } from '../messages/choices.js';
import { maxOptions, noteSearch, oncePer, type Suggest, suggestions } from './options.js';
import type { Route } from './router.js';

/** Shorter texts are not searched for: almost every title has them. */
const minSearchedLength = 2;

/**
 * Suggests known titles. Where none has the text, and in a request for one's own rows, searches the service. A
 * search that takes too long for Slack continues until the person types more. What it finds is suggested then.
 */
function suggestTitles(): Suggest {
  /** Ends the search of a person. */
  const searches = new Map<string, AbortController>();

  /** What the newest search of a person finds: the titles that match, else the nearest. None if it fails or takes too long. */
  async function searchBy(
    deadline: number,
    request: ReportRequest,
    choice: TitleChoice,
    rights: AnswerRights & { readonly asker: Asker },
    parts: ListenerParts,
  ) {
    const { id } = rights.asker;
    const ending = new AbortController();
    searches.set(id, ending);
    const found = searchTitles(request, [choice], rights, { signal: ending.signal }, parts)
      .then(([matches]) => (matches ? offeredTitles(matches) : []))
      .catch((error: unknown) => {
        if (!isFailure(error)) parts.log.error({ err: error }, 'A search for titles failed');
        return [];
      })
      .finally(() => {
        if (searches.get(id) === ending) searches.delete(id);
      });
    return (await resultBy(deadline, found)) ?? [];
  }

  return async ({ context: { member: asker }, block, text, form: view, lookUpBy }, parts) => {
    const form = view?.private_metadata ?? '';
    const draft = await parts.store.builderDrafts.find(form, asker.id);
    const wanted = titleOptionOf(block);
    if (!draft || draft === 'used' || !wanted) return [];
    searches.get(asker.id)?.abort(new Failure('cancelled'));
    const choice = { option: wanted, text };
    // Inputs that have not changed the form are not in its draft yet.
    const filledIn = withFormValues(draft, readFormValues(view?.state.values ?? {}));
    const request = searchedRequest(filledIn);
    const rights = await rightsInForm(request, filledIn, asker, parts);
    if (rights === 'nothing') return [];
    await noteSearch({ form, field: wanted, text, asker: asker.id }, filledIn, parts);
    // Only protected levels are refused a request.
    const minPeople = rights?.minPeople ?? parts.smallestGroup;
    const known = await knownTitles(choice, minPeople, parts);
    const isSearched =
      (known.length === 0 || (rights && searchesOwnRows(rights.scope))) &&
      text.trim().length >= minSearchedLength;
    const searched =
      rights && isSearched ? await searchBy(lookUpBy, request, choice, { ...rights, asker }, parts) : [];
    const found = oncePer(({ id }) => id, [...searched, ...known]);
    const offered = found.filter(canBeOption).slice(0, maxOptions);
    return offered.map((titled) => foundChoice(titled, offered));
  };
}

async function knownTitles(
  { option: wanted, text }: TitleChoice,
  minPeople: number,
  { store }: ListenerParts,
) {
  const values = await store.suggestions.find(titleListsFor(wanted), text, maxOptions, minPeople);
  const titled = values.flatMap(({ entry, title }) => (title === undefined ? [] : [{ id: entry, title }]));
  return titlesContaining(text, titled);
}

/** Only what decides which records are searched: a file, say, may be more than the asker's level allows. */
function searchedRequest(draft: BuilderDraft): ReportRequest {
  const inForm = requestIn(draft);
  const { report, view, range, assigned, dateField, states, filters } = inForm.ok
    ? inForm.value
    : plainRequest(reportChoices(draft).report);
  return { ...plainRequest(report), view, range, assigned, dateField, states, filters };
}

/** Undefined where the asker's level does not allow the request, but others. */
async function rightsInForm(request: ReportRequest, draft: BuilderDraft, asker: Asker, parts: ListenerParts) {
  const conversation = await conversationOfForm(draft, asker.id, parts);
  try {
    return await answerRightsOf(request, asker, conversation, parts);
  } catch (error) {
    if (!isFailure(error, 'access-refused')) throw error;
    return error.details.refusal.kind === 'nothing' ? 'nothing' : undefined;
  }
}

export const titleRoutes = (): readonly Route[] => [
  suggestions(builderActions.titles, 'member', suggestTitles()),
];
