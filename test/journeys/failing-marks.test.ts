import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import {
  answer,
  type Behaviour,
  cut,
  type FaultServer,
  openFaultServer,
  status,
} from '../reporting-api/fault-server.js';
import { testWorkspace } from './test-workspace.js';
import { newIn } from './watching.js';

/** A name and an address of a row, the service's token, and what the service says of a refusal. */
const marks = {
  name: 'zzname',
  address: 'zzaddress@marked.example',
  token: 'zztoken-of-the-service',
  refusal: 'zzrefusal',
};

const row = JSON.stringify({ email: marks.address, first_name: marks.name, sessions: 1 });

/** Throws on a signal, as an error in the program would. */
const place = mkdtempSync(join(tmpdir(), 'rollcall-marks-'));
const temporary = join(place, 'tmp');
mkdirSync(temporary);
const throwing = join(place, 'throwing.mjs');
writeFileSync(
  throwing,
  `const text = ${JSON.stringify(`${marks.address} ${marks.token} Bearer ${marks.token}`)};
const nothing = undefined;
process.on('SIGUSR2', () => { Promise.reject(Object.assign(new Error(text, { cause: new Error(text) }), { row: ${row} })); });
process.on('SIGHUP', () => {
  const cause = new Error(text);
  try { nothing['${marks.name}']; }
  catch (error) { throw Object.assign(error, { cause, body: ${row} }); }
});
`,
);

let service: FaultServer;
const work = testWorkspace(() => ({
  ownProcess: true,
  environment: {
    LOG_LEVEL: 'debug',
    OPERATIONS_PORT: '0',
    REPORTING_TIMEOUT_SECONDS: '1',
    TMPDIR: temporary,
    NODE_OPTIONS: `--import=${pathToFileURL(throwing).href}`,
  },
  service: async () => {
    service = await openFaultServer();
    return { url: service.url, token: marks.token };
  },
}));
afterAll(async () => {
  await service.close();
  rmSync(place, { recursive: true, force: true });
});

const failing: readonly (readonly [string, string, readonly Behaviour[]])[] = [
  ['a refusal that quotes a row', 'did not accept', [status(400, { message: `${marks.refusal} ${row}` })]],
  ['an error that quotes a row', 'status 500', [status(500, `<html>${row}</html>`)]],
  [
    'a refused token, quoted',
    'REPORTING_API_TOKEN',
    [status(401, { message: `${marks.token} is no token` })],
  ],
  ['a redirect to an address', 'redirected me', [status(302, '', { location: `/${marks.address}` })]],
  ['rows in no array', 'not a list of records', [answer(row)]],
  ['a row in no JSON', 'not JSON', [answer(`[${row},${marks.name}]`)]],
  ['a row that is text', 'record 2', [answer(`[${row},"${marks.address}"]`)]],
  ['an answer that goes on', 'continues after its end', [answer(`[${row}]${row}`)]],
  ['an answer that is cut short', 'status 500', [cut(`[${row},${row.slice(0, 40)}`), status(500, row)]],
];

const everything = () => work().bot.stdout() + work().bot.stderr();

function expectNoMarks(text: string, where: string) {
  const { slack } = work();
  for (const mark of [...Object.values(marks), slack.botToken, slack.appToken]) {
    expect(text.includes(mark), `${mark} in ${where}`).toBe(false);
  }
}

describe('what fails', () => {
  it.each(failing)(
    '%s: nothing of it in a log line or a file',
    async (_what, words, behaviours) => {
      service.behave(...behaviours);
      const { slack, folder } = work();
      const ask = () =>
        slack.as('ada').command('/report engagement last-week csv fields:email,sessions', '@ada');
      const hasWords = ({ words: said }: { readonly words: string }) => said.includes(words);
      await newIn(work(), '@ada', ask, hasWords, 40_000);
      await slack.settled();
      expectNoMarks(everything(), 'the log');
      const left = readdirSync(join(folder, 'answers'), { recursive: true, encoding: 'utf8' });
      expect(left.filter((name) => name.includes('.') && !name.endsWith('.lock'))).toEqual([]);
    },
    60_000,
  );

  it('a promise that nothing handles and an uncaught exception keep them out of the log', async () => {
    const { bot, folder } = work();
    const [, port] = await bot.waitFor(/"port":(\d+)/);
    bot.signal('SIGUSR2');
    await bot.waitFor(/A promise was rejected and not handled/);
    for (const page of ['metrics', 'readyz', 'healthz']) {
      expectNoMarks(await (await fetch(`http://127.0.0.1:${port}/${page}`)).text(), page);
    }
    bot.signal('SIGHUP');
    expect(await bot.ended).toBe(1);
    expect(everything()).toContain('Rollcall ends after an uncaught exception');
    expectNoMarks(everything(), 'the log');

    // The database is the only thing that stays, and it holds what the service said to the asker alone.
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => !/^(?:answers|rollcall\.db)/.test(name))).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
    for (const name of files.filter((each) => each.startsWith('rollcall.db'))) {
      const bytes = readFileSync(join(folder, name), 'latin1');
      for (const mark of [marks.name, marks.address, marks.token]) {
        expect(bytes.includes(mark), `${mark} in ${name}`).toBe(false);
      }
    }
  }, 30_000);
});
