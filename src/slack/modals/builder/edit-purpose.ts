import type { SavedReport } from '../../../store/saved-reports/saved-reports.js';
import type { ListenerParts } from '../../listeners/context.js';
import type { Told } from '../../listeners/submissions/submission.js';
import { notice } from '../../messages/notices.js';
import { mayChange } from '../../saved/rights.js';
import { keptInputs } from '../saved-inputs.js';
import type { BuilderDraft } from './draft.js';
import { inputNames } from './input-names.js';
import { rangeProblems, requestToKeep, toldFrom } from './kept.js';
import { type Problem, problemsWith } from './problem.js';
import { type BuilderPurpose, ownInput, type Submitted } from './purpose.js';

const idInput = `${ownInput}saved`;
const revisionInput = `${ownInput}revision`;

/** What the builder has to know of the saved report that it edits. */
export function editInputs({ id, revision }: SavedReport): BuilderDraft['extra'] {
  return { [idInput]: id, [revisionInput]: String(revision) };
}

/** Changes what a saved report asks for, unless somebody else has changed it since the builder was opened. */
export const editPurpose: BuilderPurpose = {
  name: 'edit-saved',
  label: 'Change the saved report',
  title: 'Edit a saved report',
  submit: 'Save',
  isOffered: ({ extra }) => typeof extra[idInput] === 'string',
  inputs: keptInputs,
  async finish(submitted, parts) {
    const problems = [...rangeProblems(submitted, parts), ...(await problemsWithEdit(submitted, parts))];
    if (problems.length > 0) return { problems };
    return { commit: () => keep(submitted, parts) };
  },
};

function edited(submitted: Submitted) {
  const { extra } = submitted.draft;
  const request = requestToKeep(submitted);
  return { id: String(extra[idInput]), revision: Number(extra[revisionInput]), request };
}

async function problemsWithEdit(submitted: Submitted, parts: ListenerParts): Promise<readonly Problem[]> {
  const { id, revision } = edited(submitted);
  const saved = await parts.store.savedReports.find(id);
  const refuse = (sentence: string) => problemsWith(inputNames.report, sentence).problems;
  if (!saved || saved.deletedAt !== undefined) return refuse('Somebody has deleted this report meanwhile.');
  if (!mayChange(saved, submitted.asker.id, parts)) {
    return refuse('Only the person who made it, its owner and admins can change this one.');
  }
  return saved.revision === revision ? [] : refuse(changedMeanwhile);
}

const changedMeanwhile =
  'Somebody has changed this report since you opened it, and nothing of yours was saved. Close this form and press Edit again to see what it is now.';

async function keep(submitted: Submitted, parts: ListenerParts): Promise<readonly Told[]> {
  const { id, revision, request } = edited(submitted);
  const changed = await parts.store.savedReports.change(id, revision, { request }, parts.clock.now());
  const sentence = changed === 'changed' ? 'Saved.' : changedMeanwhile;
  return toldFrom(submitted, notice(sentence), parts);
}
