import type { ModalView } from '@slack/types';
import { initialState } from '../../../../playground/slack/server/workspace/views.js';
import type { Level } from '../../../../src/access/levels.js';
import type { ReportRequest } from '../../../../src/requests/request.js';
import { builderView } from '../../../../src/slack/builder/view.js';
import type { BuilderDraft } from '../../../../src/slack/forms/draft.js';
import type { FormValues } from '../../../../src/slack/forms/inputs.js';
import { readFormValues, valuesOf } from '../../../../src/slack/forms/read-draft.js';

export const here: NonNullable<BuilderDraft['here']> = {
  channel: 'C00LEARN01',
  kind: 'member',
  mayNamePeople: false,
  at: 0,
};

/** The view of the builder, opened in a channel. */
export function renderedBuilder(
  draft: BuilderDraft,
  titles: ReadonlyMap<string, string> = new Map(),
  level: Level = 'everything',
): ModalView {
  return builderView('abcdefghjk', { ...draft, here }, { titles, level });
}

/** An open builder with a request. */
export function draftOf(request: ReportRequest): BuilderDraft {
  return { values: valuesOf(request) };
}

/** The initial values of a view's inputs, as the local Slack computes them. */
export function initialValues(view: ModalView): FormValues {
  return readFormValues(initialState(view.blocks as never) as Parameters<typeof readFormValues>[0]);
}
