import { LRUCache } from 'lru-cache';
import { randomId } from '../../logging/logger.js';
import type { TabContents } from '../../store/signals.js';
import type { Home } from '../answers/context.js';
import { slackErrorCode } from '../delivery/clients.js';
import { maxAdminsToAsk } from '../directory/access.js';
import { homeView, refusedHome } from '../home/home.js';
import { type HomeParts, homeFacts } from '../home/home-facts.js';
import { readerOf } from '../list/list.js';
import { describeFailure } from '../messages/failures.js';
import { ownReading } from './record.js';
import { lookUp } from './router.js';

const maxTabs = 10_000;

/** A tab that was opened since the bot started. */
interface Tab {
  isDrawing: boolean;
  isOutOfDate: boolean;
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
  /** Who has seen lines of their own record today. */
  const seen = new LRUCache<string, true>({ max: maxTabs, ttl: 24 * 3_600_000 });

  signals.on('home-drawn', ({ user, contents, drawnBy }) => {
    if (drawnBy !== own) Object.assign(tabOf(user), { contents, drawnBy });
  });
  signals.on('home-changed', ({ user }) => {
    const tab = opened.get(user);
    if (tab?.drawnBy === own) void draw(user, tab);
  });

  async function publish(user: string, tab: Tab) {
    const view = await drawHome(user, tab.contents, seen, parts).catch((error: unknown) => {
      const id = randomId();
      log.error({ err: error, id }, 'A Home tab could not be drawn');
      return refusedHome(describeFailure(error, id).sentence);
    });
    try {
      await parts.client.views.publish({ user_id: user, view });
    } catch (error) {
      log.warn({ code: slackErrorCode(error) }, 'A Home tab could not be shown');
    }
  }

  function tabOf(user: string) {
    if (opened.size >= maxTabs) opened.clear();
    const contents = { digestsFrom: 0 };
    const tab = opened.get(user) ?? { isDrawing: false, isOutOfDate: false, contents, drawnBy: own };
    opened.set(user, tab);
    return tab;
  }

  function take(user: string, changes: Partial<TabContents> = {}) {
    const tab = tabOf(user);
    tab.contents = { ...tab.contents, ...changes };
    tab.drawnBy = own;
    signals.send({ kind: 'home-drawn', user, contents: tab.contents, drawnBy: own });
    return tab;
  }

  /** The second drawing waits for the first. */
  async function draw(user: string, tab: Tab) {
    tab.isOutOfDate = true;
    if (tab.isDrawing) return;
    tab.isDrawing = true;
    while (tab.isOutOfDate) {
      tab.isOutOfDate = false;
      await publish(user, tab);
    }
    tab.isDrawing = false;
  }

  function changed(user: string) {
    signals.send({ kind: 'home-changed', user });
    const drawnBy = opened.get(user)?.drawnBy ?? own;
    if (drawnBy === own) return;
    // If the process that draws it has ended, this one draws it from now on.
    void takeFromEnded(user, drawnBy);
  }

  async function takeFromEnded(user: string, drawnBy: string) {
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

async function drawHome(user: string, contents: TabContents, seen: LRUCache<string, true>, parts: HomeParts) {
  const found = await lookUp('member', { asker: user, channel: user, requestId: '' }, parts);
  if (!found.ok) {
    const { standing } = await parts.people.find(user);
    const isOutsider = standing === 'guest' || standing === 'outsider';
    const admins = isOutsider ? await parts.access.adminNames(maxAdminsToAsk) : undefined;
    return refusedHome(found.refusal, admins);
  }
  const reader = await readerOf(found.value.member, false, parts);
  const facts = await homeFacts(found.value.member, contents, reader, parts);
  // A tab is drawn often, so its reading is an event once a day.
  if (facts.record.entries.length > 0 && !seen.has(user)) {
    await parts.store.events.append(ownReading(user, 'home', parts));
    seen.set(user, true);
  }
  return homeView(facts, reader);
}
