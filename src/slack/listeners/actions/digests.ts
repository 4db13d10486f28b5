import type { ModalView } from '@slack/types';
import { type Digest, dedupeKey } from '../../../digests/digest.js';
import { ok, type Result, refused } from '../../../errors/result.js';
import { nextRuns } from '../../../schedule/next-runs.js';
import { answerRequest } from '../../answer-request.js';
import type { OutgoingMessage } from '../../delivery/post-message.js';
import {
  editDigest,
  editPreview,
  pauseDigest,
  resumeDigest,
  rowsOf,
  saveDigest,
} from '../../digests/manage.js';
import { ownerRefusalOf } from '../../digests/rights.js';
import { validateDigest } from '../../digests/validate.js';
import { digestActions, digestViews } from '../../ids.js';
import { digestAccessFix, digestAccessRefusal } from '../../messages/digest-access.js';
import { historyMessage, manageMessage } from '../../messages/digest-list.js';
import {
  confirmedMessage,
  deletedDigestMessage,
  pausedMessage,
  restoredMessage,
  resumedMessage,
  sendNowMessage,
} from '../../messages/digests.js';
import { notice } from '../../messages/notices.js';
import { handOverForm } from '../../modals/forms.js';
import { inChannel, type PlacedContext, type RequestContext } from '../../request-context.js';
import {
  type MakeForm,
  type OnPress,
  opens,
  type Press,
  press,
  type Route,
  replaceMessage,
} from '../../router.js';
import { hasTooManyDigests, ownsTooMany } from '../../saved/limits.js';
import { parseListView, readerOf, refreshList } from '../../saved/list.js';
import { recordDeletion } from '../../saved/recorded-changes.js';
import { mayChange, maySee, undoWindowMs } from '../../saved/saved-reports.js';
import type { ListenerParts } from '../context.js';

const gone = notice('That digest no longer exists. Type /report list to see the current ones.');
const notTheirs = notice('Only the owner of this digest and admins can do that.');
const tooLate = notice('Not restored: it was deleted more than ten minutes ago, or is already back.');
const ownerCannotAsk = notice('The owner of this digest can no longer run reports. Hand it over first.');
const changedMeanwhile = notice('Somebody else changed this digest. Type /report list to see it now.');

type DigestVerb = 'manage' | 'test' | 'history' | 'pause' | 'resume' | 'sendNow' | 'delete';
type DigestFormVerb = 'edit' | 'handOver';
type DigestHandler = (digest: Digest, pressed: Press<PlacedContext>, parts: ListenerParts) => Promise<void>;

/** Actions that everybody who can see a digest may take. */
const allowedForReaders: ReadonlySet<string> = new Set<DigestVerb>(['manage', 'test', 'history']);

/** Actions after which the list of digests is drawn again. */
const refreshesList: ReadonlySet<string> = new Set<DigestVerb>(['pause', 'resume', 'delete']);

const handlers: Readonly<Record<DigestVerb, DigestHandler>> = {
  async manage(digest, { context, reply }, parts) {
    const zone = digest.schedule.zone;
    const mayNamePeople = context.conversation.personLevel === 'allowed';
    const reader = await readerOf({ id: context.asker, zone }, mayNamePeople, parts);
    const [row = { digest }] = await rowsOf([digest], parts);
    const isThere = context.channel === digest.channel;
    await reply(manageMessage(row, { ...reader, withChannel: !isThere }));
  },

  async test(digest, { context }, parts) {
    const { asker } = context;
    const request = { ...digest.request, toMe: false };
    const channel = await parts.channels.directWith(asker);
    const runOf = { kind: 'digest', id: digest.id } as const;
    const choseFilters = asker === digest.owner;
    const options = { zone: digest.schedule.zone, runOf, isRepeat: true, isTest: true, choseFilters };
    const there = { ...inChannel(context, channel), testOf: digest.channel };
    await answerRequest(request, there, parts, options);
  },

  async history(digest, { context: { asker }, reply }, { store }) {
    await reply(historyMessage(digest, await store.ledger.history(digest.id, 30), asker));
  },

  async pause(digest, { reply }, parts) {
    if (digest.state === 'paused') return reply(notice('This digest is already paused.'));
    await reply((await pauseDigest(digest, parts)) ? pausedMessage(digest) : changedMeanwhile);
  },

  async resume(digest, { reply, context: { asker } }, parts) {
    if (digest.state === 'active') return reply(notice('This digest is not paused.'));
    const owner = await parts.people.find(digest.owner);
    if (owner.standing !== 'member' && owner.standing !== 'unknown') return reply(ownerCannotAsk);
    const refusal = await ownerRefusalOf(digest, parts);
    if (refusal) {
      const why = digestAccessRefusal(refusal, digest.owner === asker ? 'your' : 'its owner’s');
      return reply(notice(`Still paused. ${why} ${digestAccessFix}`));
    }
    const resumed = await resumeDigest(digest, parts);
    const now = await parts.store.digests.find(digest.id);
    await reply(resumed && now ? resumedMessage(now) : changedMeanwhile);
    parts.scheduler.checkNow();
  },

  async sendNow(digest, { reply, context }, { store, clock, scheduler }) {
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
  },

  async delete(digest, { reply, context }, parts) {
    const { store, clock } = parts;
    await store.digests.delete(digest.id, clock.now());
    await recordDeletion(digest, context.asker, parts);
    await store.ledger.skipWaiting(digest.id, 'deleted', clock.now());
    await reply(deletedDigestMessage(digest));
  },
};

type MakeDigestForm = (digest: Digest, context: RequestContext, parts: ListenerParts) => Promise<ModalView>;

const forms: Readonly<Record<DigestFormVerb, MakeDigestForm>> = {
  edit: editDigest,

  async handOver({ id: metadata }) {
    const sentence =
      'The new owner must be a member of its channel, and has to accept. Then the digest runs with their permissions, and only they and admins can change it.';
    return handOverForm(digestViews.handOver, metadata, sentence);
  },
};

/** One action on a digest. Its value is the digest's ID; in a menu, the page of the list follows. */
function onDigest(verb: DigestVerb): OnPress<PlacedContext> {
  return async (pressed, parts) => {
    const [id = '', ...list] = pressed.value.split(' ');
    const found = await digestFor(verb, id, pressed, parts);
    if (!found.ok) return pressed.reply(found.refusal);
    await handlers[verb](found.value, pressed, parts);
    parts.home.changed(pressed.context.asker);
    if (list.length > 0 && refreshesList.has(verb)) {
      await refreshList(pressed.context, parts, parseListView(list.join(' ')));
    }
  };
}

/** An action on a digest that opens a form. */
function digestForm(verb: DigestFormVerb): MakeForm {
  return async (pressed, parts) => {
    const [id = ''] = pressed.value.split(' ');
    const found = await digestFor(verb, id, pressed, parts);
    return found.ok ? ok(await forms[verb](found.value, pressed.context, parts)) : found;
  };
}

/** Finds a digest if this person may take this action on it. */
async function digestFor(
  verb: DigestVerb | DigestFormVerb,
  id: string,
  { context: { asker } }: Press,
  parts: ListenerParts,
): Promise<Result<Digest, OutgoingMessage>> {
  const digest = await parts.store.digests.find(id);
  if (!digest || digest.deletedAt !== undefined) return refused(gone);
  const may = await mayChange(digest, asker, parts);
  if (!may && !(await maySee(digest.channel, asker, parts))) return refused(gone);
  return may || allowedForReaders.has(verb) ? ok(digest) : refused(notTheirs);
}

/** Undo: restores a deleted digest within ten minutes. */
const restoreDigest: OnPress = async ({ value, context, reply }, parts) => {
  const { store, clock } = parts;
  const digest = await store.digests.find(value);
  if (!digest) return reply(gone);
  if (!(await mayChange(digest, context.asker, parts))) return reply(notTheirs);
  if (digest.deletedAt !== undefined && (await hasTooManyDigests(digest.owner, store)))
    return reply(notice(`Not restored. ${ownsTooMany('digest', digest.owner === context.asker)}`));
  const nextDue = digest.state === 'paused' ? null : (nextRuns(digest.schedule, clock.now(), 1)[0] ?? null);
  const restored = await store.digests.restore(value, clock.now() - undoWindowMs, nextDue);
  const restoredDigest = restored ? await store.digests.find(value) : undefined;
  if (restored) await recordDeletion(digest, context.asker, parts, true);
  await reply(restoredDigest ? restoredMessage(restoredDigest) : tooLate);
  parts.scheduler.checkNow();
  parts.home.changed(context.asker);
};

/** A button and an option of the menu. */
function both(verb: DigestVerb): readonly Route[] {
  const ids = [digestActions[verb], `${digestActions.menu} ${verb}`];
  return ids.map((id) => press(id, 'conversation', onDigest(verb)));
}

function bothForms(verb: DigestFormVerb, title: string): readonly Route[] {
  const ids = [digestActions[verb], `${digestActions.menu} ${verb}`];
  return ids.map((id) => opens(id, 'member', title, digestForm(verb)));
}

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
  if (!draft) return replaceMessage(pressed, draftUsed);
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

/** Cancel: drops the draft. */
const dropDraft: OnPress = async (pressed, parts) => {
  await parts.store.digestDrafts.use(pressed.value, pressed.context.asker, parts.clock.now());
  await replaceMessage(pressed, notice('Cancelled. Nothing was saved.'));
};

/** Send me a test: runs the digest now, for this person alone. */
const testDraft: OnPress = async ({ value, context, reply }, parts) => {
  const draft = await parts.store.digestDrafts.find(value, context.asker);
  if (!draft) return reply(draftUsed);
  const { asker } = context;
  const channel = await parts.channels.directWith(asker);
  const options = { zone: draft.zone, isRepeat: true, isTest: true, choseFilters: false };
  const there = { ...inChannel(context, channel), testOf: draft.channel };
  await answerRequest(draft.request, there, parts, options);
};

/** Edit: opens the builder with an unconfirmed draft. */
const makeDraftForm: MakeForm = async ({ value, context }, parts) => {
  const draft = await parts.store.digestDrafts.find(value, context.asker);
  return draft ? ok(await editPreview(value, draft, context, parts)) : refused(draftUsed);
};

export const digestRoutes = (): readonly Route[] => [
  ...both('manage'),
  ...both('test'),
  ...both('history'),
  ...both('pause'),
  ...both('resume'),
  ...both('sendNow'),
  ...both('delete'),
  ...bothForms('edit', 'Edit a digest'),
  ...bothForms('handOver', 'Hand over'),
  press(digestActions.undoDelete, 'member', restoreDigest),
  press(digestActions.confirm, 'member', confirmDigest()),
  press(digestActions.cancel, 'member', dropDraft),
  press(digestActions.testDraft, 'member', testDraft),
  opens(digestActions.editDraft, 'member', 'Edit a digest', makeDraftForm),
];
