import type { AnyBlock, Button } from '@slack/types';
import { reportNamed } from '../../catalogue/index.js';
import type { Digest, DigestRun } from '../../digests/digest.js';
import { describeReason, ownerFailures } from '../../digests/failure.js';
import type { UnconfirmedDelivery } from '../../digests/ports.js';
import { UnreadableDigest } from '../../digests/quarantine.js';
import type { Outage } from '../../digests/store-ports.js';
import { formatMoment } from '../../figures/format/dates.js';
import { formatTitle } from '../../figures/format/request.js';
import { displayText } from '../../figures/format/text.js';
import { describeCadence } from '../../requests/cadence-words.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { digestActions } from '../ids.js';
import { escaped } from '../markup.js';
import {
  button,
  buttons,
  mrkdwn,
  plainText,
  richChannel,
  richText,
  richTextLines,
  section,
} from './blocks.js';

/** So many are asked about at once; a message takes fifty blocks. */
const maxDeliveriesShown = 15;

/** `Engagement every Monday at 09:00` */
export function digestName({ request, schedule }: Pick<Digest, 'request' | 'schedule'>): string {
  const title = formatTitle({ report: reportNamed(request.report), request });
  return displayText(`${title}, ${describeCadence(schedule.cadence)}`, 200);
}

/** A sentence about what goes to a channel: its texts are shown as they are. */
export function channelSentence(before: string, channel: string, after: string): AnyBlock {
  return richTextLines([
    richText(before),
    richChannel(channel, 'your direct messages with me'),
    richText(after),
  ]);
}

/** A channel as Slack shows it; direct messages by words. */
export function formatChannel(channel: string): string {
  return /^[CG][A-Z0-9]+$/.test(channel) ? `<#${channel}>` : 'your direct messages with me';
}

/** Nobody can know whether these arrived: their owner says so, or has them sent. */
export function unconfirmedMessage(doubts: readonly UnconfirmedDelivery[]): OutgoingMessage {
  const [digests, it] = doubts.length === 1 ? ['one digest', 'it'] : [`${doubts.length} digests`, 'each'];
  const count = doubts.every(({ what }) => what === 'file') ? `the file of ${digests}` : digests;
  const intro = `Delivery of ${count} is unconfirmed, so nothing was sent again. Check whether ${it} arrived.`;
  const more = doubts.length - maxDeliveriesShown;
  return {
    text: intro,
    blocks: [
      section(plainText(intro)),
      ...doubts.slice(0, maxDeliveriesShown).flatMap(deliveryBlocks),
      ...(more > 0 ? [section(plainText(`I will ask about ${more} more after these.`))] : []),
    ],
  };
}

function deliveryBlocks({ digest, run, what }: UnconfirmedDelivery): AnyBlock[] {
  const due = formatMoment(run.dueAt, digest.schedule.zone);
  const subject = what === 'message' ? '' : 'The file of ';
  return [
    channelSentence(`${subject}${digestName(digest)}, due ${due}, to `, digest.channel, '.'),
    what === 'message'
      ? buttons(
          button(digestActions.arrived, 'It arrived', run.id),
          button(digestActions.sendAgain, 'Send again', run.id),
        )
      : buttons(
          button(digestActions.fileArrived, 'It arrived', run.id),
          button(digestActions.sendFileAgain, 'Send file again', run.id),
        ),
  ];
}

/** A run failed for good: why, and the ways out. */
export function digestFailedMessage(digest: Digest, run: DigestRun): OutgoingMessage {
  const due = formatMoment(run.dueAt, digest.schedule.zone);
  const what = `Not sent: ${digestName(digest)}, due ${due}, to `;
  const why = `.${formatReason(run)}${formatPaused(digest, run)}`;
  return {
    text: `${escaped(what)}${formatChannel(digest.channel)}${escaped(why)}`,
    blocks: [channelSentence(what, digest.channel, why), buttons(...failureButtons(digest, run))],
  };
}

/** It may have been paused for another reason before this is read. */
function formatPaused({ state, pauseReason }: Digest, { errorCode }: DigestRun): string {
  if (state !== 'paused') return '';
  return pauseReason === errorCode
    ? ' It is now paused after three failures in a row.'
    : ' It is now paused.';
}

function formatReason({ errorCode, reason }: DigestRun): string {
  const why = describeReason(errorCode, reason);
  return why ? ` ${why}` : '';
}

function failureButtons(digest: Digest, run: DigestRun): readonly Button[] {
  const canJoin = run.errorCode === 'not_in_channel' && digest.channel.startsWith('C');
  return [
    ...(canJoin ? [button(digestActions.join, 'Join channel', run.id, 'primary')] : []),
    button(digestActions.retry, 'Try again', run.id),
    ...(ownerFailures.has(run.errorCode ?? '')
      ? [button(digestActions.handOver, 'Hand over', digest.id)]
      : []),
    button(digestActions.edit, 'Change channel or time', digest.id),
    ...(digest.state === 'active' ? [button(digestActions.pause, 'Pause', digest.id)] : []),
  ];
}

/** The message stands, and its file does not. */
export function fileFailedMessage(digest: Digest, run: DigestRun): OutgoingMessage {
  const line = `The message was sent, but its file was not: ${digestName(digest)}, due ${formatMoment(run.dueAt, digest.schedule.zone)}.${formatReason(run)}`;
  return {
    text: escaped(line),
    blocks: [
      section(plainText(line)),
      buttons(button(digestActions.sendFileAgain, 'Send file again', run.id)),
    ],
  };
}

/** A digest whose owner has left, or may not ask any more: somebody has to take it over. */
export function withoutOwnerMessage(digest: Digest, run: DigestRun): OutgoingMessage {
  const state = digest.state === 'paused' ? 'is paused' : 'was not sent';
  // What goes to somebody's direct messages cannot change hands.
  const isDirect = digest.channel.startsWith('D');
  const where = 'its owner’s direct messages';
  const wayOut = isDirect ? '' : ' Hand it over to send it again.';
  const before = `${digestName(digest)}, to `;
  const after = `, ${state}.${formatReason(run)}${wayOut}`;
  return {
    text: `${escaped(before)}${isDirect ? where : formatChannel(digest.channel)}${escaped(after)}`,
    blocks: [
      richTextLines([richText(before), richChannel(digest.channel, where), richText(after)]),
      buttons(
        ...(isDirect ? [] : [button(digestActions.handOver, 'Hand over', digest.id, 'primary')]),
        button(digestActions.delete, 'Delete', digest.id, 'danger'),
      ),
    ],
  };
}

/** What all digests need does not work, or did not for a time. */
export function outageMessage(
  { code, reason, since }: Outage,
  isOver: boolean,
  zone: string,
): OutgoingMessage {
  const when = `${formatMoment(since, zone)} (${zone})`;
  const why = describeReason(code, reason) ?? 'Something they need is not working.';
  const line = isOver
    ? `Digests are running again after waiting since ${when}: ${why} The latest of each is on its way.`
    : `Digests have been waiting since ${when}: ${why} They resume automatically.`;
  return { text: escaped(line), blocks: [section(plainText(line))] };
}

/** A digest is paused, since nobody can tell any more when it comes or what it asks. */
export function unreadableDigestMessage(digest: Digest | UnreadableDigest): OutgoingMessage {
  const line =
    digest instanceof UnreadableDigest
      ? `A digest of yours, to ${formatChannel(digest.channel)}, is paused: I can't read its settings. Set it up again with \`/report schedule\`.`
      : `${escaped(digestName(digest))}, to ${formatChannel(digest.channel)}, is paused: I can't work out when it runs next. Edit it from \`/report list\`.`;
  return { text: line, blocks: [section(mrkdwn(line))] };
}
