import { afterEach, describe, expect, it, vi } from 'vitest';
import { RowsOutsideScope } from '../../../src/access/scope.js';
import { plainRequest, type ReportRequest } from '../../../src/requests/request.js';
import type { ReadOptions, ReportSource } from '../../../src/runner/ports.js';
import { type AnswerOptions, type AnswerParts, answerRequest } from '../../../src/slack/answer-request.js';
import { answerEditor } from '../../../src/slack/delivery/answer-editor.js';
import { editBudget } from '../../../src/slack/delivery/progress.js';
import type { BuilderDraft } from '../../../src/slack/modals/builder/state.js';
import { runningRequests } from '../../../src/slack/running-requests.js';
import { openStore } from '../../../src/store/store.js';
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
  const answering = {
    ...parts,
    source,
    personLevelChannels: [],
    store,
    edits: editBudget(30, () => performance.now()),
    running: runningRequests(),
    log: { info: remember, warn: remember, error: remember },
    requestsChanged() {},
    handOver: async () => false,
    ended() {},
  };
  const editor = answerEditor(answering);
  const all: AnswerParts = { ...answering, editor };
  return {
    editor,
    logged,
    ask: (request = engagement, options: AnswerOptions = {}, channel = learning) =>
      answerRequest(request, { channel, asker: ada, typed: 'as typed' }, all, options),
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

const isDue = (work: DigestTestWorkspace) => async () => (await work.store.ledger.dueEdits()).length > 0;

/** Answers without the period before, as a process that ends then. */
async function answeredAndKilled(work: DigestTestWorkspace, request = engagement, channel = learning) {
  const calls = callsOf(work);
  const killed = botOn(work, held);
  await killed.ask(request, {}, channel);
  await killed.editor.stop();
  const entry = await newest(work);
  return { calls, entry, ended: async () => true };
}

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
    expect(await work.store.ledger.dueEdits()).toMatchObject([{ id, takeovers: 0 }]);
    expect((await work.store.answerTotals.find(id))?.totals?.before).toBe('not-yet');
    open();
    await expect.poll(isDue(work)).toBe(false);
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
    await expect.poll(isDue(work)).toBe(false);
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
    await expect.poll(isDue(work)).toBe(false);
    expect(calls.edited()).toMatchObject([{ text: expect.stringContaining('could not be read') }]);
  });

  it('is not edited where the period before came in time', async () => {
    const work = await openTestWorkspace();
    const calls = callsOf(work);
    await botOn(work).ask();
    expect(calls.posted()[0]?.text).toContain('Compared with');
    expect(await isDue(work)()).toBe(false);
    expect(calls.edited()).toEqual([]);
  });

  it('is not edited where that would change nothing', async () => {
    const work = await openTestWorkspace({ usual: answer('[]') });
    const calls = callsOf(work);
    const { open, passed } = gate();
    await botOn(work, passed).ask();
    expect(await isDue(work)()).toBe(true);
    open();
    await expect.poll(isDue(work)).toBe(false);
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
    await expect.poll(isDue(work)).toBe(false);
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
    await expect.poll(isDue(work)).toBe(false);
    expect(calls.posted()).toHaveLength(1);
    expect(calls.edited()).toHaveLength(1);
    expect(logged).toEqual(['An answer was not edited, so it has no changes']);
  });

  it.each([
    ['its asker was erased', (work: DigestTestWorkspace) => work.store.erasePerson(ada)],
    [
      'the words that were typed named somebody who was erased',
      (work: DigestTestWorkspace) => work.store.erasePerson('typed'),
    ],
  ])('because %s', async (_why, erase) => {
    const work = await openTestWorkspace();
    const calls = callsOf(work);
    const { open, passed } = gate();
    await botOn(work, passed).ask();
    expect(await isDue(work)()).toBe(true);
    await erase(work);
    expect(await isDue(work)()).toBe(false);
    open();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(calls.edited()).toEqual([]);
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
    await expect.poll(isDue(work)).toBe(false);
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
    await expect.poll(isDue(work)).toBe(false);
    expect(calls.edited()).toEqual([]);
  });

  it('because the service returned records of other people', async () => {
    const work = await openTestWorkspace();
    const calls = callsOf(work);
    const { open, passed } = gate();
    const { ask, logged } = botOn(work, async () => {
      await passed();
      throw new RowsOutsideScope();
    });
    await ask();
    open();
    await expect.poll(isDue(work)).toBe(false);
    expect(calls.edited()).toEqual([]);
    expect(logged).toEqual([
      'The Reporting Service returned records of other people, so the answer was refused',
    ]);
  });
});

describe('an edit whose process has ended', () => {
  it.each([
    ['a channel', false],
    ['direct messages', true],
  ])('is made by another process, once, from a new run: in %s', async (_place, isDirect) => {
    const work = await openTestWorkspace({ usual: byRange });
    const channel = isDirect ? await work.parts.channels.directWith(ada) : learning;
    const request = isDirect ? { ...engagement, showRows: true as const } : engagement;
    const { calls, entry, ended } = await answeredAndKilled(work, request, channel);
    expect(calls.edited()).toEqual([]);
    const successor = botOn(work);
    await successor.editor.takeOver(ended);
    await successor.editor.takeOver(ended);
    await expect.poll(isDue(work)).toBe(false);
    await successor.editor.takeOver(ended);
    await botOn(work).ask(request, { isRepeat: true }, channel);
    const [edit, ...more] = calls.edited();
    const whole = calls.posted().at(-1);
    if (!edit || !whole) throw new Error('Nothing was edited');
    expect(more).toEqual([]);
    expect(edit).toMatchObject({ ts: entry.message.ts });
    expect(contentOf(edit, entry.id)).toEqual(contentOf(whole, (await newest(work)).id));
    expect(calls.posted()).toHaveLength(2);
  });

  it('is made again with the same content where its process ended before it was noted down', async () => {
    const work = await openTestWorkspace({ usual: byRange });
    const calls = callsOf(work);
    const { open, passed } = gate();
    const killed = botOn(work, passed);
    await killed.ask();
    const noting = vi.spyOn(work.store.ledger, 'endEdit').mockRejectedValue(new Error('killed'));
    open();
    await expect.poll(() => noting.mock.calls.length).toBeGreaterThan(0);
    const another = await openStore<BuilderDraft>(work.path, work.clock.now, { process: 'another' });
    const successor = botOn({ ...work, store: another });
    await successor.editor.takeOver(async () => true);
    await expect.poll(isDue(work)).toBe(false);
    await successor.editor.stop();
    await another.close();
    await killed.editor.stop();
    const [first, second, ...more] = calls.edited();
    expect(more).toEqual([]);
    expect(second).toEqual(first);
    expect(calls.posted()).toHaveLength(1);
  });

  it('compares figures of now with what the answer was compared with, not with the answer itself', async () => {
    const work = await openTestWorkspace({ usual: byRange });
    await botOn(work).ask(plainRequest('assignments'));
    work.clock.moveBy(3 * 24 * 3_600_000);
    const { calls, ended } = await answeredAndKilled(work, plainRequest('assignments'));
    const lastRun = /the last run on [^.·]*/.exec(calls.posted().at(-1)?.text ?? '')?.[0];
    expect(lastRun).toBeDefined();
    await botOn(work).editor.takeOver(ended);
    await expect.poll(isDue(work)).toBe(false);
    expect(calls.edited()[0]?.text).toContain(lastRun);
  });

  it('stays with a process that lives', async () => {
    const work = await openTestWorkspace();
    const { calls } = await answeredAndKilled(work);
    await botOn(work).editor.takeOver(async () => false);
    expect(await isDue(work)()).toBe(true);
    expect(calls.edited()).toEqual([]);
  });

  it.each([
    ['ten minutes have passed', (work: DigestTestWorkspace) => work.clock.moveBy(10 * 60_000 + 1)],
    [
      'three processes ended over it',
      async ({ store: { ledger } }: DigestTestWorkspace) => {
        for (let n = 0; n < 3; n += 1) {
          for (const due of await ledger.dueEdits()) expect(await ledger.takeEdit(due)).toBe(true);
        }
      },
    ],
  ])('is given up once %s', async (_when, happens) => {
    const work = await openTestWorkspace();
    const { calls, ended } = await answeredAndKilled(work);
    await happens(work);
    const asked = work.service.seen.length;
    await botOn(work).editor.takeOver(ended);
    await expect.poll(isDue(work)).toBe(false);
    expect(calls.edited()).toEqual([]);
    expect(work.service.seen).toHaveLength(asked);
  });

  it('is given up where the asker may see something else by now', async () => {
    const work = await openTestWorkspace();
    const { calls, ended } = await answeredAndKilled(work);
    await work.store.approvals.approveChannel({ subject: learning, by: ada, at: 1 });
    const asked = work.service.seen.length;
    await botOn(work).editor.takeOver(ended);
    await expect.poll(isDue(work)).toBe(false);
    expect(work.service.seen).toHaveLength(asked);
    expect(calls.edited()).toEqual([]);
  });

  it('is no longer made by the process that was taken for dead', async () => {
    const work = await openTestWorkspace({ usual: byRange });
    const calls = callsOf(work);
    const { open, passed } = gate();
    const frozen = botOn(work, passed);
    await frozen.ask();
    const another = await openStore(work.path, work.clock.now, { process: 'another' });
    for (const due of await another.ledger.dueEdits()) expect(await another.ledger.takeEdit(due)).toBe(true);
    await another.close();
    const asked = vi.spyOn(work.store.ledger, 'isEditDue');
    open();
    await expect.poll(() => asked.mock.calls.length).toBe(1);
    await frozen.editor.stop();
    expect(calls.edited()).toEqual([]);
    expect(await isDue(work)()).toBe(true);
  });
});
