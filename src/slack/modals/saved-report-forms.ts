import type { AnyBlock, InputBlock, ModalView } from '@slack/types';
import { displayText } from '../../figures/format/text.js';
import type { SavedReport } from '../../store/saved-reports/saved-reports.js';
import { inputs, views } from '../ids.js';
import { plainText, richText, richTextLines, section } from '../messages/blocks.js';
import type { BuilderDraft } from './builder/state.js';
import { radioInput } from './inputs.js';

const maxCommandLength = 500;

/** The form that asks under which name a channel keeps an answer's request. */
export function saveForm(requestId: string, channel: string, command: string): ModalView {
  return form(views.saveReport, `${requestId} ${channel}`, 'Save this report', 'Save', [
    section(
      plainText(
        'Everybody who can run reports here can run it by its name. A range such as last-week stays relative.',
      ),
    ),
    richTextLines([richText(displayText(command, maxCommandLength), { code: true })]),
    nameInput(),
  ]);
}

/** The form for another name. */
export function renameForm({ id, revision, name }: SavedReport): ModalView {
  return form(views.renameSaved, `${id} ${revision}`, 'Rename', 'Rename', [nameInput(name)]);
}

/** The form that asks to which channel a saved report is duplicated, and how it is called there. */
export function copyForm({ id, name }: SavedReport): ModalView {
  return form(views.copySaved, id, 'Duplicate', 'Duplicate', [
    section(plainText('You own the copy. Later changes to the original do not affect it.')),
    {
      type: 'input',
      block_id: inputs.channel,
      label: plainText('Channel'),
      hint: plainText('I must be a member: type /invite @Rollcall there.'),
      element: {
        type: 'conversations_select',
        action_id: inputs.channel,
        filter: { include: ['public', 'private'], exclude_bot_users: true },
      },
    },
    nameInput(name),
  ]);
}

/** A name of any length can be typed: what is wrong with it is said under the input. */
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
  'At most 60 characters, no colon. It cannot start with the name of a report, command or range.';

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

/** The builder's inputs for a report that is kept, by their names. */
export const savedInputNames = { name: 'own:name', answersTo: 'own:answers-to' } as const;

/** Where the answers of a saved report go. */
export function savedInputs(draft: BuilderDraft): AnyBlock[] {
  const choices = [
    { value: 'here', text: 'Where it is run' },
    { value: 'me', text: 'To the person who runs it', description: 'In their direct messages with Rollcall' },
  ];
  const chosen = answersDirectly(draft) ? 'me' : 'here';
  return [radioInput(savedInputNames.answersTo, { label: 'Answers go' }, choices, chosen)];
}

/** The name that it is kept under. */
export function savedNameInput({ extra }: BuilderDraft): AnyBlock {
  const typed = extra[savedInputNames.name];
  return nameInput(typeof typed === 'string' ? typed : undefined, savedInputNames.name);
}

/** True where answers go to whoever runs it: as chosen, or as the request that filled the builder had it. */
export function answersDirectly({ extra, state, here }: BuilderDraft): boolean {
  const chosen = extra[savedInputNames.answersTo];
  // A builder without a place has nowhere else to answer to, which nobody chose.
  return typeof chosen === 'string' ? chosen === 'me' : here !== undefined && state.where === 'me';
}
