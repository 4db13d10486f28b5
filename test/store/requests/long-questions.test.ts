import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { longQuestions } from '../../../src/assistants/long-questions.js';
import type { ToolReply } from '../../../src/assistants/replies.js';
import { shareQuestions } from '../../../src/assistants/shared-questions.js';
import { openStore } from '../../../src/store/store.js';
import { freshFolder, recordKey, sqlOn } from '../../store/fresh-folder.js';

const folder = freshFolder();
const waits = { answerWithinMs: 1_000, askAgainWithinMs: 3_000 };
const looks = { lookEveryMs: 20, replyWithinMs: 2_500, checkProcessEveryMs: 20, keepReplyMs: 100 };
const running: ToolReply = { text: 'Still running.', outcome: 'running' };

let closers: (() => Promise<unknown>)[] = [];
let ended: Set<string>;
let runs: { readonly at: string; readonly signal: AbortSignal; readonly answer: (text: string) => void }[];
beforeEach(() => {
  closers = [];
  ended = new Set();
  runs = [];
});
afterEach(async () => {
  for (const close of closers.reverse()) await close();
});

/** A process that takes calls. The work of its questions ends when the test says so. */
async function process(name: string) {
  const store = await openStore(folder.databaseWithTables('rollcall.db'), Date.now, {
    process: name,
    recordKey,
  });
  closers.push(() => store.close());
  let made = 0;
  const questions = longQuestions<string>(waits);
  const shared = shareQuestions(
    {
      calls: store.longQuestions,
      hasEnded: async (other) => ended.has(other),
      newId: () => {
        made += 1;
        return `${name}-${made}`;
      },
      log: { warn: (_, message) => expect.unreachable(message) },
    },
    looks,
  );
  closers.push(async () => shared.stop());
  return (key: string, hungUp = new AbortController().signal) => {
    const work = (signal: AbortSignal) =>
      new Promise<string>((answer) => {
        runs.push({ at: name, signal, answer });
        signal.addEventListener('abort', () => answer('cancelled'));
      });
    const answer = async (client: AbortSignal): Promise<ToolReply> => {
      const text = await questions.ask({ key, hungUp: client }, work);
      return text === undefined ? running : { text: `${text} of ${name}`, outcome: 'answered' };
    };
    const late: ToolReply = { text: 'Late.', outcome: 'running' };
    return shared.ask({ key, isHere: () => questions.has(key), answer, late }, hungUp);
  };
}

const rows = () => sqlOn<Record<string, unknown>>(folder.database(), 'SELECT * FROM long_questions');
const who = '["U00ADA0001","overdue of ada@example.com"]';

describe('a question that runs at one process, asked again at another', () => {
  it('gets its answer from there, runs once, and leaves nothing', { timeout: 30_000 }, async () => {
    const [one, two, three] = [await process('one'), await process('two'), await process('three')];
    expect(await one(who)).toEqual(running);
    // Whoever reads the database learns neither who asks nor what.
    const [row] = await rows();
    expect(row).toMatchObject({ process: 'one', call_id: null, reply: null });
    expect(JSON.stringify(row)).not.toMatch(/ada|overdue/i);
    // It says how far it is there, too, and its minute begins again.
    expect(await two(who)).toEqual(running);
    await sleep(waits.askAgainWithinMs - waits.answerWithinMs + 200);
    const asked = [two(who), three(who)];
    await sleep(100);
    runs[0]?.answer('41%');
    expect(await Promise.all(asked)).toEqual([
      { text: '41% of one', outcome: 'answered' },
      { text: '41% of one', outcome: 'answered' },
    ]);
    expect(runs).toHaveLength(1);
    expect(runs[0]?.signal.aborted).toBe(false);
    await expect.poll(rows).toEqual([]);
    const again = two(who);
    await expect.poll(() => runs.map(({ at }) => at)).toEqual(['one', 'two']);
    runs[1]?.answer('42%');
    expect(await again).toMatchObject({ text: '42% of two' });
  });

  it('gets an answer that has waited, and one that its own process has given is not there twice', async () => {
    const [one, two] = [await process('one'), await process('two')];
    expect(await one(who)).toEqual(running);
    runs[0]?.answer('41%');
    await sleep(200);
    expect(await two(who)).toMatchObject({ text: '41% of one' });
    await expect.poll(rows).toEqual([]);
    expect(await one(who)).toEqual(running);
    runs[1]?.answer('42%');
    expect(await one(who)).toMatchObject({ text: '42% of one' });
    await expect.poll(rows).toEqual([]);
    expect(runs).toHaveLength(2);
  });

  it('is cancelled a minute after its client hung up there', { timeout: 30_000 }, async () => {
    const [one, two] = [await process('one'), await process('two')];
    expect(await one(who)).toEqual(running);
    const hangUp = new AbortController();
    const asked = two(who, hangUp.signal);
    await sleep(100);
    hangUp.abort();
    await asked;
    await expect.poll(() => runs[0]?.signal.aborted, { timeout: 15_000 }).toBe(true);
    await expect.poll(rows).toEqual([]);
    expect(runs).toHaveLength(1);
  });

  it('runs again where the other process has ended, also while its client waits', async () => {
    const [one, two] = [await process('one'), await process('two')];
    expect(await one(who)).toEqual(running);
    const asked = two(who);
    await sleep(60);
    ended.add('one');
    await expect.poll(() => runs.map(({ at }) => at)).toEqual(['one', 'two']);
    runs[1]?.answer('41%');
    expect(await asked).toMatchObject({ text: '41% of two' });
    expect(await rows()).toEqual([]);
  });

  it('says that it runs where the other process says nothing', async () => {
    const two = await process('two');
    const store = await openStore(folder.database(), Date.now, { process: 'frozen', recordKey });
    closers.push(() => store.close());
    await store.longQuestions.open(store.longQuestions.idOf(who));
    expect(await two(who)).toMatchObject({ text: 'Late.' });
    expect((await rows())[0]).toMatchObject({ process: 'frozen', call_id: null });
    expect(runs).toEqual([]);
  });

  it('is another one for another person and other words', async () => {
    const [one, two] = [await process('one'), await process('two')];
    expect(await one(who)).toEqual(running);
    const other = two('["U00NOAH001","overdue of ada@example.com"]');
    await expect.poll(() => runs.length).toBe(2);
    runs[1]?.answer('7%');
    expect(await other).toMatchObject({ text: '7% of two' });
  });
});
