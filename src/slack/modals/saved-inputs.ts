import type { AnyBlock } from '@slack/types';
import type { BuilderDraft } from './builder/draft.js';
import { radio } from './inputs.js';
import { nameInput } from './saved-forms.js';

/** The builder's inputs for a report that is kept, by their names. */
export const keptNames = { name: 'own:name', answersTo: 'own:answers-to' } as const;

/** Where the answers of a saved report go. */
export function keptInputs(draft: BuilderDraft): AnyBlock[] {
  const choices = [
    { value: 'here', text: 'Where it is run' },
    { value: 'me', text: 'To whoever runs it', description: 'In their direct messages with Rollcall' },
  ];
  const chosen = answersDirectly(draft) ? 'me' : 'here';
  return [radio(keptNames.answersTo, { label: 'Answers go' }, choices, chosen)];
}

/** The name that it is kept under. */
export function keptNameInput({ extra }: BuilderDraft): AnyBlock {
  const typed = extra[keptNames.name];
  return nameInput(typeof typed === 'string' ? typed : undefined, keptNames.name);
}

/** True where answers go to whoever runs it: as chosen, or as the request that filled the builder had it. */
export function answersDirectly({ extra, state, here }: BuilderDraft): boolean {
  const chosen = extra[keptNames.answersTo];
  // A builder without a place has nowhere else to answer to, which nobody chose.
  return typeof chosen === 'string' ? chosen === 'me' : here !== undefined && state.where === 'me';
}
