import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { parse } from 'csv-parse/sync';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { endOf } from '../../playground/processes/end-of.js';
import { parseSince } from '../../src/cli/audit.js';
import { diagnose, lineOf } from '../../src/cli/doctor.js';
import { runRollcall } from '../../src/cli/program.js';
import { plainRequest } from '../../src/requests/request.js';
import { botScopes } from '../../src/slack/manifest.js';
import { openStore } from '../../src/store/store.js';
import { bareEnvironment, processes } from '../process.js';
import { readWorkbook } from '../reporting-api/answer/read-workbook.js';
import { surroundings } from '../slack/transport/transport-test-app.js';

const { start, folder } = processes();
const around = surroundings();
const closers: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const close of closers.splice(0)) close();
});

/** Runs the built `rollcall` in a process of its own. */
async function startedRollcall(words: string[], environment: Record<string, string> = {}) {
  const run = start('bin/rollcall.js', words, environment);
  const code = await run.ended;
  return { code, stdout: run.stdout(), stderr: run.stderr() };
}

/**
 * Runs `rollcall` in this process, in the folder of the test and with the environment of a started one. Not for answers,
 * since only built code has the thread that reads them.
 */
async function rollcall(words: string[], environment: Record<string, string> = {}) {
  const [usualFolder, usual] = [process.cwd(), process.env];
  const [stdout, stderr] = [new TextStream(), new TextStream()];
  const { signal } = new AbortController();
  let code = 0;
  process.chdir(folder());
  process.env = { ...bareEnvironment(), ...environment };
  try {
    await runRollcall(words, { stdout, stderr, signal, setExitCode: (set) => (code = set) });
  } finally {
    process.env = usual;
    process.chdir(usualFolder);
  }
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** Remembers what is written to it. */
class TextStream extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk;
    done();
  }
}

async function storeOf(path: string) {
  return openStore(join(folder(), path), Date.now);
}

const emailFilter = (address: string) => ({ object: 'user_filter', member: 'email', entries: [address] });

async function serviceThat(
  answers: (request: { url: string; authorization: string; query: string }) => [number, string],
) {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [status, body] = answers({
        url: request.url ?? '',
        authorization: request.headers.authorization ?? '',
        query: Buffer.concat(chunks).toString(),
      });
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('rollcall audit', () => {
  const day = Date.parse('2026-11-02T10:00Z');

  async function recordOfThree() {
    const store = await storeOf('data/rollcall.db');
    await store.events.append({ kind: 'asked', at: day - 86_400_000, person: 'U0', report: 'tracks' });
    await store.events.append({
      kind: 'exported',
      at: day,
      person: 'U1',
      place: 'D1',
      report: 'tracks',
      subjects: ['ada@example.com'],
      details: { rowCount: 3, words: 'tracks "two\nlines"' },
    });
    await store.events.append({ kind: 'approved', at: day + 1, person: 'U2', place: 'C1' });
    const head = await store.events.head();
    await store.close();
    return head;
  }

  function change(statement: string): void {
    const database = new Sqlite(join(folder(), 'data/rollcall.db'));
    database.exec(statement);
    database.close();
  }

  it('prints the events since a day as JSON, one on a line, oldest first', async () => {
    await recordOfThree();
    const { code, stdout } = await rollcall(['audit', '--since', '2026-11-02']);
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        seq: 2,
        at: '2026-11-02T10:00:00.000Z',
        kind: 'exported',
        person: 'U1',
        place: 'direct',
        report: 'tracks',
        subjects: ['ada@example.com'],
        details: { rowCount: 3, words: 'tracks "two\nlines"' },
      },
      {
        seq: 3,
        at: '2026-11-02T10:00:00.001Z',
        kind: 'approved',
        person: 'U2',
        place: 'C1',
        subjects: [],
        details: {},
      },
    ]);
  });

  it('prints every event of a long record', async () => {
    const store = await storeOf('data/rollcall.db');
    for (let at = 1; at <= 1201; at += 1) await store.events.append({ kind: 'asked', at, person: 'U1' });
    await store.close();
    const { stdout } = await startedRollcall(['audit', '--since', '1970-01-01']);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).seq),
    ).toEqual(Array.from({ length: 1201 }, (_none, index) => index + 1));
  });

  it('records that it was read, for whoever reads it next', async () => {
    await recordOfThree();
    const kinds = async () =>
      (await rollcall(['audit', '--since', '1970-01-01'])).stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).kind);
    expect(await kinds()).not.toContain('record-read');
    expect((await kinds()).at(-1)).toBe('record-read');
    expect(await rollcall(['audit', '--verify'])).toMatchObject({ code: 0 });
  });

  it('verifies a record that nobody changed, also against a head', async () => {
    const { seq, hash } = await recordOfThree();
    const alone = await rollcall(['audit', '--verify']);
    expect(alone).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`3 events are as recorded, up to 3:${hash}.`),
    });
    expect(alone.stdout).toMatch(/cannot find that the newest events were cut off, or that an older copy/);
    const compared = await rollcall(['audit', '--verify', '--head', `${seq}:${hash}`]);
    expect(compared.code).toBe(0);
    expect(compared.stdout.split('\n')).toEqual([
      `3 events are as recorded, up to 3:${hash}.`,
      expect.stringContaining('somebody who has both the database and RECORD_KEY'),
      '',
    ]);
  });

  it.each([
    ['changed', "UPDATE event_chain SET place = 'C2' WHERE seq = 2", 'event 2 is not as recorded'],
    [
      'with other details',
      "UPDATE event_details SET details = '{}' WHERE seq = 2",
      'event 2 is not as recorded',
    ],
    ['removed', 'DELETE FROM event_chain WHERE seq = 2', 'event 2 was removed'],
    [
      'cut off, with their details,',
      'DELETE FROM event_chain WHERE seq > 1; DELETE FROM event_details WHERE seq > 1',
      'events 2 to 3 were cut off from the end',
    ],
  ])('names the first event that was %s', async (_what, statement, sentence) => {
    const { seq, hash } = await recordOfThree();
    change(statement);
    const { code, stdout } = await rollcall(['audit', '--verify', '--head', `${seq}:${hash}`]);
    expect(code).toBe(1);
    expect(stdout).toContain(`The record was changed: ${sentence}.`);
  });

  it('says that the key is another one, and not that every event was changed', async () => {
    const { seq, hash } = await recordOfThree();
    const key = { RECORD_KEY: 'ab'.repeat(32) };
    const verified = await rollcall(['audit', '--verify', '--head', `${seq}:${hash}`], key);
    expect(verified).toMatchObject({ code: 78, stdout: '' });
    expect(await rollcall(['audit', '--since', '2026-11-01'], key)).toMatchObject({ code: 78, stdout: '' });
    expect(verified.stderr).toMatch(/^RECORD_KEY is not the key of this record, or somebody changed/);
  });

  it('refuses a head of another record', async () => {
    await recordOfThree();
    const { code, stdout } = await rollcall(['audit', '--verify', '--head', `3:${'0'.repeat(64)}`]);
    expect(code).toBe(1);
    expect(stdout).toContain('event 3 is not as recorded');
  });

  it.each([
    ['2026-11-02', Date.UTC(2026, 10, 2)],
    ['2026-11-02T09:30', Date.UTC(2026, 10, 2, 9, 30)],
    ['2026-11-02T09:30:15+02:00', Date.UTC(2026, 10, 2, 7, 30, 15)],
  ])('accepts %s', (text, moment) => {
    expect(parseSince(text)).toBe(moment);
  });

  it.each(['', 'yesterday', '2026-02-30', '2026-13-01', '2026-11-02T25:00', '1'])('refuses %j', (text) => {
    expect(() => parseSince(text)).toThrow();
  });

  it('creates no database', async () => {
    const { code, stderr } = await rollcall(['audit', '--since', '2026-11-02']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/no such file.*DATABASE_URL\.\n$/);
    expect(existsSync(join(folder(), 'data'))).toBe(false);
  });
});

describe('rollcall backup and restore', () => {
  it('restore what was backed up', async () => {
    const environment = { DATABASE_URL: 'sqlite:kept.db' };
    const store = await storeOf('kept.db');
    const id = await store.requestLog.record({
      channel: 'C1',
      asker: 'U1',
      request: plainRequest('tracks'),
      requestedAt: 1,
    });
    expect(await startedRollcall(['backup', 'backup.db'], environment)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Backup written to backup\.db\.\n.*not in it/),
    });
    expect((await startedRollcall(['backup', 'backup.db'], environment)).stderr).toContain('already exists');
    await store.erasePerson('U1');

    // This process has the database open, like the running bot.
    const refused = await startedRollcall(['restore', 'backup.db'], environment);
    expect(refused).toMatchObject({ code: 1, stderr: 'kept.db is in use. Stop Rollcall first.\n' });
    await store.close();
    const restored = await startedRollcall(['restore', 'backup.db'], environment);
    expect(restored.stdout).toMatch(
      /^Restored backup\.db\. The previous database is now kept\.db\.before-\d{8}T\d{6}Z\.\n$/,
    );
    const again = await storeOf('kept.db');
    expect(await again.requestLog.find(id)).toMatchObject({ asker: 'U1' });
    await again.close();
  });

  it('refuse a file that is no database', async () => {
    writeFileSync(join(folder(), 'notes.txt'), 'notes '.repeat(2000));
    const { code, stderr } = await rollcall(['restore', 'notes.txt']);
    expect(code).toBe(1);
    expect(stderr).toContain('notes.txt cannot be used: it is not a database.');
  });
});

describe('rollcall migrate', () => {
  it('refuses a database that does not exist, and leaves nothing behind', async () => {
    const migrate = (from: string) =>
      rollcall(['migrate', '--from', `sqlite:${from}`, '--to', 'sqlite:new/to.db']);
    const { code, stdout, stderr } = await migrate('old/from.db');
    expect([code, stdout, stderr]).toEqual([
      64,
      '',
      'There is no database at old/from.db. Type its path after --from, as in sqlite:data/rollcall.db.\n',
    ]);
    expect(readdirSync(folder())).toEqual([]);
    writeFileSync(join(folder(), 'notes.db'), 'no database');
    expect((await migrate('notes.db')).code).not.toBe(0);
    expect(readdirSync(folder())).not.toContain('new');
  });
});

describe('rollcall forget', () => {
  it('erases a person', async () => {
    const store = await storeOf('data/rollcall.db');
    await store.requestLog.record({
      channel: 'D1',
      asker: 'U1',
      request: plainRequest('tracks'),
      requestedAt: 1,
    });
    await store.events.append({ kind: 'asked', at: 1, person: 'U1', report: 'tracks' });
    // The bot may be running, so the store stays open.
    const about = { ...plainRequest('tracks'), filters: [emailFilter('ada@example.com')] };
    await store.requestLog.record({ channel: 'C1', asker: 'U2', request: about, requestedAt: 1 });
    await rollcall(['backup', 'data/before.db']);
    const erased = (await startedRollcall(['forget', 'U1'])).stdout;
    expect(erased).toContain('Erased U1 from 1 request, 0 saved reports,');
    expect(erased).toMatch(/Backups from before still contain U1\.\nDelete these .*data\/before\.db\.\n$/);
    expect((await rollcall(['forget', 'U1'])).stdout).toContain('There is no data about U1.\n');
    const address = (await rollcall(['forget', 'ADA@example.com'])).stdout;
    expect(address).toContain('Erased ADA@example.com from 1 request,');
    const bytes = ['', '-wal'].map((end) => readFileSync(join(folder(), `data/rollcall.db${end}`), 'latin1'));
    expect(bytes.join('').toLowerCase()).not.toContain('ada@example');
    await store.close();
    const record = (await rollcall(['audit', '--since', '1970-01-01'])).stdout;
    expect(record).toContain('"person":"forgotten"');
    expect(record).not.toContain('U1');
    expect((await rollcall(['forget', 'ada'])).code).toBe(64);
    expect((await rollcall(['forget', 'U1', '--also', 'a'])).code).toBe(64);
  });

  it('says what it could not find, and finds in the record which address `me` meant', async () => {
    const store = await storeOf('data/rollcall.db');
    const unknown = (await rollcall(['forget', 'U1'])).stdout;
    expect(unknown).toContain('Slack was not asked, because its settings are not complete.\n');
    expect(unknown).toContain('Rollcall does not know the email address of U1. If there is one, run');
    const filters = [{ object: 'user_filter', member: 'email', entries: ['me'] }];
    const own = { kind: 'asked', at: 1, person: 'U1', subjects: ['ada.lovelace@example.com'] } as const;
    await store.events.append({ ...own, details: { words: 'tracks email:me', filters } });
    await store.savedReports.save(
      { channel: 'C1', name: 'Lovelace, Ada', request: plainRequest('tracks'), createdBy: 'U2' },
      1,
    );
    await store.close();
    const { stdout } = await rollcall(['forget', 'U1']);
    expect(stdout).toContain(
      'The record of access names ada.lovelace@example.com as the email address of U1.',
    );
    expect(stdout).toContain('- the name of the saved report “Lovelace, Ada” in C1\n');
    const bytes = ['', '-wal'].flatMap((end) => {
      const path = join(folder(), `data/rollcall.db${end}`);
      return existsSync(path) ? readFileSync(path, 'latin1').toLowerCase() : [];
    });
    expect(bytes.join('')).not.toContain('lovelace');
  });

  it('erases everything once it is confirmed', async () => {
    const store = await storeOf('data/rollcall.db');
    const entry = { channel: 'D1', asker: 'U1', request: plainRequest('tracks'), requestedAt: 1 };
    const id = await store.requestLog.record(entry);
    // Without an answer, because nothing is typed.
    const refused = await startedRollcall(['forget', '--all']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('Type yes to erase everything: Nothing was erased.\n');
    expect((await rollcall(['forget', 'U1', '--all'])).code).toBe(64);
    expect(await store.requestLog.find(id)).toBeDefined();
    expect(await startedRollcall(['forget', '--all', '--yes'])).toMatchObject({
      code: 0,
      stdout: 'Erased everything of the workspace.\nBackups from before still contain everything.\n',
    });
    expect(await store.requestLog.find(id)).toBeUndefined();
    await store.close();
  });
});

describe('rollcall doctor', () => {
  const environmentFor = (apiUrl: string, service: string) => ({
    SLACK_BOT_TOKEN: 'xoxb-1',
    SLACK_APP_TOKEN: 'xapp-1',
    SLACK_API_URL: apiUrl,
    REPORTING_BASE_URL: service,
    REPORTING_API_TOKEN: 'right',
  });

  it('says what Slackbot lacks', async () => {
    const slack = await around.slack();
    slack.scopes.splice(0, slack.scopes.length, ...botScopes);
    const service = await serviceThat(() => [200, '[]']);
    const { code, stdout } = await startedRollcall(['doctor'], {
      ...environmentFor(slack.apiUrl, service),
      SLACK_APP_TOKEN: '',
      SLACK_SIGNING_SECRET: 'shh',
      MCP: 'yes',
      // Nothing listens there.
      PUBLIC_URL: 'https://127.0.0.1:9',
    });
    expect(stdout).toMatch(
      /PROBLEM {2}Scopes: The token lacks mcp:connect\. .*rollcall manifest --url … --mcp/,
    );
    expect(stdout).toMatch(
      /PROBLEM {2}Slackbot: https:\/\/127\.0\.0\.1:9\/mcp cannot be reached from here\./,
    );
    expect(code).toBe(1);
  });

  it('finds no problems', async () => {
    const slack = await around.slack();
    slack.scopes.splice(0, slack.scopes.length, ...botScopes);
    const service = await serviceThat(({ authorization }) =>
      authorization === 'right' ? [200, '[]'] : [401, '{}'],
    );
    const { code, stdout } = await startedRollcall(['doctor'], {
      ...environmentFor(slack.apiUrl, service),
      LEARNING_LINK: 'https://lms.example/c/{content_id}',
    });
    expect(stdout).toContain('Titles of content lead to lms.example.');
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.slice(0, line.indexOf(':'))),
    ).toEqual([
      'ok       Settings',
      'ok       Links',
      'ok       Database',
      'ok       Space for the database',
      'ok       Space for answers',
      'ok       Time zones',
      'ok       Slack',
      'ok       Scopes',
      'ok       Socket Mode',
      'ok       Clock',
      'ok       Blocks',
      'ok       Reporting Service',
    ]);
    expect(code).toBe(0);
  });

  it('names each problem and its fix', async () => {
    const slack = await around.slack();
    slack.answer('apps.connections.open', () => ({ ok: false, error: 'invalid_auth' }));
    const service = await serviceThat(() => [403, '{"message":"no"}']);
    writeFileSync(join(folder(), 'rollcall.db'), 'not a database '.repeat(500));
    const { code, stdout } = await rollcall(['doctor'], {
      ...environmentFor(slack.apiUrl, service),
      DATABASE_URL: 'sqlite:rollcall.db',
    });
    const problems = stdout.split('\n').filter((line) => line.startsWith('PROBLEM'));
    expect(problems).toHaveLength(4);
    expect(problems[0]).toMatch(/Database: .*rollcall\.db cannot be used: it is not a database/);
    expect(problems[1]).toMatch(/Scopes: The token lacks files:write, .*rollcall manifest/);
    expect(problems[2]).toContain('Slack does not accept SLACK_APP_TOKEN (invalid_auth)');
    expect(problems[3]).toContain('Reporting Service: ');
    expect(code).toBe(1);
  });

  it('names what does not answer in time, and still checks the rest', async () => {
    const slack = await around.slack();
    const hanging = createServer(() => {});
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    closers.push(
      () => hanging.closeAllConnections(),
      () => hanging.close(),
    );
    const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    const service = await serviceThat(() => [200, '[]']);
    // The environment is read at the call.
    const diagnoseWith = async (environment: Record<string, string>) => {
      const all = { ...environment, DATABASE_URL: `sqlite:${join(folder(), 'rollcall.db')}` };
      for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
      return (await diagnose(new AbortController().signal, 2_000)).map(lineOf).join('\n');
    };
    const [onlySlack, onlyService, neither] = await Promise.all([
      diagnoseWith(environmentFor(slack.apiUrl, url)),
      diagnoseWith(environmentFor(`${url}/api/`, service)),
      diagnoseWith(environmentFor(`${url}/api/`, url)),
    ]);
    expect(onlySlack).toContain('PROBLEM  Reporting Service: It did not answer within 2 s.');
    expect(onlySlack).toMatch(/^ok {7}Slack: /m);
    expect(onlyService).toMatch(/^ok {7}Reporting Service: /m);
    expect(neither).toContain('PROBLEM  Slack: Slack cannot be reached');
    expect(neither).toContain('PROBLEM  Reporting Service: It did not answer within 2 s.');
  });

  it('finds damage to the database without changing it', async () => {
    const path = join(folder(), 'rollcall.db');
    const store = await storeOf('rollcall.db');
    await store.seenDeliveries.add([{ envelope: 'e', seenAt: 1 }]);
    await store.close();
    const environment = { DATABASE_URL: 'sqlite:rollcall.db' };
    const whole = readFileSync(path);
    expect((await rollcall(['doctor'], environment)).stdout).toContain('rollcall.db is intact');
    expect(readFileSync(path).equals(whole)).toBe(true);
    writeFileSync(path, Buffer.from(whole).fill(0xff, 4096 * 3, 4096 * 6));
    const { stdout } = await rollcall(['doctor'], environment);
    expect(stdout).toMatch(
      /PROBLEM {2}Database: .*rollcall\.db cannot be used: it is damaged\. Restore an intact backup/,
    );
  });

  it('checks what it can, and exits with 78 for settings', async () => {
    const { code, stdout } = await rollcall(['doctor'], {
      PORT: 'x',
      REPORTING_BASE_URL: 'http://127.0.0.1:9',
      REPORTING_API_TOKEN: 't',
    });
    expect(stdout).toContain('PROBLEM  Settings: PORT ');
    expect(stdout).toContain('ok       Database');
    expect(stdout).toContain('PROBLEM  Reporting Service: ');
    expect(code).toBe(78);
  });
});

describe('rollcall run', () => {
  const runs = (...options: string[]) => runsBy(startedRollcall, options);
  const runsBy = async (run: typeof rollcall | typeof startedRollcall, options: readonly string[]) => {
    const service = await serviceThat(() => [200, '[{"email":"a@example.com","sessions":1}]']);
    const environment = { REPORTING_BASE_URL: service, REPORTING_API_TOKEN: 'right' };
    return run(['run', 'engagement', 'last-week', ...options], environment);
  };

  it('is recorded in the database of the bot, with the file', async () => {
    await (await storeOf('data/rollcall.db')).close();
    expect((await runs('--csv', 'rows.csv')).code).toBe(0);
    const { stdout } = await rollcall(['audit', '--since', '1970-01-01']);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toMatchObject([
      {
        kind: 'asked',
        report: 'engagement',
        details: { origin: 'command-line', words: 'engagement last-week' },
      },
      { kind: 'exported', details: { file: 'rows.csv', rowCount: 1, people: 'everybody' } },
    ]);
    expect(events[0]).not.toHaveProperty('person');
  });

  it.each([
    ['overdue', ['Days overdue  Content      Due', '           2  Fire safety  ']],
    ['assignments rows', ['Content      Due', 'Fire safety  ', 'First aid    ', 'Ethics       ']],
  ])('prints the rows of %s, those that matter first', async (words, lines) => {
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const records = [
      { content_title: 'Fire safety', due_date: day(-2.5), assignment_status: 'assigned' },
      { content_title: 'First aid', due_date: day(2), assignment_status: 'assigned' },
      {
        content_title: 'Ethics',
        due_date: day(-9),
        assignment_status: 'completed',
        completed_date: day(-10),
      },
    ].map((record, n) => ({ ...record, userid: `u${n}`, first_name: 'Ada' }));
    const service = await serviceThat(() => [200, JSON.stringify(records)]);
    const environment = { REPORTING_BASE_URL: service, REPORTING_API_TOKEN: 'right' };
    const run = ['run', ...words.split(' '), 'fields:content_title,due_date'];
    const { code, stdout } = await startedRollcall(run, environment);
    expect(code).toBe(0);
    const table = stdout.split('\n\n')[1]?.split('\n') ?? [];
    expect(table).toHaveLength(lines.length);
    lines.forEach((line, i) => {
      expect(table[i]?.startsWith(line)).toBe(true);
    });
  });

  it('writes a workbook with --xlsx, and says which zone its times are in', async () => {
    const { code, stderr } = await runs('--xlsx', 'rows.xlsx');
    expect([code, stderr]).toEqual([0, 'Times are in UTC.\n']);
    const { headings, rows } = readWorkbook(join(folder(), 'rows.xlsx'));
    expect(headings.slice(2, 5)).toEqual(['Email', 'Departments', 'Sessions']);
    expect(rows[0]?.slice(2, 5)).toEqual([
      { type: 'text', text: 'a@example.com' },
      undefined,
      { type: 'number', number: 1 },
    ]);
  });

  it('writes one file at most, and takes its kind from the option', async () => {
    expect(await runsBy(rollcall, ['--xlsx', 'rows.xlsx', '--csv', 'rows.csv'])).toMatchObject({
      code: 1,
      stderr: 'One run writes one file. Use --csv or --xlsx.\n',
    });
    expect(await runsBy(rollcall, ['csv'])).toMatchObject({
      code: 1,
      stderr: 'The word csv does not work here. Use the option --csv FILE.\n',
    });
    expect(readdirSync(folder()).filter((name) => name.startsWith('rows'))).toEqual([]);
  });

  it.each(['email:me', 'manager_email:me', 'email:ada@example.com,me'])(
    'refuses %s, because a terminal has no Slack account',
    async (filter) => {
      await (await storeOf('data/rollcall.db')).close();
      let asked = 0;
      const service = await serviceThat(() => {
        asked += 1;
        return [200, '[]'];
      });
      const environment = { REPORTING_BASE_URL: service, REPORTING_API_TOKEN: 'right' };
      const words = ['run', 'engagement', 'last-week', filter, '--csv', 'rows.csv'];
      const { code, stdout, stderr } = await rollcall(words, environment);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toBe("“me” needs your email address, and I don't know it. Type the address instead.\n");
      expect(asked).toBe(0);
      expect(readdirSync(folder())).not.toContain('rows.csv');
      expect((await rollcall(['audit', '--since', '1970-01-01'])).stdout).toBe('');
    },
  );

  it('finds a title in the range, or lists those that match as commands', async () => {
    const titles = ['GDPR basics', 'GDPR, it’s for managers', 'Fire'];
    const queries: string[] = [];
    const service = await serviceThat(({ query }) => {
      queries.push(query);
      return [
        200,
        JSON.stringify(titles.map((title, id) => ({ content_id: `c${id}`, content_title: title }))),
      ];
    });
    const environment = { REPORTING_BASE_URL: service, REPORTING_API_TOKEN: 'right' };
    const several = await startedRollcall(['run', 'assignments', 'content:gdpr'], environment);
    expect([several.code, several.stdout]).toEqual([1, '']);
    expect(several.stderr).toBe(
      [
        '2 titles match “gdpr”. Choose one.',
        `  rollcall run assignments 'content:"GDPR basics"'`,
        `  rollcall run assignments 'content:"GDPR, it’s for managers"'`,
        '',
      ].join('\n'),
    );
    expect(queries).toHaveLength(1);
    const one = await startedRollcall(
      ['run', 'assignments', 'content:"GDPR, it’s for managers"'],
      environment,
    );
    expect(one.code).toBe(0);
    expect(queries.at(-1)).toContain('"assignment_filter":{"content_id":"c1"}');
    const none = await startedRollcall(['run', 'assignments', 'content:cooking'], environment);
    expect(none).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No content here matches “cooking”.'),
    });
  });

  it.each([
    [['enagement', 'lst-week'], 'rollcall run engagement last-week'],
    [
      ['assignments', 'content:GDPR basics, part 2', 'rowss'],
      `rollcall run assignments 'content:"GDPR basics, part 2"' rows`,
    ],
    [['tracks', 'lst-week', 'csvv', 'to:me'], 'rollcall run tracks last-week --csv FILE'],
    // A shell has taken the quotes after the sign away.
    [
      ['tracks', 'departments:!Field Operations,HR', 'rowss'],
      `rollcall run tracks 'departments:!"Field Operations",HR' rows`,
    ],
  ])('puts all wrong words right: %j', async (words, corrected) => {
    const environment = { REPORTING_BASE_URL: 'http://127.0.0.1:9', REPORTING_API_TOKEN: 'right' };
    const { code, stderr } = await rollcall(['run', ...words], environment);
    expect(code).toBe(1);
    expect(stderr.split('\n')[1]?.trim()).toBe(corrected);
  });

  it('asks about an entry that no answer of the bot has held, unless it is wanted as typed', async () => {
    const store = await storeOf('data/rollcall.db');
    await store.suggestions.add([{ list: 'departments', entry: 'Sales', people: 1 }], Date.now());
    await store.close();
    const refused = await runs('departments:Sale');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toBe(
      [
        'No answer has held “Sale” in Departments. Did you mean “Sales”?',
        '  rollcall run engagement last-week departments:Sales',
        '  rollcall run engagement last-week departments:Sale --as-typed',
        '',
      ].join('\n'),
    );
    expect((await runs('departments:Sale', '--as-typed')).code).toBe(0);
  });

  it('may ask everything, whatever the rules of the bot allow', async () => {
    const store = await storeOf('data/rollcall.db');
    await store.useWorkspace('T1');
    const rule = { subject: { kind: 'everyone' }, level: 'nothing' } as const;
    await store.accessRules.set(rule, { by: 'U1', at: Date.now() });
    await store.close();
    const bob = JSON.stringify([{ email: 'bob@example.com', sessions: 1 }]);
    const service = await serviceThat(() => [200, bob]);
    const environment = {
      REPORTING_BASE_URL: service,
      REPORTING_API_TOKEN: 'right',
      DEFAULT_ACCESS: 'nothing',
      SMALLEST_GROUP: '5',
    };
    const words = [
      'run',
      'engagement',
      'last-week',
      'email:bob@example.com',
      'by:email',
      '--csv',
      'rows.csv',
    ];
    const { code, stdout, stderr } = await startedRollcall(words, environment);
    expect([code, stderr]).toEqual([0, '']);
    // In a channel, a figure about one person would be left out.
    expect(stdout).toContain('bob@example.com');
    expect(stdout).not.toContain('Fewer than');
    const rows = parse(readFileSync(join(folder(), 'rows.csv'), 'utf8'), { bom: true });
    expect(rows).toHaveLength(2);
    const events = (await rollcall(['audit', '--since', '1970-01-01'])).stdout.trim().split('\n');
    expect(
      events.map((line) => JSON.parse(line)).filter(({ kind }) => kind !== 'rule-changed'),
    ).toMatchObject([
      { kind: 'asked', subjects: ['bob@example.com'], details: { level: 'everything', rows: 'all' } },
      { kind: 'exported', details: { level: 'everything' } },
    ]);
  });

  it('makes no database', async () => {
    expect((await runs('--csv', 'rows.csv')).code).toBe(0);
    expect(existsSync(join(folder(), 'data'))).toBe(false);
  });

  it('writes no rows that cannot be recorded', async () => {
    mkdirSync(join(folder(), 'data'));
    writeFileSync(join(folder(), 'data/rollcall.db'), 'no database');
    const summary = await runs();
    expect(summary).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('could not be written to the record'),
    });
    const { code, stderr } = await runs('--csv', 'rows.csv');
    expect(code).toBe(1);
    expect(stderr).toContain('could not be recorded');
    expect(readdirSync(folder())).not.toContain('rows.csv');
  });

  it('counts rows without a date or with an invalid one in separate groups', async () => {
    const row = (date: unknown, track: string) => ({
      track_title: track,
      track_status: 'completed',
      track_completed_date: date,
    });
    const rows = [row('2026-10-05T08:00:00Z', 'One'), row(null, 'Two')];
    const more = [row('soon', 'Three'), row(1e300, 'Four'), row('', 'Five'), row('2026-10-05', 'Six')];
    for (const [answer, groups] of [
      [rows, { 'Oct 2026': 1, 'Not given': 1 }],
      [[...rows, ...more], { 'Oct 2026': 2, 'Not given': 2, soon: 1, '1e+300': 1 }],
    ] as const) {
      const service = await serviceThat(() => [200, JSON.stringify(answer)]);
      const words = ['run', 'tracks', 'last-month', 'by:track_completed_date', '--csv', 'tracks.csv'];
      const environment = { REPORTING_BASE_URL: service, REPORTING_API_TOKEN: 'right' };
      const { code, stdout, stderr } = await startedRollcall(words, environment);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain(`${answer.length} track enrolments`);
      for (const [group, count] of Object.entries(groups)) {
        expect(stdout).toMatch(new RegExp(`^\\s*${group.replace('+', '\\+')}\\s+${count}\\b`, 'm'));
      }
      const csv = parse(readFileSync(join(folder(), 'tracks.csv'), 'utf8'), { bom: true });
      expect(csv).toHaveLength(answer.length + 1);
    }
  });
});

describe('output that cannot be written', () => {
  /** Runs `rollcall` from a shell, which says where its output goes. */
  async function inShell(line: string, environment: Record<string, string> = {}) {
    const program = fileURLToPath(new URL('../../bin/rollcall.js', import.meta.url));
    const shell = spawn('sh', ['-c', `"$0" "$1" ${line}`, process.execPath, program], {
      cwd: folder(),
      env: { ...bareEnvironment(), ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    shell.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    const code = await endOf(shell, 'The shell');
    return { code, stderr };
  }

  it.runIf(existsSync('/dev/full'))('is an error', async () => {
    const { code, stderr } = await inShell('manifest > /dev/full');
    expect(stderr).toBe('The output cannot be written (ENOSPC). It is incomplete.\n');
    expect(code).toBe(1);
  });

  it('leaves no rows on the disk when its reader stops early', async () => {
    const rows = Array.from({ length: 5000 }, (_, i) => ({ sessions: i, email: `p${i}@example.com` }));
    const service = await serviceThat(() => [200, JSON.stringify(rows)]);
    const environment = { REPORTING_BASE_URL: service, REPORTING_API_TOKEN: 'right', TMPDIR: folder() };
    const { stderr } = await inShell('run engagement last-week --csv - | head -c 1', environment);
    expect(stderr).not.toContain('went wrong');
    expect(readdirSync(folder()).filter((name) => name.includes('rollcall'))).toEqual([]);
  });

  it('of a file is an error, and no summary is printed', async () => {
    const service = await serviceThat(() => [200, '[]']);
    const environment = { REPORTING_BASE_URL: service, REPORTING_API_TOKEN: 'right' };
    mkdirSync(join(folder(), 'out'));
    const words = ['run', 'engagement', 'last-week', '--csv', 'out'];
    const { code, stdout, stderr } = await startedRollcall(words, environment);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^out cannot be written \(\w+\)\. /);
  });
});

describe('rollcall', () => {
  it.each([
    [[], 64],
    [['dance'], 64],
    [['manifest', '--url', 'http://insecure.example.com'], 64],
    [['audit'], 64],
    [['audit', '--verify', '--since', '2026-11-01'], 64],
    [['audit', '--since', '2026-11-01', '--head', '1:00'], 64],
    [['audit', '--verify', '--head', '1:00'], 64],
    [['backup'], 64],
    [['--help'], 0],
    [['help', 'audit'], 0],
    [['run', 'engagement'], 78],
  ])('%j exits with %i', async (words, code) => {
    expect((await rollcall(words)).code).toBe(code);
  });

  it.each([
    [['dance'], 64, '', /unknown command/],
    [['--help'], 0, /Usage: rollcall/, ''],
    [['run', 'engagement'], 78, '', /REPORTING_BASE_URL/],
  ])('%j exits with %i in a process of its own, and prints to its streams', async (words, code, out, err) => {
    const { stdout, stderr, ...ended } = await startedRollcall(words);
    expect(ended.code).toBe(code);
    for (const [text, wanted] of [
      [stdout, out],
      [stderr, err],
    ] as const) {
      if (wanted === '') expect(text).toBe('');
      else expect(text).toMatch(wanted);
    }
  });
});
