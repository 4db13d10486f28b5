import type { Log } from '../../logging/logger.js';
import type { SeenEnvelopes } from '../../store/slack/seen-deliveries.js';

/** How many deliveries are remembered without asking the store. Slack's quick repetitions come within minutes. */
const maxInMemory = 20_000;

/** How many are taken over from the run before. */
const maxLoaded = 2000;

/** How long the store may lag behind, in milliseconds. */
const writeDelayMs = 200;

/** Tells deliveries that came before from new ones. */
export interface DeliveryDeduplication {
  /**
   * True for the first to ask.
   *
   * @param isRetry Slack says that it delivers this again
   * @param lasting also over a restart: Slack repeats events for hours, and a request over HTTP not at all
   */
  isNew(key: string, how: { readonly isRetry: boolean; readonly lasting: boolean }): Promise<boolean>;
  /** Writes what the store does not know yet, and stops. */
  stop(): Promise<void>;
}

/**
 * Remembers what was delivered: at once in memory, and soon after in the store, which answers for what came before a
 * restart. Not the other way round, since a delivery that is written down and then lost in a crash would be taken for
 * done when Slack repeats it, and because a durable write costs as much as all the rest of an acknowledgement.
 */
export async function createDeliveryDeduplication(
  seen: SeenEnvelopes,
  now: () => number,
  log: Log,
): Promise<DeliveryDeduplication> {
  const known = new Set(await seen.latest(maxLoaded));
  let unwritten: { envelope: string; seenAt: number }[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    timer = undefined;
    const written = unwritten;
    unwritten = [];
    await seen.remember(written).catch((error: unknown) => {
      log.warn({ err: error }, 'Deliveries could not be written down; one may run twice after a restart');
    });
  }

  return {
    async isNew(key, { isRetry, lasting }) {
      if (known.has(key)) return false;
      known.add(key);
      if (known.size > maxInMemory) forgetOldest(known);
      if (!lasting) return true;
      // Slack may repeat after hours what memory does not hold any more.
      if (isRetry && (await seen.has(key))) return false;
      unwritten.push({ envelope: key, seenAt: now() });
      timer ??= setTimeout(write, writeDelayMs);
      return true;
    },

    async stop() {
      clearTimeout(timer);
      await write();
    },
  };
}

function forgetOldest(known: Set<string>): void {
  for (const key of known) {
    known.delete(key);
    return;
  }
}
