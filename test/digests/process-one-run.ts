import type { Digest, DigestRun } from '../../src/digests/digest.js';
import { watchOutages } from '../../src/scheduler/outages.js';
import type { PostRateLimiter } from '../../src/scheduler/post-rate-limiter.js';
import { processRun } from '../../src/scheduler/process-run.js';
import { type DigestTestWorkspace, withSlack } from './test-workspace.js';

const nobodyWaits: PostRateLimiter = {
  idleTurn: async () => {},
  turn: async () => {},
  waitingChannels: () => [],
  limited() {},
};

/** Processes runs one by one, so that a test can act during a run. */
export interface RunProcessor {
  /** Adds a run that is due now, and claims it. */
  begin(digest: Digest): Promise<DigestRun>;
  /** Claims a run that is ready. */
  claim(): Promise<DigestRun>;
  /** Processes a claimed run. Returns its new state. */
  finish(run: DigestRun): Promise<DigestRun>;
}

/** @param turn called when a run waits for its turn to post */
export function runProcessor(
  { parts: given, store, clock }: DigestTestWorkspace,
  turn: PostRateLimiter['turn'] = async () => {},
): RunProcessor {
  const parts = withSlack(given);
  const stopping = new AbortController();
  const outages = watchOutages(parts, () => {}, stopping.signal);
  const rateLimiter = { ...nobodyWaits, turn };
  const workshop = { parts, rateLimiter, outages, signal: stopping.signal };

  async function claim() {
    const order = { worker: parts.worker, now: clock.now(), leaseMs: 60_000, limit: 1, busyChannels: [] };
    const [run] = await store.ledger.claim(order);
    if (!run) throw new Error('Nothing waits that is ready');
    return run;
  }

  return {
    claim,
    async begin(digest) {
      await store.ledger.enterNow(digest, 'the same', clock.now());
      return claim();
    },
    async finish(run) {
      await processRun(run, workshop);
      const now = await store.ledger.find(run.id);
      if (!now) throw new Error('The run is gone');
      return now;
    },
  };
}

/** Calls `act` once, before the first matching call of a Slack method runs. */
export function before(
  { slack }: DigestTestWorkspace,
  method: string,
  act: () => void,
  isMeant: (args: { channel?: unknown }) => boolean = () => true,
): void {
  let isDone = false;
  const when = (args: { channel?: unknown }) => {
    if (!isDone && isMeant(args)) {
      isDone = true;
      act();
    }
    return false;
  };
  slack.faults.set(method, { kind: 'slow', milliseconds: 0 }, { when });
}
