import type { HomeView } from '@slack/types';
import { levelForReport } from '../access/scope.js';
import type { Digest } from '../digests/digest.js';
import { currentLogId } from '../logging/log-id.js';
import type { Asker } from '../requests/request.js';
import { randomId } from '../store/database.js';
import type { Membership } from '../store/membership.js';
import type { SavedReport } from '../store/saved-reports/saved-reports.js';
import type { TabContents } from '../store/signals.js';
import { rowsOf } from './digests/manage.js';
import { maxAdminsToAsk } from './directory/access.js';
import type { Home, ListenerParts } from './listeners/context.js';
import { digestBlocks, digestPageSize } from './messages/digest-list.js';
import { describeFailure } from './messages/failures.js';
import { type HomeFacts, homeView, maxHomeRows, refusedHome } from './messages/home.js';
import { maxCountedRequests, type OverviewFacts, overviewBlocks } from './messages/overview.js';
import { lookUp } from './router.js';
import { maxDigests, maxSavedReports } from './saved/limits.js';
import { formatListView, pageOf, readerOf } from './saved/list.js';
import { maySee, undoWindowMs } from './saved/saved-reports.js';
import { slackErrorCode } from './transport/clients.js';

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
    | 'interactive'
    | 'log'
    | 'signals'
    | 'personLevelChannels'
    | 'store'
  > {
  readonly membership: Pick<Membership, 'process' | 'hasEnded'>;
}

const maxRuns = 10;
/** The newest requests of a person, in which the counts of the last day are looked for. */
const maxCounted = 100;
const maxOutages = 5;
/** The period that the overview for admins covers. */
const overviewMs = 7 * 24 * 3_600_000;
/** Maximum saved reports that are read for one tab. */
const maxReportsRead = 100;
const maxTabs = 10_000;

/** A tab that was opened since the bot started. */
interface Tab {
  state: 'idle' | 'drawing' | 'out-of-date';
  contents: TabContents;
  /** The process that draws it: the one that drew it last. */
  drawnBy: string;
}

/**
 * One process draws a person's tab: the one that showed it last. Two that draw at once could send their views in the
 * wrong order.
 */
export function homeOf(parts: HomeParts): Home {
  const { signals, membership, log } = parts;
  const own = membership.process;
  const opened = new Map<string, Tab>();

  signals.on('home-drawn', ({ user, contents, drawnBy }) => {
    if (drawnBy !== own) Object.assign(tabOf(user), { contents, drawnBy });
  });
  signals.on('home-changed', ({ user }) => {
    const tab = opened.get(user);
    if (tab?.drawnBy === own) void draw(user, tab);
  });

  async function publish(user: string, tab: Tab): Promise<void> {
    const view = await drawHome(user, tab.contents, parts).catch((error: unknown) => {
      const id = currentLogId() ?? randomId();
      log.error({ err: error, id }, 'A Home tab could not be drawn');
      return refusedHome(describeFailure(error, id).sentence);
    });
    try {
      await parts.interactive.views.publish({ user_id: user, view });
    } catch (error) {
      log.warn({ code: slackErrorCode(error) }, 'A Home tab could not be shown');
    }
  }

  function tabOf(user: string): Tab {
    if (opened.size >= maxTabs) opened.clear();
    const tab: Tab = opened.get(user) ?? { state: 'idle', contents: { digestsFrom: 0 }, drawnBy: own };
    opened.set(user, tab);
    return tab;
  }

  function take(user: string, changes: Partial<TabContents> = {}): Tab {
    const tab = tabOf(user);
    tab.contents = { ...tab.contents, ...changes };
    tab.drawnBy = own;
    signals.send({ kind: 'home-drawn', user, contents: tab.contents, drawnBy: own });
    return tab;
  }

  /** The second drawing waits for the first. */
  async function draw(user: string, tab: Tab): Promise<void> {
    const isBusy = tab.state !== 'idle';
    tab.state = 'out-of-date';
    if (isBusy) return;
    while (isOutOfDate(tab)) {
      tab.state = 'drawing';
      await publish(user, tab);
    }
    tab.state = 'idle';
  }

  function changed(user: string): void {
    signals.send({ kind: 'home-changed', user });
    const drawnBy = opened.get(user)?.drawnBy ?? own;
    if (drawnBy === own) return;
    // If the process that draws it has ended, this one draws it from now on.
    void takeFromEnded(user, drawnBy);
  }

  async function takeFromEnded(user: string, drawnBy: string): Promise<void> {
    try {
      if (await membership.hasEnded(drawnBy)) await draw(user, take(user));
    } catch (err) {
      log.warn({ err }, 'A Home tab could not be drawn again');
    }
  }

  return {
    show: (user, contents) => draw(user, take(user, contents)),
    markOpened(user) {
      if (!opened.has(user)) take(user);
    },
    changed,
  };
}

function isOutOfDate({ state }: Tab): boolean {
  return state === 'out-of-date';
}

async function drawHome(user: string, contents: TabContents, parts: HomeParts): Promise<HomeView> {
  const found = await lookUp('member', { asker: user, channel: user, requestId: '' }, parts);
  if (!found.ok) {
    const { standing } = await parts.people.find(user);
    const isOutsider = standing === 'guest' || standing === 'outsider';
    const admins = isOutsider ? await parts.access.adminNames(maxAdminsToAsk) : undefined;
    return refusedHome(found.refusal.text, admins);
  }
  const { member } = found.value;
  const { store } = parts;
  const shared = await sharedChannels(user, parts);
  const mine = await visibleReports(user, parts);
  const kept = shared && (await store.savedReports.inChannels(shared, maxReportsRead));
  const isAdmin = await parts.access.isAdmin(user);
  const digests = await pageOf(digestPageSize, contents.digestsFrom, (limit, from) =>
    isAdmin
      ? store.overview.findDigests(user, limit, from)
      : visibleDigests(user, shared ?? [], limit, from, parts),
  );
  const reader = await readerOf(member, false, parts);
  const newest = await store.requestLog.recentOf(user, maxCounted);
  return homeView(
    {
      dueItems: await dueItemsOf(member, parts),
      now: parts.clock.now(),
      ranAt: contents.ranAt,
      mine,
      others: kept?.filter(({ owner }) => owner !== user).slice(0, maxHomeRows + 1),
      runs: newest.slice(0, maxRuns),
      newest,
      digests: digestBlocks(
        { ...digests, items: await rowsOf(digests.items, parts) },
        { ...reader, withChannel: true },
        (from) => formatListView({ digestsFrom: from }),
      ),
      deleted: await restorableReport(contents.deleted, parts),
      overview: isAdmin ? overviewBlocks(await overviewFacts(parts), reader.zone) : undefined,
    },
    reader,
  );
}

/** The due items that the person may request with one press. */
async function dueItemsOf(
  { id, zone }: Asker,
  { access, managers }: HomeParts,
): Promise<HomeFacts['dueItems']> {
  const found = await access.accessOf(id, dueReport);
  const { address } = found;
  const level = levelForReport({ report: dueReport }, found);
  // Without a confirmed address, “me” is nobody.
  if (level === 'nothing' || address === undefined) return undefined;
  const mayHaveTeam = level !== 'totals' && managers.manages({ id, zone, address }) === true;
  return mayHaveTeam ? 'team-and-own' : 'own';
}

const dueReport = 'assignments';

async function overviewFacts({ store: { overview }, clock }: HomeParts): Promise<OverviewFacts> {
  const from = clock.now() - overviewMs;
  return {
    requests: await overview.countRequests(from, maxCountedRequests),
    digests: await overview.countDigests(),
    fullOwners: await overview.countOwnersOf(maxDigests),
    fullConversations: await overview.countConversationsWith(maxSavedReports),
    outages: await overview.recentOutages(from, maxOutages),
  };
}

/** The deleted report, while it can be restored. */
async function restorableReport(
  id: string | undefined,
  { store, clock }: HomeParts,
): Promise<SavedReport | undefined> {
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
): Promise<readonly Digest[]> {
  const own = await digests.ownedBy(user, limit, from);
  if (own.length === limit) return own;
  const others = await digests.inChannels(shared, limit - own.length, {
    from: Math.max(0, from - (await digests.countOwnedBy(user))),
    excludeOwner: user,
  });
  return [...own, ...others];
}

/** Channels that the person and the bot are both in; undefined if Slack did not say. */
async function sharedChannels(
  user: string,
  { memberships, botUserId }: HomeParts,
): Promise<readonly string[] | undefined> {
  const [theirs, ours] = await Promise.all([memberships.channelsOf(user), memberships.channelsOf(botUserId)]);
  return theirs && ours && [...theirs].filter((channel) => ours.has(channel));
}

/** The person's saved reports, without those in private channels that they have left. */
async function visibleReports(user: string, parts: HomeParts): Promise<readonly SavedReport[]> {
  const owned = await parts.store.savedReports.ownedBy(user, maxReportsRead);
  const mine: SavedReport[] = [];
  for (const saved of owned) {
    if (mine.length > maxHomeRows) break;
    if (await maySee(saved.channel, user, parts)) mine.push(saved);
  }
  return mine;
}
