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
    const request = requestFromState(draft.state);
    if (!request.ok) return { problems: request.refusal };
    const submission = { draft, request: request.value, asker, deadline };
    const validated = await purposeOf(draft).validate(submission, parts);
    if (!validated.ok) return { problems: validated.refusal };
    return {
      commit: async () =>
        (await store.builderDrafts.use(id, asker.id, clock.now())) ? validated.value() : [],
    };
  });
}
