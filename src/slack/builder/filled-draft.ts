import type { BuilderDraft } from '../../builder/draft.js';
import { fillIn } from '../../builder/fill-in.js';
import type { FilledIn } from '../../builder/input-names.js';
import { purposeInput } from '../views/builder/builder-view.js';
import { ownInput } from './purpose.js';
import { isPurpose } from './purposes.js';

/** The draft with what stands in the form now. */
export function filledDraft(draft: BuilderDraft, filledIn: FilledIn): BuilderDraft {
  const purpose = filledIn.get(purposeInput);
  const own = [...filledIn].filter(([name]) => name.startsWith(ownInput));
  return {
    ...draft,
    state: fillIn(draft.state, filledIn),
    ...(isPurpose(purpose) ? { purpose } : {}),
    extra: { ...draft.extra, ...Object.fromEntries(own) },
  };
}
