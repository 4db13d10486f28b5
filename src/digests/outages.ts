import { slackErrorCode } from '../slack/connection/clients.js';
import type { Outage, OutageCause } from '../store/digests-outages.js';
import { type Failure, failureOfSlack, toldAtOnce } from './failure.js';
import type { DigestParts } from './parts.js';

/** What does not work for anybody, as far as digests have noticed. */
export interface Outages {
  open(): readonly Outage[];
  /** Whether a run may be begun: all of them, one as a trial, or none. */
  mayRun(): 'all' | 'one' | 'none';
  /** A run was begun; during an outage that was the trial for now. */
  began(): void;
  /** A run failed for a reason that is not its own. */
  failed(failure: Failure, sameAs: string, attempts: number): Promise<void>;
  /** The service gave a good answer, to whomever. */
  serviceAnswered(): Promise<void>;
  slackTook(): Promise<void>;
  /** Called again and again: tries Slack, and has told who is to be told. */
  look(): Promise<void>;
  /** What was open when the last process ended. */
  load(): Promise<void>;
}

/** An outage that may pass by itself is told after so long. */
const patience = 10 * 60_000;

/** Seconds between trials. */
const trials = [5, 15, 30, 60, 120, 300] as const;

/** So many different questions have to fail in a row, or one so often, before it is not their own fault. */
const differentFailures = 2;
const triesOfOne = 3;

type Parts = Pick<DigestParts, 'store' | 'clock' | 'monotonic' | 'log' | 'client' | 'admins'>;

export function watchOutages(parts: Parts, wake: () => void): Outages {
  const { store, clock, monotonic, log } = parts;
  const open = new Map<OutageCause, Outage>();
  const failing = new Set<string>();
  const tried = { service: 0, slack: 0 };
  const nextTrial = { service: 0, slack: 0 };
  let toldFor = 0;

  async function begin(cause: OutageCause, code: string) {
    if (open.has(cause)) return;
    open.set(cause, await store.digestOutages.begin(cause, code, clock.now()));
    tried[cause] = 0;
    toldFor = 0;
    nextTrial[cause] = monotonic() + trials[0] * 1000;
    log.error({ cause, code }, 'Digests wait: something that all of them need does not work');
  }

  async function end(cause: OutageCause) {
    if (!open.delete(cause)) return;
    await store.digestOutages.end(cause, clock.now());
    await store.ledger.wakeAll(clock.now());
    log.info({ cause }, 'Digests go on: what they need works again');
    wake();
  }

  function postpone(cause: OutageCause) {
    tried[cause] += 1;
    nextTrial[cause] = monotonic() + (trials[Math.min(tried[cause], trials.length - 1)] ?? 300) * 1000;
  }

  async function trySlack() {
    try {
      await parts.client.auth.test();
      await end('slack');
    } catch (error) {
      const { kind } = failureOfSlack(slackErrorCode(error));
      if (kind === 'own') await end('slack');
    }
  }

  async function tell() {
    if (open.size === 0 || monotonic() < toldFor) return;
    toldFor = monotonic() + 15_000;
    for (const { id, code, since } of open.values()) {
      if (!toldAtOnce.has(code) && clock.now() - since < patience) continue;
      const owners = await store.ledger.waitingOwners();
      for (const recipient of new Set([...parts.admins, ...owners])) {
        await store.digestNotices.add({ recipient, kind: 'outage', subject: id }, clock.now());
      }
    }
  }

  return {
    open: () => [...open.values()],

    mayRun() {
      if (open.has('slack')) return 'none';
      if (!open.has('service')) return 'all';
      return monotonic() >= nextTrial.service ? 'one' : 'none';
    },

    began: () => {
      if (open.has('service')) postpone('service');
    },

    async failed({ kind, code }, sameAs, attempts) {
      if (kind === 'slack') return begin('slack', code);
      if (kind !== 'service') return;
      failing.add(sameAs);
      if (toldAtOnce.has(code) || failing.size >= differentFailures || attempts >= triesOfOne) {
        await begin('service', code);
      }
    },

    async serviceAnswered() {
      failing.clear();
      await end('service');
    },

    slackTook: () => end('slack'),

    async look() {
      await tell();
      if (!open.has('slack') || monotonic() < nextTrial.slack) return;
      postpone('slack');
      await trySlack();
    },

    async load() {
      for (const outage of await store.digestOutages.open()) open.set(outage.cause, outage);
    },
  };
}
