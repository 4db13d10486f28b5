import { ok, refused } from '../../../errors/result.js';
import { formFor, purposeMissing, type WaitingForPurpose } from '../../ask-purpose.js';
import type { ListenerParts } from '../context.js';
import { onModalButton } from './button.js';

/** Say what it is for: opens the form for the purpose of a command or a press. */
export function sayPurposeButton(parts: ListenerParts) {
  return onModalButton(parts, 'What is it for?', async ({ value, context }) => {
    const form = formFor(JSON.parse(value) as WaitingForPurpose, context, parts.clock.now());
    return form ? ok(form) : refused(purposeMissing);
  });
}
