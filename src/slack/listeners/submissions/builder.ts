import { filledDraft, tooOld } from '../../modals/builder/open.js';
import { readInputs } from '../../modals/builder/purpose.js';
import { purposeOf } from '../../modals/builder/purposes.js';
import { requestOf } from '../../modals/builder/read-state.js';
import { messageView } from '../../modals/modal.js';
import type { ListenerParts } from '../context.js';
import { onSubmission } from './submission.js';

/** The builder is submitted: problems are said under its inputs; else the form closes and its purpose is done, once. */
export function builderSubmission(parts: ListenerParts) {
  return onSubmission(parts, async ({ asker, view, deadline }) => {
    const { store, clock } = parts;
    const id = view.private_metadata;
    const kept = await store.builderDrafts.find(id, asker.id);
    if (kept === 'used') return { commit: async () => [] };
    if (!kept) return { replaceWith: messageView('Run a report', tooOld) };
    const draft = filledDraft(kept, readInputs(view.state.values));
    const made = requestOf(draft.state);
    if ('problems' in made) return made;
    const finished = await purposeOf(draft).finish({ draft, request: made.request, asker, deadline }, parts);
    if ('problems' in finished) return finished;
    return {
      commit: async () =>
        (await store.builderDrafts.use(id, asker.id, clock.now())) ? finished.commit() : [],
    };
  });
}
