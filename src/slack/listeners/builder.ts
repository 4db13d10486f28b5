import type { GlobalShortcut } from '@slack/bolt';
import { reportNamed } from '../../catalogue/index.js';
import { ok, refused } from '../../errors/failure.js';
import type { ReportRequest, TitleChoice } from '../../requests/request.js';
import { completeRequest } from '../../runner/complete-request.js';
import { titleListsFor } from '../../runner/suggestions.js';
import type { ListenerParts } from '../answers/context.js';
import { contentsFromWords } from '../builder/fill-from-words.js';
import {
  builderTitle,
  formExpired,
  makeBuilder,
  minPeopleInForm,
  updateBuilder,
  withoutGoneFields,
} from '../builder/open.js';
import { builderContext } from '../builder/purpose.js';
import { purposeOf } from '../builder/purposes.js';
import { builderViews } from '../builder/view.js';
import type { RequestContext, UncheckedContext } from '../context/request-context.js';
import { presets, withPreset } from '../forms/columns.js';
import { withCondition } from '../forms/conditions.js';
import {
  type BuilderDraft,
  builderActions,
  inputNames,
  inputProblem,
  reportChoices,
} from '../forms/draft.js';
import { messageView, openModal, resultBy } from '../forms/modal.js';
import { readFormValues, requestIn, withFormValues, withFormValuesAt } from '../forms/read-draft.js';
import { shortcuts } from '../manifest.js';
import { commandActions } from '../messages/blocks.js';
import { titlesProblem } from '../messages/choices.js';
import { replierIn } from '../messages/notices.js';
import { answerActions } from '../messages/summary.js';
import { answerToReuse } from './find-answer.js';
import { noteSearch } from './options.js';
import { input, lookUp, type OnPress, opens, type Route } from './router.js';
import { submission, type ValidateForm } from './submission.js';

/** Handles a choice or a button in the builder: stores the values of the form and draws it again. */
const changeForm: OnPress = async (pressed, parts) => {
  const { form, context, pressedAt, actionId, value } = pressed;
  if (!form) return;
  const { id: viewId, hash, private_metadata: id, state } = form;
  const filledIn = readFormValues(state.values);
  const { asker } = context;
  const apply = (before: BuilderDraft): BuilderDraft => {
    const changed = withFormValuesAt(pressedAt, before, filledIn);
    if (actionId === builderActions.fewerFilters) return { ...changed, filtersShown: undefined };
    if (actionId === builderActions.moreFilters)
      return { ...changed, filtersShown: value === 'more' ? 'all' : 'common' };
    if (actionId === builderActions.addCondition)
      return withCondition(changed, reportNamed(reportChoices(changed).report));
    return actionId.startsWith(builderActions.preset) ? withPreset(changed, value) : changed;
  };
  const draft = await parts.store.builderDrafts.change(id, asker, parts.clock.now(), apply);
  await updateBuilder(id, asker, draft, viewId, parts, hash);
};

/** Opens an empty builder, which says itself who cannot have it. `from` is absent outside of conversations. */
export async function openBuilder(
  triggerId: string,
  context: UncheckedContext,
  from: RequestContext | undefined,
  parts: ListenerParts,
): Promise<void> {
  const { asker } = context;
  const retry = { action: commandActions.openBuilder, value: '-' };
  const build = async () => {
    const found = await lookUp('member', context, parts);
    return ok(
      found.ok ? await makeBuilder(undefined, asker, from, parts) : messageView(builderTitle, found.refusal),
    );
  };
  await openModal({ triggerId, title: builderTitle, context, retry }, build, parts);
}

/** Submission of the builder: shows problems under its inputs, or closes the form and carries out its purpose, once. */
const submitBuilder: ValidateForm = async ({ asker, context, view, deadline }, parts) => {
  const { store, clock } = parts;
  const id = view.private_metadata;
  // Another process may have used it for this delivery, and ended.
  const delivery = context.requestId;
  const open = await store.builderDrafts.find(id, asker.id, delivery);
  if (open === 'used') return ok(async () => {});
  if (!open) return refused({ replaceWith: messageView('Run a report', formExpired) });
  const draft = withFormValues(open, readFormValues(view.state.values));
  const request = requestIn(draft);
  if (!request.ok) return request;
  const purpose = purposeOf(draft);
  const isEdit = purpose.edits !== undefined;
  const settled = settleTitles(request.value, { form: id, draft, asker: asker.id, isEdit }, parts);
  // Titles that are not looked up in time are found after the form has closed.
  const titles = (await resultBy(deadline.lookUpBy, settled)) ?? request;
  if (!titles.ok) return titles;
  const submitted = { draft, request: titles.value, asker, context, deadline };
  const validated = await purpose.validate(submitted, parts);
  if (!validated.ok) return validated;
  return ok(async () => {
    if (!(await store.builderDrafts.use(id, asker.id, clock.now(), delivery))) return;
    await store.formSearches.record({ form: id });
    const message = await validated.value();
    if (message) await replierIn(await builderContext(submitted, parts), parts)(message);
  });
};

/**
 * The request with the titles that recent answers hold in full, or a problem of one that is not found among them. A
 * report that is edited needs all of them; for others, the service is searched after the form has closed.
 *
 * @param form the ID of its draft
 */
async function settleTitles(
  request: ReportRequest,
  { form, draft, asker, isEdit }: { form: string; draft: BuilderDraft; asker: string; isEdit: boolean },
  parts: ListenerParts,
) {
  const { report, titles = [] } = request;
  if (titles.length === 0) return ok(request);
  const { suggestions } = parts.store;
  for (const { option: field, id, text } of titles) {
    if (id === undefined) await noteSearch({ form, field, text, asker }, draft, parts);
  }
  const minPeople = await minPeopleInForm(draft, asker, parts);
  const completion = await completeRequest(request, { minPeople, asTyped: true }, { suggestions });
  if (completion.kind === 'ready') {
    const found: TitleChoice[] = [];
    for (const title of completion.request.titles ?? []) {
      const { option, id = '', text } = title;
      const known = await suggestions.titlesOf(titleListsFor(option), [id], minPeople);
      found.push({ ...title, text: known.get(id) ?? text });
    }
    return ok({ ...completion.request, titles: found });
  }
  if (completion.kind !== 'title') return ok(request);
  const { choice, matches } = completion;
  if (matches.count === 0 && !isEdit) return ok(request);
  return refused(
    inputProblem(inputNames.titles(choice.option, report), titlesProblem(choice, matches, report)),
  );
}

const { preset, ...others } = builderActions;
const changes = [...Object.values(others), ...Object.keys(presets).map((name) => `${preset}${name}`)];

export const builderRoutes = (): readonly Route[] => [
  // "Run a report", from anywhere in Slack: the builder, in no conversation.
  {
    kind: 'shortcut',
    id: shortcuts.runReport,
    needs: 'member',
    opens: builderTitle,
    async handle({ body, ack, requestId }, { parts }) {
      await ack();
      const { user, trigger_id: triggerId } = body as GlobalShortcut;
      await openBuilder(triggerId, { asker: user.id, channel: user.id, requestId }, undefined, parts);
    },
  },
  opens(commandActions.openBuilder, 'member', builderTitle, async (pressed, parts) => {
    const { value, context, isInConversation } = pressed;
    if (!isInConversation) return ok(await makeBuilder(undefined, context.asker, undefined, parts));
    const contents = await contentsFromWords(value, context, parts);
    return ok(await makeBuilder(contents, context.asker, context, parts));
  }),
  opens(answerActions.change, 'member', builderTitle, async (pressed, parts) => {
    const { value, context, isInConversation, message } = pressed;
    const entry = await answerToReuse('change', value, { ...context, message }, parts);
    // The builder says itself why it cannot open with an answer.
    if (!entry.ok) return ok(messageView(builderTitle, entry.refusal));
    const contents = withoutGoneFields(entry.value.request);
    return ok(await makeBuilder(contents, context.asker, isInConversation ? context : undefined, parts));
  }),
  ...changes.map((id) => input(id, 'member', changeForm)),
  submission(builderViews.builder, 'member', submitBuilder),
];
