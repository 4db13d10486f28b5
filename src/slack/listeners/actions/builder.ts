import type { GlobalShortcut } from '@slack/bolt';
import { reportNamed } from '../../../catalogue/index.js';
import { ok, type Result } from '../../../errors/result.js';
import { answerToReuse } from '../../find-answer.js';
import { actions, builderActions, shortcuts } from '../../ids.js';
import { type Preset, presets, presetsOf, withPreset } from '../../modals/builder/columns.js';
import { contentsFromWords } from '../../modals/builder/fill-from-words.js';
import {
  type BuilderContents,
  builderTitle,
  emptyContents,
  makeBuilder,
  updateBuilder,
  withFormValuesAt,
  withoutGoneFields,
} from '../../modals/builder/open.js';
import { readFormValues } from '../../modals/builder/purpose.js';
import type { BuilderDraft } from '../../modals/builder/state.js';
import { messageView, openModal } from '../../modals/modal.js';
import type { RequestContext, UncheckedContext } from '../../request-context.js';
import { input, lookUp, type MakeForm, type OnPress, opens, type Press, type Route } from '../../router.js';
import type { ListenerParts } from '../context.js';

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
    const found = await lookUp(['member'], context, parts);
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
  needs: ['member'],
  opens: builderTitle,
  isKept: () => false,
  async handle({ body, ack, requestId }, { parts }) {
    await ack();
    const { user, trigger_id: triggerId } = body as GlobalShortcut;
    await openBuilder(triggerId, { asker: user.id, channel: user.id, requestId }, undefined, parts);
  },
};

export const builderRoutes = (): readonly Route[] => [
  runReport,
  opens(actions.openBuilder, ['member'], builderTitle, makeFilledForm),
  opens(actions.change, ['member'], builderTitle, makeChangeForm),
  input(builderActions.input, ['member'], changeForm),
  input(builderActions.entries, ['member'], changeForm),
  input(builderActions.titles, ['member'], changeForm),
  input(builderActions.moreFilters, ['member'], changeForm),
  input(builderActions.fewerFilters, ['member'], changeForm),
  ...presets.map((preset) => input(`${builderActions.preset}${preset}`, ['member'], changeForm)),
];
