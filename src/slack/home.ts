import type { HomeView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Digest } from '../digests/digest.js';
import { randomId } from '../store/database.js';
import type { SavedReport } from '../store/saved-reports/saved-reports.js';
import type { Store } from '../store/store.js';
import type { Clock } from '../time/clock.js';
import type { AnswerParts } from './answer-request.js';
import { digestReader, rowsOf } from './digests/manage.js';
import type { Channels } from './directory/channels.js';
import type { Links } from './directory/links.js';
import type { Memberships } from './directory/memberships.js';
import type { People } from './directory/people.js';
import { digestBlocks, digestPageSize } from './messages/digest-list.js';
import { describeFailure } from './messages/failures.js';
import { homeView, maxHomeRows, refusedHome } from './messages/home.js';
import { resolveAsker } from './request-context.js';
import { formatListView, pageOf, readerOf } from './saved/list.js';
import { maySee, undoWindowMs } from './saved/saved-reports.js';
import { slackErrorCode } from './transport/clients.js';

/** The Home tabs that people have before them. */
export interface Home {
  /**
   * Draws somebody's tab as things are now. Never throws.
   *
   * @param seen what of it is to be seen from now on
   */
  show(user: string, seen?: Partial<Seen>): Promise<void>;
  /** Somebody has their tab before them, as a press on it shows. */
  seen(user: string): void;
  /** Somebody has done something that their tab tells of: it is drawn anew, if they have ever opened it. */
  changed(user: string): void;
}

export interface HomeParts {
  readonly store: Pick<Store, 'savedReports' | 'requestLog' | 'digests' | 'ledger'>;
  readonly people: People;
  readonly channels: Channels;
  readonly memberships: Memberships;
  readonly links: Links;
  readonly botUserId: string;
  readonly admins: readonly string[];
  readonly defaultZone: string;
  readonly interactive: WebClient;
  readonly clock: Clock;
  readonly log: AnswerParts['log'];
}

const mostRuns = 10;
/** Of what others keep in shared channels, so much is looked at. */
const mostLookedAt = 100;
const mostRemembered = 10_000;

/** What of a tab its reader has before them. */
interface Seen {
  /** The id of what they have deleted last, which they can bring back from there. */
  readonly deleted?: string;
  /** How many digests come before those that are listed. */
  readonly digestsFrom: number;
}

/** A tab that somebody has opened since the bot started. */
interface Tab {
  state: 'idle' | 'drawing' | 'out-of-date';
  seen: Seen;
}

export function homeOf(parts: HomeParts): Home {
  const opened = new Map<string, Tab>();

  async function publish(user: string, tab: Tab): Promise<void> {
    const view = await drawHome(user, tab.seen, parts).catch((error: unknown) => {
      const id = randomId();
      parts.log.error({ err: error, id }, 'A Home tab could not be drawn');
      return refusedHome(describeFailure(error, id).sentence);
    });
    try {
      await parts.interactive.views.publish({ user_id: user, view });
    } catch (error) {
      parts.log.warn({ code: slackErrorCode(error) }, 'A Home tab could not be shown');
    }
  }

  function tabOf(user: string): Tab {
    if (opened.size >= mostRemembered) opened.clear();
    const tab: Tab = opened.get(user) ?? { state: 'idle', seen: { digestsFrom: 0 } };
    opened.set(user, tab);
    return tab;
  }

  /** Two drawings at once could arrive in the wrong order, so that one waits for the other. */
  async function show(user: string, seen: Partial<Seen> = {}): Promise<void> {
    const tab = tabOf(user);
    tab.seen = { ...tab.seen, ...seen };
    const isBusy = tab.state !== 'idle';
    tab.state = 'out-of-date';
    if (isBusy) return;
    while (isOutOfDate(tab)) {
      tab.state = 'drawing';
      await publish(user, tab);
    }
    tab.state = 'idle';
  }

  return {
    show,
    seen(user) {
      tabOf(user);
    },
    changed(user) {
      if (opened.has(user)) void show(user);
    },
  };
}

function isOutOfDate({ state }: Tab): boolean {
  return state === 'out-of-date';
}

async function drawHome(user: string, seen: Seen, parts: HomeParts): Promise<HomeView> {
  const resolved = await resolveAsker(user, parts.people, parts.defaultZone);
  if (!resolved.ok) return refusedHome(resolved.refusal);
  const { store } = parts;
  const shared = await channelsOfBoth(user, parts);
  const mine = await mineToSee(user, parts);
  const kept = shared && (await store.savedReports.inChannels(shared, mostLookedAt));
  const digests = await pageOf(digestPageSize, seen.digestsFrom, (limit, from) =>
    digestsToSee(user, shared ?? [], limit, from, parts),
  );
  const reader = readerOf(resolved.value, false, parts);
  const runs = await parts.links.of(await store.requestLog.recentOf(user, mostRuns));
  return homeView(
    {
      mine,
      others: kept?.filter(({ owner }) => owner !== user).slice(0, maxHomeRows + 1),
      runs,
      digests: digestBlocks(
        { ...digests, rows: await rowsOf(digests.items, store) },
        digestReader(reader, true, parts),
        (from) => formatListView({ digestsFrom: from }),
      ),
      deleted: await justDeleted(seen.deleted, parts),
    },
    reader,
  );
}

/** What was deleted, as long as that can be taken back. */
async function justDeleted(
  id: string | undefined,
  { store, clock }: HomeParts,
): Promise<SavedReport | undefined> {
  const saved = id === undefined ? undefined : await store.savedReports.find(id);
  const isBack = saved?.deletedAt === undefined || clock.now() - saved.deletedAt > undoWindowMs;
  return isBack ? undefined : saved;
}

/** Somebody's own digests, and then those of others in the channels that they share with the bot. */
async function digestsToSee(
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

/** Channels that somebody and the bot are both in; undefined where Slack did not say. */
async function channelsOfBoth(
  user: string,
  { memberships, botUserId }: HomeParts,
): Promise<readonly string[] | undefined> {
  const [theirs, ours] = await Promise.all([memberships.channelsOf(user), memberships.channelsOf(botUserId)]);
  return theirs && ours && [...theirs].filter((channel) => ours.has(channel));
}

/** What somebody owns, without what private channels keep that they have left. */
async function mineToSee(user: string, parts: HomeParts): Promise<readonly SavedReport[]> {
  const owned = await parts.store.savedReports.ownedBy(user, mostLookedAt);
  const mine: SavedReport[] = [];
  for (const saved of owned) {
    if (mine.length > maxHomeRows) break;
    if (await maySee(saved.channel, user, parts)) mine.push(saved);
  }
  return mine;
}

/** A part of something long. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** How many come before these. */
  readonly from: number;
  /** True where more come after these. */
  readonly more: boolean;
}
