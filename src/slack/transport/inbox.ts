import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../logging/logger.js';
import type { PostedMessage } from '../../posts/post.js';
import type { Inbox, NewDelivery, SeenDeliveries } from '../../store/requests/inbox.js';
import type { Clock } from '../../time/clock.js';

/** `repeated`: this or another process had it before. `not-kept`: the database did not take it in time. */
type KeepOutcome = 'kept' | 'repeated' | 'not-kept';

/** Slack waits three seconds for an acknowledgement. A database that takes longer than this must not use them up. */
const maxWaitMs = 1_500;

const maxBatch = 128;

/** A write waits for the disk, so it first waits for further deliveries, at most this long. */
const maxGatherMs = 10;

/**
 * In a burst, Slack sends more as soon as it has acknowledgements. A batch waits for as many deliveries as the larger of
 * the two before had, at most this long. Otherwise the first of them would be written alone, and the rest after it.
 */
const maxBurstWaitMs = 2;

/** A burst is over if nothing was written for this long. */
const burstEndMs = 20;

const retryMs = 1_000;

const notSaved = 'Deliveries could not be put into the inbox yet; until they are, they end with this process';

interface Waiting extends NewDelivery {
  /** Absent where the delivery was acknowledged without the inbox. */
  readonly done?: (outcome: KeepOutcome) => void;
}

/**
 * Writes deliveries in batches: those of one turn of the event loop share a statement, and so do those that arrive while
 * the one before is written, and those of a burst.
 *
 * @param membership `isLost`: true once other processes may take over the work of this one
 */
export function inboxDeliveries(store: Inbox, membership: { readonly isLost: boolean }, log: Log) {
  const arrived: Waiting[] = [];
  /** In work, and not in the inbox yet. */
  const unsaved = new Map<string, NewDelivery>();
  let ended: string[] = [];
  let writing: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let sizesBefore: readonly [number, number] = [0, 0];
  let writtenAt = Number.NEGATIVE_INFINITY;
  /** Response URLs, by the keys of their deliveries. */
  const urls = new Map<string, string>();

  function write(): void {
    writing ??= writeAll();
  }

  async function writeAll(): Promise<void> {
    // Deliveries that end in one turn of the event loop share a write.
    if (arrived.length === 0) await nextTurn();
    for (;;) {
      if (arrived.length > 0) {
        await gather();
        await addArrived();
      } else if (ended.length > 0 && !retry) await endEnded();
      else break;
    }
    writing = undefined;
  }

  async function gather(): Promise<void> {
    const since = performance.now();
    const expected = since < writtenAt + burstEndMs ? Math.max(...sizesBefore) : 0;
    for (let isWaiting = true; isWaiting && arrived.length < maxBatch; ) {
      const before = arrived.length;
      await nextTurn();
      const waited = performance.now() - since;
      isWaiting =
        (arrived.length > before && waited < maxGatherMs) ||
        (arrived.length < expected && waited < maxBurstWaitMs);
    }
  }

  async function addArrived(): Promise<void> {
    const batch = arrived.splice(0, maxBatch);
    try {
      const added = await store.add(batch);
      for (const { key, done } of batch) {
        unsaved.delete(key);
        done?.(added.has(key) ? 'kept' : 'repeated');
      }
    } catch (err) {
      if (batch.some(({ done }) => done)) log.warn({ err }, notSaved);
      for (const { done } of batch) done?.('not-kept');
      writeLater();
    }
    sizesBefore = [sizesBefore[1], batch.length];
    writtenAt = performance.now();
  }

  async function endEnded(): Promise<void> {
    const batch = ended.splice(0, maxBatch);
    try {
      if (!membership.isLost) await store.end(batch);
    } catch (err) {
      log.warn({ err }, 'Deliveries could not be taken out of the inbox; Rollcall tries again');
      ended = [...batch, ...ended];
      writeLater();
    }
  }

  function writeLater(): void {
    retry ??= setTimeout(() => {
      retry = undefined;
      const waiting = new Set(arrived.map(({ key }) => key));
      // Once others have taken over, they would take these for work of a process that has ended.
      if (!membership.isLost)
        for (const delivery of unsaved.values()) if (!waiting.has(delivery.key)) arrived.push(delivery);
      write();
    }, retryMs);
  }

  /** A detail that helps another process to continue the work. It can do so without it. */
  const note = (saving: Promise<void>) =>
    void saving.catch((err: unknown) => log.warn({ err }, 'A detail of a delivery could not be saved'));

  return {
    /** @param url the response URL of the delivery */
    keep(delivery: NewDelivery, url?: string): Promise<KeepOutcome> {
      if (url !== undefined) urls.set(delivery.key, url);
      return new Promise((resolve) => {
        unsaved.set(delivery.key, delivery);
        const timer = setTimeout(() => resolve('not-kept'), maxWaitMs);
        arrived.push({
          ...delivery,
          done(outcome) {
            clearTimeout(timer);
            resolve(outcome);
          },
        });
        write();
      });
    },
    /** Adds the response URL of a delivery that was taken over from an ended process. */
    noteUrl: (key: string, url: string) => void urls.set(key, url),
    /** Ends a delivery. It is written shortly after. */
    end(key: string) {
      urls.delete(key);
      unsaved.delete(key);
      ended.push(key);
      write();
    },
    /** Deliveries in work that end with this process, because the inbox does not have them. */
    unsaved: () => [...unsaved.values()],
    urlUsed(url: string) {
      for (const [key, noted] of urls) if (noted === url) note(store.countUrlUse(key));
    },
    progressShown(request: string, message: PostedMessage) {
      note(store.saveProgress(request, message));
    },
    /** Writes what is left. */
    async stop() {
      clearTimeout(retry);
      retry = undefined;
      write();
      await writing;
      clearTimeout(retry);
    },
  };
}

export type InboxDeliveries = ReturnType<typeof inboxDeliveries>;

/** Maximum keys in memory. Slack repeats most deliveries within minutes. */
const maxInMemory = 20_000;

const writeDelayMs = 200;

const maxSeenBatch = 200;

/**
 * Recognizes deliveries that Slack repeats. Their keys stay in memory, and are written to the store shortly after,
 * but for those in the inbox. Writing first would be wrong: a crash after the write would lose the delivery, because its
 * repetition would be ignored. A durable write also takes as long as the rest of an acknowledgement.
 */
export async function createDeliveryDeduplication(
  seen: Omit<SeenDeliveries, 'claim'>,
  clock: Pick<Clock, 'now'>,
  log: Log,
) {
  const known = new Set(await seen.latest(maxInMemory));
  let unwritten: { envelope: string; seenAt: number }[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    timer = undefined;
    while (unwritten.length > 0) {
      const batch = unwritten.slice(0, maxSeenBatch);
      unwritten = unwritten.slice(maxSeenBatch);
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
    unwritten.push({ envelope: key, seenAt: clock.now() });
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
