import { type Digest, type DigestRun, followUpName, isPausedByHand } from '../../../digests/digest.js';
import { unconfirmedKinds } from '../../../digests/notification.js';
import { catchUnreadable, UnreadableDigest } from '../../../digests/quarantine.js';
import { formatMoment } from '../../../figures/format/dates.js';
import type { UnconfirmedDelivery } from '../../../scheduler/ports.js';
import { resumeDigest } from '../../digests/manage.js';
import { digestActions } from '../../ids.js';
import { digestName, unconfirmedMessage } from '../../messages/digest-notifications.js';
import { notice } from '../../messages/notices.js';
import { type OnPress, type Press, press, type Route, replaceMessage } from '../../router.js';
import { changeNotAllowed, mayChange } from '../../saved/items.js';
import type { ListenerParts } from '../context.js';

const gone = notice('That run no longer exists.');

function settleUnconfirmed(what: 'message' | 'file', answer: 'arrived' | 'sent-again') {
  return onRun(async (run, digest, pressed, parts) => {
    const { ledger } = parts.store;
    const now = parts.clock.now();
    const settled = await (what === 'message'
      ? ledger.settle(run.id, answer, now)
      : ledger.settleFile(run.id, answer, now));
    parts.scheduler.checkNow();
    const remaining = await unconfirmedDeliveries(pressed.context.asker, parts);
    if (remaining.length > 0) return replaceMessage(pressed, unconfirmedMessage(remaining));
    const it =
      what === 'message' ? runName(run, digest) : `the ${followUpName(digest)} of ${runName(run, digest)}`;
    // The message is unconfirmed, so its file had no thread.
    const file = what === 'message' && digest.request.file ? ' Press CSV under it to get its file.' : '';
    const done = answer === 'arrived' ? `Marked as delivered: ${it}.${file}` : `Sending again: ${it}.`;
    await replaceMessage(pressed, notice(settled ? done : `Already answered: ${runName(run, digest)}.`));
  });
}

async function unconfirmedDeliveries(
  person: string,
  { store }: ListenerParts,
): Promise<readonly UnconfirmedDelivery[]> {
  const deliveries: UnconfirmedDelivery[] = [];
  for (const { subject, kind } of await store.digestNotifications.open(person, unconfirmedKinds)) {
    const found = await readRun(subject, store);
    if (found) deliveries.push({ ...found, what: kind === 'unknown' ? 'message' : 'file' });
  }
  return deliveries;
}

/** A run and its digest, if that can be read. */
async function readRun(id: string, { ledger, digests }: ListenerParts['store']) {
  const run = await ledger.find(id);
  const digest = run && (await catchUnreadable(digests.find(run.digest)));
  return run && digest && !(digest instanceof UnreadableDigest) ? { run, digest } : undefined;
}

const tryAgain = onRun(async (run, digest, pressed, parts) => {
  await replaceMessage(pressed, notice(await retryRun(run, digest, parts)));
});

/** Returns what came of it, for the person. */
async function retryRun(run: DigestRun, digest: Digest, parts: ListenerParts): Promise<string> {
  const retried = await parts.store.ledger.retry(run.id, parts.clock.now());
  const isResumed = retried && (await resumeIfPausedByFailures(digest, parts));
  parts.scheduler.checkNow();
  const name = runName(run, digest);
  return retried ? `Trying again: ${name}.${isResumed ? resumedSentence : ''}` : `Already settled: ${name}.`;
}

/** Send as CSV: changes the file of a digest whose workbook was too large, and retries the run. */
const sendAsCsv = onRun(async (run, { id, revision, request, nextDue = null }, pressed, parts) => {
  const { digests } = parts.store;
  const asCsv = { request: { ...request, file: 'csv' }, nextDue } as const;
  const isCsv = request.file === 'csv' || (await digests.change(id, revision, asCsv));
  const changed = isCsv && (await digests.find(id));
  if (!changed)
    return pressed.reply(notice('Somebody else changed this digest. Type /report list to see it now.'));
  const done = await retryRun(run, changed, parts);
  await replaceMessage(pressed, notice(`Its file is a CSV from now on. ${done}`));
});

const resumedSentence = ' It is no longer paused.';

async function resumeIfPausedByFailures(digest: Digest, parts: ListenerParts): Promise<boolean> {
  return digest.state === 'paused' && !isPausedByHand(digest) && (await resumeDigest(digest, parts));
}

/** Join the channel: the bot joins a public channel, and retries the run. */
const joinChannel = onRun(async (run, digest, pressed, parts) => {
  try {
    await parts.client.conversations.join({ channel: digest.channel });
  } catch (error) {
    parts.log.warn({ err: error }, 'A channel could not be joined for a digest');
    return pressed.reply(notice('I could not join that channel. Type /invite @Rollcall there.'));
  }
  parts.signals.send({ kind: 'channel-changed', channel: digest.channel, user: parts.botUserId });
  await parts.store.ledger.retry(run.id, parts.clock.now());
  const isResumed = await resumeIfPausedByFailures(digest, parts);
  parts.scheduler.checkNow();
  const done = `Joined the channel. Trying again: ${runName(run, digest)}.`;
  await replaceMessage(pressed, notice(`${done}${isResumed ? resumedSentence : ''}`));
});

/** `Engagement, every day at 09:00, due Fri 20 Nov, 09:00` */
function runName({ dueAt }: DigestRun, digest: Digest): string {
  return `${digestName(digest)}, due ${formatMoment(dueAt, digest.schedule.zone)}`;
}

function onRun(
  then: (run: DigestRun, digest: Digest, pressed: Press, parts: ListenerParts) => Promise<void>,
): OnPress {
  return async (pressed, parts) => {
    const found = await readRun(pressed.value, parts.store);
    if (!found || found.digest.deletedAt !== undefined) return pressed.reply(gone);
    if (!(await mayChange(found.digest, pressed.context.asker, parts)))
      return pressed.reply(notice(changeNotAllowed));
    await then(found.run, found.digest, pressed, parts);
  };
}

export const notificationRoutes = (): readonly Route[] => [
  press(digestActions.arrived, 'member', settleUnconfirmed('message', 'arrived')),
  press(digestActions.sendAgain, 'member', settleUnconfirmed('message', 'sent-again')),
  press(digestActions.fileArrived, 'member', settleUnconfirmed('file', 'arrived')),
  press(digestActions.sendFileAgain, 'member', settleUnconfirmed('file', 'sent-again')),
  press(digestActions.retry, 'member', tryAgain),
  press(digestActions.asCsv, 'member', sendAsCsv),
  press(digestActions.join, 'member', joinChannel),
];
