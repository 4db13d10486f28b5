import type { ListenerParts } from '../../listeners/context.js';
import type { Told } from '../../listeners/submissions/submission.js';
import { notice } from '../../messages/notices.js';
import { savedMessage } from '../../messages/saved-messages.js';
import { whyNotKeptIn } from '../../saved/rights.js';
import { keepReport, nameTaken, nameTyped } from '../../saved/save-report.js';
import { whereAsked } from '../../where-asked.js';
import { settledBy } from '../deadline.js';
import { keptInputs, keptNameInput, keptNames } from '../saved-inputs.js';
import { openedFrom, rangeProblems, requestToKeep, toldFrom } from './kept.js';
import { type Problem, problemsWith } from './problem.js';
import type { BuilderPurpose, Submitted } from './purpose.js';

/** Keeps the request under a name, where the builder was opened. */
export const savePurpose: BuilderPurpose = {
  name: 'save',
  label: 'Save it under a name',
  title: 'Save a report',
  submit: 'Save',
  inputs: (draft) => [keptNameInput(draft), ...keptInputs(draft)],
  async finish(submitted, parts) {
    const typed = nameTyped(String(submitted.draft.extra[keptNames.name] ?? ''));
    if ('refused' in typed) return problemsWith(keptNames.name, typed.refused);
    const problems = [
      ...rangeProblems(submitted, parts),
      ...((await settledBy(submitted.deadline.lookUpBy, problemsThere(typed.name, submitted, parts))) ??
        later),
    ];
    if (problems.length > 0) return { problems };
    return { commit: () => keep(typed.name, submitted, parts) };
  },
};

const later = problemsWith(
  keptNames.name,
  'Slack could not tell me about this place just now. Try again.',
).problems;

async function problemsThere(
  name: string,
  submitted: Submitted,
  parts: ListenerParts,
): Promise<readonly Problem[]> {
  const asked = await openedFrom(submitted, parts);
  const reason = await whyNotKeptIn(await whereAsked(asked, parts), parts);
  if (reason !== undefined) return problemsWith(keptNames.name, reason).problems;
  const other = await parts.store.savedReports.findByName(asked.channel, name);
  return other ? problemsWith(keptNames.name, nameTaken(other.name)).problems : [];
}

async function keep(name: string, submitted: Submitted, parts: ListenerParts): Promise<readonly Told[]> {
  const { channel } = await openedFrom(submitted, parts);
  const made = await keepReport(
    { channel, name, request: requestToKeep(submitted) },
    submitted.asker.id,
    parts,
  );
  return toldFrom(submitted, 'refused' in made ? notice(made.refused) : savedMessage(made.saved), parts);
}
