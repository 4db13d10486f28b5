import { circuitBreaker, countFailures } from './circuit-breaker.js';
import { type Failure, type FailureReason, notifiedAtOnce, stopsEveryPost } from './failure.js';
import { notifyOutages } from './outage-notifications.js';
import type { DigestParts } from './ports.js';
import type { Outage, OutageCause } from './store-ports.js';

/** Whose failure it looks like. */
type Whose =
  /** Something that all digests need does not work. */
  | 'everybody'
  /** The service failed here, and nobody can tell yet whether it fails for others. */
  | 'perhaps everybody'
  | 'its own';

/** What was begun. */
type Begun = 'run' | 'message';

/** Where something failed. */
interface FailedAt {
  /** Where it was to be posted, or who was to be told. */
  readonly channel: string;
  /** Equal for runs that ask the service the same; absent for direct messages. */
  readonly question?: string;
}

/** What does not work for anybody, as far as digests have noticed. */
export interface Outages {
  open(): readonly Outage[];
  /** Whether a run may be begun: all of them, one as a trial, or none. */
  mayRun(): 'all' | 'one' | 'none';
  /** Whether somebody may be told something: while Slack takes no posts, that is a trial as well. */
  mayTell(): boolean;
  /** A run was begun, or a direct message; during an outage that is the trial for now. */
  began(what: Begun): void;
  failed(failure: Failure, why: FailureReason, at: FailedAt): Promise<Whose>;
  /** The service gave a good answer, to whomever. */
  serviceAnswered(): Promise<void>;
  /** Slack took a post to that channel, or a direct message to somebody. */
  slackTook(what: Begun, channel: string): Promise<void>;
  /** Called again and again. What it begins goes on beside everything else. */
  look(): void;
  /** What was open when the last process ended. */
  load(): Promise<void>;
  /** Resolves when nobody is being told any more. */
  done(): Promise<void>;
}

/** So many different ones have to fail in a row, or one question so often, before it is not their own fault. */
const differentFailures = 2;
const triesOfOneQuestion = 3;

type Parts = Pick<DigestParts, 'store' | 'clock' | 'monotonic' | 'log' | 'poster' | 'admins'>;

/** @param wake told when more may be begun than a moment ago */
export function watchOutages(parts: Parts, wake: () => void, signal: AbortSignal): Outages {
  const { store, clock, monotonic, log } = parts;
  const open = new Map<OutageCause, Outage>();
  const questions = countFailures(monotonic);
  const channels = countFailures(monotonic);
  const trials = { service: circuitBreaker(monotonic), slack: circuitBreaker(monotonic) };
  const teller = notifyOutages(parts, signal);
  /** Whether Slack knows the bot's token. That shows no more than that a post is worth trying. */
  let token: 'not asked' | 'asking' | 'known' = 'not asked';

  async function begin(cause: OutageCause, why: FailureReason) {
    if (open.has(cause)) return;
    const { outage, began } = await store.digestOutages.begin(cause, why, clock.now());
    open.set(cause, outage);
    trials[cause].start(began === 'again');
    teller.hurry();
    // Some may have been told that it is over.
    if (began === 'again') await store.digestNotifications.resend('outage', outage.id, clock.now());
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

  async function serviceFailed(why: FailureReason, question: string): Promise<Whose> {
    if (open.has('service')) trials.service.failed();
    const doubt = questions.failed(question);
    if (doubt === 'its own') return open.size > 0 ? 'everybody' : 'its own';
    const isEverybodys = doubt.different >= differentFailures || doubt.tries >= triesOfOneQuestion;
    if (notifiedAtOnce.has(why.code) || isEverybodys) await begin('service', why);
    return open.size > 0 ? 'everybody' : 'perhaps everybody';
  }

  /** One channel may be refused for ever what others get: however often it is, that alone concerns nobody else. */
  async function slackFailed(failure: Failure, why: FailureReason, channel: string): Promise<Whose> {
    if (open.has('slack')) trials.slack.failed();
    const doubt = channels.failed(channel);
    if (doubt === 'its own') return 'its own';
    if (stopsEveryPost(failure) || doubt.different >= differentFailures) await begin('slack', why);
    return open.has('slack') ? 'everybody' : 'its own';
  }

  function mayTrySlack(): boolean {
    return token === 'known' && trials.slack.isDue();
  }

  /** Nobody waits for it: it may hang. */
  async function askAboutToken() {
    token = 'asking';
    const isAccepted = await parts.poster.isTokenAccepted();
    token = isAccepted ? 'known' : 'not asked';
    if (isAccepted) wake();
    else trials.slack.failed();
  }

  return {
    open: () => [...open.values()],

    mayRun() {
      if (open.has('slack') && !mayTrySlack()) return 'none';
      if (open.has('service') && !trials.service.isDue()) return 'none';
      return open.size === 0 ? 'all' : 'one';
    },

    mayTell: () => !open.has('slack') || mayTrySlack(),

    began(what) {
      if (open.has('service') && what === 'run') trials.service.began();
      if (!open.has('slack')) return;
      trials.slack.began();
      token = 'not asked';
    },

    async failed(failure, why, { channel, question }) {
      if (failure.kind === 'service') return serviceFailed(why, question ?? channel);
      if (question !== undefined) trials.service.saidNothing();
      if (failure.kind === 'slack') return slackFailed(failure, why, channel);
      trials.slack.saidNothing();
      return 'its own';
    },

    async serviceAnswered() {
      questions.wentWell();
      await end('service');
    },

    async slackTook(what, channel) {
      if (what === 'run') trials.service.saidNothing();
      channels.wentWell(channel);
      await end('slack');
    },

    look() {
      teller.look([...open.values()]);
      if (open.has('slack') && token === 'not asked' && trials.slack.isDue()) void askAboutToken();
    },

    async load() {
      for (const outage of await store.digestOutages.open()) open.set(outage.cause, outage);
    },

    done: teller.done,
  };
}
