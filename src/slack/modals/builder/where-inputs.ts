import type { AnyBlock } from '@slack/types';
import { builderActions } from '../../ids.js';
import { context, plain } from '../../messages/blocks.js';
import { type Choice, input, radio } from '../inputs.js';
import type { BuilderDraft, OpenedIn } from './draft.js';
import { inputNames } from './input-names.js';

/** Where the answer goes, and what does not go there. */
export function whereInputs({ state, here }: BuilderDraft): AnyBlock[] {
  const choices: Choice[] = [
    ...(here ? [{ value: 'here', text: 'Here', description: hereInWords(here) }] : []),
    { value: 'channel', text: 'In another channel' },
    { value: 'me', text: 'To me', description: 'In my direct messages with Rollcall' },
  ];
  return [
    radio(inputNames.where, { label: 'Where to' }, choices, state.where, { tells: true }),
    ...(state.where === 'channel' ? [channelInput(state.channel)] : []),
    ...notes(state.where, here).map((note) => context(plain(note))),
  ];
}

function hereInWords({ kind, thread }: OpenedIn): string {
  if (thread !== undefined) return 'In this thread';
  return kind === 'direct' ? 'In these direct messages' : 'In this conversation';
}

function channelInput(chosen: string | undefined): AnyBlock {
  return input(
    inputNames.channel,
    { label: 'Channel', hint: 'I have to be a member there: /invite @Rollcall.' },
    {
      type: 'conversations_select',
      action_id: builderActions.input,
      filter: { include: ['public', 'private'], exclude_bot_users: true },
      ...(chosen === undefined ? {} : { initial_conversation: chosen }),
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
          'I am not a member here. The summary comes as a reply if you run it within 25 minutes, later as a direct message; the file always comes as a direct message.',
        ]
      : []),
    ...(mayNamePeople
      ? []
      : [
          'What names people comes as a direct message to you, unless an admin has allowed it in that place.',
        ]),
  ];
}
