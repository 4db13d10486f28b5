import type { AnyBlock, ModalView } from '@slack/types';
import { reportNamed } from '../../../catalogue/index.js';
import { views } from '../../ids.js';
import { context, divider, plain } from '../../messages/blocks.js';
import { limits } from '../../messages/limits.js';
import { type Choice, radio } from '../inputs.js';
import { answerInputs } from './column-inputs.js';
import type { BuilderDraft } from './draft.js';
import { filterInputs, type Titles } from './filter-inputs.js';
import { reportInputs, sortInput } from './report-inputs.js';

/** Everything that the builder is drawn from. */
export interface BuilderDrawing {
  readonly draftId: string;
  readonly draft: BuilderDraft;
  /** Over the form and on its button. */
  readonly title: string;
  readonly submit: string;
  /** What can be done with the request, where there is more than one thing. */
  readonly purposes: readonly Choice[];
  /** The inputs that this purpose has for itself. */
  readonly ownInputs: readonly AnyBlock[];
  readonly titles: Titles;
}

/** The input in which the purpose is chosen. */
export const purposeInput = 'purpose';

/** The builder: a form on everything that words can say. */
export function builderView(drawing: BuilderDrawing): ModalView {
  const { draftId, draft, title, submit, purposes, ownInputs, titles } = drawing;
  const { state, purpose } = draft;
  const report = reportNamed(state.report);
  return {
    type: 'modal',
    callback_id: views.builder,
    private_metadata: draftId,
    title: plain(title, limits.modalTitleCharacters),
    submit: plain(submit, limits.modalTitleCharacters),
    close: plain('Cancel'),
    blocks: [
      ...draft.remarks.map((remark) => context(plain(remark))),
      ...reportInputs(state, report),
      ...filterInputs(state, report, titles),
      divider(),
      ...sortInput(state, report),
      ...answerInputs(state, report),
      divider(),
      ...(purposes.length > 1
        ? [radio(purposeInput, { label: 'Then' }, purposes, purpose, { tells: true })]
        : []),
      ...ownInputs,
    ],
  };
}
