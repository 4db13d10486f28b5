import type { AnyBlock, InputBlock, ModalView } from '@slack/types';
import { type Result, refused } from '../../errors/failure.js';
import { maxPurposeLength, parsePurpose } from '../../requests/purpose.js';
import { maxScorecardLines } from '../../requests/request.js';
import type { SavedReport } from '../../store/saved/saved-reports.js';
import { code, limits, plainText, richTextLines, section } from '../messages/blocks.js';
import { channelInput, textInput } from './inputs.js';

export const inputs = {
  channel: 'channel',
  name: 'name',
  purpose: 'purpose',
  /** A scorecard as text. */
  lines: 'scorecard_lines',
} as const;

export const views = {
  /** Its private metadata is the request's ID and the channel to save it in. */
  saveReport: 'save_report',
  /** Their private metadata is the saved report's ID. For a rename, the revision that the person saw follows. */
  renameSaved: 'rename_saved',
  copySaved: 'copy_saved',
  /** Its private metadata is what waits for the purpose, as JSON. */
  purpose: 'say_purpose_form',
} as const;

/** @param metadata comes back when the form is submitted */
export function form(
  callback: string,
  metadata: string,
  title: string,
  submit: string,
  blocks: readonly AnyBlock[],
): ModalView {
  return {
    type: 'modal',
    callback_id: callback,
    private_metadata: metadata || undefined,
    title: plainText(title, limits.modalTitleCharacters),
    submit: plainText(submit, limits.modalTitleCharacters),
    close: plainText('Cancel'),
    blocks: [...blocks],
  };
}

export function purposeForm(metadata: string): ModalView {
  return form(views.purpose, metadata, 'What is it for?', 'Continue', [purposeInput('Purpose')]);
}

export function purposeInput(label: string): InputBlock {
  const hint = 'The record of access keeps it. Admins and your operator can read it.';
  return textInput(inputs.purpose, { label, hint }, undefined, { maxLength: maxPurposeLength });
}

export function validPurpose(typed: string): Result<string> {
  const purpose = parsePurpose(typed);
  if (purpose.ok) return purpose;
  return refused(
    purpose.refusal === 'empty'
      ? 'Say what it is for, in words.'
      : `Use at most ${maxPurposeLength} characters.`,
  );
}

const maxCommandLength = 500;

export function saveForm(requestId: string, channel: string, command: string): ModalView {
  return form(views.saveReport, `${requestId} ${channel}`, 'Save this report', 'Save', [
    section(
      'Anyone who can run reports here can run it by its name. A range such as last-week moves with the date.',
    ),
    richTextLines([code(command, maxCommandLength)]),
    nameInput(inputs.name),
  ]);
}

export function renameForm({ id, revision, name }: SavedReport): ModalView {
  return form(views.renameSaved, `${id} ${revision}`, 'Rename', 'Rename', [nameInput(inputs.name, name)]);
}

export function copyForm({ id, name }: SavedReport): ModalView {
  return form(views.copySaved, id, 'Duplicate', 'Duplicate', [
    section('You own the copy. Later changes to the original don’t affect it.'),
    channelInput(inputs.channel, { label: 'Channel', hint: mustBeMember }, undefined),
    nameInput(inputs.name, name),
  ]);
}

export const mustBeMember = 'I must be a member. To add me, type /invite @Rollcall there.';

/** A scorecard as text: a line for each of its lines. */
export function linesInput(text: string): InputBlock {
  const hint = `Each is a request or the name of a saved report, at most ${maxScorecardLines}.`;
  return textInput(inputs.lines, { label: 'Lines', hint }, text, { multiline: true });
}

/** The name of a saved report. It accepts any length, so that the validation can explain the limit. */
export function nameInput(input: string, name?: string): InputBlock {
  const hint =
    'At most 60 characters, without colons. It can’t start with the name of a report, command or range.';
  return textInput(input, { label: 'Name', hint }, name);
}
