import type { ModalView } from '@slack/types';
import { initialState } from '../../../../playground/slack/server/workspace/views.js';
import type { Level } from '../../../../src/access/levels.js';
import { readFormValues } from '../../../../src/slack/modals/builder/purpose.js';
import type { BuilderDraft, BuilderState } from '../../../../src/slack/modals/builder/state.js';
import { builderView, destinationInputs } from '../../../../src/slack/modals/builder/view.js';
import type { FormValues } from '../../../../src/slack/modals/inputs.js';

export const here: NonNullable<BuilderDraft['here']> = {
  channel: 'C00LEARN01',
  kind: 'member',
  mayNamePeople: false,
  at: 0,
};

/** The view of the builder, opened in a channel. */
export function renderedBuilder(
  state: BuilderState,
  titles: ReadonlyMap<string, string> = new Map(),
  level: Level = 'everything',
): ModalView {
  const draft: BuilderDraft = { state, purpose: 'run', extra: {}, remarks: [], here };
  return builderView({
    draftId: 'abcdefghjk',
    draft,
    title: 'Run a report',
    submit: 'Run',
    purposes: [],
    purposeInputs: destinationInputs(draft),
    titles,
    level,
  });
}

/** The initial values of a view's inputs, as the local Slack computes them. */
export function initialValues(view: ModalView): FormValues {
  return readFormValues(initialState(view.blocks as never) as Parameters<typeof readFormValues>[0]);
}
