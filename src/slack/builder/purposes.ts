import type { BuilderDraft } from '../../builder/draft.js';
import type { BuilderPurpose } from './purpose.js';
import { runPurpose } from './run-purpose.js';

/** Everything that can be done with what the builder asks for, in the order it is offered. */
const purposes: readonly BuilderPurpose[] = [runPurpose];

/** The purposes as choices of the form. */
export const purposeChoices = purposes.map(({ name, label }) => ({ value: name, text: label }));

/** The purpose of a draft; running it, where there is no such purpose any more. */
export function purposeOf({ purpose }: BuilderDraft): BuilderPurpose {
  return purposes.find(({ name }) => name === purpose) ?? runPurpose;
}

export function isPurpose(name: unknown): name is string {
  return purposes.some((purpose) => purpose.name === name);
}
