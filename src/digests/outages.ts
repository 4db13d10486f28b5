import { circuitBreaker, countFailures } from './circuit-breaker.js';
import { type Failure, type FailureReason, notifiedAtOnce, stopsEveryPost } from './failure.js';
import { notifyOutages } from './outage-notifications.js';
import type { DigestParts } from './ports.js';
import type { Outage, OutageCause } from './store-ports.js';

/** Whose failure it looks like. */
type FailureScope =
  /** Something that all digests need does not work. */
  | 'all'
  /** The service failed here, and nobody can tell yet whether it fails for others. */
  | 'possibly-all'
  | 'own';

/** What was begun. */
type AttemptKind = 'run' | 'message';

/** Where something failed. */
interface FailedAt {
  /** Where it was to be posted, or who was to be told. */
  readonly channel: string;
  /** Equal for runs that ask the service the same; absent for direct messages. */
  readonly request?: string;
}

/** What does not work for anybody, as far as digests have noticed. */
export interface Outages {
  open(): readonly Outage[];
  /** Whether a run may be begun: all of them, one as a trial, or none. */
  mayRun(): 'all' | 'one' | 'none';
  /** Whether somebody may be told something: while Slack takes no posts, that is a trial as well. */
  mayNotify(): boolean;
  /** A run was begun, or a direct message; during an outage that is the trial for now. */
  started(what: AttemptKind): void;
  failed(failure: Failure, why: FailureReason, at: FailedAt): Promise<FailureScope>;
  /** The service gave a good answer, to whomever. */
  serviceAnswered(): Promise<void>;
  /** Slack took a post to that channel, or a direct message to somebody. */
  slackAccepted(what: AttemptKind, channel: string): Promise<void>;
  /** Called again and again. What it begins goes on beside everything else. */
  check(): void;
  /** What was open when the last process ended. */
  load(): Promise<void>;
  /** Resolves when nobody is being told any more. */
  done(): Promise<void>;
}

/** So many different ones have to fail in a row, or one question so often, before it is not their own fault. */
const minDistinctFailures = 2;
const minAttemptsOfOneRequest = 3;

type Parts = Pick<DigestParts, 'store' | 'clock' | 'monotonic' | 'log' | 'poster' | 'admins'>;

/** @param wake told when more may be begun than a moment ago */
export function watchOutages(parts: Parts, wake: () => void, signal: AbortSignal): Outages {
  const { store, clock, monotonic, log } = parts;
  const open = new Map<OutageCause, Outage>();
  const questions = countFailures(monotonic);
  const channels = countFailures(monotonic);
  const breakers = { service: circuitBreaker(monotonic), slack: circuitBreaker(monotonic) };
  const teller = notifyOutages(parts, signal);
  /** Whether Slack knows the bot's token. That shows no more than that a post is worth trying. */
  let token: 'unchecked' | 'checking' | 'accepted' = 'unchecked';

  async function begin(cause: OutageCause, why: FailureReason) {
    if (open.has(cause)) return;
    const { outage, state } = await store.digestOutages.begin(cause, why, clock.now());
    open.set(cause, outage);
    breakers[cause].open(state === 'reopened');
    teller.checkSoon();
    // Some may have been told that it is over.
    if (state === 'reopened') await store.digestNotifications.resend('outage', outage.id, clock.now());
    log.error({ cause, code: why.code }, 'Digests wait: something that all of them need does not work');
  }

  async function end(cause: OutageCause) {
    const outage = open.get(cause);
    if (!outage) return;
    open.delete(cause);
    await store.digestOutages.end(cause, clock.now());
    await store.digestNotifications.resend('outage', outage.id, clock.now());
    await store.ledger.makeReady(clock.now());
    log.info({ cause }, 'Digests go on: what they need works again');
    wake();
  }

  async function serviceFailed(why: FailureReason, question: string): Promise<FailureScope> {
    if (open.has('service')) breakers.service.probeFailed();
    const suspected = questions.failed(question);
    if (suspected === 'own') return open.size > 0 ? 'all' : 'own';
    const isEverybodys =
      suspected.distinct >= minDistinctFailures || suspected.attempts >= minAttemptsOfOneRequest;
    if (notifiedAtOnce.has(why.code) || isEverybodys) await begin('service', why);
    return open.size > 0 ? 'all' : 'possibly-all';
  }

  /** One channel may be refused for ever what others get: however often it is, that alone concerns nobody else. */
  async function slackFailed(failure: Failure, why: FailureReason, channel: string): Promise<FailureScope> {
    if (open.has('slack')) breakers.slack.probeFailed();
    const suspected = channels.failed(channel);
    if (suspected === 'own') return 'own';
    if (stopsEveryPost(failure) || suspected.distinct >= minDistinctFailures) await begin('slack', why);
    return open.has('slack') ? 'all' : 'own';
  }

  function mayTrySlack(): boolean {
    return token === 'accepted' && breakers.slack.isProbeDue();
  }

  /** Nobody waits for it: it may hang. */
  async function askAboutToken() {
    token = 'checking';
    const isAccepted = await parts.poster.isTokenAccepted();
    token = isAccepted ? 'accepted' : 'unchecked';
    if (isAccepted) wake();
    else breakers.slack.probeFailed();
  }

  return {
    open: () => [...open.values()],

    mayRun() {
      if (open.has('slack') && !mayTrySlack()) return 'none';
      if (open.has('service') && !breakers.service.isProbeDue()) return 'none';
      return open.size === 0 ? 'all' : 'one';
    },

    mayNotify: () => !open.has('slack') || mayTrySlack(),

    started(what) {
      if (open.has('service') && what === 'run') breakers.service.probeStarted();
      if (!open.has('slack')) return;
      breakers.slack.probeStarted();
      token = 'unchecked';
    },

    async failed(failure, why, { channel, request }) {
      if (failure.kind === 'service') return serviceFailed(why, request ?? channel);
      if (request !== undefined) breakers.service.probeInconclusive();
      if (failure.kind === 'slack') return slackFailed(failure, why, channel);
      breakers.slack.probeInconclusive();
      return 'own';
    },

    async serviceAnswered() {
      questions.succeeded();
      await end('service');
    },

    async slackAccepted(what, channel) {
      if (what === 'run') breakers.service.probeInconclusive();
      channels.succeeded(channel);
      await end('slack');
    },

    check() {
      teller.check([...open.values()]);
      if (open.has('slack') && token === 'unchecked' && breakers.slack.isProbeDue()) void askAboutToken();
    },

    async load() {
      for (const outage of await store.digestOutages.open()) open.set(outage.cause, outage);
    },

    done: teller.done,
  };
}
