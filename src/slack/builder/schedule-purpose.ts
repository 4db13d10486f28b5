import type { BuilderDraft } from '../../builder/draft.js';
import { problemsWith } from '../../builder/problem.js';
import { type CadenceChoices, cadenceChosen, choicesFor } from '../digests/cadence-choices.js';
import { proposal } from '../digests/propose.js';
import { builderActions } from '../ids.js';
import type { ListenerParts } from '../listeners/parts.js';
import { cadenceInputs } from '../views/cadence-inputs.js';
import { skipEmptyInput } from '../views/digest-forms.js';
import { keptInputs } from '../views/saved-inputs.js';
import { openedFrom, requestToKeep, tellFrom } from './kept.js';
import { type BuilderPurpose, ownInput, type Submitted } from './purpose.js';

const inputFor = (choice: string) => `${ownInput}digest-${choice}`;
const skipEmpty = inputFor('skip-empty');

/** Makes a digest of the request: shows its next times, to be confirmed. */
export const schedulePurpose: BuilderPurpose = {
  name: 'schedule',
  label: 'Schedule it',
  title: 'Schedule a report',
  submit: 'Show next times',
  inputs: (draft) => [
    ...cadenceInputs(choicesIn(draft, ''), (choice) => ({
      block: inputFor(choice),
      action: builderActions.input,
    })),
    skipEmptyInput(skipEmpty, builderActions.input, isChosen(draft.extra[skipEmpty])),
    ...keptInputs(draft),
  ],
  async finish(submitted, parts) {
    const chosen = cadenceChosen(choicesIn(submitted.draft, submitted.asker.zone));
    if ('problem' in chosen) return problemsWith(inputFor(chosen.about), chosen.problem);
    return { afterwards: () => propose(submitted, chosen, parts) };
  },
};

async function propose(
  submitted: Submitted,
  chosen: Pick<Parameters<typeof proposal>[0], 'cadence' | 'zone'>,
  parts: ListenerParts,
): Promise<void> {
  const { draft, asker } = submitted;
  const { toMe, ...request } = requestToKeep(submitted);
  const { channel } = await openedFrom(submitted, parts);
  const proposed = {
    ...chosen,
    request: { ...request, toMe: false },
    channel: toMe ? await parts.channels.directWith(asker.id) : channel,
    owner: asker.id,
    skipEmpty: isChosen(draft.extra[skipEmpty]),
  };
  await tellFrom(submitted, await proposal(proposed, asker.id, parts), parts);
}

/** What stands in the pickers; an emptied zone is the asker's own. */
function choicesIn({ extra }: BuilderDraft, zone: string): CadenceChoices {
  const usual = choicesFor(undefined, zone);
  const text = (choice: keyof CadenceChoices, otherwise: string) => {
    const held = extra[inputFor(choice)];
    return typeof held === 'string' && held !== '' ? held : otherwise;
  };
  const days = extra[inputFor('days')];
  return {
    kind: text('kind', usual.kind),
    days: Array.isArray(days) ? days : usual.days,
    day: text('day', usual.day),
    time: text('time', usual.time),
    zone: text('zone', usual.zone),
    words: text('words', ''),
  };
}

function isChosen(held: BuilderDraft['extra'][string] | undefined): boolean {
  return Array.isArray(held) && held.length > 0;
}
