import { setTimeout as wait } from 'node:timers/promises';
import { AuthorizationError, type ReceiverEvent } from '@slack/bolt';
import type { Log } from '../../logging/logger.js';
import { refusalOf } from '../modals/modal.js';
import type { Duplicates } from './duplicates.js';
import { deliveryKey, isFromAnotherTeam } from './envelope.js';
import { workInTurn } from './work-in-turn.js';

/** What stands before Bolt: everything that Slack delivers passes here, or does not. */
export interface Gate {
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

export interface GateParts {
  readonly teamId: string;
  readonly duplicates: Duplicates;
  /** Acknowledges an envelope by another way than that by which it came. False where there is none. */
  readonly acknowledgeElsewhere: (envelopeId: string, answer: unknown) => boolean;
  readonly log: Log;
}

/** Slack waits three seconds for an acknowledgement. */
const pausesBeforeSendingAgain = [0, 50, 200, 750, 1500];

const restarting = 'Rollcall is just restarting. Try again in a minute.';

export function openGate({ teamId, duplicates, acknowledgeElsewhere, log }: GateParts): Gate {
  const running = new Set<Promise<void>>();
  const work = workInTurn();
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
    if (closed) return turnAway(event);
    if (!(await isNew(event))) {
      log.info('Slack delivered something a second time; it was not run again');
      return event.ack();
    }
    const acknowledge = survivingAck(event);
    await run({
      ...event,
      async ack(answer) {
        await acknowledge(answer);
        await work.myTurn();
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
    for (const pause of pausesBeforeSendingAgain) {
      await wait(pause);
      if (acknowledgeElsewhere(envelopeId, answer)) return;
    }
  }

  return {
    pass(event, run) {
      work.arrived();
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
async function turnAway({ body, ack }: ReceiverEvent): Promise<void> {
  if (body.event !== undefined) return;
  if (body.command !== undefined) return ack({ text: restarting });
  if (body.type === 'view_submission') return ack(refusalOf(body.view, [{ sentence: restarting }]));
  await ack(body.type === 'block_suggestion' ? { options: [] } : undefined);
}
