import { type Digest, dedupeKey } from '../../../digests/digest.js';
import { ok, refused } from '../../../errors/result.js';
import {
  editDigest,
  editPreview,
  pauseDigest,
  resumeDigest,
  rowsOf,
  saveDigest,
  sendTest,
} from '../../digests/manage.js';
import { ownerRefusalOf } from '../../digests/rights.js';
import { ownerCannotAsk, validateDigest } from '../../digests/validate.js';
import { digestActions } from '../../ids.js';
import { digestAccessFix, digestAccessRefusal } from '../../messages/digest-access.js';
import { historyMessage, manageMessage } from '../../messages/digest-list.js';
import {
  confirmedMessage,
  deletedDigestMessage,
  pausedMessage,
  resumedMessage,
  sendNowMessage,
} from '../../messages/digests.js';
import { notice } from '../../messages/notices.js';
import type { PlacedContext } from '../../request-context.js';
import {
  type MakeForm,
  type OnPress,
  opens,
  type Press,
  press,
  type Route,
  replaceMessage,
} from '../../router.js';
import type { Rule } from '../../saved/items.js';
import { recordDeletion } from '../../saved/items.js';
import { parseListView, readerOf, refreshList } from '../../saved/list.js';
import type { ListenerParts } from '../context.js';
import { itemForm, onItem, undo } from './items.js';

const changedMeanwhile = notice('Somebody else changed this digest. Type /report list to see it now.');

type DigestHandler = (digest: Digest, pressed: Press<PlacedContext>, parts: ListenerParts) => Promise<void>;

const manage: DigestHandler = async (digest, { context, reply }, parts) => {
  const zone = digest.schedule.zone;
  const mayNamePeople = context.conversation.personLevel === 'allowed';
  const reader = await readerOf({ id: context.asker, zone }, mayNamePeople, parts);
  const [row = { digest }] = await rowsOf([digest], parts);
  const isThere = context.channel === digest.channel;
  await reply(manageMessage(row, { ...reader, withChannel: !isThere }));
};

const test: DigestHandler = async (digest, { context }, parts) => {
  const { id, owner, schedule } = digest;
  const runOf = { kind: 'digest', id } as const;
  await sendTest({ ...digest, zone: schedule.zone }, context, parts, {
    runOf,
    choseFilters: context.asker === owner,
  });
};

const history: DigestHandler = async (digest, { context: { asker }, reply }, { store }) =>
  reply(historyMessage(digest, await store.ledger.history(digest.id, 30), asker));

const pause: DigestHandler = async (digest, { reply }, parts) => {
  if (digest.state === 'paused') return reply(notice('This digest is already paused.'));
  await reply((await pauseDigest(digest, parts)) ? pausedMessage(digest) : changedMeanwhile);
};

const resume: DigestHandler = async (digest, { reply, context: { asker } }, parts) => {
  if (digest.state === 'active') return reply(notice('This digest is not paused.'));
  const owner = await parts.people.find(digest.owner);
  if (owner.standing !== 'member' && owner.standing !== 'unknown') return reply(notice(ownerCannotAsk));
  const refusal = await ownerRefusalOf(digest, parts);
  if (refusal) {
    const why = digestAccessRefusal(refusal, digest.owner === asker ? 'your' : 'its owner’s');
    return reply(notice(`Still paused. ${why} ${digestAccessFix}`));
  }
  const resumed = await resumeDigest(digest, parts);
  const now = await parts.store.digests.find(digest.id);
  await reply(resumed && now ? resumedMessage(now) : changedMeanwhile);
  parts.scheduler.checkNow();
};

const sendNow: DigestHandler = async (digest, { reply, context }, { store, clock, scheduler }) => {
  const now = clock.now();
  const entered = await store.ledger.enterNow(
    digest,
    dedupeKey(digest.request, digest.schedule.zone, now),
    now,
    // Another process may have entered it before it ended.
    context.takenOver?.arrivedAt,
  );
  scheduler.checkNow();
  await reply(sendNowMessage(digest, entered !== undefined));
};

const deleteDigest: DigestHandler = async (digest, { reply, context }, parts) => {
  const { store, clock } = parts;
  await store.digests.delete(digest.id, clock.now());
  await recordDeletion(digest, context.asker, parts);
  await store.ledger.skipWaiting(digest.id, 'deleted', clock.now());
  await reply(deletedDigestMessage(digest));
};

/** A button, or an option of the menu. Its value is the digest's ID; in a menu, the page of the list follows. */
function onDigest(
  verb: keyof typeof digestActions,
  rule: Rule,
  handle: DigestHandler,
  { refreshesList = false } = {},
): readonly Route[] {
  const then = onItem('digest', rule, async (digest, pressed, parts) => {
    await handle(digest, pressed, parts);
    parts.home.changed(pressed.context.asker);
    const [, ...list] = pressed.value.split(' ');
    if (list.length > 0 && refreshesList)
      await refreshList(pressed.context, parts, parseListView(list.join(' ')));
  });
  return idsOf(verb).map((id) => press(id, 'conversation', then));
}

const idsOf = (verb: keyof typeof digestActions) => [digestActions[verb], `${digestActions.menu} ${verb}`];

const makeEditForm = itemForm('digest', 'change', async (digest, context, parts) =>
  ok(await editDigest(digest, context, parts)),
);

const draftUsed = notice(
  'You already confirmed, cancelled or edited this. Type /report list to see your digests.',
);

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

async function confirm(pressed: Press, parts: ListenerParts): Promise<void> {
  const { value, context } = pressed;
  const { store, clock } = parts;
  const draft = await store.digestDrafts.find(value, context.asker);
  if (!draft || draft === 'used') return replaceMessage(pressed, draftUsed);
  // Something may have changed since the preview. A refused draft stays, so that people can edit or confirm it later.
  const validated = await validateDigest(draft, context.asker, parts, { isPreviewed: true });
  if (!validated.ok) return pressed.reply(notice(validated.refusal.sentence));
  if (!(await store.digestDrafts.use(value, context.asker, clock.now())))
    return replaceMessage(pressed, draftUsed);
  const saved = await saveDigest(draft, context.asker, parts);
  if (!saved.ok) return replaceMessage(pressed, notice(saved.refusal));
  parts.scheduler.checkNow();
  parts.home.changed(context.asker);
  await replaceMessage(pressed, confirmedMessage(saved.value, draft.changes === undefined));
}

const dropDraft: OnPress = async (pressed, parts) => {
  await parts.store.digestDrafts.use(pressed.value, pressed.context.asker, parts.clock.now());
  await replaceMessage(pressed, notice('Cancelled. Nothing was saved.'));
};

/** Send me a test: runs the digest now, for this person alone. */
const testDraft: OnPress = async ({ value, context, reply }, parts) => {
  const draft = await parts.store.digestDrafts.find(value, context.asker);
  if (!draft || draft === 'used') return reply(draftUsed);
  await sendTest(draft, context, parts);
};

const makeDraftForm: MakeForm = async ({ value, context }, parts) => {
  const draft = await parts.store.digestDrafts.find(value, context.asker);
  if (!draft || draft === 'used') return refused(draftUsed);
  return ok(await editPreview(value, draft, context, parts));
};

export const digestRoutes = (): readonly Route[] => [
  ...onDigest('manage', 'see', manage),
  ...onDigest('test', 'see', test),
  ...onDigest('history', 'see', history),
  ...onDigest('pause', 'change', pause, { refreshesList: true }),
  ...onDigest('resume', 'change', resume, { refreshesList: true }),
  ...onDigest('sendNow', 'change', sendNow),
  ...onDigest('delete', 'change', deleteDigest, { refreshesList: true }),
  ...idsOf('edit').map((id) => opens(id, 'member', 'Edit a digest', makeEditForm)),
  press(digestActions.undoDelete, 'conversation', undo('digest')),
  press(digestActions.confirm, 'member', confirmDigest()),
  press(digestActions.cancel, 'member', dropDraft),
  press(digestActions.testDraft, 'member', testDraft),
  opens(digestActions.editDraft, 'member', 'Edit a digest', makeDraftForm),
];
