import { deletedEvent } from '../../access/record.js';
import { type Digest, type DigestDraft, dedupeKey } from '../../digests/digest.js';
import { ok, refused } from '../../errors/failure.js';
import type { ListenerParts } from '../answers/context.js';
import type { PlacedContext } from '../context/request-context.js';
import { sendMessage } from '../delivery/post-message.js';
import { approvalRemark } from '../digests/propose.js';
import { readableAlerts } from '../digests/readable-alerts.js';
import { rehearse } from '../digests/rehearse.js';
import { ownerRefusalOf } from '../digests/rights.js';
import { ownerCannotAsk, validateDigest } from '../digests/validate.js';
import { parseListView, readerOf, refreshList } from '../list/list.js';
import { editDigestForm, pauseDigest, resumeDigest, rowsOf, saveDigest, sendTest } from '../list/manage.js';
import { digestAccessFix, digestAccessRefusal } from '../messages/access-levels.js';
import { historyMessage, manageMessage } from '../messages/digest-list.js';
import {
  confirmedMessage,
  digestActions,
  digestDoneMessage,
  managersApprovalMessage,
} from '../messages/digests.js';
import { managerActions } from '../messages/managers.js';
import { notice } from '../messages/notices.js';
import { type Rule, recordItem } from '../saved/items.js';
import { itemForm, onItem, undo } from './items.js';
import { type OnPress, opens, type Press, press, type Route, replaceMessage } from './router.js';

export const changedMeanwhile = 'Somebody else changed this digest. Type /report list to see it now.';

/** Actions that change the list with the menu. */
const listChanges = ['pause', 'resume', 'delete'];

/** A button, or an option of the menu. Its value is the digest's ID; in a menu, the page of the list follows. */
function onDigest(
  action: keyof typeof digestActions,
  rule: Rule,
  handle: (digest: Digest, pressed: Press<PlacedContext>, parts: ListenerParts) => Promise<void>,
) {
  return onItem('digest', action, rule, async (digest, pressed, parts) => {
    const { value, context } = pressed;
    await handle(digest, pressed, parts);
    parts.home.changed(context.asker);
    const [, ...list] = value.split(' ');
    if (list.length > 0 && listChanges.includes(action))
      await refreshList(context, parts, parseListView(list.join(' ')));
  });
}

export const draftUsed =
  'You already confirmed, cancelled or edited this. Type /report list to see your digests.';

/** Confirm: saves the digest. A double click counts once. */
function confirmDigest(): OnPress {
  const confirming = new Set<string>();
  return async (pressed, parts) => {
    const { value } = pressed;
    if (confirming.has(value)) return;
    confirming.add(value);
    await confirm(pressed, parts).finally(() => confirming.delete(value));
  };
}

async function confirm(pressed: Press, parts: ListenerParts) {
  const { value, context, reply } = pressed;
  const { store, clock, scheduler, home } = parts;
  const { asker } = context;
  const draft = await store.digestDrafts.find(value, asker);
  if (!draft || draft === 'used') return replaceMessage(pressed, draftUsed);
  // Something may have changed since the preview. A refused draft stays, so that people can edit or confirm it later.
  const validated = await validateDigest(draft, asker, parts, { isPreviewed: true });
  if (!validated.ok) return reply(validated.refusal.sentence);
  if (await approvalRemark(draft, asker, parts)) return askAdmins(draft, pressed, parts);
  if (!(await store.digestDrafts.use(value, asker, clock.now()))) return replaceMessage(pressed, draftUsed);
  const isAdmin = draft.audience === 'managers' && (await parts.access.isAdmin(asker));
  const saved = await saveDigest({ ...draft, approvedBy: isAdmin ? asker : null }, asker, parts);
  if (!saved.ok) return replaceMessage(pressed, saved.refusal);
  scheduler.checkNow();
  home.changed(asker);
  await replaceMessage(pressed, confirmedMessage(saved.value, draft.changes === undefined));
}

/** Sends the admins what a digest for many managers would do. The first of them decides. */
async function askAdmins(draft: DigestDraft, { value, context, reply }: Press, parts: ListenerParts) {
  const { asker } = context;
  const admins = await parts.access.admins();
  if (admins.length === 0)
    return reply('The owners of this Slack workspace decide that. Ask one of them to set it up.');
  const destination = { kind: 'reply', reply } as const;
  const rehearsal = await rehearse(draft, true, { asker, destination }, parts);
  if (!rehearsal.ok) return reply(rehearsal.refusal);
  const message = managersApprovalMessage(draft, asker, `${value} ${asker}`, rehearsal.value.lines);
  const sent = await Promise.allSettled(
    admins.map((admin) => sendMessage(message, { channel: admin }, parts.client)),
  );
  const isReached = sent.some(({ status }) => status === 'fulfilled');
  await reply(
    isReached
      ? 'It reaches many people, so I have asked the admins. I tell you when one of them has decided.'
      : 'No admin could be reached. Ask one of them directly.',
  );
}

/** Drafts are deleted after that time. */
const askedLongAgo =
  'This was asked more than seven days ago, so nothing was done. It has to be set up again.';

/** An admin confirms, or refuses, what somebody else wants to send to many managers. */
function decideForManagers(isConfirmed: boolean): OnPress {
  return async (pressed, parts) => {
    const { value, context } = pressed;
    const [id = '', maker = ''] = value.split(' ');
    const { store, clock, scheduler, home, client } = parts;
    const draft = await store.digestDrafts.find(id, maker);
    if (!draft) return replaceMessage(pressed, askedLongAgo);
    if (draft === 'used') return replaceMessage(pressed, 'Somebody decided this already.');
    if (isConfirmed) {
      const validated = await validateDigest(draft, maker, parts, { isPreviewed: true });
      if (!validated.ok) return replaceMessage(pressed, validated.refusal.sentence);
    }
    if (!(await store.digestDrafts.use(id, maker, clock.now())))
      return replaceMessage(pressed, 'Somebody decided this already.');
    if (!isConfirmed) {
      await sendMessage(
        notice('An admin decided not to send this to managers for now.'),
        { channel: maker },
        client,
      );
      return replaceMessage(pressed, 'Not sent. I have told who asked.');
    }
    const saved = await saveDigest({ ...draft, approvedBy: context.asker }, maker, parts);
    if (!saved.ok) return replaceMessage(pressed, saved.refusal);
    scheduler.checkNow();
    home.changed(maker);
    const message = confirmedMessage(saved.value, draft.changes === undefined);
    await sendMessage(message, { channel: maker }, client);
    await replaceMessage(pressed, message);
  };
}

export const digestRoutes = (): readonly Route[] => [
  ...onDigest('manage', 'see', async (digest, { context, reply }, parts) => {
    const { asker, channel, conversation } = context;
    const mayNamePeople = conversation.personLevel === 'allowed';
    const reader = await readerOf({ id: asker, zone: digest.schedule.zone }, mayNamePeople, parts);
    const alertReader = { user: asker, seesFew: mayNamePeople, here: channel };
    const [row = { digest }] = await rowsOf([digest], alertReader, parts);
    await reply(manageMessage(row, { ...reader, withChannel: channel !== digest.channel }));
  }),
  ...onDigest('test', 'see', async (digest, { context }, parts) => {
    const { id, owner, schedule } = digest;
    const runOf = { kind: 'digest', id } as const;
    const choseFilters = context.asker === owner;
    await sendTest({ ...digest, zone: schedule.zone, savedAs: id }, context, parts, { runOf, choseFilters });
  }),
  ...onDigest('history', 'see', async (digest, { context, reply }, parts) => {
    const { asker: user, channel: here, conversation } = context;
    const reader = { user, here, seesFew: conversation.personLevel === 'allowed' };
    const readable = await readableAlerts([digest], reader, parts);
    const runs = await parts.store.ledger.history(digest.id, 30);
    const ends = digest.audience
      ? await parts.store.managerReaders.findEnds(runs.map(({ id }) => id))
      : undefined;
    await reply(historyMessage(digest, runs, user, readable.has(digest.id), ends));
  }),
  ...onDigest('pause', 'change', async (digest, { reply }, parts) => {
    if (digest.state === 'paused') return reply('This digest is already paused.');
    if (!(await pauseDigest(digest, parts))) return reply(changedMeanwhile);
    const rest = " Reports missed while paused won't be sent.";
    await reply(digestDoneMessage('Paused', digest, rest, [digestActions.resume, 'Resume']));
  }),
  ...onDigest('resume', 'change', async (digest, { reply, context: { asker } }, parts) => {
    if (digest.state === 'active') return reply('This digest is not paused.');
    const owner = await parts.people.find(digest.owner);
    if (owner.standing !== 'member' && owner.standing !== 'unknown') return reply(ownerCannotAsk);
    const refusal = await ownerRefusalOf(digest, parts);
    if (refusal) {
      const why = digestAccessRefusal(refusal, digest.owner === asker ? 'your' : 'its owner’s');
      return reply(`Still paused. ${why} ${digestAccessFix}`);
    }
    const resumed = await resumeDigest(digest, parts);
    const now = await parts.store.digests.find(digest.id);
    await reply(resumed && now ? digestDoneMessage('Resumed', now) : changedMeanwhile);
    parts.scheduler.checkNow();
  }),
  ...onDigest('sendNow', 'change', async (digest, { reply, context }, { store, clock, scheduler }) => {
    const now = clock.now();
    const key = dedupeKey(digest.request, digest.schedule.zone, now);
    // Another process may have entered it before it ended.
    const entered = await store.ledger.enterNow(digest, key, now, {
      pressedAt: context.takenOver?.arrivedAt,
    });
    scheduler.checkNow();
    const done = entered === undefined ? 'On its way already' : 'On its way';
    const rest = digest.skipEmpty ? ' It is skipped if there are no results.' : '';
    await reply(digestDoneMessage(done, digest, rest));
  }),
  ...onDigest('delete', 'change', async (digest, { reply, context }, parts) => {
    const { store, clock } = parts;
    await store.digests.delete(digest.id, clock.now());
    await recordItem(deletedEvent, digest, context.asker, parts);
    await store.ledger.skipWaiting(digest.id, 'deleted', clock.now());
    const rest = ' You can undo this for ten minutes.';
    await reply(digestDoneMessage('Deleted', digest, rest, [digestActions.undoDelete, 'Undo']));
  }),
  ...itemForm('digest', 'edit', 'change', async (digest, context, parts) => {
    const { id, revision, schedule, ...settings } = digest;
    const { cadence, zone } = schedule;
    const draft = { ...settings, cadence, zone, changes: { id, revision } };
    return ok(await editDigestForm(draft, context, parts));
  }),
  press(digestActions.undoDelete, 'conversation', undo('digest')),
  press(digestActions.confirm, 'member', confirmDigest()),
  press(managerActions.confirm, 'admin', decideForManagers(true)),
  press(managerActions.refuse, 'admin', decideForManagers(false)),
  press(digestActions.cancel, 'member', async (pressed, { store, clock }) => {
    await store.digestDrafts.use(pressed.value, pressed.context.asker, clock.now());
    await replaceMessage(pressed, 'Cancelled. Nothing was saved.');
  }),
  press(digestActions.testDraft, 'member', async ({ value, context, reply }, parts) => {
    const draft = await parts.store.digestDrafts.find(value, context.asker);
    if (!draft || draft === 'used') return reply(draftUsed);
    await sendTest({ ...draft, savedAs: draft.changes?.id }, context, parts);
  }),
  opens(digestActions.editDraft, 'member', 'Edit a digest', async ({ value, context }, parts) => {
    const draft = await parts.store.digestDrafts.find(value, context.asker);
    if (!draft || draft === 'used') return refused(draftUsed);
    return ok(await editDigestForm(draft, context, parts, value));
  }),
];
