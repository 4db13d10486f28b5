import type { AnyBlock, ModalView } from '@slack/types';
import { reportNamed } from '../../../catalogue/index.js';
import type { OutgoingMessage } from '../../delivery/post-message.js';
import { actions, builderActions, views } from '../../ids.js';
import { button, buttons, context, divider, limits, plainText, section } from '../../messages/blocks.js';
import { type Choice, input, radioInput } from '../inputs.js';
import { answerInputs } from './columns.js';
import { filterInputs, type Titles } from './filters.js';
import { reportInputs, sortInput } from './ranges.js';
import { type BuilderDraft, inputNames, type OpenedIn } from './state.js';

/** Everything that the builder is drawn from. */
export interface BuilderViewInput {
  readonly draftId: string;
  readonly draft: BuilderDraft;
  /** Over the form and on its button. */
  readonly title: string;
  readonly submit: string;
  /** What can be done with the request, where there is more than one thing. */
  readonly purposes: readonly Choice[];
  /** The inputs that this purpose has for itself. */
  readonly purposeInputs: readonly AnyBlock[];
  readonly titles: Titles;
}

/** The input in which the purpose is chosen. */
export const purposeInput = 'purpose';

/** The builder: a form on everything that words can say. */
export function builderView(drawing: BuilderViewInput): ModalView {
  const { draftId, draft, title, submit, purposes, purposeInputs, titles } = drawing;
  const { state, purpose } = draft;
  const report = reportNamed(state.report);
  return {
    type: 'modal',
    callback_id: views.builder,
    private_metadata: draftId,
    title: plainText(title, limits.modalTitleCharacters),
    submit: plainText(submit, limits.modalTitleCharacters),
    close: plainText('Cancel'),
    blocks: [
      ...draft.remarks.map((remark) => context(plainText(remark))),
      ...reportInputs(state, report),
      ...filterInputs(state, report, titles),
      divider(),
      ...sortInput(state, report),
      ...answerInputs(state, report),
      divider(),
      ...(purposes.length > 1
        ? [radioInput(purposeInput, { label: 'Then' }, purposes, purpose, { tells: true })]
        : []),
      ...purposeInputs,
    ],
  };
}

/** Where the answer goes, and what does not go there. */
export function whereInputs({ state, here }: BuilderDraft): AnyBlock[] {
  const choices: Choice[] = [
    ...(here ? [{ value: 'here', text: 'Here', description: formatHere(here) }] : []),
    { value: 'channel', text: 'In another channel' },
    { value: 'me', text: 'To me', description: 'In my direct messages with Rollcall' },
  ];
  return [
    radioInput(inputNames.where, { label: 'Where to' }, choices, state.where, { tells: true }),
    ...(state.where === 'channel' ? [channelInput(state.channel)] : []),
    ...notes(state.where, here).map((note) => context(plainText(note))),
  ];
}

function formatHere({ kind, thread }: OpenedIn): string {
  if (thread !== undefined) return 'In this thread';
  return kind === 'direct' ? 'In these direct messages' : 'In this conversation';
}

function channelInput(chosen: string | undefined): AnyBlock {
  return input(
    inputNames.channel,
    { label: 'Channel', hint: 'I must be a member: type /invite @Rollcall there.' },
    {
      type: 'conversations_select',
      action_id: builderActions.input,
      filter: { include: ['public', 'private'], exclude_bot_users: true },
      initial_conversation: chosen,
    },
  );
}

/** Where Slack or the rules on people allow less, the form says so before anybody is surprised. */
function notes(where: string, here: OpenedIn | undefined): readonly string[] {
  if (where === 'me') return [];
  const isElsewhere = where === 'here' && here?.kind === 'elsewhere';
  const mayNamePeople = where === 'here' && here?.mayNamePeople;
  return [
    ...(isElsewhere
      ? [
          'I am not in this conversation. The summary is posted here if you run it within 25 minutes; otherwise it comes as a direct message, as files always do.',
        ]
      : []),
    ...(mayNamePeople
      ? []
      : [
          'Anything that names people comes to you as a direct message, unless an admin has allowed it there.',
        ]),
  ];
}

const sentence = 'Open the form to choose a report, or type a command. Type “help” for examples.';

/** The way to the builder where Slack gives no leave to open it at once. */
export const openFormMessage: OutgoingMessage = {
  text: sentence,
  blocks: [
    section(plainText(sentence)),
    buttons(button(actions.openBuilder, 'Open the form', '-', 'primary')),
  ],
};
