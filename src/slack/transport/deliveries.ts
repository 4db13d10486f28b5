import { setTimeout as wait } from 'node:timers/promises';
import { AuthorizationError, type ReceiverEvent } from '@slack/bolt';
import { type Log, randomId } from '../../logging/logger.js';
import type { NewDelivery, TakenDelivery } from '../../store/requests/inbox.js';
import type { Clock } from '../../time/clock.js';
import { maxUrlUses, type TakenOver } from '../context/request-context.js';
import { rejectionResponse } from '../forms/modal.js';
import { maxInputLength, maxMarkedUpLength } from '../markup.js';
import type { DeliveryDeduplication, InboxDeliveries } from './inbox.js';

/** The kinds of deliveries in Bolt. */
export type DeliveryKind = 'command' | 'event' | 'action' | 'view' | 'shortcut' | 'options';

/** Something that Slack has sent, which is no repetition. */
export interface Delivery {
  readonly kind: DeliveryKind;
  readonly body: ReceiverEvent['body'];
  /** Acknowledges it. A delivery that the inbox stores is in the inbox before. */
  readonly ack: ReceiverEvent['ack'];
  /** The ID of its work, and of the request that it makes. */
  readonly requestId: string;
  /** Set where another process had it before, and may have begun its work. */
  readonly takenOver?: TakenOver | undefined;
  /** When it arrived, in milliseconds of `performance.now()`. */
  readonly receivedAtMs: number;
}

/** Slack has delivered it before, to this process or another one. Its handler ends without doing anything. */
export class DeliveryRepeated extends Error {}

/** The kind, by Bolt's rules. */
export function kindOf({ event, command, name, actions, type }: ReceiverEvent['body']): DeliveryKind {
  if (event !== undefined) return 'event';
  if (command !== undefined) return 'command';
  if (name !== undefined || type === 'block_suggestion') return 'options';
  if (actions !== undefined) return 'action';
  if (type === 'shortcut' || type === 'message_action') return 'shortcut';
  if (type === 'view_submission' || type === 'view_closed') return 'view';
  return 'event';
}

/** Properties that a receiver adds, to identify a delivery. */
export interface DeliveryProperties {
  /** Socket Mode: the same for each delivery of one envelope. */
  readonly envelopeId?: string;
  /** HTTP: a hash of the timestamp and the body, the same only for the same request. */
  readonly requestHash?: string;
  /** HTTP: the headers of the signature are not spelled as Slack spells them. */
  readonly isMalformed?: boolean;
}

/** Equal for two deliveries of the same thing; undefined if the delivery cannot be identified. */
function deliveryKey({ body, customProperties }: ReceiverEvent): string | undefined {
  if (typeof body.event_id === 'string') return `event ${body.event_id}`;
  const { envelopeId, requestHash }: DeliveryProperties = customProperties ?? {};
  if (envelopeId !== undefined) return `envelope ${envelopeId}`;
  return requestHash === undefined ? undefined : `request ${requestHash}`;
}

/** @throws AuthorizationError for a delivery that is not from Slack, or for another workspace: status 401 over HTTP */
function refuseForeign({ body, customProperties }: ReceiverEvent, teamId: string, log: Log): void {
  const { authorizations, team_id, view, team, user } = body;
  // An event in a shared channel lists the workspaces that it is for. A view that was opened in one names the workspace
  // where the app is installed. A delivery that names no workspace counts as ours.
  const listed = (Array.isArray(authorizations) ? authorizations : []).flatMap((one) => one?.team_id || []);
  const named = team_id || view?.app_installed_team_id || team?.id || user?.team_id || teamId;
  const isMalformed = customProperties?.isMalformed === true;
  if (!isMalformed && (listed.length > 0 ? listed : [named]).includes(teamId)) return;
  const refusal = isMalformed
    ? 'A request with an unusual signature was refused'
    : 'A delivery from another workspace was refused; each Rollcall serves one workspace';
  log.warn(refusal);
  throw new AuthorizationError(refusal, new Error(refusal));
}

/** The members that listeners need, and those that say which workspace a delivery is from. No tokens, and no names. */
const keptMembers: Partial<Record<DeliveryKind, string>> = {
  command: 'command text user_id channel_id response_url',
  event:
    'type event_id event.type event.user event.channel event.channel_type event.text event.ts event.thread_ts',
  action:
    'type user.id user.team_id channel.id container actions response_url message.ts message.thread_ts view',
  view: 'type user.id user.team_id view',
};
const sourceMembers = 'team_id team authorizations';

/**
 * A delivery for the inbox, with the part of its body that another process needs to continue its work. Undefined for
 * kinds that are never stored.
 *
 * @param request the ID of its work
 */
export function keptDelivery(
  body: ReceiverEvent['body'],
  key: string,
  request: string,
  arrivedAt: number,
): NewDelivery | undefined {
  const members = keptMembers[kindOf(body)];
  const person: string | undefined = body.user_id ?? body.user?.id ?? body.event?.user;
  if (members === undefined || person === undefined) return undefined;
  const kept: ReceiverEvent['body'] = {};
  for (const path of `${members} ${sourceMembers}`.split(' ')) {
    const [member = '', inner] = path.split('.');
    const value = body[member];
    kept[member] = inner === undefined ? value : { ...kept[member], [inner]: value?.[inner] };
  }
  if (body.view?.type === 'home') kept.view = { type: 'home' };
  return { key, person, payload: JSON.stringify(kept), request, arrivedAt };
}

/** The longest texts of people, by the names of their members. */
const maxLengths: Readonly<Record<string, number>> = { text: maxMarkedUpLength, value: maxInputLength };

/**
 * The same delivery, in which no text of a person is longer than one character more than its limit. Listeners refuse such
 * a text with a sentence, and nothing before them stores or reads more of it.
 */
export function withClippedTexts(body: ReceiverEvent['body']): ReceiverEvent['body'] {
  return JSON.parse(JSON.stringify(body), (name, value: unknown) =>
    typeof value === 'string' ? value.slice(0, (maxLengths[name] ?? value.length) + 1) : value,
  );
}

type Body = ReceiverEvent['body'];

export interface EventFilterParts {
  readonly teamId: string;
  readonly duplicates: DeliveryDeduplication;
  readonly inbox: InboxDeliveries;
  /** True if another process can continue the work of this one. */
  readonly hasOthers: () => Promise<boolean>;
  /** The row of a delivery, which says whether it stays in the inbox until its work has ended. */
  readonly find: (body: Body) => { isKept?(body: Body): boolean } | undefined;
  /** The time of the store. */
  readonly clock: Pick<Clock, 'now'>;
  /** Acknowledges an envelope through another socket. False if there is none. */
  readonly acknowledgeOtherwise: (envelopeId: string, answer: unknown) => boolean;
  readonly log: Log;
  /** Called with the milliseconds from the arrival of a delivery to its acknowledgement. */
  readonly onAcknowledged?: ((milliseconds: number) => void) | undefined;
}

/** Retries of an acknowledgement, within the three seconds that Slack waits. */
const acknowledgeRetryDelaysMs = [0, 50, 200, 750, 1500];

const restarting = 'Rollcall is restarting. Try again in a minute.';

/** Where this process is killed before the database takes the delivery, it is lost. */
const acknowledgedUnsaved =
  'The database took too long or failed, so a delivery was acknowledged before it was saved';

/** Refuses what is not for this bot, and sees each delivery through, once. */
export function createEventFilter({
  teamId,
  duplicates,
  inbox,
  hasOthers,
  find,
  clock,
  acknowledgeOtherwise,
  log,
  onAcknowledged,
}: EventFilterParts) {
  const running = new Set<Promise<void>>();
  const turns = serialQueue();
  let closed = false;
  let handle: (delivery: Delivery) => Promise<void> = async () => {};

  /** From the arrival of a delivery to the end of its work. */
  async function receive(event: ReceiverEvent): Promise<void> {
    const arrival = turns.arrived();
    const requestId = randomId();
    const body = withClippedTexts(event.body);
    const acknowledge: Delivery['ack'] = async (answer) => {
      try {
        await event.ack(answer);
      } catch (error) {
        const envelopeId: unknown = event.customProperties?.envelopeId;
        if (typeof envelopeId !== 'string') throw error;
        log.warn({ id: requestId, err: error }, 'A socket was lost before its last acknowledgement');
        return void acknowledgeLater(envelopeId, answer);
      }
      turns.acknowledged(arrival);
      onAcknowledged?.(performance.now() - arrival.since);
    };
    let stored: NewDelivery | undefined;
    try {
      refuseForeign(event, teamId, log);
      if (body.type === 'app_rate_limited') {
        log.warn('Slack is rate-limiting events: more than 30,000 within an hour');
        return await acknowledge();
      }
      const key = deliveryKey(event);
      // What has no key is not stored.
      const kept =
        key !== undefined && find(body)?.isKept?.(body)
          ? keptDelivery(body, key, requestId, clock.now())
          : undefined;
      if (closed) {
        const isLeft = kept !== undefined && (await isLeftToOthers(body, kept));
        return isLeft ? await acknowledge() : await rejectWhileStopping(body, acknowledge);
      }
      const how = { isRetry: event.retryNum !== undefined, isKept: kept !== undefined };
      if (key !== undefined && !(await duplicates.isNew(key, how))) {
        log.info('Slack repeated a delivery; it was not run again');
        return await acknowledge();
      }
      const ack: Delivery['ack'] = async (answer) => {
        // If the acknowledgement is the answer, no work is left that could delay others.
        if (answer !== undefined) return acknowledge(answer);
        if (kept && !stored) {
          const outcome = await inbox.keep(kept, body.response_url);
          if (outcome === 'repeated') {
            await acknowledge();
            log.info(
              { id: requestId },
              'Slack repeated a delivery that another process had; it was not run again',
            );
            throw new DeliveryRepeated();
          }
          stored = kept;
          if (outcome === 'not-kept') {
            log.warn({ id: requestId }, acknowledgedUnsaved);
            duplicates.add(kept.key);
          }
        }
        await acknowledge();
        await turns.waitForTurn();
      };
      const delivery = { kind: kindOf(body), body, ack, requestId, receivedAtMs: arrival.since };
      await handle(delivery);
    } finally {
      turns.acknowledged(arrival);
      if (stored) inbox.end(stored.key);
    }
  }

  /**
   * While this process stops, it leaves deliveries to another one, in the inbox. If there is none, the next start tells
   * who pressed a button. A command gets a message at once, and a form stays open.
   */
  async function isLeftToOthers({ command, actions, response_url: url }: Body, kept: NewDelivery) {
    const isLeft = actions !== undefined || (command !== undefined && (await hasOthers().catch(() => false)));
    if (!isLeft) return false;
    const isKept = (await inbox.keep(kept, url)) !== 'not-kept';
    // Otherwise it could still be saved, after its person was told to try again.
    if (!isKept) inbox.end(kept.key);
    return isKept;
  }

  async function takeOver({ key, payload, request, arrivedAt, urlUses }: TakenDelivery): Promise<void> {
    const { response_url: url, ...body }: Body = JSON.parse(payload);
    const isUrlOpen = url !== undefined && urlUses < maxUrlUses;
    if (isUrlOpen) inbox.noteUrl(key, url);
    const delivery = {
      kind: kindOf(body),
      body: isUrlOpen ? { ...body, response_url: url } : body,
      ack: turns.waitForTurn,
      requestId: request,
      takenOver: { arrivedAt },
      receivedAtMs: performance.now(),
    };
    await handle(delivery).finally(() => inbox.end(key));
  }

  /**
   * A socket may close after its last envelope arrived. The listener must run even so, and the next socket, which may open
   * in a moment, can still acknowledge the envelope.
   */
  async function acknowledgeLater(envelopeId: string, answer: unknown): Promise<void> {
    for (const pause of acknowledgeRetryDelaysMs) {
      await wait(pause);
      if (acknowledgeOtherwise(envelopeId, typeof answer === 'string' ? { text: answer } : answer)) return;
    }
  }

  function tracked(work: Promise<void>): Promise<void> {
    running.add(work);
    return work.finally(() => running.delete(work));
  }

  return {
    /** Sets what handles deliveries. It must not throw. */
    listen(handler: typeof handle) {
      handle = handler;
    },
    /**
     * Runs a delivery, unless it is a repetition.
     *
     * @throws AuthorizationError for a delivery from another workspace: status 401 over HTTP
     */
    pass: (event: ReceiverEvent) => tracked(receive(event)),
    /** Runs a delivery of a process that has ended. It needs no acknowledgement. */
    takeOver: (delivery: TakenDelivery) => tracked(takeOver(delivery)),
    /** Rejects new deliveries. Running ones continue. */
    close() {
      closed = true;
    },
    /** Resolves when all deliveries that are running now have ended. */
    idle: () => Promise.allSettled(running),
  };
}

/** Slack delivers an unacknowledged event again, to the next process. People get a message, and keep their form. */
async function rejectWhileStopping(body: Body, acknowledge: Delivery['ack']): Promise<void> {
  if (body.event !== undefined) return;
  if (body.command !== undefined) return acknowledge({ text: restarting });
  if (body.type === 'view_submission')
    return acknowledge(rejectionResponse(body.view, [{ sentence: restarting }]));
  await acknowledge(body.type === 'block_suggestion' ? { options: [] } : undefined);
}

/** Work waits while several deliveries arrive or are acknowledged at shorter intervals than this, in milliseconds. */
const quietMs = 15;

/** Work waits this long for the acknowledgement of a delivery. Forms may take longer, because they ask Slack. */
const maxUnacknowledgedMs = 100;

const maxWaitMs = 1000;

interface Arrival {
  /** In milliseconds of `performance.now()`. */
  readonly since: number;
}

/**
 * Slack waits three seconds for an acknowledgement, but much longer for an answer. So all commands that arrive together
 * are acknowledged before work begins. Then one piece of work begins at each turn of the event loop, and new deliveries
 * are read in between. The work for a delivery that arrives alone begins at once.
 */
export function serialQueue() {
  const waiting: { readonly since: number; readonly begin: () => void }[] = [];
  const unacknowledged = new Set<Arrival>();
  let lastChange = Number.NEGATIVE_INFINITY;
  let severalArrive = false;

  function beginNext(): void {
    const [first] = waiting;
    if (!first) return;
    const now = performance.now();
    // When no delivery will have to be acknowledged, as far as is known now.
    let quietFrom = severalArrive ? lastChange + quietMs : now;
    if (severalArrive)
      for (const { since } of unacknowledged)
        if (now < since + maxUnacknowledgedMs) quietFrom = now + quietMs;
    const waitMs = Math.min(quietFrom, first.since + maxWaitMs) - now;
    if (waitMs > 0) {
      setTimeout(beginNext, waitMs);
      return;
    }
    waiting.shift();
    first.begin();
    if (waiting.length > 0) setImmediate(beginNext);
  }

  return {
    /** Notes that a delivery has arrived. */
    arrived(): Arrival {
      const arrival = { since: performance.now() };
      severalArrive = arrival.since < lastChange + quietMs;
      lastChange = arrival.since;
      unacknowledged.add(arrival);
      return arrival;
    },
    /** Notes that a delivery is acknowledged, or needs no acknowledgement. */
    acknowledged(arrival: Arrival) {
      if (unacknowledged.delete(arrival)) lastChange = performance.now();
    },
    /** Resolves when the work for a delivery may begin. */
    waitForTurn: () =>
      new Promise<void>((resolve) => {
        waiting.push({ since: performance.now(), begin: resolve });
        if (waiting.length === 1) setImmediate(beginNext);
      }),
  };
}
