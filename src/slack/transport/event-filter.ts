import { setTimeout as wait } from 'node:timers/promises';
import { AuthorizationError, type ReceiverEvent } from '@slack/bolt';
import { withLogId } from '../../logging/log-id.js';
import type { Log } from '../../logging/logger.js';
import { randomId } from '../../store/database.js';
import type { TakenDelivery } from '../../store/slack/inbox.js';
import { maxUrlUses } from '../delivery/response-url.js';
import { rejectionResponse } from '../modals/modal.js';
import { type Delivery, DeliveryRepeated, keptDelivery, kindOf, withClippedTexts } from './delivery.js';
import type { DeliveryDeduplication } from './delivery-deduplication.js';
import type { InboxDeliveries } from './inbox.js';

export interface EventFilterParts {
  readonly teamId: string;
  readonly duplicates: DeliveryDeduplication;
  readonly inbox: InboxDeliveries;
  /** True if another process can continue the work of this one. */
  readonly hasOthers: () => Promise<boolean>;
  /** True for deliveries that stay in the inbox until their work has ended. */
  readonly isKept: (body: ReceiverEvent['body']) => boolean;
  /** Never throws. */
  readonly handle: (delivery: Delivery) => Promise<void>;
  /** Milliseconds since the epoch, as in the store. */
  readonly now: () => number;
  /** Acknowledges an envelope through another socket. False if there is none. */
  readonly acknowledgeOtherwise: (envelopeId: string, answer: unknown) => boolean;
  readonly log: Log;
  /** Called with the milliseconds from the arrival of a delivery to its acknowledgement. */
  readonly onAcknowledged?: ((milliseconds: number) => void) | undefined;
}

/** Retries of an acknowledgement, within the three seconds that Slack waits. */
const acknowledgeRetryDelaysMs = [0, 50, 200, 750, 1500];

const restarting = 'Rollcall is restarting. Try again in a minute.';

type Kept = NonNullable<ReturnType<typeof keptDelivery>>;

/** Filters deliveries, and passes them to the router. */
export function createEventFilter({
  teamId,
  duplicates,
  inbox,
  hasOthers,
  isKept: mustKeep,
  handle,
  now,
  acknowledgeOtherwise,
  log,
  onAcknowledged,
}: EventFilterParts) {
  const running = new Set<Promise<void>>();
  const work = serialQueue();
  let closed = false;

  async function pass(whole: ReceiverEvent): Promise<void> {
    const body = withClippedTexts(whole.body);
    const event = { ...whole, body };
    if (body.type === 'app_rate_limited') {
      log.warn('Slack is rate-limiting events: more than 30,000 within an hour');
      return event.ack();
    }
    if (event.customProperties?.isMalformed === true) {
      log.warn('A request with an unusual signature was refused');
      throw new AuthorizationError('Not from Slack', new Error('Not from Slack'));
    }
    if (isFromAnotherTeam(body, teamId)) {
      log.warn('A delivery from another workspace was refused; each Rollcall serves one workspace');
      throw new AuthorizationError('Another workspace', new Error('Another workspace'));
    }
    if (closed) return (await isLeftToOthers(event)) ? event.ack() : rejectWhileStopping(event);
    const { key, kept } = identified(event);
    const isRetry = event.retryNum !== undefined;
    if (key !== undefined && !(await duplicates.isNew(key, { isRetry, isKept: kept !== undefined }))) {
      log.info('Slack repeated a delivery; it was not run again');
      return event.ack();
    }
    const acknowledge = ackOverAnySocket(event);
    const requestId = randomId();
    let isKept = false;
    const keep = async () => {
      if (key === undefined || !kept || isKept) return;
      isKept = true;
      const outcome = await keepDelivery(key, kept, requestId);
      if (outcome === 'not-kept') duplicates.add(key);
      if (outcome !== 'repeated') return;
      isKept = false;
      await acknowledge();
      log.info('Slack repeated a delivery that another process had; it was not run again');
      throw new DeliveryRepeated();
    };
    try {
      await run({
        body,
        requestId,
        async ack(answer) {
          // If the acknowledgement is the answer, no work is left that could delay others.
          if (answer !== undefined) return acknowledge(answer);
          await keep();
          await acknowledge();
          await work.waitForTurn();
        },
      });
    } finally {
      if (isKept && key !== undefined) inbox.end(key);
    }
  }

  /** The lines of the log carry the ID of the delivery. */
  function run(delivery: Omit<Delivery, 'kind' | 'receivedAtMs'>): Promise<void> {
    const { body, requestId } = delivery;
    const whole = { ...delivery, kind: kindOf(body), receivedAtMs: performance.now() };
    return withLogId(requestId, () => handle(whole));
  }

  /** The key of a delivery, and its part for the inbox. What has no key is not stored. */
  function identified(event: ReceiverEvent) {
    const key = deliveryKey(event);
    const kept = key !== undefined && mustKeep(event.body) ? keptDelivery(event.body) : undefined;
    return { key, kept };
  }

  function keepDelivery(key: string, { person, body }: Kept, request: string) {
    const delivery = { key, person, payload: JSON.stringify(body), request, arrivedAt: now() };
    return inbox.keep(delivery, body.response_url);
  }

  /**
   * While this process stops, it leaves deliveries to another one, in the inbox. If there is none, the next start tells
   * who pressed a button. A command gets a message at once, and a form stays open.
   */
  async function isLeftToOthers(event: ReceiverEvent): Promise<boolean> {
    const { key, kept } = identified(event);
    if (key === undefined || !kept) return false;
    const { command, actions } = kept.body;
    const isLeft = actions !== undefined || (command !== undefined && (await hasOthers().catch(() => false)));
    return isLeft && (await keepDelivery(key, kept, randomId())) !== 'not-kept';
  }

  async function takeOver({ key, payload, request, arrivedAt, urlUses }: TakenDelivery): Promise<void> {
    const { response_url: url, ...body }: ReceiverEvent['body'] = JSON.parse(payload);
    const isUrlOpen = url !== undefined && urlUses < maxUrlUses;
    if (isUrlOpen) inbox.noteUrl(key, url);
    const whole = isUrlOpen ? { ...body, response_url: url } : body;
    const ack = () => work.waitForTurn();
    try {
      await run({ body: whole, ack, requestId: request, takenOver: { arrivedAt } });
    } finally {
      inbox.end(key);
    }
  }

  /**
   * A socket may close after its last envelope arrived. The listener must run even so, and the next socket can still
   * acknowledge the envelope.
   */
  function ackOverAnySocket({ ack, customProperties }: ReceiverEvent): ReceiverEvent['ack'] {
    const envelopeId: unknown = customProperties?.envelopeId;
    if (typeof envelopeId !== 'string') return ack;
    return async (answer) => {
      try {
        await ack(answer);
      } catch (error) {
        log.warn({ err: error }, 'A socket was lost before its last acknowledgement');
        void acknowledgeLater(envelopeId, typeof answer === 'string' ? { text: answer } : answer);
      }
    };
  }

  /** The next socket may open in a moment. */
  async function acknowledgeLater(envelopeId: string, answer: unknown): Promise<void> {
    for (const pause of acknowledgeRetryDelaysMs) {
      await wait(pause);
      if (acknowledgeOtherwise(envelopeId, answer)) return;
    }
  }

  function timed(event: ReceiverEvent, acknowledged: () => void): ReceiverEvent {
    const arrivedAt = performance.now();
    return {
      ...event,
      async ack(answer) {
        await event.ack(answer);
        acknowledged();
        onAcknowledged?.(performance.now() - arrivedAt);
      },
    };
  }

  function tracked(passing: Promise<void>): Promise<void> {
    running.add(passing);
    return passing.finally(() => running.delete(passing));
  }

  return {
    /**
     * Runs a delivery, unless it is a repetition.
     *
     * @throws AuthorizationError for a delivery from another workspace: status 401 over HTTP
     */
    pass(event: ReceiverEvent) {
      const acknowledged = work.arrived();
      return tracked(pass(timed(event, acknowledged)).finally(acknowledged));
    },
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
async function rejectWhileStopping({ body, ack }: ReceiverEvent): Promise<void> {
  if (body.event !== undefined) return;
  if (body.command !== undefined) return ack({ text: restarting });
  if (body.type === 'view_submission') return ack(rejectionResponse(body.view, [{ sentence: restarting }]));
  await ack(body.type === 'block_suggestion' ? { options: [] } : undefined);
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
  const { envelopeId, requestHash } = (customProperties ?? {}) as DeliveryProperties;
  if (envelopeId !== undefined) return `envelope ${envelopeId}`;
  return requestHash === undefined ? undefined : `request ${requestHash}`;
}

/** True if a delivery is from another workspace. A delivery that names no workspace counts as ours. */
function isFromAnotherTeam(body: ReceiverEvent['body'], teamId: string): boolean {
  const teams = teamsOf(body);
  return teams.length > 0 && !teams.includes(teamId);
}

function teamsOf(body: ReceiverEvent['body']): readonly string[] {
  // An event in a shared channel lists the workspaces that it is for.
  const authorizations: readonly unknown[] = Array.isArray(body.authorizations) ? body.authorizations : [];
  const named = [
    authorizations.flatMap((entry) => textIn(entry, 'team_id')),
    textIn(body, 'team_id'),
    // A view that was opened in a shared channel names the workspace where the app is installed.
    textIn(body.view, 'app_installed_team_id'),
    textIn(body.team, 'id'),
    textIn(body.user, 'team_id'),
  ];
  return named.find((teams) => teams.length > 0) ?? [];
}

function textIn(value: unknown, member: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const text: unknown = Reflect.get(value, member);
  return typeof text === 'string' && text !== '' ? [text] : [];
}

/** Work waits while several deliveries arrive or are acknowledged at shorter intervals than this, in milliseconds. */
const quietMs = 15;

/** Work waits this long for the acknowledgement of a delivery. Forms may take longer, because they ask Slack. */
const maxUnacknowledgedMs = 100;

const maxWaitMs = 1000;

/**
 * Slack waits three seconds for an acknowledgement, but much longer for an answer. So all commands that arrive together
 * are acknowledged before work begins. Then one piece of work begins at each turn of the event loop, and new deliveries
 * are read in between. The work for a delivery that arrives alone begins at once.
 */
export function serialQueue() {
  const waiting: { readonly since: number; readonly begin: () => void }[] = [];
  const unacknowledged = new Set<{ readonly since: number }>();
  let lastChange = Number.NEGATIVE_INFINITY;
  let severalArrive = false;
  let isScheduled = false;

  function beginNext(): void {
    isScheduled = false;
    const [first] = waiting;
    if (!first) return;
    const now = performance.now();
    const wait = Math.min(quietFrom(now), first.since + maxWaitMs) - now;
    if (wait > 0) {
      scheduleNext(wait);
      return;
    }
    waiting.shift();
    first.begin();
    scheduleNext(0);
  }

  /** When no delivery will have to be acknowledged, as far as is known now. */
  function quietFrom(now: number): number {
    if (!severalArrive) return now;
    const isAwaited = [...unacknowledged].some(({ since }) => now < since + maxUnacknowledgedMs);
    return isAwaited ? now + quietMs : lastChange + quietMs;
  }

  function scheduleNext(milliseconds: number): void {
    if (isScheduled) return;
    isScheduled = true;
    if (milliseconds > 0) setTimeout(beginNext, milliseconds);
    else setImmediate(beginNext);
  }

  return {
    /** Notes that a delivery has arrived. Call the function once it is acknowledged, or needs no acknowledgement. */
    arrived() {
      const delivery = { since: performance.now() };
      severalArrive = delivery.since < lastChange + quietMs;
      lastChange = delivery.since;
      unacknowledged.add(delivery);
      return () => {
        if (unacknowledged.delete(delivery)) lastChange = performance.now();
      };
    },
    /** Resolves when the work for a delivery may begin. */
    waitForTurn: () =>
      new Promise<void>((resolve) => {
        waiting.push({ since: performance.now(), begin: resolve });
        scheduleNext(0);
      }),
  };
}
