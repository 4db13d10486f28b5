import { afterEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '../../../src/errors/failure.js';
import { randomId } from '../../../src/logging/logger.js';
import { plainRequest, type ReportRequest } from '../../../src/requests/request.js';
import type { ReadOptions, ReportSource } from '../../../src/runner/ports.js';
import { type AnswerParts, answerRequest } from '../../../src/slack/answers/answer-request.js';
import type { AnswerOptions } from '../../../src/slack/answers/answer-run.js';
import { editBudget } from '../../../src/slack/answers/progress.js';
import { runningRequests } from '../../../src/slack/answers/running-requests.js';
import {
  ada,
  type DigestTestWorkspace,
  learning,
  openTestWorkspace,
  records,
} from '../../digests/test-workspace.js';
import { answer, type Behaviour } from '../../reporting-api/fault-server.js';

afterEach(() => vi.restoreAllMocks());

const engagement: ReportRequest = { ...plainRequest('engagement'), range: 'last-week' };

/** A number of records that follows from the range, so that periods differ. */
const byRange: Behaviour = (response, socket) => {
  const [, from = '0'] = /\/(\d+)\/\d+$/.exec(response.req.url ?? '') ?? [];
  return answer(records(2 + (Math.floor(Number(from) / 86_400) % 7)))(response, socket);
};

type Before = (options: ReadOptions) => Promise<void>;

const held: Before = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** The latest request, which resolves once its answer is edited, or is not to be. */
const edits = new WeakMap<DigestTestWorkspace, Promise<void>>();
const edited = (work: DigestTestWorkspace) => {
  const edit = edits.get(work);
  if (!edit) throw new Error('Nothing was asked');
  return edit;
};

/** A bot on the workspace, whose queries for the period before do what the test says before they are made. */
function botOn(work: DigestTestWorkspace, before: Before = async () => {}) {
  const { parts, store } = work;
  const source: ReportSource = {
    async read(query, plan, options) {
      if (options.urgency.endsWith('-before')) await before(options);
      return parts.source.read(query, plan, options);
    },
  };
  const logged: string[] = [];
  const remember = (_details: object, message: string) => void logged.push(message);
  const running = runningRequests();
  const answering: AnswerParts = {
    ...parts,
    source,
    personLevelChannels: [],
    store,
    edits: editBudget(30, () => performance.now()),
    running,
    log: { info: remember, warn: remember, error: remember },
    requestsChanged() {},
    handOver: async () => false,
    ended() {},
  };
  return {
    running,
    logged,
    /** Resolves once the answer is posted. */
    ask(request = engagement, options: AnswerOptions = {}, channel = learning): Promise<void> {
      const member = { id: ada, zone: 'Europe/Berlin' };
      const context = { channel, asker: ada, member, requestId: randomId(), typed: 'as typed' };
      return new Promise((ended, failed) => {
        const whole = answerRequest(request, context, { ...answering, ended: () => ended() }, options);
        edits.set(work, whole);
        whole.catch(failed);
      });
    },
  };
}

/** Resolves when the test lets it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed: () => opened };
}

type Call = {
  readonly channel: string;
  readonly ts?: string;
  readonly text: string;
  readonly blocks: unknown;
};

/** The calls to Slack that post and edit. */
function callsOf({ parts: { client } }: DigestTestWorkspace) {
  const posted = vi.spyOn(client.chat, 'postMessage');
  const edited = vi.spyOn(client.chat, 'update');
  const args = (spy: { mock: { calls: unknown[][] } }) => spy.mock.calls.map(([call]) => call as Call);
  return { posted: () => args(posted), edited: () => args(edited) };
}

async function newest({ store }: DigestTestWorkspace) {
  const [entry] = await store.requestLog.recentOf(ada, 1);
  if (!entry?.message) throw new Error('Nothing was answered');
  return { ...entry, message: entry.message };
}

/** What a message shows, without the ID of its request. */
const contentOf = ({ text, blocks }: Call, id: string) =>
  JSON.parse(JSON.stringify({ text, blocks }).replaceAll(id, 'ID'));

describe('an answer whose period before is late', () => {
  it('is posted complete without changes, and edited once with them', async () => {
    const work = await openTestWorkspace({ usual: byRange });
    const calls = callsOf(work);
    const { open, passed } = gate();
    const { ask, logged } = botOn(work, passed);
    await ask();
    const { id, message } = await newest(work);
    const [first] = calls.posted();
    expect(first?.text).toContain('Engagement');
    expect(JSON.stringify(first)).not.toMatch(/compared|coming|▲|▼|up |down /i);
    expect(calls.edited()).toEqual([]);
    expect((await work.store.answerTotals.find(id))?.totals?.before).toBe('not-yet');
    open();
    await edited(work);
    const [edit, ...more] = calls.edited();
    expect(more).toEqual([]);
    expect(edit).toMatchObject({ channel: message.channel, ts: message.ts });
    expect(edit?.text).toMatch(/Compared with/);
    expect(calls.posted()).toHaveLength(1);
    expect((await work.store.answerTotals.find(id))?.totals?.before).toHaveProperty('figures');
    expect(logged).toEqual([]);
  });

  it.each([
    ['engagement', learning],
    ['assignments', learning],
    ['completions', learning],
    ['workshops', learning],
    ['assignments', 'direct'],
    ['engagement', 'direct'],
  ] as const)('ends as one that had everything at hand: %s, %s', async (report, place) => {
    const work = await openTestWorkspace({ usual: byRange });
    const channel = place === 'direct' ? await work.parts.channels.directWith(ada) : place;
    const calls = callsOf(work);
    const { open, passed } = gate();
    const request = plainRequest(report);
    await botOn(work, passed).ask(request, { isRepeat: true }, channel);
    const late = await newest(work);
    open();
    await edited(work);
    await botOn(work).ask(request, { isRepeat: true }, channel);
    const [edit] = calls.edited();
    const whole = calls.posted().at(-1);
    if (!edit || !whole) throw new Error('Nothing was edited');
    expect(contentOf(edit, late.id)).toEqual(contentOf(whole, (await newest(work)).id));
    expect(edit.text).toContain('Compared with');
    expect(calls.edited()).toHaveLength(1);
    expect(calls.posted()).toHaveLength(2);
  });

  it('says why there are no changes where the period before cannot be read', async () => {
    const work = await openTestWorkspace();
    const calls = callsOf(work);
    const { open, passed } = gate();
    const { ask } = botOn(work, async () => {
      await passed();
      throw new Error('no luck');
    });
    await ask();
    open();
    await edited(work);
    expect(calls.edited()).toMatchObject([{ text: expect.stringContaining('could not be read') }]);
  });

  it('is not edited where the period before came in time', async () => {
    const work = await openTestWorkspace();
    const calls = callsOf(work);
    await botOn(work).ask();
    expect(calls.posted()[0]?.text).toContain('Compared with');
    await edited(work);
    expect(calls.edited()).toEqual([]);
  });

  it('is not edited where that would change nothing', async () => {
    const work = await openTestWorkspace({ usual: answer('[]') });
    const calls = callsOf(work);
    const { open, passed } = gate();
    await botOn(work, passed).ask();
    open();
    await edited(work);
    expect(calls.posted()).toHaveLength(1);
    expect(calls.edited()).toEqual([]);
  });

  it('keeps the button and the rows that it has', async () => {
    const work = await openTestWorkspace({ usual: byRange });
    const calls = callsOf(work);
    const { open, passed } = gate();
    const direct = await work.parts.channels.directWith(ada);
    await botOn(work, passed).ask({ ...engagement, showRows: true }, {}, direct);
    open();
    await edited(work);
    const blocksOf = (call: Call | undefined) => call?.blocks as readonly { readonly type: string }[];
    const kept = (call: Call | undefined) =>
      blocksOf(call).filter(({ type }) => type === 'data_table' || type === 'actions');
    expect(kept(calls.posted()[0]).map(({ type }) => type)).toEqual(['data_table', 'actions']);
    expect(kept(calls.edited()[0])).toEqual(kept(calls.posted()[0]));
  });
});

describe('an answer that may no longer be edited', () => {
  it.each([
    ['was deleted', 'message_not_found'],
    ['cannot be edited any more', 'edit_window_closed'],
  ])('stays where it is: its message %s', async (_what, error) => {
    const work = await openTestWorkspace();
    const calls = callsOf(work);
    const { open, passed } = gate();
    const { ask, logged } = botOn(work, passed);
    await ask();
    work.slack.faults.set('chat.update', { kind: 'error', error }, { times: Number.POSITIVE_INFINITY });
    open();
    await edited(work);
    expect(calls.posted()).toHaveLength(1);
    expect(calls.edited()).toHaveLength(1);
    expect(logged).toEqual(['An answer was not edited, so it has no changes']);
  });

  it.each([
    ['its asker', ada],
    ['a person in its filters', 'eve@example.com'],
  ])('because %s was erased', async (_who, person) => {
    const work = await openTestWorkspace();
    const calls = callsOf(work);
    const { open, passed } = gate();
    const channel = await work.parts.channels.directWith(ada);
    const email = { object: 'user_filter', member: 'email', entries: ['eve@example.com'] } as const;
    await botOn(work, passed).ask({ ...engagement, filters: [email] }, {}, channel);
    await work.store.erasePerson(person);
    open();
    await edited(work);
    expect(calls.posted()).toHaveLength(1);
    expect(calls.edited()).toEqual([]);
    expect(
      await work.store.answerTotals.find((await work.store.requestLog.recent(0, 1))[0]?.id ?? ''),
    ).not.toHaveProperty('totals.figures');
  });

  it('because its asker has become a guest', async () => {
    const work = await openTestWorkspace();
    const calls = callsOf(work);
    const { open, passed } = gate();
    const { parts } = work;
    const { ask } = botOn(work, passed);
    await ask();
    const { find } = parts.people;
    vi.spyOn(parts.people, 'find').mockImplementation(async (id) => ({
      ...(await find(id)),
      standing: 'guest',
    }));
    open();
    await edited(work);
    expect(calls.edited()).toEqual([]);
  });

  it('because its place may get less by now', async () => {
    const work = await openTestWorkspace();
    const { approvals } = work.store;
    await approvals.approveChannel({ subject: learning, by: ada, at: 1 });
    const calls = callsOf(work);
    const { open, passed } = gate();
    await botOn(work, passed).ask({ ...engagement, columns: ['email'] });
    expect(calls.posted()[0]?.channel).toBe(learning);
    await approvals.withdrawChannel(learning, { by: ada, at: 2 });
    open();
    await edited(work);
    expect(calls.edited()).toEqual([]);
  });

  it('because the service returned records of other people', async () => {
    const work = await openTestWorkspace();
    const calls = callsOf(work);
    const { open, passed } = gate();
    const { ask, logged } = botOn(work, async () => {
      await passed();
      throw new Failure('rows-outside-scope');
    });
    await ask();
    open();
    await edited(work);
    expect(calls.edited()).toEqual([]);
    expect(logged).toEqual([
      'The Reporting Service returned records of other people, so the answer was refused',
    ]);
  });
});

describe('an edit whose process ends first', () => {
  it('is not made, and Details do not wait for it', async () => {
    const work = await openTestWorkspace({ usual: byRange });
    const calls = callsOf(work);
    const { ask, running, logged } = botOn(work, held);
    await ask();
    const { id } = await newest(work);
    await running.stop();
    expect(calls.posted()).toHaveLength(1);
    expect(calls.edited()).toEqual([]);
    expect((await work.store.answerTotals.find(id))?.totals?.before).toBe('late');
    expect(logged).toEqual([]);
  });
});
