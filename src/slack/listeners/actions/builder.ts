import type { AllMiddlewareArgs, BlockAction, SlackActionMiddlewareArgs } from '@slack/bolt';
import { reportNamed } from '../../../catalogue/index.js';
import { builderActions } from '../../ids.js';
import { type Preset, presetsOf, withPreset } from '../../modals/builder/columns.js';
import type { BuilderDraft } from '../../modals/builder/draft.js';
import { redrawBuilder } from '../../modals/builder/draw-builder.js';
import { filledUpTo } from '../../modals/builder/filled-draft.js';
import { inTurn } from '../../modals/builder/in-turn.js';
import { readInputs } from '../../modals/builder/read-inputs.js';
import type { ListenerParts } from '../context.js';

/**
 * Something was chosen or pressed that changes the builder: everything that stands in the form is kept, and the form is
 * drawn anew. Changes of one form are taken one after the other, as they came.
 */
export function builderChange(parts: ListenerParts) {
  const turns = inTurn();
  return async ({ body, ack }: SlackActionMiddlewareArgs<BlockAction> & AllMiddlewareArgs) => {
    await ack();
    const { view, user, actions } = body;
    const [action] = actions;
    if (!view || !action) return;
    const id = view.private_metadata;
    const filledIn = readInputs(view.state.values);
    const pressed = { name: action.action_id, value: 'value' in action ? String(action.value) : '' };
    const at = Number(action.action_ts);
    await turns(id, async () => {
      const draft = await parts.store.builderDrafts.change(id, user.id, parts.clock.now(), (before) =>
        afterPress(filledUpTo(at, before, filledIn), pressed),
      );
      await redrawBuilder(id, user.id, draft, { viewId: view.id, hash: view.hash }, parts);
    });
  };
}

function afterPress(draft: BuilderDraft, { name, value }: { name: string; value: string }): BuilderDraft {
  const { state } = draft;
  if (name === builderActions.moreFilters)
    return { ...draft, state: { ...state, allFilters: value === 'more' } };
  if (!name.startsWith(builderActions.preset)) return draft;
  const report = reportNamed(state.report);
  const preset: Preset | undefined = presetsOf(report).find((known) => known === value);
  return preset ? { ...draft, state: withPreset(state, report, preset) } : draft;
}
