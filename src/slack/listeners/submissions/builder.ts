import { ok, type Result, refused } from '../../../errors/result.js';
import type { ReportRequest, TitleChoice } from '../../../requests/request.js';
import { completeRequest } from '../../../runner/complete-request.js';
import { titleListsFor } from '../../../runner/suggestions.js';
import { views } from '../../ids.js';
import { titlesProblem } from '../../messages/choices.js';
import { formExpired, minPeopleInForm, withFormValues } from '../../modals/builder/open.js';
import { readFormValues } from '../../modals/builder/purpose.js';
import { purposeOf } from '../../modals/builder/purposes.js';
import { requestFromState } from '../../modals/builder/read-state.js';
import {
  type BuilderDraft,
  type InputProblems,
  inputNames,
  inputProblem,
} from '../../modals/builder/state.js';
import { messageView, resultBy } from '../../modals/modal.js';
import type { Route } from '../../router.js';
import type { ListenerParts } from '../context.js';
import { noteSearch } from '../options.js';
import { submission, type ValidateForm } from './submission.js';

/** Submission of the builder: shows problems under its inputs, or closes the form and carries out its purpose, once. */
const submitBuilder: ValidateForm = async ({ asker, context, view, deadline }, parts) => {
  const { store, clock } = parts;
  const id = view.private_metadata;
  // Another process may have used it for this delivery, and ended.
  const delivery = context.requestId;
  const kept = await store.builderDrafts.find(id, asker.id, delivery);
  if (kept === 'used') return ok(async () => []);
  if (!kept) return refused({ replaceWith: messageView('Run a report', formExpired) });
  const draft = withFormValues(kept, readFormValues(view.state.values));
  const request = requestFromState(draft.state);
  if (!request.ok) return refused({ problems: request.refusal });
  const purpose = purposeOf(draft);
  const open = { form: id, draft, asker: asker.id, isEdit: purpose.isEdit ?? false };
  const settled = settleTitles(request.value, open, parts);
  // Titles that are not looked up in time are found after the form has closed.
  const titles = (await resultBy(deadline.lookUpBy, settled)) ?? request;
  if (!titles.ok) return refused({ problems: titles.refusal });
  const submitted = { draft, request: titles.value, asker, context, deadline };
  const validated = await purpose.validate(submitted, parts);
  if (!validated.ok) return refused({ problems: validated.refusal });
  return ok(async () => {
    if (!(await store.builderDrafts.use(id, asker.id, clock.now(), delivery))) return [];
    await store.formSearches.record({ form: id });
    return validated.value();
  });
};

interface OpenForm {
  /** The ID of its draft. */
  readonly form: string;
  readonly draft: BuilderDraft;
  readonly asker: string;
  readonly isEdit: boolean;
}

/**
 * The request with the titles that recent answers hold in full, or a problem of one that is not found among them. A
 * report that is edited needs all of them; for others, the service is searched after the form has closed.
 */
async function settleTitles(
  request: ReportRequest,
  { form, draft, asker, isEdit }: OpenForm,
  parts: ListenerParts,
): Promise<Result<ReportRequest, InputProblems>> {
  const { report, titles = [] } = request;
  if (titles.length === 0) return ok(request);
  const { store } = parts;
  for (const { option: field, id, text } of titles) {
    if (id === undefined) await noteSearch({ form, field, text, asker }, draft, parts);
  }
  const minPeople = await minPeopleInForm(draft, asker, parts);
  const completion = await completeRequest(
    request,
    { minPeople, asTyped: true },
    { suggestions: store.suggestions },
  );
  if (completion.kind === 'ready') {
    const inFull = async (title: TitleChoice): Promise<TitleChoice> => {
      const { option, id = '', text } = title;
      const known = await store.suggestions.titlesOf(titleListsFor(option), [id], minPeople);
      return { ...title, text: known.get(id) ?? text };
    };
    const found = await Promise.all((completion.request.titles ?? []).map(inFull));
    return ok({ ...completion.request, titles: found });
  }
  if (completion.kind !== 'title') return ok(request);
  const { choice, matches } = completion;
  if (matches.count === 0 && !isEdit) return ok(request);
  return refused(
    inputProblem(inputNames.titles(choice.option, report), titlesProblem(choice, matches, report)),
  );
}

export const builderFormRoutes = (): readonly Route[] => [
  submission(views.builder, ['member'], submitBuilder),
];
