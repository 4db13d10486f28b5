import type {
  AllMiddlewareArgs,
  BlockAction,
  BlockButtonAction,
  SlackActionMiddlewareArgs,
} from '@slack/bolt';
import { reportNamed } from '../../../catalogue/index.js';
import { ok, refused } from '../../../errors/result.js';
import {
  formatRemovedFields,
  removedFieldsOf,
  withoutRemovedFields,
} from '../../../requests/removed-fields.js';
import { filtersOf, findAnswer } from '../../find-answer.js';
import { hidesPeople, peopleHidden } from '../../hidden-people.js';
import { builderActions } from '../../ids.js';
import { type Preset, presetsOf, withPreset } from '../../modals/builder/columns.js';
import { contentsFromWords } from '../../modals/builder/fill-from-words.js';
import {
  type BuilderTrigger,
  emptyContents,
  keyedQueue,
  openBuilder,
  updateBuilder,
  withFormValuesAt,
} from '../../modals/builder/open.js';
import { readFormValues } from '../../modals/builder/purpose.js';
import type { BuilderDraft } from '../../modals/builder/state.js';
import { messageView, updateView } from '../../modals/modal.js';
import { type RequestContext, resolveAsker } from '../../request-context.js';
import type { ListenerParts } from '../context.js';
import { contextOf } from './button.js';

/**
 * Handles a choice or a button in the builder: keeps the values of the form and draws it again. Changes to one form are
 * handled one after the other, in order of arrival.
 */
export function builderChange(parts: ListenerParts) {
  const turns = keyedQueue();
  return async ({ body, ack }: SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs) => {
    await ack();
    const { view, user, actions } = body;
    const [action] = actions;
    if (!view || !action) return;
    const id = view.private_metadata;
    const filledIn = readFormValues(view.state.values);
    const pressed = { name: action.action_id, value: 'value' in action ? String(action.value) : '' };
    const at = Number(action.action_ts);
    await turns(id, async () => {
      const asker = await resolveAsker(user.id, parts.people, parts.defaultZone);
      if (!asker.ok) {
        const refusal = messageView('Run a report', asker.refusal);
        return void (await updateView({ viewId: view.id, view: refusal }, parts));
      }
      const draft = await parts.store.builderDrafts.change(id, user.id, parts.clock.now(), (before) =>
        applyAction(withFormValuesAt(at, before, filledIn), pressed),
      );
      await updateBuilder(id, user.id, draft, { viewId: view.id, hash: view.hash }, parts);
    });
  };
}

function applyAction(draft: BuilderDraft, { name, value }: { name: string; value: string }): BuilderDraft {
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
export function changeButton(parts: ListenerParts) {
  return builderButton(parts, (value, context, message) => async () => {
    const use = context && { channel: context.channel, asker: context.asker, message };
    const entry = use && (await findAnswer(value, use, parts));
    if (!entry) return refused('That report has expired. Run it again.');
    if (await hidesPeople(filtersOf(entry, use), use.asker, parts)) return refused(peopleHidden('change'));
    const gone = removedFieldsOf(entry.request);
    const remark = `Left out because it no longer exists: ${formatRemovedFields(gone)}.`;
    return ok({ request: withoutRemovedFields(entry.request), remarks: gone.length > 0 ? [remark] : [] });
  });
}

/** Open the form: opens the builder, with what the words of the button say. */
export function openBuilderButton(parts: ListenerParts) {
  return builderButton(parts, (value, context) => async () => {
    const contents = context && (await contentsFromWords(value, context, parts));
    return ok(contents ?? emptyContents);
  });
}

/** A button that opens the builder. The builder looks up the person itself, because its trigger expires. */
export function builderButton(
  parts: ListenerParts,
  fill: (
    value: string,
    context: RequestContext | undefined,
    message: { readonly ts: string } | undefined,
  ) => BuilderTrigger['fill'] | undefined,
) {
  return async ({ body, action, ack }: SlackActionMiddlewareArgs<BlockButtonAction> & AllMiddlewareArgs) => {
    await ack();
    const { action_id, value = '' } = action;
    const context = contextOf(body, parts);
    const { ts }: { ts?: string } = body.message ?? {};
    await openBuilder(
      {
        triggerId: body.trigger_id,
        asker: body.user.id,
        responseUrl: body.response_url,
        retry: { action: action_id, value: value === '' ? '-' : value },
        from: context,
        fill: fill(value, context, ts ? { ts } : undefined),
      },
      parts,
    );
  };
}
