import type { ReceiverEvent } from '@slack/bolt';
import type { WebClient } from '@slack/web-api';
import { recordUnsentEvidence } from '../../access/record.js';
import type { LogOf } from '../../logging/logger.js';
import type { Membership } from '../../store/membership.js';
import type { GoOnLimits, NewDelivery, TakenDelivery } from '../../store/requests/inbox.js';
import type { Interrupted } from '../../store/requests/request-log.js';
import type { Store } from '../../store/store.js';
import { type Clock, type Deadline, repeated, stopDeadline } from '../../time/clock.js';
import { deleteMessage, sendMessage } from '../delivery/post-message.js';
import { splitAtMentions, stripSlackMarkup } from '../markup.js';
import {
  buttonNotDoneMessage,
  commandNotDoneMessage,
  formNotDoneMessage,
  interruptedMessage,
} from '../messages/notices.js';

export interface TakeOverParts {
  readonly store: Pick<Store, 'inbox' | 'requestLog' | 'ledger' | 'events'>;
  readonly membership: Pick<Membership, 'hasEnded'>;
  /** Passes a delivery to its listener again. */
  readonly takeOver: (delivery: TakenDelivery) => Promise<void>;
  /** Deliveries that this process has in work, and that no other one would find. */
  readonly unsaved: () => readonly NewDelivery[];
  /** False where no other process runs at the same time. Then people are told, and nothing is run again. */
  readonly goesOn: boolean;
  /** Makes each call once, without retries. */
  readonly client: WebClient;
  readonly botUserId: string;
  readonly clock: Clock;
  readonly log: LogOf<'info' | 'warn' | 'error'>;
  /** Called with the milliseconds from the arrival of a delivery until this process continues it. */
  readonly onTakenOver?: ((milliseconds: number) => void) | undefined;
}

const checkIntervalMs = 1_000;

/** So many at once, so that other processes take their share. */
const maxTaken = 20;

/** A request that ends its process must not end all of them. */
const maxAttempts = 2;

/** People have asked again by then. */
const maxAgeMs = 10 * 60_000;

/** People are told when this much of a stop is left. Its last part closes connections. */
const tellFromMs = 3_000;
const tellCheckMs = 50;

/** Continues the work of processes that have ended. */
export function takeOvers(parts: TakeOverParts) {
  const { store, membership, client, clock, log } = parts;
  let isStopped = false;

  async function look() {
    for (const holder of await store.inbox.holders()) {
      if (isStopped) return;
      if (holder !== null && !(await membership.hasEnded(holder))) continue;
      if (holder !== null) await endDetailsOf(holder);
      const limits: GoOnLimits = { arrivedAfter: clock.now() - maxAgeMs, maxAttempts };
      const taken = await store.inbox.take(holder, maxTaken, parts.goesOn ? limits : undefined);
      for (const delivery of taken) await receive(delivery);
    }
  }

  /** Details have a post of their own. Once it has ended, a press that is taken over makes them again, or asks. */
  async function endDetailsOf(holder: string) {
    const left = await store.requestLog.interrupted();
    const details = left.filter(({ claim, what }) => claim.process === holder && what === 'details');
    await notifyInterrupted(details, parts);
  }

  async function receive(delivery: TakenDelivery) {
    const { request, arrivedAt, state, goesOn, progress } = delivery;
    // Where the answer may have replaced the progress message, it stays.
    if (progress && state !== 'posting' && state !== 'posted' && state !== 'unknown')
      await deleteMessage(progress, client).catch(() => undefined);
    if (goesOn) {
      const waitedMs = clock.now() - arrivedAt;
      log.info(
        { requestId: request, waitedMs, state },
        'This process goes on with a delivery of another one',
      );
      parts.onTakenOver?.(waitedMs);
      void parts
        .takeOver(delivery)
        .then(() => endNotRun(delivery))
        .catch((err: unknown) => log.warn({ err, requestId: request }, 'A request could not be ended'));
      return;
    }
    // The post of a request says how far it was, and its asker is told for that. For one that failed, it is unknown
    // whether its asker was told why.
    if (state === undefined || state === 'failed') await tellNotDone(delivery);
  }

  /**
   * A listener may refuse, or ask about, what another process had begun: rights and known names change. The person has
   * that reply then, and the post must not stay running until this process ends.
   */
  async function endNotRun({ request, state }: TakenDelivery) {
    if (state !== 'running' || (await store.requestLog.find(request))?.state !== 'running') return;
    await store.ledger.markFailed({ id: request, worker: null }, { code: 'interrupted' }, clock.now());
  }

  /** The delivery has left the inbox before, because a lost message is better than two. */
  async function tellNotDone({ person, payload, request }: NewDelivery) {
    const message = notDoneMessage(JSON.parse(payload), parts.botUserId);
    await sendMessage(message, { channel: person }, client).catch((err: unknown) =>
      log.warn({ err, requestId: request }, 'An asker could not be told about a restart'),
    );
  }

  /** Most of them end before, with an answer or with the reason why there is none. */
  async function tellUnsaved({ remainingMs }: Deadline) {
    while (parts.unsaved().length > 0 && remainingMs() > tellFromMs) await clock.sleep(tellCheckMs);
    await Promise.all(parts.unsaved().map(tellNotDone));
  }

  const looking = repeated(look, (err) =>
    log.warn({ err }, 'Could not check for work of processes that have ended'),
  );
  return {
    check: looking.now,
    start: () => looking.every(checkIntervalMs),
    /** Tells the people whose deliveries end with this process. */
    async stop(deadline: Deadline = stopDeadline()) {
      isStopped = true;
      await Promise.all([looking.stop(), tellUnsaved(deadline)]);
    },
  };
}

function notDoneMessage({ view, actions, event, text = '' }: ReceiverEvent['body'], botUserId: string) {
  if (actions) return buttonNotDoneMessage(actions[0]?.text?.text);
  if (view) return formNotDoneMessage(view.title?.text ?? 'Rollcall');
  const words = event ? splitAtMentions(event.text ?? '', botUserId).join(' ') : text;
  return commandNotDoneMessage(stripSlackMarkup(words).trim());
}

interface InterruptedParts extends Pick<TakeOverParts, 'membership' | 'client' | 'clock' | 'log'> {
  readonly store: Pick<Store, 'requestLog' | 'ledger' | 'events' | 'queryTurns'>;
  /** Work that another process continues is not ended here. */
  readonly takeOvers: Pick<ReturnType<typeof takeOvers>, 'check'>;
}

const endedCheckIntervalMs = 2_000;

/**
 * Ends the work of ended processes, now and every two seconds. Only the leader calls it. Returns a function that stops
 * it.
 */
export function watchEndedProcesses(parts: InterruptedParts): () => Promise<void> {
  const { store, membership } = parts;
  const checking = repeated(
    async () => {
      await parts.takeOvers.check();
      const known = new Map<string, Promise<boolean>>();
      const hasEnded = (process: string) => {
        const ended = known.get(process) ?? membership.hasEnded(process);
        known.set(process, ended);
        return ended;
      };
      for (const post of await store.requestLog.interrupted()) {
        const { process } = post.claim;
        if (!process || (await hasEnded(process))) await notifyInterrupted([post], parts);
      }
      for (const process of await store.queryTurns.holders()) {
        if (await hasEnded(process)) await store.queryTurns.endAllOf(process);
      }
    },
    (err) => parts.log.warn({ err }, 'Could not check for processes that have ended'),
  );
  void checking.now();
  checking.every(endedCheckIntervalMs);
  return checking.stop;
}

/**
 * Ends each post that was unfinished when its process ended, and tells its asker in a direct message. A post that was
 * being sent is unconfirmed, and is not repeated. The end is saved before the message is sent, because a lost message is
 * better than two. For details, the take-over of their press notifies the person who pressed.
 */
export async function notifyInterrupted(
  interrupted: readonly Interrupted[],
  parts: Pick<TakeOverParts, 'client' | 'clock' | 'log'> & {
    readonly store: Pick<Store, 'ledger' | 'events'>;
  },
): Promise<void> {
  const { store, client, clock, log } = parts;
  for (const post of interrupted) {
    const { what, state, entry, claim } = post;
    const { id, request, asker } = entry;
    const isUnconfirmed = state === 'posting';
    try {
      const end = isUnconfirmed ? store.ledger.markUnconfirmed : store.ledger.markFailed;
      const isEnded = await end(claim, { code: 'interrupted' }, clock.now());
      if (isEnded && !isUnconfirmed && request.file === 'evidence')
        await recordUnsentEvidence({ post: id, from: entry.requestedAt }, store.events, clock.now(), log);
      // The assistant lost its connection, and nothing of it was in Slack.
      if (!isEnded || what === 'details' || what === 'figures') continue;
      await sendMessage(interruptedMessage(what, isUnconfirmed, id, request), { channel: asker }, client);
    } catch (err) {
      log.warn({ err, requestId: id }, 'The message about an interrupted request could not be sent');
    }
  }
}
