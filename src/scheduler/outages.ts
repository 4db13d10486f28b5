import { type FailureReason, notifiedAtOnce, type RunFailure, stopsEveryPost } from '../digests/failure.js';
import type { Outage, OutageCause } from '../digests/outage.js';
import { circuitBreaker, countFailures } from './circuit-breaker.js';
import { notifyOutages } from './outage-notifications.js';
import type { DigestParts } from './ports.js';

/** How many digests a failure affects. */
type FailureScope =
  /** A dependency of all digests is down. */
  | 'all'
  /** The service failed, but one failure does not show whether others fail too. */
  | 'possibly-all'
  | 'own';

type AttemptKind = 'run' | 'message';

/** An outage begins after failures of this many requests or channels, or this many attempts of one request. */
const minDistinctFailures = 2;
const minAttemptsOfOneRequest = 3;

const installedUnsaved = 'A new installation could not be noted. The next start notes it';

/**
 * Detects outages of the Reporting Service and Slack from the failures of digests, and ends them after a success.
 *
 * @param wake called when more runs may start
 */
export function watchOutages(parts: DigestParts, wake: () => void, signal: AbortSignal) {
  const { store, clock, monotonic, log } = parts;
  const open = new Map<OutageCause, Outage>();
  const requests = countFailures(monotonic);
  const channels = countFailures(monotonic);
  const breakers = { service: circuitBreaker(monotonic), slack: circuitBreaker(monotonic) };
  const notifier = notifyOutages(parts, signal);
  /** An accepted token does not prove that posts work, only that a probe makes sense. */
  let token: 'unchecked' | 'checking' | 'accepted' = 'unchecked';
  /** Slack reported it. If Slack accepts the token again, the app was installed anew. */
  let wasTokenRefused = false;

  async function begin(cause: OutageCause, reason: FailureReason) {
    if (open.has(cause)) return;
    const { outage, state } = await store.digestOutages.begin(cause, reason, clock.now());
    open.set(cause, outage);
    breakers[cause].open(state === 'reopened');
    notifier.checkSoon();
    // Some people may have read that the outage is over.
    if (state === 'reopened') await store.digestNotifications.resend('outage', outage.id, clock.now());
    log.error({ cause, code: reason.code }, 'An outage began; digests wait');
  }

  async function end(cause: OutageCause) {
    const outage = open.get(cause);
    if (!outage) return;
    open.delete(cause);
    await store.digestOutages.end(cause, clock.now());
    await store.digestNotifications.resend('outage', outage.id, clock.now());
    await store.ledger.makeReady(clock.now());
    log.info({ cause }, 'The outage ended; digests continue');
    wake();
  }

  async function serviceFailed(reason: FailureReason, request: string): Promise<FailureScope> {
    if (open.has('service')) breakers.service.probeFailed();
    const suspected = requests.failed(request);
    if (suspected === 'own') return open.size > 0 ? 'all' : 'own';
    const isOutage =
      suspected.distinct >= minDistinctFailures || suspected.attempts >= minAttemptsOfOneRequest;
    if (notifiedAtOnce.has(reason.code) || isOutage) await begin('service', reason);
    return open.size > 0 ? 'all' : 'possibly-all';
  }

  /** Repeated failures of one channel never begin an outage, because Slack may refuse that channel alone. */
  async function slackFailed(
    failure: RunFailure,
    reason: FailureReason,
    channel: string,
  ): Promise<FailureScope> {
    if (open.has('slack')) breakers.slack.probeFailed();
    const suspected = channels.failed(channel);
    if (suspected === 'own') return 'own';
    if (stopsEveryPost(failure) || suspected.distinct >= minDistinctFailures) await begin('slack', reason);
    return open.has('slack') ? 'all' : 'own';
  }

  function mayProbeSlack(): boolean {
    return token === 'accepted' && breakers.slack.isProbeDue();
  }

  /** Not awaited, because the call may hang. */
  async function checkToken() {
    token = 'checking';
    const isAccepted = await parts.poster.isTokenAccepted();
    if (isAccepted && wasTokenRefused) {
      wasTokenRefused = false;
      await parts.onTokenAccepted?.().catch((err: unknown) => log.error({ err }, installedUnsaved));
    }
    token = isAccepted ? 'accepted' : 'unchecked';
    if (isAccepted) wake();
    else breakers.slack.probeFailed();
  }

  return {
    open: () => [...open.values()],

    /** `one`: a single run may start, as a probe. */
    mayRun(): 'all' | 'one' | 'none' {
      if (open.has('slack') && !mayProbeSlack()) return 'none';
      if (open.has('service') && !breakers.service.isProbeDue()) return 'none';
      return open.size === 0 ? 'all' : 'one';
    },

    /** Whether a direct message may be sent. During a Slack outage it is a probe. */
    mayNotify: () => !open.has('slack') || mayProbeSlack(),

    /** A run or a direct message started. During an outage it is the current probe. */
    started(what: AttemptKind) {
      if (open.has('service') && what === 'run') breakers.service.probeStarted();
      if (!open.has('slack')) return;
      breakers.slack.probeStarted();
      token = 'unchecked';
    },

    /** @param at `channel`: or the Slack user ID of a direct message; `request`: the dedupe key of a run */
    async failed(
      failure: RunFailure,
      reason: FailureReason,
      { channel, request }: { readonly channel: string; readonly request?: string },
    ): Promise<FailureScope> {
      if (failure.kind === 'service') return serviceFailed(reason, request ?? channel);
      if (request !== undefined) breakers.service.probeInconclusive();
      if (failure.kind === 'slack') return slackFailed(failure, reason, channel);
      breakers.slack.probeInconclusive();
      return 'own';
    },

    tokenRefused() {
      wasTokenRefused = true;
      return begin('slack', { code: 'token_revoked' });
    },

    /** The service answered any request. */
    async serviceAnswered() {
      requests.succeeded();
      await end('service');
    },

    /** Slack accepted a post to this channel, or a direct message to this user. */
    async slackAccepted(what: AttemptKind, channel: string) {
      if (what === 'run') breakers.service.probeInconclusive();
      channels.succeeded(channel);
      await end('slack');
    },

    /** Called at every poll. Starts notifications and token checks in the background. */
    check() {
      notifier.check([...open.values()]);
      if (open.has('slack') && token === 'unchecked' && breakers.slack.isProbeDue()) void checkToken();
    },

    /** Loads outages that were open when the last process ended. */
    async load() {
      for (const outage of await store.digestOutages.open()) open.set(outage.cause, outage);
    },

    /** Resolves when no notifications are being entered. */
    done: notifier.done,
  };
}

export type Outages = ReturnType<typeof watchOutages>;
