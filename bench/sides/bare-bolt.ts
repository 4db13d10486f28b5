import type { AddressInfo } from 'node:net';
import { App } from '@slack/bolt';
import Database from 'better-sqlite3';
import { serveSide } from '../harness/side.js';
import { type BareListenJob, signingSecret } from './jobs.js';

/**
 * The first example of Bolt's documentation: it checks the signature and acknowledges.
 *
 * With `answers`, it is the shortest listener that answers: it fetches and parses the answer, and posts one sum of it.
 * With `keepsPromises`, it also has what it needs to neither lose nor double a run when it is killed: a row for each run
 * before its acknowledgement, and a mark before and after the post. And it says what changed, so that it asks for the
 * period before, too. Help starts no run.
 */
serveSide(async (job: BareListenJob) => {
  const { apiUrl, serviceUrl, databasePath, keepsPromises, answers } = job;
  const app = new App({ token: 'xoxb-bench', signingSecret, clientOptions: { slackApiUrl: apiUrl } });
  const runs = keepsPromises ? openRuns(databasePath) : undefined;
  const totalsOf = async (words: string, period: string) => {
    const response = await fetch(`${serviceUrl}/api/v1/reports/engagement`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ words, period }),
    });
    const records = (await response.json()) as readonly { readonly sessions: number }[];
    return { people: records.length, sessions: records.reduce((sum, record) => sum + record.sessions, 0) };
  };
  app.command('/report', async ({ ack, command, client }) => {
    const { trigger_id: id, text, channel_id: channel } = command;
    if (text !== 'help') runs?.add(id, JSON.stringify(command));
    await ack();
    if (!answers) return;
    const [now, before] = await Promise.all([
      totalsOf(text, 'asked for'),
      keepsPromises ? totalsOf(text, 'before') : undefined,
    ]);
    runs?.mark(id, 'posting');
    const change = before ? `, ${now.sessions - before.sessions} more than before` : '';
    await client.chat.postMessage({
      channel,
      text: `${now.people} people, ${now.sessions.toLocaleString('en')} sessions${change}`,
    });
    runs?.mark(id, 'posted');
  });
  const server = await app.start({ port: 0, host: '127.0.0.1' });
  return { port: (server.address() as AddressInfo).port };
});

/** The plainest table of runs. Each write is on the disk when it returns, with one sync of SQLite's log. */
function openRuns(path: string) {
  const database = new Database(path);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('CREATE TABLE runs (id TEXT PRIMARY KEY, command TEXT NOT NULL, state TEXT NOT NULL)');
  const add = database.prepare("INSERT INTO runs VALUES (?, ?, 'running') ON CONFLICT DO NOTHING");
  const mark = database.prepare('UPDATE runs SET state = ? WHERE id = ?');
  return {
    add: (id: string, command: string) => void add.run(id, command),
    mark: (id: string, state: 'posting' | 'posted') => void mark.run(state, id),
  };
}
