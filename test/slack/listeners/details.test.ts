import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { unlimitedScope } from '../../../src/access/scope.js';
import type { FiguresPlan } from '../../../src/figures/result.js';
import type { ResultWithFigures } from '../../../src/figures/summary/request.js';
import { detailsPostId } from '../../../src/posts/states.js';
import { plainRequest, type ReportRequest } from '../../../src/requests/request.js';
import { keptAnswer } from '../../../src/runner/answer-parts.js';
import { refusedBlocks } from '../../../src/slack/delivery/post-message.js';
import { openStore, type Store } from '../../../src/store/store.js';
import { figuresOf, resultOf } from '../../figures/fixed-answers.js';
import { freshFolder, recordKey } from '../../store/fresh-folder.js';
import { type BotChoices, listeningBot, pressOf } from './listener-test-app.js';

const folder = freshFolder();
let store: Store;
beforeEach(async () => {
  store = await openStore(folder.databaseWithTables(), Date.now, { recordKey });
});
afterEach(() => store.close());

const request: ReportRequest = { ...plainRequest('engagement'), range: 'last-week' };

/** Twelve people, eight of them active, of three departments. */
const records = Array.from({ length: 12 }, (_, i) => ({
  user_id: `u${i}`,
  email: `person${i}@example.com`,
  departments: [['Sales', 'Support', 'Finance'][i % 3]],
  session_count: i < 8 ? i + 1 : 0,
  views: i < 8 ? 3 * i : 0,
  seconds_viewed: 60 * i,
}));

interface Answer {
  readonly asked?: ReportRequest;
  readonly smallestGroup?: number;
  /** False: a day has passed. */
  readonly isKept?: boolean;
  /** True: it is edited once the period before is read. */
  readonly isEditedLater?: boolean;
  readonly postedAt?: number;
}

/** Now, by the clock of the bot. */
const now = Date.parse('2026-11-20T12:00Z');

/** An answer of U1 in C1, posted at 4.4. Returns the request's ID. */
async function answered({
  asked = request,
  smallestGroup = 1,
  isKept = true,
  isEditedLater = false,
  postedAt = now,
}: Answer = {}): Promise<string> {
  const result = resultOf(asked, records);
  const { range } = result;
  const id = await store.requestLog.record({
    channel: 'C1',
    asker: 'U1',
    request: asked,
    range,
    requestedAt: 1,
  });
  const before = isEditedLater ? 'not-yet' : result.before;
  await keepTotals(id, { ...result, before }, smallestGroup);
  if (!isKept) await store.deleteBefore('answer_totals', 2, 9);
  const held = { id, worker: null };
  await store.ledger.markPosting(held);
  const message = { channel: 'C1', ts: '4.4' };
  await store.ledger.markPosted(held, { message, fileFollows: false }, postedAt);
  return id;
}

async function keepTotals(id: string, result: ResultWithFigures, smallestGroup = 1): Promise<void> {
  const scope = { ...unlimitedScope, smallestGroup, namesPeople: false };
  const asker = { id: 'U1', zone: 'Europe/Berlin' };
  const answer = keptAnswer('U1', { ...result, asker, scope, records: 12, values: [] }, 1);
  if (!answer) throw new Error('It has figures');
  await store.answerTotals.keep(id, id, answer, 1);
}

interface Query {
  readonly plan: FiguresPlan;
  readonly range: unknown;
  readonly body: object;
}

function bot({ changes = {}, refuses }: Partial<BotChoices> = {}) {
  const queries: Query[] = [];
  const source = {
    async read({ range, body }: { range?: unknown; body: object }, { figures }: { figures?: FiguresPlan }) {
      if (!figures) throw new Error('Details need figures');
      queries.push({ plan: figures, range, body });
      return { records: 12, figures: figuresOf(figures, records) };
    },
  };
  const refused = refusedBlocks(() => 0);
  const listening = listeningBot({ store, refuses, changes: { source, refused, ...changes } as never });
  const posts = () =>
    listening.calls.filter(({ method }) => method === 'chat.postMessage').map(({ args }) => args);
  const told = () => {
    const replies = listening.calls.filter(({ method }) => method === 'response_url');
    return replies.map(({ args }) => String(args.text));
  };
  return { ...listening, posts, told, queries };
}

const byBob = { user: { id: 'U2', team_id: 'T1', name: 'bob' } };
const inMessage = { message: { ts: '4.4' } };
const eventsOf = async () =>
  (await store.events.newest({}, 9)).map(({ person, details }) => ({ person, ...(details as object) }));

describe('a press of Details', () => {
  it('puts the details into the thread of the answer, once, whoever presses', async () => {
    const id = await answered();
    const shown = bot();
    await shown.deliver(pressOf('ask_details', id, inMessage));
    await shown.deliver(pressOf('ask_details', id, { ...inMessage, ...byBob }));
    expect(shown.posts()).toHaveLength(1);
    expect(shown.posts()[0]).toMatchObject({ channel: 'C1', thread_ts: '4.4' });
    expect(JSON.stringify(shown.posts()[0]?.blocks)).toContain('Active people');
    expect(shown.told()).toEqual(['The details are in the thread.']);
    expect(shown.queries).toEqual([]);
  });

  it('posts once where two press at the same moment', async () => {
    const id = await answered();
    const shown = bot();
    await Promise.all([
      shown.deliver(pressOf('ask_details', id, inMessage)),
      shown.deliver(pressOf('ask_details', id, { ...inMessage, ...byBob })),
    ]);
    expect(shown.posts()).toHaveLength(1);
    expect(shown.told()).toHaveLength(1);
  });

  it('names nobody, and is recorded for the person who pressed', async () => {
    const id = await answered();
    const shown = bot();
    await shown.deliver(pressOf('ask_details', id, { ...inMessage, ...byBob }));
    expect(JSON.stringify(shown.posts())).not.toContain('@example.com');
    expect(await eventsOf()).toMatchObject([{ person: 'U2', origin: 'details', level: 'everything' }]);
  });

  it('stays in the thread of an answer that was in one', async () => {
    const shown = bot();
    await shown.deliver(
      pressOf('ask_details', await answered(), { message: { ts: '4.4', thread_ts: '3.3' } }),
    );
    expect(shown.posts()[0]).toMatchObject({ thread_ts: '3.3' });
  });

  it('is refused to somebody without a level for the report', async () => {
    const access = {
      accessOf: async (user: string) => ({ level: user === 'U2' ? 'nothing' : 'everything' }),
      isAdmin: async () => false,
    };
    const shown = bot({ changes: { access } as never });
    const id = await answered();
    await shown.deliver(pressOf('ask_details', id, { ...inMessage, ...byBob }));
    expect(shown.posts()).toEqual([]);
    expect(shown.told()[0]).toContain('You may not ask for this report.');
    expect(await eventsOf()).toMatchObject([{ person: 'U2', origin: 'details', refused: 'nothing' }]);
  });

  it('needs a message that Rollcall still knows', async () => {
    const shown = bot();
    await shown.deliver(pressOf('ask_details', 'gone', inMessage));
    expect(shown.told()).toEqual(['That report has expired. Run it again.']);
    const id = await answered();
    await store.erasePerson('U1');
    await shown.deliver(pressOf('ask_details', id, inMessage));
    expect(shown.told()).toHaveLength(2);
    expect(shown.posts()).toEqual([]);
  });
});

describe('details of an answer that is still to be edited', () => {
  /** Presses *Details*, and returns once they wait. */
  async function pressed(id: string) {
    const shown = bot();
    const delivery = shown.deliver(pressOf('ask_details', id, inMessage));
    await vi.waitFor(() => expect(shown.parts.running.lengths().running).toBe(1));
    return { shown, delivery };
  }

  const changed = resultOf(request, records, { before: records.slice(0, 6) });

  it('wait for its changes', async () => {
    const id = await answered({ isEditedLater: true });
    const { shown, delivery } = await pressed(id);
    expect(shown.posts()).toEqual([]);
    await keepTotals(id, changed);
    await delivery;
    expect(shown.posts()).toHaveLength(1);
    expect(shown.posts()[0]?.text).toContain('Compared with 2–8 Nov 2026');
    expect(shown.posts()[0]?.text).not.toContain('Run again');
    expect(shown.queries).toEqual([]);
  });

  it('say that there are no changes, where the answer gets none', async () => {
    const id = await answered({ isEditedLater: true });
    const { shown, delivery } = await pressed(id);
    await keepTotals(id, { ...changed, before: 'late' });
    await delivery;
    expect(shown.posts()[0]?.text).toContain('No changes: the period before was not read in time.');
  });

  it('do not wait for a process that ended before it edited the answer', async () => {
    const id = await answered({ isEditedLater: true, postedAt: now - 59_500 });
    const shown = bot();
    await shown.deliver(pressOf('ask_details', id, inMessage));
    expect(shown.posts()[0]?.text).toContain('No changes: the period before was not read in time.');
  });

  it('can be cancelled, and pressed again', async () => {
    const id = await answered({ isEditedLater: true });
    const { shown, delivery } = await pressed(id);
    shown.parts.running.cancel(detailsPostId(id), 'U1');
    await delivery;
    expect(shown.told()).toEqual(['Cancelled. Press Details to start again.']);
    expect(shown.posts()).toEqual([]);
    await keepTotals(id, changed);
    await shown.deliver(pressOf('ask_details', id, inMessage));
    expect(shown.posts()).toHaveLength(1);
  });
});

describe('once the totals are no longer kept', () => {
  it('runs the report again for the same dates, and says so', async () => {
    const id = await answered({ isKept: false });
    const shown = bot();
    await shown.deliver(pressOf('ask_details', id, inMessage));
    const entry = await store.requestLog.find(id);
    const { from, until } = entry?.range ?? {};
    expect(shown.queries[0]?.range).toEqual({ from, until });
    expect(shown.posts()).toHaveLength(1);
    expect(String(shown.posts()[0]?.text)).toContain('Run again');
  });

  it('can be cancelled by the person who pressed, and pressed again', async () => {
    const id = await answered({ isKept: false });
    const read = (_query: object, _plan: object, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    const shown = bot({ changes: { source: { read } } as never });
    const delivery = shown.deliver(pressOf('ask_details', id, inMessage));
    await vi.waitFor(() => expect(shown.parts.running.lengths().running).toBe(1));
    expect(shown.parts.running.cancel(detailsPostId(id), 'U2')).toBe('not-theirs');
    expect(shown.parts.running.cancel(detailsPostId(id), 'U1')).toBe('cancelled');
    await delivery;
    expect(shown.told()).toEqual(['Cancelled. Press Details to start again.']);
    expect(shown.logged).toEqual([]);
    const later = bot();
    await later.deliver(pressOf('ask_details', id, inMessage));
    expect(later.posts()).toHaveLength(1);
  });

  it('shows no more than the answer did, even to somebody with a wider level now', async () => {
    const id = await answered({ isKept: false, smallestGroup: 5 });
    const shown = bot();
    await shown.deliver(pressOf('ask_details', id, inMessage));
    expect(shown.queries[0]?.plan).toMatchObject({ smallestGroup: 5, people: false });
  });

  it('asks for nothing where the owner may not ask any more', async () => {
    const id = await answered({ isKept: false });
    const access = {
      accessOf: async (user: string) => ({ level: user === 'U1' ? 'nothing' : 'everything' }),
    };
    const shown = bot({ changes: { access } as never });
    await shown.deliver(pressOf('ask_details', id, { ...inMessage, ...byBob }));
    expect(shown.queries).toEqual([]);
    expect(shown.told()[0]).toContain('Ask for the report yourself.');
    // Somebody may press again once that has changed.
    const later = bot();
    await later.deliver(pressOf('ask_details', id, inMessage));
    expect(later.posts()).toHaveLength(1);
  });
});

describe('an answer whose totals may not be stored', () => {
  /** It is about few people, so only this process remembers it. */
  async function remembered({ parts }: ReturnType<typeof bot>, changes: Partial<ResultWithFigures> = {}) {
    const id = await answered({ isKept: false });
    const result = { ...resultOf(request, records), ...changes };
    const asker = { id: 'U1', zone: 'Europe/Berlin' };
    const scope = { ...unlimitedScope, namesPeople: false };
    const kept = keptAnswer('U1', { ...result, asker, scope, records: 12, values: [] }, 5);
    if (!kept?.recent) throw new Error('It may be in memory');
    expect(kept.totals).toBeUndefined();
    parts.recentAnswers.set(id, kept.recent);
    return id;
  }

  it('shows the figures of the answer, without another query', async () => {
    const shown = bot();
    await shown.deliver(pressOf('ask_details', await remembered(shown), inMessage));
    expect(shown.queries).toEqual([]);
    expect(shown.posts()).toHaveLength(1);
    expect(shown.posts()[0]?.text).not.toContain('Run again');
  });

  it('is asked for again in another process', async () => {
    const id = await remembered(bot());
    const other = bot();
    await other.deliver(pressOf('ask_details', id, inMessage));
    expect(other.queries).not.toEqual([]);
    expect(other.posts()).toHaveLength(1);
  });

  it('waits for its changes', async () => {
    const shown = bot();
    const id = await remembered(shown, { before: 'not-yet' });
    const delivery = shown.deliver(pressOf('ask_details', id, inMessage));
    await vi.waitFor(() => expect(shown.parts.running.lengths().running).toBe(1));
    await remembered(shown);
    const recent = shown.parts.recentAnswers.get(id);
    if (!recent) throw new Error('It is in memory');
    shown.parts.recentAnswers.set(id, { ...recent, before: 'late' });
    await delivery;
    expect(shown.posts()[0]?.text).toContain('No changes: the period before was not read in time.');
    expect(shown.queries).toEqual([]);
  });

  it.each<[string, object, (() => Promise<unknown>)?]>([
    ['an erasure, which may be of somebody in it', {}, () => store.erasePerson('U9')],
    ['a change of who is left out', { listOfLeftOut: () => 7 }],
    ['the end of an approval', { personLevelChannels: [] }],
  ])('runs again after %s', async (_what, changes, happens) => {
    const shown = bot({ changes: changes as never });
    const id = await remembered(shown);
    await happens?.();
    await shown.deliver(pressOf('ask_details', id, inMessage));
    expect(shown.queries).not.toEqual([]);
    expect(shown.posts()).toHaveLength(1);
  });

  it.each([
    ['another level', 'totals'],
    ['no level', 'nothing'],
  ])('is not shown where its owner has %s by now', async (_what, level) => {
    const filters = [{ object: 'user_filter', member: 'last_name', entries: ['Brandt'] }];
    const access = { accessOf: async (user: string) => ({ level: user === 'U1' ? level : 'everything' }) };
    const shown = bot({ changes: { access } as never });
    const id = await remembered(shown);
    const asked = await answered({ isKept: false, asked: { ...request, filters } });
    const recent = shown.parts.recentAnswers.get(id);
    if (recent) shown.parts.recentAnswers.set(asked, recent);
    await shown.deliver(pressOf('ask_details', asked, { ...inMessage, ...byBob }));
    expect(shown.posts()).toEqual([]);
    expect(shown.told()[0]).toContain('Ask for the report yourself.');
  });
});

describe('a channel that lost its approval', () => {
  const changes = { personLevelChannels: [] } as never;

  it('gets figures about small groups joined, which needs another run', async () => {
    const id = await answered();
    const shown = bot({ changes });
    await shown.deliver(pressOf('ask_details', id, inMessage));
    expect(shown.queries[0]?.plan.smallestGroup).toBe(5);
    expect(shown.posts()).toHaveLength(1);
  });

  it('gets no details of an answer that names people', async () => {
    const filters = [{ object: 'user_filter', member: 'last_name', entries: ['Brandt'] }];
    const id = await answered({ asked: { ...request, filters } });
    const shown = bot({ changes });
    await shown.deliver(pressOf('ask_details', id, inMessage));
    expect(shown.posts()).toEqual([]);
    expect(shown.told()[0]).toContain('names are no longer allowed in this channel');
  });
});

describe('where the bot cannot post', () => {
  const channels = {
    find: async () => ({ known: true, isMember: false, isShared: false }),
    directWith: async () => 'D1',
  };

  it('shows the details to each person who presses, alone', async () => {
    const id = await answered({ smallestGroup: 5 });
    const shown = bot({ changes: { channels, personLevelChannels: [] } as never });
    await shown.deliver(pressOf('ask_details', id, inMessage));
    await shown.deliver(pressOf('ask_details', id, { ...inMessage, ...byBob }));
    expect(shown.posts()).toEqual([]);
    const replies = shown.calls.filter(({ method }) => method === 'response_url');
    expect(replies).toHaveLength(2);
    for (const { args } of replies) {
      expect(args).toMatchObject({ response_type: 'ephemeral' });
      expect(JSON.stringify(args.blocks)).toContain('Active people');
    }
    expect(await store.ledger.beginDetails(id, 'C1', 9)).toBe('begun');
  });
});

describe('a thread that takes no message', () => {
  it('leaves the details to the person who pressed, and to the next one', async () => {
    const id = await answered();
    const postMessage = async () => {
      const { WebAPIPlatformError } = await import('@slack/web-api');
      throw new WebAPIPlatformError({ ok: false, error: 'restricted_action_thread_locked' });
    };
    const shown = bot({ changes: { client: { chat: { postMessage } } } as never });
    await shown.deliver(pressOf('ask_details', id, inMessage));
    const [reply] = shown.calls.filter(({ method }) => method === 'response_url');
    expect(reply?.args).toMatchObject({ response_type: 'ephemeral' });
    expect(JSON.stringify(reply?.args.blocks)).toContain('Active people');
    const later = bot();
    await later.deliver(pressOf('ask_details', id, { ...inMessage, ...byBob }));
    expect(later.posts()).toHaveLength(1);
  });
});

describe('an end that nobody knows', () => {
  it('is not repeated before somebody wants that', async () => {
    const id = await answered();
    const held = { id: detailsPostId(id), worker: null };
    await store.ledger.beginDetails(id, 'C1', 1);
    await store.ledger.markPosting(held);
    await store.ledger.markUnconfirmed(held, { code: 'interrupted' }, 2);
    const shown = bot();
    await shown.deliver(pressOf('ask_details', id, inMessage));
    expect(shown.posts()).toEqual([]);
    const [reply] = shown.calls;
    expect(String(reply?.args.text)).toContain('Delivery of the details is unconfirmed.');
    const value = `${id} 4.4`;
    expect(JSON.stringify(reply?.args.blocks)).toContain(value);
    await shown.deliver(pressOf('ask_details_again', value, { message: { ts: '9.9' } }));
    expect(shown.posts()).toHaveLength(1);
    expect(shown.posts()[0]).toMatchObject({ channel: 'C1', thread_ts: '4.4' });
  });

  it('is what a lost answer of Slack leaves', async () => {
    const id = await answered();
    const postMessage = async () => {
      const { WebAPIRequestError } = await import('@slack/web-api');
      throw new WebAPIRequestError({ original: new Error('socket hang up') } as never);
    };
    const shown = bot({ changes: { client: { chat: { postMessage } } } as never });
    await shown.deliver(pressOf('ask_details', id, inMessage));
    expect(shown.told()[0]).toContain('unconfirmed');
    expect(await store.ledger.beginDetails(id, 'C1', 9)).toBe('unknown');
  });
});
