import type { ModalView } from '@slack/types';
import type { Digest } from '../../../digests/digest.js';
import { sameAs } from '../../../digests/same-as.js';
import { nextRuns } from '../../../schedule/next-runs.js';
import type { OutgoingMessage } from '../../delivery/outgoing-message.js';
import { digestViews } from '../../digest-ids.js';
import { editDigest } from '../../digests/edit-digest.js';
import { pauseDigest, resumeDigest } from '../../digests/manage.js';
import { inputs } from '../../ids.js';
import { historyMessage } from '../../messages/digest-list.js';
import {
  deletedDigestMessage,
  pausedMessage,
  restoredMessage,
  resumedMessage,
  sentMessage,
} from '../../messages/digest-replies.js';
import { notice } from '../../messages/notices.js';
import { handOverForm } from '../../modals/forms.js';
import { listViewIn, showListAgain } from '../../saved/list.js';
import { mayChange, maySee, undoMilliseconds } from '../../saved/rights.js';
import { takeAsk } from '../../take-ask.js';
import type { ListenerParts } from '../context.js';
import { onModalPress, onPress, type Pressed, pressedValue } from './press.js';

const gone = notice('That digest is not there any more. /report list shows those there are.');
const notTheirs = notice('Only the person who made it, its owner and admins can do that with this one.');
const tooLate = notice('It was deleted more than ten minutes ago, or is back already.');
const withoutOwner = notice('Its owner may not ask for reports any more. Hand it over first.');
const changedMeanwhile = notice('Somebody has changed it meanwhile. Look again with /report list.');

type Verb = 'test' | 'history' | 'pause' | 'resume' | 'sendNow' | 'delete';
type ModalVerb = 'edit' | 'handOver';
type Doing = (digest: Digest, pressed: Pressed, parts: ListenerParts) => Promise<void>;

/** What anybody who sees it may do. */
const forAll: ReadonlySet<string> = new Set<Verb>(['test', 'history']);

/** What is seen at once in the list that it was chosen from. */
const changesTheList: ReadonlySet<string> = new Set<Verb>(['pause', 'resume', 'delete']);

const doings: Readonly<Record<Verb, Doing>> = {
  async test(digest, { asked: { asker } }, parts) {
    const request = { ...digest.request, toMe: false };
    const { zone } = digest.schedule;
    await takeAsk(
      {
        request,
        zone,
        channel: await parts.channels.directWith(asker),
        asker,
        runOf: { kind: 'digest', id: digest.id },
        isRepeat: true,
      },
      parts,
    );
  },

  async history(digest, { tell }, { store }) {
    await tell(historyMessage(digest, await store.ledger.history(digest.id, 30)));
  },

  async pause(digest, { tell }, parts) {
    if (digest.state === 'paused') return tell(notice('It is paused already.'));
    await tell((await pauseDigest(digest, parts)) ? pausedMessage(digest) : changedMeanwhile);
  },

  async resume(digest, { tell }, parts) {
    if (digest.state === 'active') return tell(notice('It is not paused.'));
    const owner = await parts.people.find(digest.owner);
    if (owner.standing !== 'member' && owner.standing !== 'unknown') return tell(withoutOwner);
    const resumed = await resumeDigest(digest, parts);
    const now = await parts.store.digests.find(digest.id);
    await tell(resumed && now ? resumedMessage(now) : changedMeanwhile);
    parts.scheduler.poke();
  },

  async sendNow(digest, { tell }, { store, clock, scheduler }) {
    const now = clock.now();
    const entered = await store.ledger.enterNow(
      digest,
      sameAs(digest.request, digest.schedule.zone, now),
      now,
    );
    scheduler.poke();
    await tell(sentMessage(digest, entered !== undefined));
  },

  async delete(digest, { tell }, { store, clock }) {
    await store.digests.delete(digest.id, clock.now());
    await store.ledger.dropWaiting(digest.id, 'deleted', clock.now());
    await tell(deletedDigestMessage(digest));
  },
};

type MakeModal = (digest: Digest, pressed: Pressed, parts: ListenerParts) => Promise<ModalView>;

const modals: Readonly<Record<ModalVerb, MakeModal>> = {
  edit: editDigest,

  async handOver({ id: metadata }) {
    const sentence = 'It runs with the rights of its new owner, who has to be a member of its channel.';
    return handOverForm({ callback: digestViews.handOver, metadata, input: inputs.owner, sentence });
  },
};

const modalTitles: Readonly<Record<ModalVerb, string>> = { edit: 'Edit a digest', handOver: 'Hand over' };

/** A button for one thing that can be done with a digest. */
export function digestButton(verb: Verb | ModalVerb, parts: ListenerParts) {
  if (isModalVerb(verb)) return digestModalButton(verb, parts);
  return onPress(parts, (pressed) => doIt(verb, pressed.value, pressed, parts));
}

/** The digest is the value, or what follows the verb in the value of a menu's choice. */
function digestModalButton(verb: ModalVerb, parts: ListenerParts) {
  return onModalPress(parts, modalTitles[verb], async (pressed) => {
    const [first = '', id = first] = pressed.value.split(' ');
    const found = await digestFor(verb, id, pressed, parts);
    return 'refused' in found ? found.refused : modals[verb](found.digest, pressed, parts);
  });
}

/** The menu of a digest: its values are a verb and an id, and what is to be seen of the list that it stands in. */
export function digestMenu(parts: ListenerParts) {
  const modalButtons = {
    edit: digestModalButton('edit', parts),
    handOver: digestModalButton('handOver', parts),
  };
  const others = onPress(parts, async (pressed) => {
    const [verb = '', id = '', ...list] = pressed.value.split(' ');
    if (!isVerb(verb)) return;
    await doIt(verb, id, pressed, parts);
    if (list.length > 0 && changesTheList.has(verb)) {
      await showListAgain(pressed.asked, parts, listViewIn(list.join(' ')));
    }
  });
  return (press: Parameters<typeof others>[0]) => {
    const [verb = ''] = pressedValue(press.action).split(' ');
    return isModalVerb(verb) ? modalButtons[verb](press) : others(press);
  };
}

function isModalVerb(verb: string): verb is ModalVerb {
  return Object.hasOwn(modals, verb);
}

function isVerb(verb: string): verb is Verb {
  return Object.hasOwn(doings, verb);
}

async function doIt(verb: Verb, id: string, pressed: Pressed, parts: ListenerParts): Promise<void> {
  const found = await digestFor(verb, id, pressed, parts);
  if ('refused' in found) return pressed.tell(found.refused);
  await doings[verb](found.digest, pressed, parts);
  parts.home.changed(pressed.asked.asker);
}

/** A digest for somebody who may do such a thing with it. */
async function digestFor(
  verb: Verb | ModalVerb,
  id: string,
  { asked: { asker } }: Pressed,
  parts: ListenerParts,
): Promise<{ readonly digest: Digest } | { readonly refused: OutgoingMessage }> {
  const digest = await parts.store.digests.find(id);
  if (!digest || digest.deletedAt !== undefined) return { refused: gone };
  const may = mayChange(digest, asker, parts);
  if (!may && !(await maySee(digest.channel, asker, parts))) return { refused: gone };
  return may || forAll.has(verb) ? { digest } : { refused: notTheirs };
}

/** Undo: brings a deleted digest back, for ten minutes. */
export function undoDigestButton(parts: ListenerParts) {
  return onPress(parts, async ({ value, asked, tell }) => {
    const { store, clock } = parts;
    const digest = await store.digests.find(value);
    if (!digest) return tell(gone);
    if (!mayChange(digest, asked.asker, parts)) return tell(notTheirs);
    const nextDue = digest.state === 'paused' ? null : (nextRuns(digest.schedule, clock.now(), 1)[0] ?? null);
    const restored = await store.digests.restore(value, clock.now() - undoMilliseconds, nextDue);
    const back = restored ? await store.digests.find(value) : undefined;
    await tell(back ? restoredMessage(back) : tooLate);
    parts.scheduler.poke();
    parts.home.changed(asked.asker);
  });
}
