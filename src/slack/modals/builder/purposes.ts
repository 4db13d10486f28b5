import type { BuilderDraft } from './draft.js';
import { editPurpose } from './edit-purpose.js';
import type { BuilderPurpose } from './purpose.js';
import { runPurpose } from './run-purpose.js';
import { savePurpose } from './save-purpose.js';
import { editDigestPurpose, schedulePurpose } from './schedule.js';

/** Everything that can be done with what the builder asks for, in the order it is offered. */
const purposes: readonly BuilderPurpose[] = [
  runPurpose,
  savePurpose,
  schedulePurpose,
  editPurpose,
  editDigestPurpose,
];

/** The purposes that a builder can have, as choices of the form. */
export function purposeChoices(draft: BuilderDraft) {
  return purposes
    .filter(({ isOffered }) => isOffered?.(draft) ?? true)
    .map(({ name, label }) => ({ value: name, text: label }));
}

/** The purpose of a draft; running it, where there is no such purpose any more. */
export function purposeOf({ purpose }: BuilderDraft): BuilderPurpose {
  return purposes.find(({ name }) => name === purpose) ?? runPurpose;
}

export function isPurpose(name: unknown): name is string {
  return purposes.some((purpose) => purpose.name === name);
}
