import type { AnyBlock } from '@slack/types';
import { reportNamed } from '../../catalogue/index.js';
import { quoteTypedWord } from '../../requests/problem.js';
import { problemMessageText } from '../../requests/problem-messages.js';
import { narrows, type ReportRequest, type Target } from '../../requests/request.js';
import { parseTarget, passedTargetRefusal } from '../../requests/target.js';
import { type BuilderDraft, type InputProblems, inputNames, inputProblem, reportChoices } from './draft.js';
import { textIn, textInput } from './inputs.js';
import type { Refuse } from './ranges.js';

const maxTargetLength = 40;

/** The input for a target. Reports and views without a rate have none. */
export function targetInput(draft: BuilderDraft): AnyBlock[] {
  const { report, view } = reportChoices(draft);
  if (view !== undefined || reportNamed(report).mainRate === undefined) return [];
  const text = {
    label: 'Target of its main rate',
    hint: 'For example: 95%, or 95%@2026-12-31 with the last day. Leave empty for none.',
  };
  const typed = textIn(draft.values, inputNames.target);
  return [textInput(inputNames.target, text, typed, { maxLength: maxTargetLength, optional: true })];
}

/** The target that was entered. What the form does not show keeps its text, and counts for nothing. */
export function targetIn(draft: BuilderDraft, refuse: Refuse): Target | undefined {
  const typed = textIn(draft.values, inputNames.target).trim();
  const choices = reportChoices(draft);
  if (typed === '' || choices.view || reportNamed(choices.report).mainRate === undefined) return undefined;
  const read = parseTarget(typed.replace(/^target:\s*/i, ''));
  const word = quoteTypedWord(typed);
  if (!read.ok) {
    const { reason, near: nearest } = read.refusal;
    return refuse(inputNames.target, problemMessageText({ kind: 'target', reason, word, nearest }));
  }
  if (!narrows(choices)) return read.value;
  return refuse(inputNames.target, problemMessageText({ kind: 'target', reason: 'no-rate', word }));
}

/** Why nobody can ask for the target now: its date has passed. */
export function targetProblems({ target }: ReportRequest, zone: string, now: number): InputProblems {
  const passed = passedTargetRefusal(target, now, zone);
  return passed === undefined ? [] : inputProblem(inputNames.target, passed);
}
