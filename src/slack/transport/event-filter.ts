import { setTimeout as wait } from 'node:timers/promises';
import { AuthorizationError, type ReceiverEvent } from '@slack/bolt';
import type { Log } from '../../logging/logger.js';
import { rejectionResponse } from '../modals/modal.js';
import type { DeliveryDeduplication } from './delivery-deduplication.js';

/** What stands before Bolt: everything that Slack delivers passes here, or does not. */
export interface EventFilter {
  /**
   * Runs what a delivery asks for, unless it came before.
   *
   * @throws AuthorizationError for a delivery from another workspace: status 401 over HTTP
   */
  pass(event: ReceiverEvent, run: (event: ReceiverEvent) => Promise<void>): Promise<void>;
  /** From now on only what is already running goes on. */
  close(): void;
  /** Resolves when nothing runs any more of what runs now. */
  idle(): Promise<unknown>;
}

export interface EventFilterParts {
  readonly teamId: string;
  readonly duplicates: DeliveryDeduplication;
  /** Acknowledges an envelope by another way than that by which it came. False where there is none. */
  readonly acknowledgeOtherwise: (envelopeId: string, answer: unknown) => boolean;
  readonly log: Log;
}

/** Slack waits three seconds for an acknowledgement. */
const acknowledgeRetryDelaysMs = [0, 50, 200, 750, 1500];

const restarting = 'Rollcall is restarting. Try again in a minute.';

export function createEventFilter({
  teamId,
  duplicates,
  acknowledgeOtherwise,
  log,
}: EventFilterParts): EventFilter {
  const running = new Set<Promise<void>>();
  const work = serialQueue();
  let closed = false;

  async function pass(event: ReceiverEvent, run: (event: ReceiverEvent) => Promise<void>): Promise<void> {
    const { body } = event;
    if (body.type === 'app_rate_limited') {
      log.warn('Slack holds events back: more than 30,000 came within an hour');
      return event.ack();
    }
    if (isFromAnotherTeam(body, teamId)) {
      log.warn('Something from another workspace was refused: one Rollcall serves one workspace');
      throw new AuthorizationError('Another workspace', new Error('Another workspace'));
    }
    if (closed) return rejectWhileStopping(event);
    if (!(await isNew(event))) {
      log.info('Slack delivered something a second time; it was not run again');
      return event.ack();
    }
    const acknowledge = survivingAck(event);
    await run({
      ...event,
      async ack(answer) {
        await acknowledge(answer);
        await work.waitForTurn();
      },
    });
  }

  async function isNew(event: ReceiverEvent): Promise<boolean> {
    const delivery = deliveryKey(event);
    if (!delivery) return true;
    const { key, mayBeRepeated: lasting } = delivery;
    return duplicates.isNew(key, { isRetry: event.retryNum !== undefined, lasting });
  }

  /**
   * An envelope may arrive as the last thing through its socket. It has arrived, though: what listens must not fail for
   * want of an acknowledgement, which the next socket may still deliver.
   */
  function survivingAck({ ack, customProperties }: ReceiverEvent): ReceiverEvent['ack'] {
    const envelopeId: unknown = customProperties?.envelopeId;
    if (typeof envelopeId !== 'string') return ack;
    return async (answer) => {
      try {
        await ack(answer);
      } catch (error) {
        log.warn({ err: error }, 'A socket was lost before its last acknowledgement');
        void sendElsewhere(envelopeId, typeof answer === 'string' ? { text: answer } : answer);
      }
    };
  }

  /** The next socket may stand in a moment. */
  async function sendElsewhere(envelopeId: string, answer: unknown): Promise<void> {
    for (const pause of acknowledgeRetryDelaysMs) {
      await wait(pause);
      if (acknowledgeOtherwise(envelopeId, answer)) return;
    }
  }

  return {
    pass(event, run) {
      work.noteArrival();
      const passing = pass(event, run);
      running.add(passing);
      return passing.finally(() => running.delete(passing));
    },
    close() {
      closed = true;
    },
    idle: () => Promise.allSettled(running),
  };
}

/** An event without an answer is delivered again, to the next process; a person gets a word, and keeps their form. */
async function rejectWhileStopping({ body, ack }: ReceiverEvent): Promise<void> {
  if (body.event !== undefined) return;
  if (body.command !== undefined) return ack({ text: restarting });
  if (body.type === 'view_submission') return ack(rejectionResponse(body.view, [{ sentence: restarting }]));
  await ack(body.type === 'block_suggestion' ? { options: [] } : undefined);
}

/** What Slack says about itself around what it delivers. */
interface PayloadEnvelope {
  readonly team_id?: unknown;
  readonly team?: unknown;
  readonly user?: unknown;
  readonly view?: unknown;
  readonly event_id?: unknown;
  readonly authorizations?: unknown;
}

/** What a receiver adds to an event, for telling one delivery from another. */
export interface DeliveryProperties {
  /** Socket Mode: the same for each delivery of one envelope. */
  readonly envelopeId?: string;
  /** HTTP: the same only for the very same request. */
  readonly signature?: string;
}

/** What tells one delivery from another. */
interface DeliveryKey {
  /** Equal for two deliveries of one thing. */
  readonly key: string;
  /** False where Slack itself never delivers twice, and only something on the way may. */
  readonly mayBeRepeated: boolean;
}

/** Undefined where nothing tells. */
function deliveryKey({ body, customProperties }: ReceiverEvent): DeliveryKey | undefined {
  const { event_id: eventId } = body as PayloadEnvelope;
  if (typeof eventId === 'string') return { key: `event ${eventId}`, mayBeRepeated: true };
  const { envelopeId, signature } = (customProperties ?? {}) as DeliveryProperties;
  if (envelopeId !== undefined) return { key: `envelope ${envelopeId}`, mayBeRepeated: true };
  return signature === undefined ? undefined : { key: `request ${signature}`, mayBeRepeated: false };
}

/** True when something comes from another workspace than ours. What names no workspace is taken for ours. */
function isFromAnotherTeam(body: PayloadEnvelope, teamId: string): boolean {
  const teams = teamsOf(body);
  return teams.length > 0 && !teams.includes(teamId);
}

function teamsOf(body: PayloadEnvelope): readonly string[] {
  // An event in a channel shared with another organization names the workspaces that it is meant for.
  if (Array.isArray(body.authorizations) && body.authorizations.length > 0) {
    return body.authorizations.flatMap((entry) => textIn(entry, 'team_id'));
  }
  if (typeof body.team_id === 'string') return [body.team_id];
  // A view that was opened from within a shared channel names the workspace where the app is installed.
  const [installed] = textIn(body.view, 'app_installed_team_id');
  if (installed !== undefined) return [installed];
  const [team] = textIn(body.team, 'id');
  return team === undefined ? textIn(body.user, 'team_id') : [team];
}

function textIn(value: unknown, member: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const text: unknown = Reflect.get(value, member);
  return typeof text === 'string' && text !== '' ? [text] : [];
}

/** Puts what has just arrived before the work for what arrived earlier. */
export interface SerialQueue {
  /** Something has arrived that wants to be acknowledged. */
  noteArrival(): void;
  /** Resolves when the work for it may begin. */
  waitForTurn(): Promise<void>;
}

/** While more keeps arriving within this time, in milliseconds, acknowledging it comes first. */
const quietMs = 15;

/** Nobody's work waits longer than this for quiet, in milliseconds: it has an answer to give as well. */
const maxWaitMs = 500;

/**
 * Slack gives up on a command after three seconds, and on its answer never: of commands that arrive together all are
 * acknowledged before the work for the first one begins. Then work begins one at each turn of the event loop, and
 * whatever arrives in between is read first.
 */
export function serialQueue(): SerialQueue {
  const waiting: { readonly since: number; readonly begin: () => void }[] = [];
  let lastArrival = Number.NEGATIVE_INFINITY;
  let looking = false;

  function look(): void {
    looking = false;
    const [first] = waiting;
    if (!first) return;
    const wait = Math.min(lastArrival + quietMs, first.since + maxWaitMs) - performance.now();
    if (wait > 0) {
      lookAgainAfter(wait);
      return;
    }
    waiting.shift();
    first.begin();
    lookAgainAfter(0);
  }

  function lookAgainAfter(milliseconds: number): void {
    if (looking) return;
    looking = true;
    if (milliseconds > 0) setTimeout(look, milliseconds);
    else setImmediate(look);
  }

  return {
    noteArrival() {
      lastArrival = performance.now();
    },
    waitForTurn: () =>
      new Promise((resolve) => {
        waiting.push({ since: performance.now(), begin: resolve });
        lookAgainAfter(0);
      }),
  };
}
