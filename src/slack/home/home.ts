import type { HomeView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../clock.js';
import type { SavedReport } from '../../store/saved-reports.js';
import type { Store } from '../../store/store.js';
import type { AskParts } from '../ask-order.js';
import type { Channels } from '../channels.js';
import { slackErrorCode } from '../connection/clients.js';
import type { Memberships } from '../memberships.js';
import type { People } from '../people.js';
import { maySee } from '../saved/rights.js';
import { readerOf } from '../saved/show-list.js';
import { type HomeFacts, homeRows, homeView, refusedHome } from '../views/home-view.js';
import { whoAsks } from '../who-asks.js';
import type { Links } from './links.js';

/** The Home tabs that people have before them. */
export interface Home {
  /** Draws somebody's tab as things are now. Never throws. */
  show(user: string, extra?: Pick<HomeFacts, 'deleted'>): Promise<void>;
  /** Somebody has done something that their tab tells of: it is drawn anew, if they have ever opened it. */
  changed(user: string): void;
}

export interface HomeParts {
  readonly store: Pick<Store, 'savedReports' | 'asks'>;
  readonly people: People;
  readonly channels: Channels;
  readonly memberships: Memberships;
  readonly links: Links;
  readonly botUserId: string;
  readonly admins: readonly string[];
  readonly defaultZone: string;
  readonly interactive: WebClient;
  readonly clock: Clock;
  readonly log: AskParts['log'];
}

const mostRuns = 10;
/** Of what others keep in shared channels, so much is looked at. */
const mostLookedAt = 100;
const mostRemembered = 10_000;

export function homeOf(parts: HomeParts): Home {
  /** Who has opened theirs since the bot started, with whether it is being drawn. */
  const opened = new Map<string, 'idle' | 'drawing' | 'again'>();

  async function publish(user: string, extra: Pick<HomeFacts, 'deleted'>): Promise<void> {
    try {
      const view = await drawHome(user, extra, parts);
      await parts.interactive.views.publish({ user_id: user, view });
    } catch (error) {
      parts.log.warn({ code: slackErrorCode(error) }, 'A Home tab could not be drawn');
    }
  }

  async function show(user: string, extra: Pick<HomeFacts, 'deleted'> = {}): Promise<void> {
    // Two drawings at once could arrive in the wrong order.
    if (opened.get(user) === 'drawing' || opened.get(user) === 'again') {
      opened.set(user, 'again');
      return;
    }
    if (opened.size >= mostRemembered) opened.clear();
    opened.set(user, 'drawing');
    await publish(user, extra);
    while (opened.get(user) === 'again') {
      opened.set(user, 'drawing');
      await publish(user, extra);
    }
    opened.set(user, 'idle');
  }

  return {
    show,
    changed(user) {
      if (opened.has(user)) void show(user);
    },
  };
}

async function drawHome(
  user: string,
  extra: Pick<HomeFacts, 'deleted'>,
  parts: HomeParts,
): Promise<HomeView> {
  const who = await whoAsks(user, parts.people, parts.defaultZone);
  if ('refused' in who) return refusedHome(who.refused);
  const { store } = parts;
  const shared = await channelsOfBoth(user, parts);
  const mine = await mineToSee(user, parts);
  const kept = shared && (await store.savedReports.inChannels(shared, mostLookedAt));
  const runs = await parts.links.of(await store.asks.recentOf(user, mostRuns));
  return homeView(
    {
      mine,
      ...(kept ? { others: kept.filter(({ owner }) => owner !== user).slice(0, homeRows + 1) } : {}),
      runs,
      digests: [],
      ...extra,
    },
    readerOf(who.asker, false, parts),
  );
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
    if (mine.length > homeRows) break;
    if (await maySee(saved.channel, user, parts)) mine.push(saved);
  }
  return mine;
}
