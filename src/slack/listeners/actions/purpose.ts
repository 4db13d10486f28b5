import { ok, refused } from '../../../errors/result.js';
import { formFor, purposeMissing, type WaitingForPurpose } from '../../ask-purpose.js';
import { actions } from '../../ids.js';
import { type MakeForm, opens, type Route } from '../../router.js';

/** Say what it is for: opens the form for the purpose of a command or a press. */
const makePurposeForm: MakeForm = async ({ value, context }, parts) => {
  const form = formFor(JSON.parse(value) as WaitingForPurpose, context, parts.clock.now());
  return form ? ok(form) : refused(purposeMissing);
};

export const purposeRoutes = (): readonly Route[] => [
  opens(actions.sayPurpose, ['member'], 'What is it for?', makePurposeForm),
];
