import { levelForReport } from '../../access/scope.js';
import type { Digest } from '../../digests/digest.js';
import { catchUnreadable, UnreadableDigest } from '../../digests/quarantine.js';
import type { Asker } from '../../requests/request.js';
import type { Membership } from '../../store/membership.js';
import type { SavedReport } from '../../store/saved/saved-reports.js';
import type { TabContents } from '../../store/signals.js';
import type { ListenerParts } from '../answers/context.js';
import { maySee } from '../context/request-context.js';
import { maxInChannel, maxOwned } from '../limits.js';
import { formatListView, pageOf, type readerOf } from '../list/list.js';
import { rowsOf } from '../list/manage.js';
import { digestBlocks, digestPageSize } from '../messages/digest-list.js';
import { undoWindowMs } from '../saved/items.js';
import { ownerOf, recordFacts } from './own-record.js';

export interface HomeParts
  extends Pick<
    ListenerParts,
    | 'managers'
    | 'clock'
    | 'people'
    | 'channels'
    | 'memberships'
    | 'botUserId'
    | 'access'
    | 'defaultZone'
    | 'client'
    | 'log'
    | 'signals'
    | 'personLevelChannels'
    | 'smallestGroup'
    | 'store'
  > {
  readonly membership: Pick<Membership, 'process' | 'hasEnded'>;
}

/** Of each list. A Home tab holds 100 blocks. */
export const maxHomeRows = 10;
/** The newest requests of a person, in which the counts of the last day are looked for. */
const maxCounted = 100;
const maxOutages = 5;
/** The newest lines of the reader's own record. */
const maxHomeEntries = 3;
export const maxCountedRequests = 10_000;
const overviewMs = 7 * 24 * 3_600_000;
const maxReportsRead = 100;

export async function homeFacts(
  member: Asker,
  contents: TabContents,
  reader: Awaited<ReturnType<typeof readerOf>>,
  parts: HomeParts,
) {
  const { id: user } = member;
  const { store, clock, access } = parts;
  const shared = await sharedChannels(user, parts);
  const mine = await visibleReports(user, parts);
  const saved = shared && (await store.savedReports.inChannels(shared, maxReportsRead));
  const isAdmin = await access.isAdmin(user);
  const digests = await pageOf(digestPageSize, contents.digestsFrom, (limit, from) =>
    isAdmin
      ? store.overview.findDigests(user, limit, from)
      : visibleDigests(user, shared ?? [], limit, from, parts),
  );
  return {
    dueItems: await dueItemsOf(member, parts),
    now: clock.now(),
    /** When the reader last ran a report with a button of the tab. */
    ranAt: contents.ranAt,
    /** At most one more than is shown. */
    mine,
    /** Those of others, in channels with the reader and the bot. Absent if Slack did not return the channels. */
    others: saved?.filter(({ owner }) => owner !== user).slice(0, maxHomeRows + 1),
    /** Newest first. Those of the last day have the counts. */
    runs: await store.requestLog.recentOf(user, maxCounted),
    /** Those of the reader and of those channels; for admins those of the whole workspace. */
    digests: digestBlocks(
      { ...digests, items: await rowsOf(digests.items, { user, seesFew: true }, parts) },
      { ...reader, withChannel: true },
      (from) => formatListView({ digestsFrom: from }),
    ),
    declined: await declinedDigests(user, parts),
    deleted: await restorableReport(contents.deleted, parts),
    record: await recordFacts(await ownerOf(user, parts), maxHomeEntries, undefined, parts),
    /** Of the whole workspace, for admins. */
    overview: isAdmin ? await overviewFacts(parts) : undefined,
  };
}

export type HomeFacts = Awaited<ReturnType<typeof homeFacts>>;

/** The due items that the person may request with one press. */
async function dueItemsOf({ id, zone }: Asker, { access, managers }: HomeParts) {
  const found = await access.accessOf(id, dueReport);
  const { address } = found;
  const level = levelForReport({ report: dueReport }, found);
  // Without a confirmed address, “me” is no one.
  if (level === 'nothing' || address === undefined) return undefined;
  const mayHaveTeam = level !== 'totals' && managers.manages({ id, zone, address }) === true;
  return mayHaveTeam ? 'team-and-own' : 'own';
}

const dueReport = 'assignments';

async function overviewFacts({ store: { overview }, clock }: HomeParts) {
  const from = clock.now() - overviewMs;
  return {
    requests: await overview.countRequests(from, maxCountedRequests),
    digests: await overview.countDigests(),
    /** How many people own as many digests as they can. */
    fullOwners: await overview.countOwnersOf(maxOwned.digest),
    /** How many conversations have as many saved reports as they can. */
    fullConversations: await overview.countConversationsWith(maxInChannel),
    /** Those that last, and those of the period, newest first. */
    outages: await overview.recentOutages(from, maxOutages),
  };
}

/** The overview of the workspace. It does not say who requested what. */
export type OverviewFacts = Awaited<ReturnType<typeof overviewFacts>>;

/** The digests for managers that the person does not want. */
async function declinedDigests(user: string, { store }: HomeParts): Promise<readonly Digest[]> {
  const found: Digest[] = [];
  for (const id of (await store.managerReaders.findDeclined(user)).slice(0, maxHomeRows)) {
    const digest = await catchUnreadable(store.digests.find(id));
    if (digest && !(digest instanceof UnreadableDigest) && digest.deletedAt === undefined) found.push(digest);
  }
  return found;
}

/** The deleted report, while it can be restored. */
async function restorableReport(id: string | undefined, { store, clock }: HomeParts) {
  const saved = id === undefined ? undefined : await store.savedReports.find(id);
  const isBack = saved?.deletedAt === undefined || clock.now() - saved.deletedAt > undoWindowMs;
  return isBack ? undefined : saved;
}

/** The person's own digests first, then those of others in channels that the person and the bot share. */
async function visibleDigests(
  user: string,
  shared: readonly string[],
  limit: number,
  from: number,
  { store: { digests } }: HomeParts,
) {
  const own = await digests.ownedBy(user, limit, from);
  if (own.length === limit) return own;
  const others = await digests.inChannels(shared, limit - own.length, {
    from: Math.max(0, from - (await digests.countOwnedBy(user))),
    excludeOwner: user,
  });
  return [...own, ...others];
}

/** Channels that the person and the bot are both in; undefined if Slack did not say. */
async function sharedChannels(user: string, { memberships, botUserId }: HomeParts) {
  const [theirs, ours] = await Promise.all([memberships.channelsOf(user), memberships.channelsOf(botUserId)]);
  return theirs && ours && [...theirs].filter((channel) => ours.has(channel));
}

/** The person's saved reports, without those in private channels that they have left. */
async function visibleReports(user: string, parts: HomeParts) {
  const owned = await parts.store.savedReports.ownedBy(user, maxReportsRead);
  const mine: SavedReport[] = [];
  for (const saved of owned) {
    if (mine.length > maxHomeRows) break;
    if (await maySee(saved.channel, user, parts)) mine.push(saved);
  }
  return mine;
}
