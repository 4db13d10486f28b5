import type { ModalView } from '@slack/types';
import { reportNamed } from '../../../catalogue/index.js';
import { listsFor } from '../../../runner/suggestions.js';
import type { Used } from '../../../store/requests/builder-drafts.js';
import type { ListenerParts } from '../../listeners/context.js';
import { messageView } from '../modal.js';
import { updateView } from '../modals.js';
import type { BuilderDraft } from './draft.js';
import { chipsForOne } from './filter-inputs.js';
import { filtersOfReport } from './filters.js';
import { purposeChoices, purposeOf } from './purposes.js';
import { entriesOf } from './state.js';
import { builderView } from './view.js';

type DrawParts = Pick<ListenerParts, 'store' | 'interactive' | 'log'>;

/** A builder that somebody has before them, as Slack knows it. */
export interface OpenView {
  readonly viewId: string;
  /** Of the drawing that this is an answer to; absent: whatever is there. */
  readonly hash?: string | undefined;
}

export const tooOld = 'This form is too old to be used. Type /report to open a new one.';

/** The builder as it stands. */
export async function drawBuilder(id: string, draft: BuilderDraft, parts: DrawParts): Promise<ModalView> {
  const { title, submit, inputs } = purposeOf(draft);
  return builderView({
    draftId: id,
    draft,
    title,
    submit,
    purposes: purposeChoices(draft),
    ownInputs: inputs(draft),
    titles: await titlesFor(draft, parts),
  });
}

/**
 * Draws the builder anew. Where somebody else has drawn it meanwhile, the draft is looked at again and drawn over
 * theirs: the draft has everybody's changes, whoever made them.
 */
export async function redrawBuilder(
  id: string,
  owner: string,
  draft: BuilderDraft | Used | undefined,
  { viewId, hash }: OpenView,
  parts: DrawParts,
): Promise<void> {
  if (draft === 'used') return;
  const view = draft ? await drawBuilder(id, draft, parts) : messageView('Run a report', tooOld);
  const updated = await updateView({ viewId, view, hash }, parts);
  if (updated !== 'changed' || !hash) return;
  const latest = await parts.store.builderDrafts.find(id, owner);
  return redrawBuilder(id, owner, latest, { viewId }, parts);
}

/** What people call the identifiers that are drawn. */
async function titlesFor({ state }: BuilderDraft, { store }: DrawParts) {
  const report = reportNamed(state.report);
  const most = chipsForOne(state, report);
  const drawn = filtersOfReport(report)
    .filter(({ member }) => member.kind === 'identifiers')
    .map(({ name, member }) => ({
      lists: listsFor(member),
      entries: entriesOf(state, name).entries.slice(0, most),
    }))
    .filter(({ lists, entries }) => lists.length > 0 && entries.length > 0);
  return store.knownValues.titlesOf(
    drawn.flatMap(({ lists }) => lists),
    drawn.flatMap(({ entries }) => entries),
  );
}
