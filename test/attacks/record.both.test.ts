import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { ada, noah } from '../digests/test-workspace.js';
import { botSettings, eventsUrl, type Mode, startHostedBot } from '../journeys/bot-process.js';
import { openSeveralBots, type SeveralBots } from '../journeys/several-bots.js';
import { endEveryProcess, runBuiltRollcall } from '../process.js';
import { freshFolder, onPostgres, sqlOn } from '../store/fresh-folder.js';

const folder = freshFolder();
afterAll(endEveryProcess);

/** A bot whose only admin is Ada, and who asked what before: Noah about Grace. */
async function workspace(mode: Mode): Promise<SeveralBots> {
  const bots = await openSeveralBots(folder.database(), folder.path('.'), { start: startHostedBot });
  const bot = await bots.start({ ROLLCALL_ADMINS: ada }, mode);
  if (mode === 'http') await bots.slack.deliverTo(await eventsUrl(bot));
  else await bots.slack.waitForBot();
  await bots.slack.as('noah').command('/report engagement email:grace@example.com', '#shared-work');
  await expect.poll(async () => (await events(bots)).length).toBeGreaterThan(0);
  return bots;
}

const events = ({ store }: SeveralBots) => store.events.oldest({}, 99);

const rollcall = ({ slack, service, location }: SeveralBots, ...words: string[]) =>
  runBuiltRollcall(words, botSettings(slack, service, location), folder.path('.'));

describe('the record of access', () => {
  it.for(['socket', 'http'] as const)(
    'is for admins alone, whose reading is in it, too (%s)',
    { timeout: 60_000 },
    async (mode) => {
      const bots = await workspace(mode);
      const { slack } = bots;
      for (const words of ['', '@noah', '@noah this-year', 'grace@example.com', 'engagement']) {
        // Replies to what Noah asked before may still arrive.
        const refusals = () =>
          slack.messages('#shared-work').filter((shown) => /[Aa]dmins/.test(shown.words));
        const told = refusals().length;
        await slack.as('noah').command(`/report audit ${words}`, '#shared-work');
        await slack.waitFor(() => refusals().length > told);
      }
      await slack.settled();
      expect(slack.messages('@noah').filter(({ words }) => words.includes('The record of'))).toEqual([]);
      expect((await events(bots)).filter(({ kind }) => kind === 'record-read')).toEqual([]);
      await slack.as('ada').command('/report audit grace@example.com', '#shared-work');
      const page = await slack.waitForMessage('@ada', (message) =>
        message.says('What others did that names'),
      );
      expect(page.words).toContain('email:grace@example.com');
      expect(page.words).not.toContain('read the record');
      expect((await events(bots)).filter(({ kind }) => kind === 'record-read')).toMatchObject([
        { person: ada, subjects: ['grace@example.com'], details: { as: 'message' } },
      ]);
      expect(await rollcall(bots, 'audit', '--since', '1970-01-01')).toMatchObject({ status: 0 });
      expect((await events(bots)).at(-1)).toMatchObject({
        kind: 'record-read',
        details: { title: 'Events since 1970-01-01', as: 'command-line' },
      });
      expect((await events(bots)).at(-1)?.person).toBeUndefined();
      await bots.close();
    },
  );

  it('shows what somebody with the database changed, who cannot hash it again', {
    timeout: 60_000,
  }, async () => {
    const bots = await workspace('socket');
    const { location, slack } = bots;
    await slack.as('noah').command('/report audit', '#shared-work');
    await slack.as('noah').command('/report engagement last-week', '#shared-work');
    await expect.poll(async () => (await events(bots)).length).toBeGreaterThan(1);
    await slack.settled();
    expect(await rollcall(bots, 'audit', '--verify')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/cannot find that the newest events were cut off.*\n.*RECORD_KEY/),
    });
    // Noah's question about Grace becomes one of Ada.
    const [token] = await sqlOn<{ token: string }>(
      location,
      `SELECT token FROM person_tokens WHERE person = '${noah}'`,
    );
    await sqlOn(location, `UPDATE person_tokens SET person = '${ada}' WHERE token = '${token?.token}'`);
    const changed = await rollcall(bots, 'audit', '--verify');
    expect(changed).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('The record was changed: event 1 '),
    });
    await sqlOn(location, `UPDATE person_tokens SET person = '${noah}' WHERE token = '${token?.token}'`);
    expect(await rollcall(bots, 'audit', '--verify')).toMatchObject({ status: 0 });
    // The whole chain again, as anybody can who reads this program, but not with the key.
    await sqlOn(location, "UPDATE event_chain SET place = 'C00OTHER01' WHERE seq = 1");
    const rows = await sqlOn<Record<string, unknown>>(location, 'SELECT * FROM event_chain ORDER BY seq');
    let previous = '';
    for (const { seq, at, kind, person, place, report, details_hash, key_id } of rows) {
      const about = await sqlOn<{ token: string }>(
        location,
        `SELECT token FROM event_subjects WHERE seq = ${seq} ORDER BY token`,
      );
      const subjects = about.map((row) => row.token);
      const parts = [
        Number(seq),
        Number(at),
        kind,
        person,
        place,
        report,
        subjects,
        details_hash,
        previous,
        key_id,
      ];
      const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
      await sqlOn(
        location,
        `UPDATE event_chain SET previous_hash = '${previous}', hash = '${hash}' WHERE seq = ${seq}`,
      );
      previous = hash;
    }
    expect(await rollcall(bots, 'audit', '--verify')).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('The record was changed: event 1 '),
    });
    await bots.close();
  });
});

it.skipIf(!onPostgres)(
  'no process starts with another key beside one that runs, or without one',
  { timeout: 60_000 },
  async () => {
    const bots = await workspace('socket');
    const other = bots.startWithoutWaiting({ RECORD_KEY: 'cd'.repeat(32) });
    expect(await other.ended).toBe(78);
    expect(other.stderr()).toContain('A process that runs has another RECORD_KEY.');
    const none = bots.startWithoutWaiting({ RECORD_KEY: '' });
    expect(await none.ended).toBe(78);
    expect(none.stderr()).toContain('RECORD_KEY is not set: with PostgreSQL, set it to');
    expect(await rollcall(bots, 'audit', '--verify')).toMatchObject({ status: 0 });
    await bots.close();
  },
);
