import { type Digest, followUpName } from '../../digests/digest.js';
import { describeReason, ownerFailures, reasonForReader } from '../../digests/failure.js';
import { UnreadableDigest } from '../../digests/quarantine.js';
import { formatMoment } from '../../figures/format/values.js';
import { compact, displayText } from '../../requests/text.js';
import type { NotificationContent, UnconfirmedDelivery } from '../../scheduler/ports.js';
import type { OutgoingMessage } from '../delivery/post-message.js';
import { digestAccessFix } from './access-levels.js';
import { button, buttons, context, section } from './blocks.js';
import { digestActions, digestName } from './digests.js';
import { endDetails, endLine } from './managers.js';
import { channelLine, channelNotice, notice } from './notices.js';
import { offerMessages } from './offers.js';

/** Each delivery takes two of the 50 blocks of a message. */
const maxDeliveriesShown = 15;

export function notificationMessage(
  content: NotificationContent,
  reader: string,
  mayJoin?: boolean,
): OutgoingMessage {
  switch (content.kind) {
    case 'unconfirmed':
      return unconfirmedMessage(content.deliveries);
    case 'failed':
      return failedMessage(content, reader, mayJoin);
    case 'file-failed':
      return fileFailedMessage(content, reader);
    case 'without-owner':
      return withoutOwnerMessage(content, reader);
    case 'alert-baseline':
      return baselineMessage(content);
    case 'alert-drop':
      return dropMessage(content);
    case 'managers-run':
      return notice(
        `${runName(content)}: ${endLine(content.end)}.`,
        endDetails(content.end).map((line) => context(line)),
        buttons(button(digestActions.history, 'History', content.digest.id)),
      );
    case 'unreadable':
      return unreadableMessage(content.digest);
    // The filter of a digest would cover everybody without an erased person, so it is paused.
    case 'person-erased': {
      const { digest } = content;
      return channelNotice(
        `Paused: ${digestName(digest)}, to `,
        digest.channel,
        '. A filter named a person whose data was erased. Change the filters to run it again.',
        buttons(
          button(digestActions.edit, 'Change filters', digest.id, 'primary'),
          button(digestActions.delete, 'Delete', digest.id, 'danger'),
        ),
      );
    }
    case 'saved-person-erased':
      return channelNotice(
        `The saved report “${displayText(content.saved.name, 60)}” in `,
        content.saved.channel,
        ' no longer runs: a filter named a person whose data was erased. Change its filters from /report list.',
      );
    case 'offer-ended':
      return offerMessages(content.digest).ended();
    case 'saved-offer-ended':
      return offerMessages(content.saved).ended();
    case 'outage':
      return outageMessage(content);
  }
}

/** The first run of an alert is compared with nothing. */
function baselineMessage({ digest, run }: DigestAndRun): OutgoingMessage {
  const holds = run.errorCode === 'alert-met';
  return channelNotice(
    `First check of ${digestName(digest)}, to `,
    digest.channel,
    `. ${run.reason ?? ''} ${holds ? 'I post the next time it becomes true.' : `I post when ${waitsFor(digest)}.`}`,
    ...(holds ? [buttons(button(digestActions.sendNow, 'Post now', digest.id, 'primary'))] : []),
  );
}

function waitsFor({ when }: Digest): string {
  if (when?.kind === 'changed') return 'a figure changes';
  return when?.kind === 'new-rows' ? 'there are new rows' : 'it becomes true';
}

/** Data feeds break more often than companies shrink. */
function dropMessage({ digest, run }: DigestAndRun): OutgoingMessage {
  const name = runName({ digest, run });
  const why = `. It found far fewer rows than before. ${run.reason ?? ''} Is that true?`;
  const answers = buttons(
    button(digestActions.dropIsTrue, 'It is true', run.id, 'primary'),
    button(digestActions.dropIsFalse, 'No, leave it out', run.id),
  );
  if (digest.audience === 'managers') return notice(`Nothing sent to managers: ${name}${why}`, answers);
  return channelNotice(`Nothing posted: ${name}, to `, digest.channel, why, answers);
}

type DigestAndRun = Pick<UnconfirmedDelivery, 'digest' | 'run'>;

/** `Engagement, every day at 09:00, due Fri 20 Nov, 09:00` */
export function runName({ digest, run }: DigestAndRun): string {
  return `${digestName(digest)}, due ${formatMoment(run.dueAt, digest.schedule.zone)}`;
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

function deliveryBlocks(delivery: UnconfirmedDelivery) {
  const { digest, run, what } = delivery;
  const name = followUpName(digest);
  const { arrived, sendAgain, fileArrived, sendFileAgain } = digestActions;
  const [subject, confirm, resend, label] =
    what === 'message'
      ? ['', arrived, sendAgain, 'Send again']
      : [`The ${name} of `, fileArrived, sendFileAgain, `Send ${name} again`];
  return [
    channelLine(`${subject}${runName(delivery)}, to `, digest.channel, '.'),
    buttons(button(confirm, 'It arrived', run.id), button(resend, label, run.id)),
  ];
}

/** @param mayJoin false: the app has no scope to join channels, and the reason says how to invite it */
function failedMessage(failed: DigestAndRun, reader: string, mayJoin = true) {
  const { digest, run } = failed;
  return channelNotice(
    `Not sent: ${runName(failed)}, to `,
    digest.channel,
    `.${formatReason(failed, reader)}${formatPaused(failed)}`,
    buttons(...failureButtons(failed, mayJoin)),
    context(`ID: ${run.id}`),
  );
}

/** The digest may have paused for another reason since. */
function formatPaused({ digest: { state, pauseReason }, run: { errorCode } }: DigestAndRun) {
  if (state !== 'paused') return '';
  if (pauseReason === 'access-refused') return ` It is paused. ${digestAccessFix}`;
  return pauseReason === errorCode
    ? ' It is now paused after three failures in a row.'
    : ' It is now paused.';
}

function formatReason({ digest, run }: DigestAndRun, reader: string) {
  const why = reasonForReader(run, reader === digest.owner);
  return why ? ` ${why}` : '';
}

function failureButtons({ digest, run }: DigestAndRun, mayJoin: boolean) {
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
function fileFailedMessage(failed: DigestAndRun, reader: string) {
  const { digest, run } = failed;
  const name = followUpName(digest);
  const verb = name === 'file' ? 'was' : 'were';
  return notice(
    `The message was sent, but its ${name} ${verb} not: ${runName(failed)}.${formatReason(failed, reader)}`,
    button(digestActions.sendFileAgain, `Send ${name} again`, run.id),
    context(`ID: ${run.id}`),
  );
}

/** The owner has left or can no longer request reports, so the digest needs a new owner. */
function withoutOwnerMessage(failed: DigestAndRun, reader: string) {
  const { digest } = failed;
  const state = digest.state === 'paused' ? 'is paused' : 'was not sent';
  const before = `${digestName(digest)}, to `;
  const after = `, ${state}.${formatReason(failed, reader)}`;
  const remove = button(digestActions.delete, 'Delete', digest.id, 'danger');
  // A digest in direct messages belongs to that person and cannot be handed over.
  if (digest.channel.startsWith('D') && digest.audience !== 'managers')
    return notice(`${before}its owner’s direct messages${after}`, remove);
  return channelNotice(
    before,
    digest.channel,
    `${after} Hand it over to send it again.`,
    buttons(button(digestActions.handOver, 'Hand over', digest.id, 'primary'), remove),
  );
}

function outageMessage({ outage, isOver, zone }: Extract<NotificationContent, { kind: 'outage' }>) {
  const { code, reason, since } = outage;
  const when = `${formatMoment(since, zone)} (${zone})`;
  const why = describeReason(code, reason) ?? 'A service they need does not work.';
  return notice(
    isOver
      ? `Digests are running again, and the latest run of each is on its way. They had waited since ${when}: ${why}`
      : `Digests have been waiting since ${when}: ${why} They resume automatically.`,
  );
}

/** A digest was paused because its stored settings are invalid. */
function unreadableMessage(digest: Digest | UnreadableDigest) {
  const [name, trouble] =
    digest instanceof UnreadableDigest
      ? ['A digest of yours', "I can't read its settings. Set it up again with /report schedule."]
      : [digestName(digest), "I can't work out when it runs next. Edit it from /report list."];
  return channelNotice(`${name}, to `, digest.channel, `, is paused: ${trouble}`);
}
