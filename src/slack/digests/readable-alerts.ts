import { hasLearners, reportNamed } from '../../catalogue/index.js';
import type { AlertState } from '../../digests/alert.js';
import { dayOf, describeLastReading } from '../../digests/alert-outlook.js';
import { type Digest, requestOfRuns } from '../../digests/digest.js';
import type { ReleasedKeys } from '../../requests/person-level.js';
import { routeOf } from '../../runner/answer-parts.js';
import type { AlertBasis } from '../../store/digests/alert-states.js';
import type { Store } from '../../store/store.js';
import { destinationKindOf, releasedNow, scopeOfPerson } from '../answers/answer-run.js';
import { resolveConversation } from '../context/request-context.js';
import type { RightsParts } from './rights.js';

/** Who reads about alerts, and where. */
export interface AlertReader {
  /** A Slack user ID. */
  readonly user: string;
  /** True where figures about few people may be shown: in the reader's direct messages and in approved channels. */
  readonly seesFew: boolean;
  /** The channel; absent: the Home tab or direct messages. */
  readonly here?: string | undefined;
}

export interface AlertParts extends Omit<RightsParts, 'store' | 'memberships'> {
  readonly store: RightsParts['store'] & Pick<Store, 'alertStates' | 'ledger'>;
}

/**
 * What alerts remember, by the ID of the digest, of those whose figures this person may read here: figures of few people
 * stay in the owner's direct messages and in channels that may get them. Undefined: nothing yet.
 */
export async function readableAlerts(
  digests: readonly Digest[],
  reader: AlertReader,
  parts: AlertParts,
): Promise<ReadonlyMap<string, AlertState | undefined>> {
  const alerts = digests.filter(({ when }) => when);
  if (alerts.length === 0) return new Map();
  const released = await releasedNow(parts);
  const found = await Promise.all(alerts.map((digest) => basisFor(digest, reader, released, parts)));
  const bases = found.flatMap((of) => of ?? []);
  const states = await parts.store.alertStates.ofDigests(bases);
  const readable = alerts.filter((_, i) => found[i]);
  return new Map(readable.map(({ id }) => [id, states.get(id)]));
}

/** What runs of an alert are judged by now; undefined where its figures are not for the reader. */
async function basisFor(
  digest: Digest,
  { user, seesFew, here }: AlertReader,
  released: ReleasedKeys,
  parts: AlertParts,
): Promise<AlertBasis | undefined> {
  const { id, owner, channel, when } = digest;
  if (!when) return undefined;
  const request = requestOfRuns(digest);
  const { standing, email } = await parts.people.find(owner);
  if (standing !== 'member') return undefined;
  const isDirect = channel.startsWith('D');
  const { personLevel } = isDirect
    ? ({ personLevel: 'allowed' } as const)
    : await resolveConversation({ channel, asker: owner }, parts);
  const destination = destinationKindOf(isDirect, personLevel);
  const allowed = await scopeOfPerson(request, { id: owner, email }, parts, destination, released);
  if (!allowed.ok) return undefined;
  const scope = allowed.value;
  const isOwnersAlone = isDirect || routeOf(request, personLevel, released, scope).summary === 'direct';
  const isForAll = scope.smallestGroup >= parts.smallestGroup || !hasLearners(reportNamed(request.report));
  const mayRead = isOwnersAlone ? user === owner && seesFew : seesFew || isForAll || here === channel;
  return mayRead ? { run: { kind: 'digest', id }, asker: owner, request, scope, when } : undefined;
}

/**
 * A line for each alert, by the ID of the digest: the last value and how far it is from the threshold, as far as this
 * person may read it here. For other conditions, when it last posted.
 */
export async function alertLines(
  digests: readonly Digest[],
  reader: AlertReader,
  parts: AlertParts,
): Promise<ReadonlyMap<string, string>> {
  const alerts = digests.filter(({ when }) => when);
  const thresholds = alerts.filter(({ when }) => when?.kind === 'threshold');
  const others = alerts.filter(({ when }) => when?.kind !== 'threshold').map(({ id }) => id);
  const [states, posted] = await Promise.all([
    readableAlerts(thresholds, reader, parts),
    parts.store.ledger.newest(others, 'posted'),
  ]);
  return new Map(
    alerts.flatMap(({ id, when, request, schedule: { zone } }): [string, string][] => {
      const state = states.get(id);
      const value = state && when ? describeLastReading({ when, request }, state, zone) : undefined;
      const last = posted.get(id);
      const line = value ?? (last && `Last posted: ${dayOf(last.dueAt, zone)}`);
      return line === undefined ? [] : [[id, line]];
    }),
  );
}
