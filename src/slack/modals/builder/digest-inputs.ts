import type { AnyBlock } from '@slack/types';
import type { DigestDraft } from '../../../digests/draft.js';
import { digestActions } from '../../digest-ids.js';
import type { Judged } from '../../digests/validate.js';
import { builderActions } from '../../ids.js';
import { button, buttons } from '../../messages/blocks.js';
import { type CadenceChoices, choicesFor, choicesOf } from '../cadence-choices.js';
import { cadenceInputs } from '../cadence-inputs.js';
import { answersDirectly } from '../saved-inputs.js';
import { channelInput, skipEmptyInput } from '../schedule-form.js';
import type { BuilderDraft } from './draft.js';
import { ownInput } from './purpose.js';

const inputFor = (choice: string) => `${ownInput}digest-${choice}`;
const channel = inputFor('channel');
const skipEmpty = inputFor('skip-empty');

/** How often, where to, and what the builder else has of a digest, with a way to try it. */
export function digestInputBlocks(draft: BuilderDraft): AnyBlock[] {
  return [
    ...cadenceInputs(cadenceIn(draft, ''), (choice) => ({
      block: inputFor(choice),
      action: builderActions.input,
    })),
    channelInput(channel, builderActions.input, channelIn(draft)),
    skipEmptyInput(skipEmpty, builderActions.input, leavesOutEmpty(draft)),
    buttons(button(digestActions.testForm, 'Test to me', '-')),
  ];
}

/** What stands in these inputs for a digest. */
export function filledWith(
  digest: Pick<DigestDraft, 'cadence' | 'zone' | 'skipEmpty' | 'channel'>,
): BuilderDraft['extra'] {
  const { kind, days, day, time, zone, words } = choicesFor(digest.cadence, digest.zone);
  return {
    [inputFor('kind')]: kind,
    [inputFor('days')]: days,
    [inputFor('day')]: day,
    [inputFor('time')]: time,
    [inputFor('zone')]: zone,
    [inputFor('words')]: words,
    [channel]: digest.channel.startsWith('D') ? null : digest.channel,
    [skipEmpty]: digest.skipEmpty ? ['skip'] : [],
  };
}

/** @param zone for an emptied one */
export function cadenceIn({ extra }: BuilderDraft, zone: string): CadenceChoices {
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

/** The chosen channel, at first the one that the builder was opened in; undefined: direct messages. */
export function channelIn(draft: BuilderDraft): string | undefined {
  const held = draft.extra[channel];
  if (held !== undefined) return typeof held === 'string' ? held : undefined;
  const here = draft.here?.channel;
  return here === undefined || here.startsWith('D') || answersDirectly(draft) ? undefined : here;
}

export function leavesOutEmpty({ extra }: BuilderDraft): boolean {
  const held = extra[skipEmpty];
  return Array.isArray(held) && held.length > 0;
}

/** The input under which it is said what is wrong with a cadence. */
export function cadenceInput(about: keyof CadenceChoices): string {
  return inputFor(about);
}

/** The input of what is in the way of a digest; undefined: of none of these. */
export function inputAbout(
  about: Extract<Judged, { readonly refused: string }>['about'],
  draft: BuilderDraft,
): string | undefined {
  if (about === 'channel') return channel;
  if (about !== 'time') return undefined;
  const belongs = choicesOf(cadenceIn(draft, '').kind);
  return inputFor(belongs.find((choice) => choice === 'time' || choice === 'words') ?? 'kind');
}
