import type { AnyBlock, InputBlock, ModalView } from '@slack/types';
import type { SavedReport } from '../../store/saved-reports/saved-reports.js';
import { inputs, views } from '../ids.js';
import { code, plainText, richTextLines, section } from '../messages/blocks.js';
import type { BuilderDraft } from './builder/state.js';
import { radioInput } from './inputs.js';

const maxCommandLength = 500;

/** The form that saves the request of an answer under a name. */
export function saveForm(requestId: string, channel: string, command: string): ModalView {
  return form(views.saveReport, `${requestId} ${channel}`, 'Save this report', 'Save', [
    section(
      'Anyone who can run reports here can run it by its name. A range such as last-week moves with the date.',
    ),
    richTextLines([code(command, maxCommandLength)]),
    nameInput(),
  ]);
}

/** The form that renames a saved report. */
export function renameForm({ id, revision, name }: SavedReport): ModalView {
  return form(views.renameSaved, `${id} ${revision}`, 'Rename', 'Rename', [nameInput(name)]);
}

/** The form that duplicates a saved report: to which channel and under which name. */
export function copyForm({ id, name }: SavedReport): ModalView {
  return form(views.copySaved, id, 'Duplicate', 'Duplicate', [
    section('You own the copy. Later changes to the original don’t affect it.'),
    {
      type: 'input',
      block_id: inputs.channel,
      label: plainText('Channel'),
      hint: plainText('I must be a member. To add me, type /invite @Rollcall there.'),
      element: {
        type: 'conversations_select',
        action_id: inputs.channel,
        filter: { include: ['public', 'private'], exclude_bot_users: true },
      },
    },
    nameInput(name),
  ]);
}

/** It accepts a name of any length, so that the validation can explain the limit. */
function nameInput(name?: string, block: string = inputs.name, hint = nameHint): InputBlock {
  return {
    type: 'input',
    block_id: block,
    label: plainText('Name'),
    hint: plainText(hint),
    element: {
      type: 'plain_text_input',
      action_id: inputs.name,
      initial_value: name,
    },
  };
}

const nameHint =
  'At most 60 characters, without colons. It can’t start with the name of a report, command or range.';

function form(
  callback: string,
  metadata: string,
  title: string,
  submit: string,
  blocks: AnyBlock[],
): ModalView {
  return {
    type: 'modal',
    callback_id: callback,
    private_metadata: metadata,
    title: plainText(title),
    submit: plainText(submit),
    close: plainText('Cancel'),
    blocks,
  };
}

/** The names of the builder's inputs for a saved report. */
export const savedInputNames = { name: 'own:name', answersTo: 'own:answers-to' } as const;

/** The input for where the answers of a saved report go. */
export function savedInputs(draft: BuilderDraft): AnyBlock[] {
  const choices = [
    { value: 'here', text: 'The conversation it runs in' },
    { value: 'me', text: 'The person who runs it', description: 'In their direct messages with Rollcall' },
  ];
  const chosen = answersGoToRunner(draft) ? 'me' : 'here';
  return [radioInput(savedInputNames.answersTo, { label: 'Send answers to' }, choices, chosen)];
}

/** The input for the name of a saved report. */
export function savedNameInput({ extra }: BuilderDraft): AnyBlock {
  const name = extra[savedInputNames.name];
  return nameInput(typeof name === 'string' ? name : undefined, savedInputNames.name);
}

/** True if answers go to the person who runs the report. The default is what the request in the builder says. */
export function answersGoToRunner({ extra, state, here }: BuilderDraft): boolean {
  const chosen = extra[savedInputNames.answersTo];
  // A builder without a conversation always has `me` as its destination, which is nobody's choice.
  return typeof chosen === 'string' ? chosen === 'me' : here !== undefined && state.where === 'me';
}
