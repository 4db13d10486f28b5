import type { AnyBlock, ModalView } from '@slack/types';
import type { Level } from '../../../access/levels.js';
import { reportNamed } from '../../../catalogue/index.js';
import { compact } from '../../../requests/compact.js';
import type { OutgoingMessage } from '../../delivery/post-message.js';
import { actions, views } from '../../ids.js';
import { describeAccessRefusal, levelWords } from '../../messages/access-levels.js';
import { button, buttons, context, divider, section } from '../../messages/blocks.js';
import { form, mustBeMember } from '../forms.js';
import { type Choice, channelInput, radioInput } from '../inputs.js';
import { answerInputs } from './columns.js';
import { filterInputs, type Titles } from './filters.js';
import { reportInputs, sortInput } from './ranges.js';
import { type BuilderConversation, type BuilderDraft, inputNames } from './state.js';
import { whichRowsInputs } from './which-rows.js';

export interface BuilderViewInput {
  readonly draftId: string;
  readonly draft: BuilderDraft;
  readonly title: string;
  readonly submit: string;
  /** Hidden if there is only one. */
  readonly purposes: readonly Choice[];
  readonly purposeInputs: readonly AnyBlock[];
  readonly titles: Titles;
  /** What the reader may ask of the chosen report. */
  readonly level: Level;
  /** For whoever may ask for nothing: names of admins. */
  readonly admins?: readonly string[] | undefined;
  /** True where files need a purpose. */
  readonly asksPurpose?: boolean;
}

export const purposeInput = 'purpose';

/** The builder: a form for every request that can be typed. */
export function builderView(contents: BuilderViewInput): ModalView {
  const {
    draftId,
    draft,
    title,
    submit,
    purposes,
    purposeInputs,
    titles,
    level,
    admins,
    asksPurpose = false,
  } = contents;
  const { state, purpose } = draft;
  const report = reportNamed(state.report);
  const limited = levelWords[level];
  const limitLine = (line: string | undefined) => (line === undefined ? [] : [context(line)]);
  return form(
    views.builder,
    draftId,
    title,
    submit,
    compact(
      draft.remarks.map((remark) => context(remark)),
      reportInputs(state, report),
      purposes.length > 1 && radioInput(purposeInput, 'What to do', purposes, purpose, { dispatches: true }),
      purposeInputs,
      divider(),
      limitLine(limited.filters),
      level === 'nothing'
        ? limitLine(describeAccessRefusal({ kind: 'nothing', admins }))
        : [
            ...whichRowsInputs(state, report),
            ...filterInputs(state, report, titles),
            divider(),
            ...sortInput(state, report),
            ...limitLine(limited.file),
            ...answerInputs(state, report, asksPurpose),
          ],
    ),
  );
}

/** The inputs for where the answer goes, with notes on what cannot go there. */
export function destinationInputs({ state, here }: BuilderDraft): AnyBlock[] {
  const choices: Choice[] = compact(
    here && { value: 'here', text: 'Here', description: formatHere(here) },
    { value: 'channel', text: 'Another channel' },
    { value: 'me', text: 'Me', description: 'In my direct messages with Rollcall' },
  );
  return compact(
    radioInput(inputNames.where, 'Where to', choices, state.where, { dispatches: true }),
    state.where === 'channel' &&
      channelInput(inputNames.channel, { label: 'Channel', hint: mustBeMember }, state.channel),
    notes(state.where, here).map((note) => context(note)),
  );
}

function formatHere({ kind, thread }: BuilderConversation): string {
  if (thread !== undefined) return 'In this thread';
  return kind === 'direct' ? 'In these direct messages' : 'In this conversation';
}

/** The form names the limits of Slack and of person-level data before anybody runs into them. */
function notes(where: string, here: BuilderConversation | undefined): readonly string[] {
  if (where === 'me') return [];
  const isElsewhere = where === 'here' && here?.kind === 'elsewhere';
  const mayNamePeople = where === 'here' && here?.mayNamePeople;
  return compact(
    isElsewhere &&
      'I am not in this conversation, so I send files as direct messages. I can post the summary here only for the next 25 minutes.',
    !mayNamePeople &&
      'I send anything that names people to you as a direct message, unless an admin has allowed it there.',
  );
}

const sentence = 'Open the form to choose a report, or type a command. Type “help” for examples.';

/** A button that opens the builder, for events without a trigger ID. */
export const openFormMessage: OutgoingMessage = {
  text: sentence,
  blocks: [section(sentence), buttons(button(actions.openBuilder, 'Open the form', '-', 'primary'))],
};
