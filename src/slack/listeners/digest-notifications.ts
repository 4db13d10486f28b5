import {
  type Digest,
  type DigestRun,
  dedupeKey,
  followUpName,
  isPausedByHand,
} from '../../digests/digest.js';
import { unconfirmedKinds } from '../../digests/notification.js';
import { catchUnreadable, UnreadableDigest } from '../../digests/quarantine.js';
import type { UnconfirmedDelivery } from '../../scheduler/ports.js';
import type { ListenerParts } from '../answers/context.js';
import { resumeDigest } from '../list/manage.js';
import { runName, unconfirmedMessage } from '../messages/digest-notifications.js';
import { digestActions } from '../messages/digests.js';
import { changeNotAllowed, mayChange } from '../saved/items.js';
import { changedMeanwhile } from './digests.js';
import { type Press, press, type Route, replaceMessage } from './router.js';

/** A button under a notification of a run, for those who may change its digest. */
function onRun(
  action: string,
  then: (run: DigestRun, digest: Digest, pressed: Press, parts: ListenerParts) => Promise<void>,
) {
  return press(action, 'member', async (pressed, parts) => {
    const { value, context, reply } = pressed;
    const found = await readRun(value, parts.store);
    if (!found || found.digest.deletedAt !== undefined) return reply('That run no longer exists.');
    const { run, digest } = found;
    if (!(await mayChange(digest, context.asker, parts))) return reply(changeNotAllowed);
    await then(run, digest, pressed, parts);
  });
}

/** A run and its digest, if that can be read. */
async function readRun(id: string, { ledger, digests }: ListenerParts['store']) {
  const run = await ledger.find(id);
  const digest = run && (await catchUnreadable(digests.find(run.digest)));
  return run && digest && !(digest instanceof UnreadableDigest) ? { run, digest } : undefined;
}

function settleUnconfirmed(action: string, what: 'message' | 'file', answer: 'arrived' | 'sent-again') {
  return onRun(action, async (run, digest, pressed, { store, clock, scheduler }) => {
    const { ledger, digestNotifications } = store;
    const now = clock.now();
    const settled = await ledger.settle(run.id, answer, now, what === 'file');
    scheduler.checkNow();
    const remaining: UnconfirmedDelivery[] = [];
    for (const { subject, kind } of await digestNotifications.open(pressed.context.asker, unconfirmedKinds)) {
      const found = await readRun(subject, store);
      if (found) remaining.push({ ...found, what: kind === 'unknown' ? 'message' : 'file' });
    }
    if (remaining.length > 0) return replaceMessage(pressed, unconfirmedMessage(remaining));
    const name = runName({ run, digest });
    const it = what === 'message' ? name : `the ${followUpName(digest)} of ${name}`;
    // The message is unconfirmed, so its file had no thread.
    const file = what === 'message' && digest.request.file ? ' Press CSV under it to get its file.' : '';
    const done = answer === 'arrived' ? `Marked as delivered: ${it}.${file}` : `Sending again: ${it}.`;
    await replaceMessage(pressed, settled ? done : `Already answered: ${name}.`);
  });
}

/** Retries a run, and returns what came of it, for the person. */
async function retryRun(run: DigestRun, digest: Digest, parts: ListenerParts) {
  const retried = await parts.store.ledger.retry(run.id, parts.clock.now());
  const resumed = retried ? await resumeAfterFailures(digest, parts) : '';
  parts.scheduler.checkNow();
  return `${retried ? 'Trying again' : 'Already settled'}: ${runName({ run, digest })}.${resumed}`;
}

/** Resumes a digest that failures have paused. Returns a sentence about that. */
async function resumeAfterFailures(digest: Digest, parts: ListenerParts) {
  const isPausedByFailures = digest.state === 'paused' && !isPausedByHand(digest);
  return isPausedByFailures && (await resumeDigest(digest, parts)) ? ' It is no longer paused.' : '';
}

/** A sudden drop of rows is true: the alert is judged again now. Returns what came of it, for the person. */
async function acceptDrop(run: DigestRun, digest: Digest, { context }: Press, parts: ListenerParts) {
  const { store, clock, scheduler } = parts;
  const name = runName({ run, digest });
  if (!(await store.alertStates.acceptDrop(digest.id)))
    return `Settled already: ${name}. Its rows are back, or it was changed.`;
  if (digest.state === 'paused')
    return `Noted for the next run: ${name}. It is paused until somebody resumes it.`;
  const now = clock.now();
  const key = dedupeKey(digest.request, digest.schedule.zone, now);
  const pressedAt = context.takenOver?.arrivedAt;
  await store.ledger.enterNow(digest, key, now, { pressedAt, isByHand: false });
  scheduler.checkNow();
  return `Noted. I check again now, and post if there is something to say: ${name}.`;
}

export const notificationRoutes = (): readonly Route[] => [
  settleUnconfirmed(digestActions.arrived, 'message', 'arrived'),
  settleUnconfirmed(digestActions.sendAgain, 'message', 'sent-again'),
  settleUnconfirmed(digestActions.fileArrived, 'file', 'arrived'),
  settleUnconfirmed(digestActions.sendFileAgain, 'file', 'sent-again'),
  onRun(digestActions.dropIsTrue, async (run, digest, pressed, parts) => {
    await replaceMessage(pressed, await acceptDrop(run, digest, pressed, parts));
  }),
  onRun(digestActions.dropIsFalse, async (run, digest, pressed) => {
    const rest = ' If rows stay few, I ask again in a day.';
    await replaceMessage(pressed, `Left out: ${runName({ run, digest })}.${rest}`);
  }),
  onRun(digestActions.retry, async (run, digest, pressed, parts) => {
    await replaceMessage(pressed, await retryRun(run, digest, parts));
  }),
  // Send as CSV: changes the file of a digest whose workbook was too large, and retries the run.
  onRun(digestActions.asCsv, async (run, { id, revision, request, nextDue = null }, pressed, parts) => {
    const { digests } = parts.store;
    const asCsv = { request: { ...request, file: 'csv' }, nextDue } as const;
    const isCsv = request.file === 'csv' || (await digests.change(id, revision, asCsv));
    const changed = isCsv && (await digests.find(id));
    if (!changed) return pressed.reply(changedMeanwhile);
    const done = await retryRun(run, changed, parts);
    await replaceMessage(pressed, `Its file is a CSV from now on. ${done}`);
  }),
  // The bot joins a public channel, and retries the run.
  onRun(digestActions.join, async (run, digest, pressed, parts) => {
    const { channel } = digest;
    try {
      await parts.client.conversations.join({ channel });
    } catch (error) {
      parts.log.warn({ err: error }, 'A channel could not be joined for a digest');
      return pressed.reply('I could not join that channel. Type /invite @Rollcall there.');
    }
    parts.signals.send({ kind: 'channel-changed', channel, user: parts.botUserId });
    await parts.store.ledger.retry(run.id, parts.clock.now());
    const resumed = await resumeAfterFailures(digest, parts);
    parts.scheduler.checkNow();
    const done = `Joined the channel. Trying again: ${runName({ run, digest })}.${resumed}`;
    await replaceMessage(pressed, done);
  }),
];
