import type { Log } from '../../logging/logger.js';
import type { SeenEnvelopes } from '../../store/slack/seen-deliveries.js';

/** Maximum keys in memory. Slack repeats most deliveries within minutes. */
const maxInMemory = 20_000;

const writeDelayMs = 200;

const maxBatch = 200;

/**
 * Recognizes deliveries that Slack repeats. Their keys stay in memory, and are written to the store shortly after,
 * but for those in the inbox. Writing first would be wrong: a crash after the write would lose the delivery, because its
 * repetition would be ignored. A durable write also takes as long as the rest of an acknowledgement.
 */
export async function createDeliveryDeduplication(seen: SeenEnvelopes, now: () => number, log: Log) {
  const known = new Set(await seen.latest(maxInMemory));
  let unwritten: { envelope: string; seenAt: number }[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    timer = undefined;
    while (unwritten.length > 0) {
      const batch = unwritten.slice(0, maxBatch);
      unwritten = unwritten.slice(maxBatch);
      try {
        await seen.add(batch);
      } catch (error) {
        log.warn({ err: error }, 'Deliveries could not be saved; one may run twice after a restart');
        // They are written with the next delivery, when the disk may have room again.
        unwritten = [...batch, ...unwritten].slice(-maxInMemory);
        return;
      }
    }
  }

  function add(key: string): void {
    unwritten.push({ envelope: key, seenAt: now() });
    timer ??= setTimeout(write, writeDelayMs);
  }

  return {
    /**
     * True for the first call with a key.
     *
     * @param how `isRetry`: Slack marks the delivery as repeated. `isKept`: the inbox stores its key
     */
    async isNew(
      key: string,
      { isRetry, isKept = false }: { readonly isRetry: boolean; readonly isKept?: boolean },
    ): Promise<boolean> {
      if (known.has(key)) return false;
      known.add(key);
      const [oldest] = known;
      if (known.size > maxInMemory && oldest !== undefined) known.delete(oldest);
      // Slack may repeat it hours later, when it is no longer in memory.
      if (isRetry && (await seen.has(key))) return false;
      if (!isKept) add(key);
      return true;
    },
    /** Adds a key that the inbox does not store. */
    add,
    /** Writes the remaining keys to the store, and stops. */
    async stop() {
      clearTimeout(timer);
      await write();
    },
  };
}

export type DeliveryDeduplication = Awaited<ReturnType<typeof createDeliveryDeduplication>>;
