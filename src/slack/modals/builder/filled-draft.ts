import type { BuilderDraft } from './draft.js';
import type { FilledIn } from './input-names.js';
import { ownInput } from './purpose.js';
import { isPurpose } from './purposes.js';
import { fillIn } from './read-state.js';
import { purposeInput } from './view.js';

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

/**
 * The same, for a form as it was at a moment. Whoever did something later has told of the whole form as it was later,
 * and may be heard earlier, since what people do arrives over several connections.
 *
 * @param at Slack's time of it, in seconds
 */
export function filledUpTo(at: number, draft: BuilderDraft, filledIn: FilledIn): BuilderDraft {
  return at < (draft.knownAt ?? 0) ? draft : { ...filledDraft(draft, filledIn), knownAt: at };
}
