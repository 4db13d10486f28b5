import { afterAll, describe, expect, it } from 'vitest';
import { eventsUrl, type Mode, startHostedBot } from '../journeys/bot-process.js';
import { openSeveralBots, type SeveralBots, sharedBots } from '../journeys/several-bots.js';
import { endEveryProcess } from '../process.js';
import { answer, type Behaviour } from '../reporting-api/fault-server.js';

/*
 * Questions of a member without rights, about people whom the answer must not show.
 */

afterAll(endEveryProcess);

/** The default level, in a channel that nobody approved. */
const protectedSettings = { DEFAULT_ACCESS: 'team', SMALLEST_GROUP: '5', ROLLCALL_ADMINS: 'U00ADA0001' };

const channel = '#shared-work';

const openBots = sharedBots(
  async (location, folder, mode: Mode, environment: Readonly<Record<string, string>> = {}) => {
    const bots = await openSeveralBots(location, folder, { start: startHostedBot });
    const bot = await bots.start({ ...protectedSettings, ...environment }, mode);
    if (mode === 'http') await bots.slack.deliverTo(await eventsUrl(bot));
    return bots;
  },
);

/** People of an organization where groups overlap at random. */
function overlapping(people: number, groups: number, each: number): readonly object[] {
  let state = 1;
  const random = (below: number) => {
    state = (state * 48_271) % 0x7fffffff;
    return state % below;
  };
  return Array.from({ length: people }, (_, n) => ({
    userid: `u${n}`,
    email: `p${n}@example.test`,
    groups: [...new Set(Array.from({ length: 1 + random(each) }, () => `Group ${1 + random(groups)}`))],
    sessions: random(5),
  }));
}

/** What every answer about engagement is. The others have no rows. */
function engagementIs(bots: SeveralBots, behaviour: Behaviour): void {
  bots.service.always((...call) => {
    const isEngagement = bots.service.seen.at(-1)?.path.includes('user-engagement') ?? false;
    return (isEngagement ? behaviour : answer('[]'))(...call);
  });
}

async function ask({ slack }: SeveralBots, words: string, wanted: string, who = 'noah') {
  const before = new Set(slack.messages(channel).map(({ ts }) => ts));
  await slack.as(who).command(words, channel);
  return slack.waitForMessage(channel, (message) => !before.has(message.ts) && message.says(wanted), 60_000);
}

/** The table and the notes below an answer. */
async function detailsOf({ slack }: SeveralBots, summary: { readonly ts: string }) {
  const before = new Set(slack.messages(channel).map(({ ts }) => ts));
  const message = slack.messages(channel).find(({ ts }) => ts === summary.ts);
  if (!message) throw new Error('The answer is gone');
  await slack.as('noah').click(message, 'Details');
  return slack.waitForMessage(
    channel,
    ({ ts, says }) => !before.has(ts) && says('What the figures mean'),
    30_000,
  );
}

describe('one ordinary question about groups that overlap', () => {
  it.for(['socket', 'http'] as const)(
    'is answered, and holds up neither a colleague nor Cancel (%s)',
    { timeout: 120_000 },
    async (mode) => {
      const bots = await openBots(mode, { REPORTING_PARALLEL: '2' });
      const { slack, service } = bots;
      const text = JSON.stringify(overlapping(8_000, 200, 40));
      engagementIs(bots, answer(text));
      const summary = await ask(bots, '/report engagement 2025 by:groups', '8,000 people');
      expect(summary.words).toContain('8,000 people');
      const details = await detailsOf(bots, summary);
      expect(details.words).toContain('People in several groups count in the first of them.');
      // The last byte never comes, so the answer is being counted until somebody cancels it.
      engagementIs(bots, (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write(text.slice(0, -1));
      });
      const progress = await ask(bots, '/report engagement 2024 by:groups', 'Cancel');
      await ask(bots, '/report workshops last-week', 'Workshop', 'ada');
      const running = service.seen.findLast(({ path }) => path.includes('user-engagement'));
      await slack.as('noah').click(progress, 'Cancel');
      await slack.waitForMessage(channel, ({ says }) => says('Cancelled'));
      await running?.disconnected;
    },
  );
});

describe('an organization with few people here and there', () => {
  it('is broken down in lines that add up, and a rare column joins none of them', {
    timeout: 120_000,
  }, async () => {
    const bots = await openBots('socket');
    const sizes = { Sales: 40, Field: 30, Labs: 20, Support: 12, Board: 9, Legal: 3, Press: 2 };
    const rated: Readonly<Record<string, number>> = { Sales: 30, Field: 1, Labs: 2, Support: 3, Board: 8 };
    const rows = Object.entries(sizes).flatMap(([department, size]) =>
      Array.from({ length: size }, (_, n) => ({
        userid: `${department}${n}`,
        email: `${department}${n}@example.test`,
        departments: [department],
        sessions: 1,
        ratings: n < (rated[department] ?? 0) ? 1 : 0,
        ratings_average: n < (rated[department] ?? 0) ? 4 : null,
      })),
    );
    engagementIs(bots, answer(JSON.stringify(rows)));
    const details = await detailsOf(
      bots,
      await ask(bots, '/report engagement last-week', 'Engagement last week:'),
    );
    for (const department of ['Sales', 'Field', 'Labs', 'Support', 'Board'])
      expect(details.words).toContain(department);
    expect(details.words).toContain('2 smaller groups');
    expect(details.words).not.toMatch(/Legal|Press/);
    expect(details.words.match(/too few/g)?.length).toBeGreaterThanOrEqual(3);
    expect(details.words).toContain('“Too few” is about fewer than 5 people, or hides a figure that is.');
  });

  it('tells the day of nobody: none and few are one sentence, without a number', {
    timeout: 120_000,
  }, async () => {
    const bots = await openBots('socket');
    const { service } = bots;
    const before = service.seen.length;
    const few = overlapping(4, 3, 1);
    const sentences: string[] = [];
    for (const [day, rows] of [
      ['2026-03-02', few],
      ['2026-03-03', []],
    ] as const) {
      engagementIs(bots, answer(JSON.stringify(rows)));
      const words = `/report engagement ${day} departments:Legal`;
      const summary = await ask(bots, words, 'Fewer than 5 people match');
      sentences.push(
        summary.words.replaceAll(/\d{4}-03-0\d|[23] Mar(?:ch)?(?: 2026)?|Mon|Tue|Monday|Tuesday/g, 'DAY'),
      );
    }
    expect(sentences[0]).toBe(sentences[1]);
    expect(sentences[0]).not.toMatch(/\b[04] (?:people|rows)|no people/);
    expect(service.seen.length).toBeGreaterThanOrEqual(before + 2);
  });

  it('does not take three people whose IDs are missing here and there for six', {
    timeout: 120_000,
  }, async () => {
    const bots = await openBots('socket');
    const rows = ['a', 'b', 'c'].flatMap((id, n) => [
      { userid: 10 + n, email: null, sessions: 1 },
      { userid: null, email: `${id}@example.test`, sessions: 2 },
      { userid: String(10 + n), email: `${id.toUpperCase()}@EXAMPLE.test`, sessions: 3 },
    ]);
    engagementIs(bots, answer(JSON.stringify(rows)));
    const summary = await ask(bots, '/report engagement last-month', 'Engagement last month:');
    expect(summary.words).toContain('Fewer than 5 people match');
  });
});
