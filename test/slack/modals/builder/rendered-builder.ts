import type { ModalView } from '@slack/types';
import { initialState } from '../../../../playground/slack/server/workspace/views.js';
import { readFormValues } from '../../../../src/slack/modals/builder/purpose.js';
import type { BuilderDraft, BuilderState, FormValues } from '../../../../src/slack/modals/builder/state.js';
import { builderView, whereInputs } from '../../../../src/slack/modals/builder/view.js';

export const here: NonNullable<BuilderDraft['here']> = {
  channel: 'C00LEARN01',
  kind: 'member',
  mayNamePeople: false,
  at: 0,
};

/** The builder as somebody in a channel sees it. */
export function drawn(state: BuilderState, titles: ReadonlyMap<string, string> = new Map()): ModalView {
  const draft: BuilderDraft = { state, purpose: 'run', extra: {}, remarks: [], here };
  return builderView({
    draftId: 'abcdefghjk',
    draft,
    title: 'Run a report',
    submit: 'Run',
    purposes: [],
    purposeInputs: whereInputs(draft),
    titles,
  });
}

/** What Slack says of a view that nobody has touched, as the local workspace works it out. */
export function untouched(view: ModalView): FormValues {
  return readFormValues(initialState(view.blocks as never) as Parameters<typeof readFormValues>[0]);
}
