import type { GlobalShortcut } from '@slack/bolt';
import { reportNamed } from '../../../catalogue/index.js';
import { ok, type Result, refused } from '../../../errors/result.js';
import type { ReportRequest, TitleChoice } from '../../../requests/request.js';
import { completeRequest } from '../../../runner/complete-request.js';
import { titleListsFor } from '../../../runner/suggestions.js';
import { answerToReuse } from '../../find-answer.js';
import { actions, builderActions, shortcuts, views } from '../../ids.js';
import { titlesProblem } from '../../messages/choices.js';
import { type Preset, presets, presetsOf, withPreset } from '../../modals/builder/columns.js';
import { contentsFromWords } from '../../modals/builder/fill-from-words.js';
import {
  type BuilderContents,
  builderTitle,
  emptyContents,
  formExpired,
  makeBuilder,
  minPeopleInForm,
  updateBuilder,
  withFormValues,
  withFormValuesAt,
  withoutGoneFields,
} from '../../modals/builder/open.js';
import { builderContext, readFormValues } from '../../modals/builder/purpose.js';
import { purposeOf } from '../../modals/builder/purposes.js';
import { requestFromState } from '../../modals/builder/read-state.js';
import {
  type BuilderDraft,
  type InputProblems,
  inputNames,
  inputProblem,
} from '../../modals/builder/state.js';
import { messageView, openModal, resultBy } from '../../modals/modal.js';
import type { RequestContext, UncheckedContext } from '../../request-context.js';
import { input, lookUp, type MakeForm, type OnPress, opens, type Press, type Route } from '../../router.js';
import type { ListenerParts } from '../context.js';
import { noteSearch } from '../options.js';
import { submission, type ValidateForm } from '../submissions/submission.js';

/** Handles a choice or a button in the builder: keeps the values of the form and draws it again. */
const changeForm: OnPress = async (pressed, parts) => {
  const { form, context, pressedAt } = pressed;
  if (!form) return;
  const { id: viewId, hash, private_metadata: id, state } = form;
  const filledIn = readFormValues(state.values);
  const { asker } = context;
  const draft = await parts.store.builderDrafts.change(id, asker, parts.clock.now(), (before) =>
    applyAction(withFormValuesAt(pressedAt, before, filledIn), pressed),
  );
  await updateBuilder(id, asker, draft, { viewId, hash }, parts);
};

function applyAction(draft: BuilderDraft, { actionId: name, value }: Press): BuilderDraft {
  const { state } = draft;
  if (name === builderActions.moreFilters || name === builderActions.fewerFilters) {
    return { ...draft, state: { ...state, filtersOpen: value !== 'fewer', allFilters: value === 'more' } };
  }
  if (!name.startsWith(builderActions.preset)) return draft;
  const report = reportNamed(state.report);
  const preset: Preset | undefined = presetsOf(report).find((known) => known === value);
  return preset ? { ...draft, state: withPreset(state, report, preset) } : draft;
}

/** Change: opens the builder with the request of an answer. */
const makeChangeForm: MakeForm = builderWith(async ({ value, context, message }, parts) => {
  const use = { channel: context.channel, asker: context.asker, message };
  const entry = await answerToReuse('change', value, use, parts);
  return entry.ok ? ok(withoutGoneFields(entry.value.request)) : entry;
});

/** Open the form: opens the builder, with what the words of the button say. */
const makeFilledForm: MakeForm = builderWith(async ({ value, context, isInConversation }, parts) =>
  ok((isInConversation ? await contentsFromWords(value, context, parts) : undefined) ?? emptyContents),
);

/** The builder says itself why it cannot open with an answer. */
function builderWith(
  fill: (pressed: Press, parts: ListenerParts) => Promise<Result<BuilderContents>>,
): MakeForm {
  return async (pressed, parts) => {
    const contents = await fill(pressed, parts);
    if (!contents.ok) return ok(messageView(builderTitle, contents.refusal));
    const { context, isInConversation } = pressed;
    const from = isInConversation ? context : undefined;
    return ok(await makeBuilder({ asker: context.asker, from, contents: contents.value }, parts));
  };
}

/** Opens an empty builder, which says itself who cannot have it. `from` is absent outside of conversations. */
export async function openBuilder(
  triggerId: string,
  context: UncheckedContext,
  from: RequestContext | undefined,
  parts: ListenerParts,
): Promise<void> {
  const { asker } = context;
  const retry = { action: actions.openBuilder, value: '-' };
  const build = async () => {
    const found = await lookUp('member', context, parts);
    return ok(
      found.ok ? await makeBuilder({ asker, from }, parts) : messageView(builderTitle, found.refusal.text),
    );
  };
  await openModal({ triggerId, title: builderTitle, context, retry }, build, parts);
}

/** "Run a report", from anywhere in Slack: the builder, in no conversation. */
const runReport: Route = {
  kind: 'shortcut',
  id: shortcuts.runReport,
  needs: 'member',
  opens: builderTitle,
  async handle({ body, ack, requestId }, { parts }) {
    await ack();
    const { user, trigger_id: triggerId } = body as GlobalShortcut;
    await openBuilder(triggerId, { asker: user.id, channel: user.id, requestId }, undefined, parts);
  },
};

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
    const message = await validated.value();
    return message ? [{ message, context: await builderContext(submitted, parts) }] : [];
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

export const builderRoutes = (): readonly Route[] => [
  runReport,
  opens(actions.openBuilder, 'member', builderTitle, makeFilledForm),
  opens(actions.change, 'member', builderTitle, makeChangeForm),
  input(builderActions.input, 'member', changeForm),
  input(builderActions.entries, 'member', changeForm),
  input(builderActions.titles, 'member', changeForm),
  input(builderActions.moreFilters, 'member', changeForm),
  input(builderActions.fewerFilters, 'member', changeForm),
  ...presets.map((preset) => input(`${builderActions.preset}${preset}`, 'member', changeForm)),
  submission(views.builder, 'member', submitBuilder),
];
