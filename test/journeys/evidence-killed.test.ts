import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { openStore } from '../../src/store/store.js';
import { runBuiltRollcall } from '../process.js';
import { answer, type FaultServer, openFaultServer } from '../reporting-api/fault-server.js';
import { schedulingAt } from './scheduling.js';
import { testWorkspace } from './test-workspace.js';
import { newIn } from './watching.js';

/** An answer about two hundred people whose ZIP takes a while. */
const many = JSON.stringify(
  Array.from({ length: 150_000 }, (_, n) => {
    const person = n % 200;
    return { userid: `u${person}`, email: `p${person}@example.test`, views: n };
  }),
);

/** Longer than it takes to kill a process. */
const slow = { kind: 'slow', milliseconds: 15_000 } as const;

const hasFile = ({ files }: SeenMessage) => files.length > 0;

describe('a process that is killed while evidence is made', () => {
  let service: FaultServer | undefined;
  afterAll(() => service?.close());
  const work = testWorkspace(() => ({
    ownProcess: true,
    service: async () => {
      service ??= await openFaultServer();
      service.always(answer(many));
      return { url: service.url, token: 'a-token' };
    },
    environment: { ROLLCALL_ADMINS: 'U00ADA0001' },
  }));
  const { scheduled } = schedulingAt(work);

  const inFolder = (name: string) => join(work().folder, name);
  const rollcall = (...words: string[]) =>
    runBuiltRollcall(words, { DATABASE_URL: `sqlite:${inFolder('rollcall.db')}` }, work().folder);

  /** The kinds of the events of evidence, oldest first. */
  async function kinds(): Promise<readonly string[]> {
    const store = await openStore(inFolder('rollcall.db'), Date.now);
    try {
      await store.useWorkspace('T00LEARN01');
      const evidence = ['evidence-made', 'evidence-zipped', 'upload-failed'] as const;
      return (await store.events.oldest({ kinds: evidence }, 99)).map(({ kind }) => kind);
    } finally {
      await store.close();
    }
  }

  /** What the process has on disk of answers and evidence. */
  const spooled = () =>
    existsSync(inFolder('answers'))
      ? readdirSync(inFolder('answers'), { recursive: true, encoding: 'utf8' }).filter((name) =>
          name.includes('.rows'),
        )
      : [];

  async function kill() {
    work().bot.signal('SIGKILL');
    await work().bot.ended;
  }

  const filesToAda = () => work().slack.messages('@ada').filter(hasFile).length;
  const ask = () =>
    work().slack.as('ada').command('/report engagement last-month evidence purpose:"Audit"', '@ada');
  const isTold = ({ words }: SeenMessage) => words.includes('I restarted before sending the file of');

  it.each([
    ['while the ZIP is written', async () => spooled().some((name) => name.endsWith('.zip'))],
    ['before the upload', async (before: number) => (await kinds()).length === before + 2],
  ] as const)(
    '%s: nothing is posted or left, the record says so, and its asker is told',
    async (_when, isReached) => {
      const { slack } = work();
      const [before, files] = [await kinds(), filesToAda()];
      slack.faults.set('files.getUploadURLExternal', slow);
      await ask();
      await expect.poll(() => isReached(before.length), { timeout: 60_000, interval: 2 }).toBe(true);
      await kill();
      slack.faults.clear();
      expect(spooled().some((name) => name.endsWith('.zip'))).toBe(true);
      const told = await newIn(work(), '@ada', () => work().restart(), isTold, 60_000);
      expect(spooled()).toEqual([]);
      expect(filesToAda()).toBe(files);
      const since = (await kinds()).slice(before.length);
      const count = (kind: string) => since.filter((one) => one === kind).length;
      expect(count('upload-failed')).toBe(count('evidence-made'));
      expect(await rollcall('audit', '--verify')).toMatchObject({ status: 0 });

      const again = await newIn(
        work(),
        '@ada',
        () => slack.as('ada').click(told, 'Run it now'),
        hasFile,
        60_000,
      );
      writeFileSync(inFolder('again.zip'), await slack.fileBytes(again.files[0]?.id ?? ''));
      const verified = await rollcall('verify', inFolder('again.zip'));
      expect(verified.stdout).toContain('very file that was sent');
      expect(verified.status).toBe(0);
    },
    180_000,
  );

  it('by a digest: the first file is recorded as failed, and the next process sends another', async () => {
    const { slack } = work();
    await scheduled('/report schedule engagement last-week evidence monthly 1 09:00', '@ada');
    const list = await newIn(
      work(),
      '@ada',
      () => slack.as('ada').command('/report list', '@ada'),
      (one) => one.says('Send now'),
    );
    const before = await kinds();
    slack.faults.set('files.getUploadURLExternal', slow);
    await slack.as('ada').click(list, 'Send now');
    await expect.poll(async () => (await kinds()).slice(before.length), { timeout: 60_000 }).toHaveLength(2);
    await kill();
    slack.faults.clear();
    const sent = await newIn(work(), '@ada', () => work().restart(), hasFile, 90_000);
    const made = ['evidence-made', 'evidence-zipped'];
    expect((await kinds()).slice(before.length)).toEqual([...made, 'upload-failed', ...made]);
    writeFileSync(inFolder('digest.zip'), await slack.fileBytes(sent.files[0]?.id ?? ''));
    expect((await rollcall('verify', inFolder('digest.zip'))).status).toBe(0);
    expect((await rollcall('audit', '--verify')).status).toBe(0);
  }, 180_000);
});
