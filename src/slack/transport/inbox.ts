import type { Log } from '../../logging/logger.js';
import type { PostedMessage } from '../../posts/post.js';
import type { Inbox, NewDelivery } from '../../store/slack/inbox.js';

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

/**
 * Writes deliveries in batches: those of one turn of the event loop share a statement, and so do those that arrive while
 * the one before is written, and those of a burst.
 *
 * @param isLost true if other processes may take over the work of this one
 */
export function inboxDeliveries(store: Inbox, isLost: () => boolean, log: Log) {
  interface Waiting {
    readonly delivery: NewDelivery;
    /** The database refused it before. */
    readonly isRepeat?: boolean;
    readonly done: (outcome: KeepOutcome) => void;
  }
  const arrived: Waiting[] = [];
  /** Acknowledged and in work, but not in the inbox yet. */
  let unsaved: Waiting[] = [];
  let ended: string[] = [];
  let writing: Promise<void> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let sizesBefore: readonly [number, number] = [0, 0];
  let writtenAt = Number.NEGATIVE_INFINITY;
  /** Response URLs, by the keys of their deliveries. */
  const urls = new Map<string, string>();

  async function addArrived(): Promise<void> {
    const batch = arrived.splice(0, maxBatch);
    try {
      const added = await store.add(batch.map(({ delivery }) => delivery));
      for (const { delivery, done } of batch) done(added.has(delivery.key) ? 'kept' : 'repeated');
    } catch (err) {
      if (batch.some(({ isRepeat }) => !isRepeat)) log.warn({ err }, notSaved);
      for (const { done } of batch) done('not-kept');
      const over = new Set(ended);
      const left = batch.filter(({ delivery }) => !over.has(delivery.key));
      unsaved.push(...left.map((one) => ({ ...one, isRepeat: true })));
      writeLater();
    }
    sizesBefore = [sizesBefore[1], batch.length];
    writtenAt = performance.now();
  }

  async function endEnded(): Promise<void> {
    const batch = ended.splice(0, maxBatch);
    try {
      if (!isLost()) await store.end(batch);
    } catch (err) {
      log.warn({ err }, 'Deliveries could not be taken out of the inbox; Rollcall tries again');
      ended = [...batch, ...ended];
      writeLater();
      throw err;
    }
  }

  function writeLater(): void {
    retry ??= setTimeout(() => {
      retry = undefined;
      // Others have taken over by now, and know nothing of these.
      if (!isLost()) arrived.push(...unsaved.splice(0));
      write();
    }, retryMs);
  }

  async function gather(): Promise<void> {
    const since = performance.now();
    const expected = since < writtenAt + burstEndMs ? Math.max(...sizesBefore) : 0;
    for (let isWaiting = true; isWaiting && arrived.length < maxBatch; ) {
      const before = arrived.length;
      await new Promise((resolve) => setImmediate(resolve));
      const waited = performance.now() - since;
      isWaiting =
        (arrived.length > before && waited < maxGatherMs) ||
        (arrived.length < expected && waited < maxBurstWaitMs);
    }
  }

  async function writeAll(): Promise<void> {
    // Deliveries that end in one turn of the event loop share a write.
    if (arrived.length === 0) await new Promise((resolve) => setImmediate(resolve));
    while (arrived.length > 0) {
      await gather();
      await addArrived();
    }
    while (ended.length > 0 && arrived.length === 0) await endEnded();
  }

  function write(): void {
    writing ??= writeAll()
      .catch(() => {})
      .finally(() => {
        writing = undefined;
        if (arrived.length > 0 || (ended.length > 0 && !retry)) write();
      });
  }

  /** A detail that helps another process to continue the work. It can do so without it. */
  const note = (saving: Promise<void>) =>
    void saving.catch((err: unknown) => log.warn({ err }, 'A detail of a delivery could not be saved'));

  return {
    /** @param url the response URL of the delivery */
    keep(delivery: NewDelivery, url?: string): Promise<KeepOutcome> {
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          log.warn({}, 'The database took too long, so a delivery was acknowledged before it was saved');
          resolve('not-kept');
        }, maxWaitMs);
        arrived.push({
          delivery,
          done(outcome) {
            clearTimeout(timer);
            resolve(outcome);
          },
        });
        if (url !== undefined) urls.set(delivery.key, url);
        write();
      });
    },
    /** Adds the response URL of a delivery that was taken over from an ended process. */
    noteUrl: (key: string, url: string) => void urls.set(key, url),
    /** Ends a delivery. It is written shortly after. */
    end(key: string) {
      urls.delete(key);
      unsaved = unsaved.filter(({ delivery }) => delivery.key !== key);
      ended.push(key);
      write();
    },
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
      await writing;
      if (ended.length > 0) await endEnded().catch(() => clearTimeout(retry));
    },
  };
}

export type InboxDeliveries = ReturnType<typeof inboxDeliveries>;
