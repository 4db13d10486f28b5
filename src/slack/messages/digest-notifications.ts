import type { AnyBlock, Button } from '@slack/types';
import { reportNamed } from '../../catalogue/index.js';
import { type Digest, type DigestRun, followUpName } from '../../digests/digest.js';
import { describeReason, ownerFailures, reasonForReader } from '../../digests/failure.js';
import type { Outage } from '../../digests/outage.js';
import { UnreadableDigest } from '../../digests/quarantine.js';
import { formatMoment } from '../../figures/format/dates.js';
import { displayText } from '../../figures/format/text.js';
import { formatTitle } from '../../figures/summary/request.js';
import { describeCadence } from '../../requests/cadence-words.js';
import { compact } from '../../requests/compact.js';
import type { UnconfirmedDelivery } from '../../scheduler/ports.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { digestActions } from '../ids.js';
import { digestAccessFix } from './access-levels.js';
import { button, buttons, context, section } from './blocks.js';
import { channelLine, channelNotice, notice } from './notices.js';

/** Each delivery takes two of the 50 blocks of a message. */
const maxDeliveriesShown = 15;

/** `Engagement every Monday at 09:00` */
export function digestName({ request, schedule }: Pick<Digest, 'request' | 'schedule'>): string {
  const title = formatTitle({ report: reportNamed(request.report), request });
  return displayText(`${title}, ${describeCadence(schedule.cadence)}`, 200);
}

/** Slack did not say whether these arrived, so their owner decides. */
export function unconfirmedMessage(deliveries: readonly UnconfirmedDelivery[]): OutgoingMessage {
  const [digests, it] =
    deliveries.length === 1 ? ['one digest', 'it'] : [`${deliveries.length} digests`, 'each'];
  const [first] = deliveries;
  const isFiles = first !== undefined && deliveries.every(({ what }) => what === 'file');
  const count = isFiles ? `the ${followUpName(first.digest)} of ${digests}` : digests;
  const intro = `Delivery of ${count} is unconfirmed, so nothing was sent again. Check whether ${it} arrived.`;
  const more = deliveries.length - maxDeliveriesShown;
  return notice(
    intro,
    deliveries.slice(0, maxDeliveriesShown).flatMap(deliveryBlocks),
    more > 0 && section(`I'll ask about ${more} more after these.`),
  );
}

function deliveryBlocks({ digest, run, what }: UnconfirmedDelivery): AnyBlock[] {
  const due = formatMoment(run.dueAt, digest.schedule.zone);
  const name = followUpName(digest);
  const subject = what === 'message' ? '' : `The ${name} of `;
  return [
    channelLine(`${subject}${digestName(digest)}, due ${due}, to `, digest.channel, '.'),
    what === 'message'
      ? buttons(
          button(digestActions.arrived, 'It arrived', run.id),
          button(digestActions.sendAgain, 'Send again', run.id),
        )
      : buttons(
          button(digestActions.fileArrived, 'It arrived', run.id),
          button(digestActions.sendFileAgain, `Send ${name} again`, run.id),
        ),
  ];
}

/** @param mayJoin false: the app has no scope to join channels, and the reason says how to invite it */
export function digestFailedMessage(
  digest: Digest,
  run: DigestRun,
  reader: string,
  mayJoin = true,
): OutgoingMessage {
  const due = formatMoment(run.dueAt, digest.schedule.zone);
  const what = `Not sent: ${digestName(digest)}, due ${due}, to `;
  const why = `.${formatReason(run, digest, reader)}${formatPaused(digest, run)}`;
  return channelNotice(
    what,
    digest.channel,
    why,
    buttons(...failureButtons(digest, run, mayJoin)),
    context(`ID: ${run.id}`),
  );
}

/** The digest may have paused for another reason since. */
function formatPaused({ state, pauseReason }: Digest, { errorCode }: DigestRun): string {
  if (state !== 'paused') return '';
  if (pauseReason === 'access-refused') return ` It is paused. ${digestAccessFix}`;
  return pauseReason === errorCode
    ? ' It is now paused after three failures in a row.'
    : ' It is now paused.';
}

function formatReason(run: DigestRun, { owner }: Digest, reader: string): string {
  const why = reasonForReader(run, reader === owner);
  return why ? ` ${why}` : '';
}

function failureButtons(digest: Digest, run: DigestRun, mayJoin: boolean): readonly Button[] {
  const needsCsv = run.errorCode === 'too-large-for-excel' && digest.request.file === 'xlsx';
  const canJoin = mayJoin && run.errorCode === 'not_in_channel' && digest.channel.startsWith('C');
  return compact(
    canJoin && button(digestActions.join, 'Join channel', run.id, 'primary'),
    digest.pauseReason === 'access-refused'
      ? [button(digestActions.resume, 'Resume', digest.id)]
      : [
          needsCsv
            ? button(digestActions.asCsv, 'Send as CSV', run.id, 'primary')
            : button(digestActions.retry, 'Try again', run.id),
        ],
    ownerFailures.has(run.errorCode ?? '') && button(digestActions.handOver, 'Hand over', digest.id),
    button(digestActions.edit, 'Change channel or time', digest.id),
    digest.state === 'active' && button(digestActions.pause, 'Pause', digest.id),
  );
}

/** The message was posted, but not its file, or its rows. */
export function fileFailedMessage(digest: Digest, run: DigestRun, reader: string): OutgoingMessage {
  const name = followUpName(digest);
  const verb = name === 'file' ? 'was' : 'were';
  const line = `The message was sent, but its ${name} ${verb} not: ${digestName(digest)}, due ${formatMoment(run.dueAt, digest.schedule.zone)}.${formatReason(run, digest, reader)}`;
  return notice(
    line,
    buttons(button(digestActions.sendFileAgain, `Send ${name} again`, run.id)),
    context(`ID: ${run.id}`),
  );
}

/** The owner has left or can no longer request reports, so the digest needs a new owner. */
export function withoutOwnerMessage(digest: Digest, run: DigestRun, reader: string): OutgoingMessage {
  const state = digest.state === 'paused' ? 'is paused' : 'was not sent';
  const before = `${digestName(digest)}, to `;
  const after = `, ${state}.${formatReason(run, digest, reader)}`;
  const remove = button(digestActions.delete, 'Delete', digest.id, 'danger');
  // A digest in direct messages belongs to that person and cannot be handed over.
  if (digest.channel.startsWith('D'))
    return notice(`${before}its owner’s direct messages${after}`, buttons(remove));
  return channelNotice(
    before,
    digest.channel,
    `${after} Hand it over to send it again.`,
    buttons(button(digestActions.handOver, 'Hand over', digest.id, 'primary'), remove),
  );
}

export function outageMessage(
  { code, reason, since }: Outage,
  isOver: boolean,
  zone: string,
): OutgoingMessage {
  const when = `${formatMoment(since, zone)} (${zone})`;
  const why = describeReason(code, reason) ?? 'A service they need does not work.';
  return notice(
    isOver
      ? `Digests are running again, and the latest run of each is on its way. They had waited since ${when}: ${why}`
      : `Digests have been waiting since ${when}: ${why} They resume automatically.`,
  );
}

/** A digest was paused because its stored settings are invalid. */
export function unreadableDigestMessage(digest: Digest | UnreadableDigest): OutgoingMessage {
  const [name, trouble] =
    digest instanceof UnreadableDigest
      ? ['A digest of yours', "I can't read its settings. Set it up again with /report schedule."]
      : [digestName(digest), "I can't work out when it runs next. Edit it from /report list."];
  return channelNotice(`${name}, to `, digest.channel, `, is paused: ${trouble}`);
}

/** A digest is paused because its filter would cover everybody without an erased person. */
export function personErasedMessage(digest: Digest): OutgoingMessage {
  const before = `Paused: ${digestName(digest)}, to `;
  const after = '. A filter named a person whose data was erased. Change the filters to run it again.';
  return channelNotice(
    before,
    digest.channel,
    after,
    buttons(
      button(digestActions.edit, 'Change filters', digest.id, 'primary'),
      button(digestActions.delete, 'Delete', digest.id, 'danger'),
    ),
  );
}

/** A saved report does not run, for the same reason. */
export function savedPersonErasedMessage({
  name,
  channel,
}: {
  readonly name: string;
  readonly channel: string;
}): OutgoingMessage {
  const before = `The saved report “${displayText(name, 60)}” in `;
  const after =
    ' no longer runs: a filter named a person whose data was erased. Change its filters from /report list.';
  return channelNotice(before, channel, after);
}
