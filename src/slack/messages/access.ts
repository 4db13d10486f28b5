import type { AnyBlock } from '@slack/types';
import type { PostState } from '../../posts/states.js';
import type { PersonLevel } from '../../runner/route.js';
import type { Approval } from '../../store/access/approvals.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { actions } from '../ids.js';
import { button, buttons, context, mrkdwn, plainText, richText, richTextLines, section } from './blocks.js';

export interface AccessFacts {
  readonly channel: string;
  readonly personLevel: PersonLevel;
  /** From PERSON_LEVEL_CHANNELS. `*`: all channels that are not shared. */
  readonly configuredChannels: '*' | readonly string[];
  readonly approved: readonly Approval[];
  readonly released: readonly Approval[];
}

/** Of each list. A message holds 50 blocks. */
const maxShown = 15;

/** The rules on person-level data, with buttons to change them. Only admins see it. */
export function accessMessage(facts: AccessFacts): OutgoingMessage {
  const here = personLevelSentences[facts.personLevel];
  const blocks: AnyBlock[] = [
    section(plainText('Person-level data goes to direct messages with me and to approved channels only.')),
    section(plainText(here)),
    ...(facts.personLevel === 'not-approved'
      ? [buttons(button(actions.allowHere, 'Allow it here', facts.channel, 'primary'))]
      : []),
    ...configuredChannelBlocks(facts.configuredChannels),
    ...listBlocks('Channels that admins approved', facts.approved.map(channelRow), facts.approved.length),
    ...listBlocks('Keys released to all channels', facts.released.map(keyRow), facts.released.length),
    buttons(button(actions.releaseKey, 'Release a key', facts.channel)),
  ];
  return { text: `Person-level data goes to direct messages and approved channels only. ${here}`, blocks };
}

const personLevelSentences: Readonly<Record<PersonLevel, string>> = {
  allowed: 'It is allowed here.',
  'not-approved': 'It is not allowed in this channel.',
  never: 'It is never allowed here: this channel is shared with another organization, or I cannot see it.',
};

function configuredChannelBlocks(configured: AccessFacts['configuredChannels']): AnyBlock[] {
  if (configured === '*') {
    return [context(plainText('PERSON_LEVEL_CHANNELS allows every channel that is not shared.'))];
  }
  if (configured.length === 0) return [];
  return [context(plainText(`PERSON_LEVEL_CHANNELS names ${configured.length} more.`))];
}

function listBlocks(title: string, rows: readonly AnyBlock[], count: number): AnyBlock[] {
  if (count === 0) return [section(plainText(`${title}: none.`))];
  const more = count - maxShown;
  return [
    section(plainText(`${title}:`)),
    ...rows.slice(0, maxShown),
    ...(more > 0 ? [context(plainText(`and ${more} more`))] : []),
  ];
}

function channelRow({ subject }: Approval): AnyBlock {
  return {
    type: 'section',
    text: mrkdwn(/^[CG][A-Z0-9]+$/.test(subject) ? `<#${subject}>` : 'A channel'),
    accessory: button(actions.revoke, 'Revoke', subject, 'danger'),
  };
}

function keyRow({ subject }: Approval): AnyBlock {
  return {
    type: 'section',
    text: plainText(subject),
    accessory: button(actions.holdKeyBack, 'Revoke', subject.slice(0, 2000), 'danger'),
  };
}

/** Asks admins to allow person-level data in a channel. */
export function approvalRequestMessage(channel: string, asker: string): OutgoingMessage {
  const value = `${channel} ${asker}`;
  return {
    text: `<@${asker}> asks to allow person-level data in <#${channel}>.`,
    blocks: [
      section(mrkdwn(`<@${asker}> asks to allow person-level data in <#${channel}>.`)),
      richTextLines([
        richText(
          'Everyone in that channel would see names, email addresses and what each person has completed.',
        ),
      ]),
      buttons(button(actions.approve, 'Allow', value, 'primary'), button(actions.decline, 'Not now', value)),
    ],
  };
}

/** The outcome of a request, for people. */
export const answerStateLabels: Readonly<Record<PostState, string>> = {
  queued: 'waiting',
  running: 'running',
  posting: 'posting',
  posted: 'answered',
  failed: 'failed',
  unknown: 'delivery unconfirmed',
  skipped: 'skipped',
  cancelled: 'cancelled',
};
