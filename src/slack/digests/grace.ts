import type { Level } from '../../access/levels.js';
import type { Digest } from '../../digests/digest.js';
import { catchUnreadable, UnreadableDigest } from '../../digests/quarantine.js';
import type { GraceEffect } from '../../digests/store-ports.js';
import type { Store } from '../../store/store.js';
import type { Clock } from '../../time/clock.js';
import { destinationKindOf } from '../answer-rights.js';
import { mayBeApproved, ownerScope, type RightsParts } from './rights.js';

export interface GraceParts extends RightsParts {
  readonly store: RightsParts['store'] & Pick<Store, 'digests' | 'digestGrace' | 'digestNotifications'>;
  /** Slack user IDs; empty where the owners of the workspace are the admins. */
  readonly admins: () => Promise<readonly string[]>;
  readonly clock: Clock;
  readonly log: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
  };
}

const pageSize = 100;
const retryMs = 60_000;

/**
 * After an upgrade to levels of access, finds out what they narrow in the digests from before, and has their owners and
 * the admins notified, once. Tries again until Slack has described every owner. Never throws.
 *
 * @returns a function that stops it
 */
export function startGrace(parts: GraceParts): () => Promise<void> {
  const stopping = new AbortController();
  const done = evaluateUntilDone(parts, stopping.signal).catch((error: unknown) => {
    if (!stopping.signal.aborted) parts.log.warn({ err: error }, 'Digests from before the upgrade wait');
  });
  return async () => {
    stopping.abort();
    await done;
  };
}

async function evaluateUntilDone(parts: GraceParts, signal: AbortSignal): Promise<void> {
  await parts.store.digestGrace.begin(parts.clock.now());
  for (;;) {
    const isDone = await evaluateAll(parts, signal).catch((error: unknown) => {
      parts.log.warn({ err: error }, 'What levels of access narrow in digests could not be found out yet');
      return false;
    });
    if (signal.aborted) return;
    if (isDone) return notifyAll(parts);
    await parts.clock.sleep(retryMs, signal);
  }
}

/** Returns false if Slack did not describe all owners. */
async function evaluateAll(parts: GraceParts, signal: AbortSignal): Promise<boolean> {
  const { digests, digestGrace } = parts.store;
  let isDone = true;
  let after: string | undefined;
  for (;;) {
    const page = await digestGrace.listPending(pageSize, after);
    for (const id of page) {
      if (signal.aborted) return false;
      const digest = await catchUnreadable(digests.find(id));
      if (!digest || digest instanceof UnreadableDigest) await digestGrace.end(id);
      else if (!(await evaluate(digest, parts))) isDone = false;
    }
    after = page.at(-1);
    if (after === undefined) return isDone;
  }
}

async function evaluate(digest: Digest, parts: GraceParts): Promise<boolean> {
  const found = await effectOf(digest, parts);
  if (found === 'unknown') return false;
  const { digestGrace } = parts.store;
  if (found === 'none') await digestGrace.end(digest.id);
  else await digestGrace.recordEffect(digest.id, found.level, found.effect);
  return true;
}

type LevelEffect = { readonly level: Level; readonly effect: GraceEffect };

async function effectOf(digest: Digest, parts: GraceParts): Promise<LevelEffect | 'none' | 'unknown'> {
  const { owner, request, channel } = digest;
  const { standing, email } = await parts.people.find(owner);
  if (standing === 'unknown') return 'unknown';
  // Without an owner it does not run at all, and people are notified of that.
  if (standing !== 'member') return 'none';
  const access = await parts.access.accessOf(owner, request.report);
  if (access.isUncertain) return 'unknown';
  const released = new Set((await parts.store.approvals.releasedKeys()).map(({ subject }) => subject));
  const isApproved = await mayBeApproved(channel, parts);
  const destination = destinationKindOf(channel.startsWith('D'), isApproved ? 'allowed' : 'not-approved');
  const scope = ownerScope(request, access, destination, released, email, parts);
  const { level } = access;
  if (!scope.ok) return { level, effect: 'stops' };
  const { rows, smallestGroup } = scope.value;
  if (rows !== 'all') return { level, effect: rows };
  return smallestGroup > 1 ? { level, effect: 'small-groups' } : 'none';
}

/** Nobody is notified twice, also when this runs at each start. */
async function notifyAll({ store, admins, clock, log }: GraceParts): Promise<void> {
  const narrowed = await store.digestGrace.narrowed();
  if (narrowed.length === 0) return;
  const now = clock.now();
  const owners = new Set<string>();
  for (const { digest: id } of narrowed) {
    const digest = await catchUnreadable(store.digests.find(id));
    if (digest && !(digest instanceof UnreadableDigest)) owners.add(digest.owner);
  }
  await store.digestNotifications.addForAll([...owners], { kind: 'levels', subject: 'upgrade' }, now);
  const summary = { kind: 'levels-summary', subject: 'upgrade' } as const;
  await store.digestNotifications.addForAll(await admins(), summary, now);
  log.info({ digests: narrowed.length }, 'Levels of access will narrow digests from before the upgrade');
}
