import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ada, records } from '../digests/test-workspace.js';
import { endEveryProcess, type StartedProcess } from '../process.js';
import { answer, silent } from '../reporting-api/fault-server.js';
import { freshFolder, sqlOn } from '../store/fresh-folder.js';
import { assistantSettings, callTool, sendSigned, type ToolResult } from './assistant-client.js';
import { eventsUrl } from './bot-process.js';
import { openSeveralBots, type SeveralBots } from './several-bots.js';

/** With FULL=1, clients wait 50 s and have a minute, as in real life. */
const isReal = process.env.FULL === '1';
const shortWaits = fileURLToPath(new URL('short-waits.mjs', import.meta.url));
const aMinute = isReal ? 60_000 : 5_000;
const timeout = isReal ? 400_000 : 120_000;

const folder = freshFolder('group');
afterAll(endEveryProcess);
let bots: SeveralBots;
let first: { readonly bot: StartedProcess; readonly url: string; readonly secret: string };
let second: typeof first;

async function started(): Promise<typeof first> {
  const settings = { ...assistantSettings, ...(!isReal && { NODE_OPTIONS: `--import ${shortWaits}` }) };
  const bot = await bots.start(settings, 'http');
  const url = (await eventsUrl(bot)).replace('/slack/events', '/mcp');
  return { bot, url, secret: bots.slack.signingSecret };
}

beforeAll(async () => {
  bots = await openSeveralBots(folder.database(), folder.path('.'));
  first = await started();
  second = await started();
}, 60_000);
afterAll(() => bots?.close());

const ask = (to: typeof first, question: string, signal?: AbortSignal) =>
  callTool({ ...to, ...(signal && { signal }) }, ada, 'ask', { question });
const statusOf = ({ structuredContent }: ToolResult) => structuredContent?.status;
const openQuestions = () => sqlOn<object>(bots.location, 'SELECT * FROM long_questions');

/** Queries do not get answers until the returned function is called. */
function holdAnswers() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  bots.service.always(async (...call) => {
    await released;
    await answer(records(12))(...call);
  });
  return release;
}

describe('two bots on one PostgreSQL', { timeout }, () => {
  it('answer one of two equal signed requests, whichever they come to', async () => {
    const stamp = Math.floor(Date.now() / 1000);
    for (let id = 1; id <= 5; id += 1) {
      const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' });
      const both = [first, second, first, second].map((to) => sendSigned({ ...to, body, stamp }));
      const statuses = (await Promise.all(both)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, 401, 401, 401]);
      expect((await sendSigned({ ...second, body, stamp })).status).toBe(401);
    }
  });

  it('run a long question once, and give its answer at either', async () => {
    const { service } = bots;
    const before = service.seen.length;
    const release = holdAnswers();
    const question = 'engagement last-month';
    expect(statusOf(await ask(first, question))).toBe('running');
    const [row] = await openQuestions();
    expect(JSON.stringify(row)).not.toMatch(new RegExp(`engagement|${ada}`, 'i'));
    const elsewhere = await ask(second, question);
    expect(statusOf(elsewhere)).toBe('running');
    // The process that runs it says how far it is.
    expect(elsewhere.content[0]?.text).toMatch(/^Still running, for \d+ seconds so far\./);
    const asked = ask(second, question);
    await expect.poll(openQuestions).toEqual([expect.objectContaining({ call_id: expect.any(String) })]);
    release();
    const { structuredContent } = await asked;
    expect(structuredContent).toMatchObject({ status: 'answered', command: `/report ${question}` });
    expect(structuredContent.figures.length).toBeGreaterThan(0);
    // The question and the period before.
    expect(service.seen.length - before).toBe(2);
    await expect.poll(openQuestions).toEqual([]);
    // Its rows are in no table.
    expect(JSON.stringify(await sqlOn(bots.location, 'SELECT * FROM posts'))).not.toContain('p1@example.com');
  });

  it('cancel it a minute after its client hung up at the other', async () => {
    const { service, store, location } = bots;
    service.always(silent);
    const question = 'completions last-month';
    expect(statusOf(await ask(first, question))).toBe('running');
    const hangUp = new AbortController();
    const asked = ask(second, question, hangUp.signal).catch(() => 'hung up');
    await expect.poll(openQuestions).toEqual([expect.objectContaining({ call_id: expect.any(String) })]);
    hangUp.abort();
    expect(await asked).toBe('hung up');
    const [entry] = await store.requestLog.recentOf(ada, 1);
    const state = async () => (await store.requestLog.find(entry?.id ?? ''))?.state;
    expect(await state()).toBe('running');
    await expect.poll(state, { timeout: aMinute + 30_000 }).toBe('cancelled');
    await expect.poll(openQuestions).toEqual([]);
    const processes = await sqlOn(location, "SELECT DISTINCT process FROM posts WHERE kind = 'figures'");
    expect(processes).toHaveLength(1);
  });

  it('run it at the other where its process is killed', async () => {
    const { service } = bots;
    service.always(silent);
    const question = 'engagement last-quarter';
    expect(statusOf(await ask(first, question))).toBe('running');
    const asked = ask(second, question);
    await expect.poll(openQuestions).toEqual([expect.objectContaining({ call_id: expect.any(String) })]);
    service.always(answer(records(12)));
    await bots.kill(first.bot);
    // It may say that it runs before anybody knows that the first has ended.
    let given = await asked;
    while (statusOf(given) === 'running') given = await ask(second, question);
    expect(given.structuredContent).toMatchObject({ status: 'answered', command: `/report ${question}` });
    await expect.poll(openQuestions).toEqual([]);
    expect(bots.slack.messages('@ada')).toEqual([]);
  });
});
