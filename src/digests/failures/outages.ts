import { slackErrorCode } from '../../slack/connection/clients.js';
import type { Outage, OutageCause } from '../../store/digests-outages.js';
import type { DigestParts } from '../parts.js';
import { type Failure, failureOfSlack, toldAtOnce } from './failure.js';
import type { Why } from './words-for-codes.js';

/** Whose failure it looks like. */
export type Whose =
  /** Something that all digests need does not work. */
  | 'everybody'
  /** The service failed here, and nobody can tell yet whether it fails for others. */
  | 'perhaps everybody'
  | 'its own';

/** What does not work for anybody, as far as digests have noticed. */
export interface Outages {
  open(): readonly Outage[];
  /** Whether a run may be begun: all of them, one as a trial, or none. */
  mayRun(): 'all' | 'one' | 'none';
  /** A run was begun; during an outage that is the trial for now. */
  began(): void;
  /**
   * A run failed.
   *
   * @param question equal for runs that ask the same
   */
  failed(failure: Failure, why: Why, question: string): Promise<Whose>;
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

/** Seconds from a trial that failed to the next. The last bounds how long digests wait after everything works again. */
const trials = [5, 15, 30, 45] as const;

/** A trial that hangs holds the next one up for so long. */
const trialPatience = 45_000;

/** So many different questions have to fail in a row, or one so often, before it is not their own fault. */
const differentFailures = 2;
const triesOfOne = 3;

/** So long it is known that a question failed. */
const failuresKeptFor = 60 * 60_000;

type Parts = Pick<DigestParts, 'store' | 'clock' | 'monotonic' | 'log' | 'client' | 'admins'>;

export function watchOutages(parts: Parts, wake: () => void): Outages {
  const { store, clock, monotonic, log } = parts;
  const open = new Map<OutageCause, Outage>();
  const failing = new Map<string, { readonly since: number; tries: number }>();
  const tried = { service: 0, slack: 0 };
  const nextTrial = { service: 0, slack: 0 };
  let lastAnswer = Number.NEGATIVE_INFINITY;
  let toldFor = 0;

  async function begin(cause: OutageCause, why: Why) {
    if (open.has(cause)) return;
    open.set(cause, await store.digestOutages.begin(cause, why, clock.now()));
    tried[cause] = 0;
    toldFor = 0;
    nextTrial[cause] = monotonic() + trials[0] * 1000;
    log.error({ cause, code: why.code }, 'Digests wait: something that all of them need does not work');
  }

  async function end(cause: OutageCause) {
    const outage = open.get(cause);
    if (!outage) return;
    open.delete(cause);
    await store.digestOutages.end(cause, clock.now());
    await store.digestNotices.sayAgain('outage', outage.id, clock.now());
    await store.ledger.wakeAll(clock.now());
    log.info({ cause }, 'Digests go on: what they need works again');
    wake();
  }

  function trialFailed(cause: OutageCause) {
    tried[cause] += 1;
    const seconds = trials[Math.min(tried[cause], trials.length - 1)] ?? trials[0];
    nextTrial[cause] = monotonic() + seconds * 1000;
  }

  /** A trial came to its end without asking the service: the next may show more. */
  function trialSaidNothing() {
    nextTrial.service = Math.min(nextTrial.service, monotonic());
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

  /** How often a question has failed, unless others were answered since it began to. */
  function countFailure(question: string): number | undefined {
    const now = monotonic();
    for (const [one, { since }] of failing) if (since < now - failuresKeptFor) failing.delete(one);
    const known = failing.get(question) ?? { since: now, tries: 0 };
    known.tries += 1;
    failing.set(question, known);
    return known.since >= lastAnswer ? known.tries : undefined;
  }

  async function serviceFailed(why: Why, question: string): Promise<Whose> {
    if (open.has('service')) trialFailed('service');
    const tries = countFailure(question);
    if (tries === undefined) return open.size > 0 ? 'everybody' : 'its own';
    const unanswered = [...failing.values()].filter(({ since }) => since >= lastAnswer).length;
    if (toldAtOnce.has(why.code) || unanswered >= differentFailures || tries >= triesOfOne) {
      await begin('service', why);
    }
    return open.size > 0 ? 'everybody' : 'perhaps everybody';
  }

  return {
    open: () => [...open.values()],

    mayRun() {
      if (open.has('slack')) return 'none';
      if (!open.has('service')) return 'all';
      return monotonic() >= nextTrial.service ? 'one' : 'none';
    },

    began: () => {
      if (open.has('service')) nextTrial.service = monotonic() + trialPatience;
    },

    async failed({ kind }, why, question) {
      if (kind === 'service') return serviceFailed(why, question);
      trialSaidNothing();
      if (kind !== 'slack') return 'its own';
      await begin('slack', why);
      return 'everybody';
    },

    async serviceAnswered() {
      lastAnswer = monotonic();
      await end('service');
    },

    slackTook() {
      trialSaidNothing();
      return end('slack');
    },

    async look() {
      await tell();
      if (!open.has('slack') || monotonic() < nextTrial.slack) return;
      trialFailed('slack');
      await trySlack();
    },

    async load() {
      for (const outage of await store.digestOutages.open()) open.set(outage.cause, outage);
    },
  };
}
