import { formExpired, withFormValues } from '../../modals/builder/open.js';
import { readFormValues } from '../../modals/builder/purpose.js';
import { purposeOf } from '../../modals/builder/purposes.js';
import { requestFromState } from '../../modals/builder/read-state.js';
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
    if (!kept) return { replaceWith: messageView('Run a report', formExpired) };
    const draft = withFormValues(kept, readFormValues(view.state.values));
    const made = requestFromState(draft.state);
    if ('problems' in made) return made;
    const finished = await purposeOf(draft).validate(
      { draft, request: made.request, asker, deadline },
      parts,
    );
    if ('problems' in finished) return finished;
    return {
      commit: async () =>
        (await store.builderDrafts.use(id, asker.id, clock.now())) ? finished.commit() : [],
    };
  });
}
