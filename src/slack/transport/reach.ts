import type { Log } from '../../logging/logger.js';
import type { Signals } from '../../store/signals.js';
import type { SlackClients } from '../delivery/clients.js';

interface CutOffParts {
  readonly reach: Pick<SlackClients['reach'], 'unansweredMs'>;
  /** Makes one call to Slack, of any kind. */
  readonly probe: () => Promise<unknown>;
  readonly signals: Pick<Signals, 'send' | 'on'>;
  /** The name of this process. */
  readonly process: string;
  readonly log: Pick<Log, 'warn'>;
  /** Called once. */
  readonly onCutOff: () => void;
}

const checkIntervalMs = 1_000;

/** After this time without an answer, probes tell a slow call from an unreachable Slack. */
const probeAfterMs = 2_000;

/**
 * After this time without an answer, this process asks the others whether Slack answers them. Including the stop, another
 * process leads within 15 seconds.
 */
const askAfterMs = 7_000;

/**
 * Detects that Slack answers other processes and not this one, so that they should take over. If Slack answers no
 * process, nothing happens. Returns a function that stops it.
 */
export function watchReach(parts: CutOffParts): () => void {
  const { reach, probe, signals, process, log, onCutOff } = parts;
  let isProbing = false;
  let isAnswering = false;

  async function probeOnce(): Promise<void> {
    if (isProbing) return;
    isProbing = true;
    // The failure of a probe shows in what Slack leaves unanswered.
    await probe().catch(() => {});
    isProbing = false;
  }

  signals.on('reach-asked', async ({ by }) => {
    if (by === process || isAnswering) return;
    isAnswering = true;
    await probeOnce();
    isAnswering = false;
    if (reach.unansweredMs() === 0) signals.send({ kind: 'reach-confirmed', to: by });
  });
  signals.on('reach-confirmed', ({ to }) => {
    if (to !== process || reach.unansweredMs() < askAfterMs) return;
    stop();
    onCutOff();
  });

  let hasWarned = false;
  const timer = setInterval(() => {
    const unansweredMs = reach.unansweredMs();
    if (unansweredMs < probeAfterMs) {
      hasWarned = false;
      return;
    }
    void probeOnce();
    if (unansweredMs < askAfterMs) return;
    if (!hasWarned) log.warn({ unansweredMs }, 'Slack does not answer');
    hasWarned = true;
    signals.send({ kind: 'reach-asked', by: process });
  }, checkIntervalMs);
  const stop = () => clearInterval(timer);
  return stop;
}
