import { ok, refused } from '../../../errors/result.js';
import { formExpired, withFormValues } from '../../modals/builder/open.js';
import { readFormValues } from '../../modals/builder/purpose.js';
import { purposeOf } from '../../modals/builder/purposes.js';
import { requestFromState } from '../../modals/builder/read-state.js';
import { messageView } from '../../modals/modal.js';
import type { ListenerParts } from '../context.js';
import { onSubmission } from './submission.js';

/** Submission of the builder: shows problems under its inputs, or closes the form and carries out its purpose, once. */
export function builderSubmission(parts: ListenerParts) {
  return onSubmission(parts, async ({ asker, view, deadline }) => {
    const { store, clock } = parts;
    const id = view.private_metadata;
    const kept = await store.builderDrafts.find(id, asker.id);
    if (kept === 'used') return ok(async () => []);
    if (!kept) return refused({ replaceWith: messageView('Run a report', formExpired) });
    const draft = withFormValues(kept, readFormValues(view.state.values));
    const request = requestFromState(draft.state);
    if (!request.ok) return refused({ problems: request.refusal });
    const submission = { draft, request: request.value, asker, deadline };
    const validated = await purposeOf(draft).validate(submission, parts);
    if (!validated.ok) return refused({ problems: validated.refusal });
    return ok(async () =>
      (await store.builderDrafts.use(id, asker.id, clock.now())) ? validated.value() : [],
    );
  });
}
