import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Sqlite from 'better-sqlite3';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { answer, type FaultServer, openFaultServer } from '../reporting-api/fault-server.js';
import { smallDisk } from '../small-disk.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, isSummary, newIn } from './watching.js';

const disk = smallDisk(6 * 1024 * 1024);

describe.skipIf(!disk)('a disk that is full while the bot runs', () => {
  const path = disk?.path('rollcall.db') ?? '';
  const work = testWorkspace(() => ({
    ownProcess: true,
    environment: { DATABASE_URL: `sqlite:${path}`, OPERATIONS_PORT: '0' },
  }));
  afterAll(() => disk?.remove());

  const ask = (wanted: Parameters<typeof newIn>[3]) =>
    newIn(
      work(),
      '#learning',
      () => work().slack.as('ada').command('/report engagement last-week', '#learning'),
      wanted,
      15_000,
    );

  it('gives the asker one sentence, keeps monitoring up, and answers again once there is room', async () => {
    const { bot, slack } = work();
    await ask(isSummary('Engagement'));
    await slack.settled();
    disk?.fill();

    const reply = await ask(isPrivate);
    expect(reply.words).toContain('My database cannot be used: my disk is full. Tell your admin.');
    await slack.settled();
    const answers = () => slack.messages('#learning').filter(isSummary('Engagement')).length;
    expect(answers()).toBe(1);
    const [, port] = await bot.waitFor(/"port":(\d+)/);
    for (const page of ['healthz', 'readyz', 'metrics']) {
      expect((await fetch(`http://127.0.0.1:${port}/${page}`)).status, page).toBe(200);
    }
    const failures = bot
      .stdout()
      .split('\n')
      .filter((line) => line.includes('"level":"error"'))
      .map((line) => JSON.parse(line));
    // What the scheduler of digests writes at that moment fails with it, in the same commit.
    // The first write that fails is the delivery's or the request's.
    const ofRequest = /^(?:A request could not be started|A listener failed)$/;
    expect(failures.filter(({ msg }) => ofRequest.test(msg))).toHaveLength(1);
    for (const { err } of failures)
      expect(err).toMatchObject({ code: 'database-unusable', message: expect.stringContaining('full (') });

    disk?.free();
    await ask((message) => isSummary('Engagement')(message));
    expect(answers()).toBe(2);

    // Nothing is half done: each request has its post, and each post its end.
    await slack.settled();
    bot.signal('SIGTERM');
    expect(await bot.ended).toBe(0);
    const database = new Sqlite(path, { readonly: true });
    expect(database.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(database.prepare('SELECT state, count(*) AS posts FROM posts GROUP BY state').all()).toEqual([
      { state: 'posted', posts: 2 },
    ]);
    expect(database.prepare('SELECT count(*) AS asks FROM requests').all()).toEqual([{ asks: 2 }]);
    database.close();
  }, 60_000);
});

describe.skipIf(!disk)('a disk that fills up while a request runs', () => {
  const small = smallDisk(6 * 1024 * 1024);
  const path = small?.path('rollcall.db') ?? '';
  let service: FaultServer;
  const work = testWorkspace(() => ({
    ownProcess: true,
    environment: { DATABASE_URL: `sqlite:${path}` },
    service: async () => {
      service = await openFaultServer();
      service.always(answer('[{"sessions":1}]'));
      return { url: service.url, token: 'a-token' };
    },
  }));
  // A test that fails would leave no room for its second try.
  afterEach(() => small?.free());
  afterAll(async () => {
    await service.close();
    small?.remove();
  });

  const ask = () => work().slack.as('ada').command('/report engagement 2025-01', '#learning');
  const summaries = () => work().slack.messages('#learning').filter(isSummary('Engagement')).length;
  const states = () => {
    const database = new Sqlite(path, { readonly: true });
    try {
      return database
        .prepare('SELECT state, count(*) AS posts FROM posts GROUP BY state ORDER BY state')
        .all();
    } finally {
      database.close();
    }
  };
  const told = (words: string) =>
    newIn(
      work(),
      '#learning',
      async () => {},
      (message) => isPrivate(message) && message.says(words),
      15_000,
    );

  it('posts nothing where the mark before the post cannot be written, says so, and works again', async () => {
    const { slack } = work();
    let end = () => {};
    service.behave(
      (response, socket) =>
        new Promise<void>((resolve) => {
          end = () => resolve(answer('[{"sessions":1}]')(response, socket));
        }),
    );
    await ask();
    await service.reached(1);
    small?.fill();
    const sentence = told('My database cannot be used: my disk is full. Tell your admin.');
    end();
    await sentence;
    await slack.settled();
    expect(summaries()).toBe(0);

    small?.free();
    await newIn(work(), '#learning', ask, isSummary('Engagement'), 15_000);
    expect(summaries()).toBe(1);
  }, 60_000);

  it('says that the answer is not saved where the mark after the post cannot be written', async () => {
    const { slack } = work();
    const before = summaries();
    slack.faults.set('chat.postMessage', { kind: 'slow', milliseconds: 1500 });
    const posting = () => states().some((row) => (row as { state: string }).state === 'posting');
    await ask();
    await expect.poll(posting, { interval: 10 }).toBe(true);
    const sentence = told('The answer is posted, but it could not be saved.');
    small?.fill();
    await sentence;
    expect(summaries()).toBe(before + 1);
    small?.free();
    await newIn(work(), '#learning', ask, isSummary('Engagement'), 15_000);
    // The next start asks about the answer that nothing is known of, and posts it no second time.
    await slack.settled();
    await newIn(
      work(),
      '@ada',
      () => work().restart(),
      (message) => message.says('send it again'),
      15_000,
    );
    expect(summaries()).toBe(before + 2);
    expect(states()).toContainEqual({ state: 'unknown', posts: 1 });
  }, 60_000);

  it('answers presses, forms, mentions and direct messages with the same sentence', async () => {
    const { slack } = work();
    const summary = await newIn(work(), '#learning', ask, isSummary('Engagement'), 15_000);
    await slack.settled();
    await slack.as('ada').click(summary, 'Save');
    await slack.as('ada').waitForModal((view) => JSON.stringify(view).includes('save_report'));
    small?.fill();
    const full = 'My database cannot be used: my disk is full';
    const says = (channel: string, act: () => Promise<unknown>) =>
      newIn(work(), channel, act, (message) => message.says(full), 15_000);
    await says('#learning', () => slack.as('ada').click(summary, 'CSV'));
    await says('#learning', () => slack.as('ada').click(summary, 'Details'));
    await says('@ada', async () => slack.as('ada').message('engagement last-week', '@ada'));
    await says('#learning', async () =>
      slack.as('ada').message('@rollcall engagement last-week', '#learning'),
    );
    await says('@ada', () => slack.as('ada').submit({ name: 'Full' }));
    small?.free();
    await slack.settled();
    await newIn(work(), '#learning', ask, isSummary('Engagement'), 15_000);
  }, 90_000);
});

describe('a disk that does not save what was written', () => {
  const place = mkdtempSync(join(tmpdir(), 'rollcall-unsaved-'));
  const failing = join(place, 'failing.mjs');
  // The error that the system reports for a write that it could not keep.
  writeFileSync(
    failing,
    `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
process.once('SIGUSR2', () => {
  fs.fdatasync = (_file, done) => setImmediate(done, Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO', syscall: 'fdatasync' }));
  syncBuiltinESMExports();
  console.log('The disk fails');
});
`,
  );
  const work = testWorkspace(() => ({
    ownProcess: true,
    environment: { OPERATIONS_PORT: '0', NODE_OPTIONS: `--import=${pathToFileURL(failing).href}` },
  }));
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  it('ends the process with 1 after a line that says what to do, and the next start works', async () => {
    const { bot, slack } = work();
    const [, port] = await bot.waitFor(/"port":(\d+)/);
    const ready = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
    expect(await ready()).toBe(200);
    bot.signal('SIGUSR2');
    await bot.waitFor(/The disk fails/);
    // Holds the stop, so that the page can be seen meanwhile.
    slack.faults.set('chat.postEphemeral', { kind: 'slow', milliseconds: 1500 }, { times: 9 });
    slack.faults.set('response_url', { kind: 'slow', milliseconds: 1500 }, { times: 9 });
    await slack.as('ada').command('/report engagement last-week', '#learning');
    await bot.waitFor(/The disk did not save what was written.*Check the disk/);
    expect(await ready()).toBe(503);
    expect(await bot.ended).toBe(1);
    expect(slack.messages('#learning').filter(isSummary('Engagement'))).toEqual([]);

    slack.faults.clear();
    await work().restart();
    const again = () => slack.as('ada').command('/report engagement last-week', '#learning');
    await newIn(work(), '#learning', again, isSummary('Engagement'), 15_000);
  }, 60_000);
});
