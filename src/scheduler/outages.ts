import { type FailureReason, notifiedAtOnce, type RunFailure, stopsEveryPost } from '../digests/failure.js';
import type { Outage, OutageCause } from '../digests/outage.js';
import { yieldToEventLoop } from '../time/clock.js';
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

export const schedulerFailed = 'The digest scheduler had an error and continues';

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

  async function end({ id, cause }: Outage) {
    open.delete(cause);
    await store.digestOutages.end(cause, clock.now());
    await store.digestNotifications.resend('outage', id, clock.now());
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

    /** The service answered any request. Never throws. */
    async serviceAnswered() {
      requests.succeeded();
      const outage = open.get('service');
      if (outage) await end(outage).catch((err: unknown) => log.error({ err }, schedulerFailed));
    },

    /** Slack accepted a post to this channel, or a direct message to this user. */
    async slackAccepted(what: AttemptKind, channel: string) {
      if (what === 'run') breakers.service.probeInconclusive();
      channels.succeeded(channel);
      const outage = open.get('slack');
      if (outage) await end(outage);
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

const failureTtlMs = 60 * 60_000;

/**
 * Counts failures by subject. If other subjects succeed meanwhile, a failure belongs to its subject alone (`own`).
 *
 * @param now monotonic milliseconds
 */
function countFailures(now: () => number) {
  const failing = new Map<string, { readonly since: number; readonly tries: number }>();
  let lastSuccess = Number.NEGATIVE_INFINITY;

  return {
    /** Since the last success: attempts of the subject, and the number of subjects that failed. */
    failed(subject: string) {
      for (const [other, { since }] of failing) if (since < now() - failureTtlMs) failing.delete(other);
      const { since, tries } = failing.get(subject) ?? { since: now(), tries: 0 };
      failing.set(subject, { since, tries: tries + 1 });
      if (since < lastSuccess) return 'own' as const;
      const distinct = [...failing.values()].filter(({ since }) => since >= lastSuccess).length;
      return { attempts: tries + 1, distinct };
    },
    /** @param subject absent if unknown */
    succeeded(subject?: string) {
      lastSuccess = now();
      if (subject !== undefined) failing.delete(subject);
    },
  };
}

/** The last delay limits how long digests wait after the dependency recovers. */
const probeDelaysSeconds = [5, 15, 30, 45] as const;

/** The next probe starts after this time even if the last one hangs. */
const probeTimeoutMs = 45_000;

/** Decides when to probe a dependency that failed. `now`: monotonic milliseconds. */
function circuitBreaker(now: () => number) {
  let failures = 0;
  let next = 0;
  let isProbing = false;

  function waitForNext() {
    isProbing = false;
    next =
      now() +
      (probeDelaysSeconds[Math.min(failures, probeDelaysSeconds.length - 1)] ?? probeDelaysSeconds[0]) * 1000;
  }

  return {
    /** @param isRelapse the dependency recovered only for a moment, so the delays do not start over */
    open(isRelapse: boolean) {
      failures = isRelapse ? failures + 1 : 0;
      waitForNext();
    },
    isProbeDue: () => now() >= next,
    probeStarted() {
      isProbing = true;
      next = now() + probeTimeoutMs;
    },
    probeFailed() {
      // Calls that started before the last probe add no information.
      if (!isProbing && now() < next) return;
      failures += 1;
      waitForNext();
    },
    /** The probe ended without reaching the dependency. The next one may start at once. */
    probeInconclusive() {
      next = Math.min(next, now());
    },
  };
}

/** People hear of an outage that may resolve by itself only after this time. */
const notifyAfterMs = 10 * 60_000;
const checkIntervalMs = 15_000;

/** Small, so that a statement does not block other writers. */
const batchSize = 50;

/** Enters notifications for the people whom an outage affects. */
function notifyOutages(parts: DigestParts, signal: AbortSignal) {
  const { store, clock, monotonic, admins } = parts;
  /** By outage ID: its start in epoch milliseconds, corrected if the clock went back, and who has a notification. */
  const known = new Map<string, { from: number; readonly people: Set<string> }>();
  let nextCheck = 0;
  let running: Promise<void> | undefined;

  async function notifyAll(outages: readonly Outage[]) {
    const affected = [...(await admins()), ...(await store.ledger.waitingOwners())];
    for (const { id: subject } of outages) {
      const people = known.get(subject)?.people ?? new Set();
      const recipients = [...new Set(affected)].filter((person) => !people.has(person));
      const yieldIfNeeded = yieldToEventLoop(monotonic);
      for (let from = 0; from < recipients.length && !signal.aborted; from += batchSize) {
        const batch = recipients.slice(from, from + batchSize);
        await store.digestNotifications.add(batch, { kind: 'outage', subject }, clock.now());
        for (const person of batch) people.add(person);
        await yieldIfNeeded();
      }
    }
  }

  function shouldNotify({ id, code, since }: Outage): boolean {
    const now = clock.now();
    const outage = known.get(id) ?? { from: since, people: new Set() };
    outage.from = Math.min(outage.from, now);
    known.set(id, outage);
    return notifiedAtOnce.has(code) || now - outage.from >= notifyAfterMs;
  }

  return {
    /** Starts in the background, because an outage may affect thousands of people. */
    check(open: readonly Outage[]) {
      for (const id of known.keys()) if (!open.some((outage) => outage.id === id)) known.delete(id);
      const due = open.filter(shouldNotify);
      if (running || due.length === 0 || monotonic() < nextCheck) return;
      nextCheck = monotonic() + checkIntervalMs;
      running = notifyAll(due)
        .catch((error) => {
          if (!signal.aborted)
            parts.log.error({ err: error }, 'Notifications about an outage could not be entered yet');
        })
        .finally(() => {
          running = undefined;
        });
    },
    /** Makes the next `check` skip the interval. */
    checkSoon() {
      nextCheck = 0;
    },
    /** Resolves when no check is running. */
    done: async () => running,
  };
}
