import { afterAll, describe, expect, it } from 'vitest';
import { eventsUrl, type Mode } from '../journeys/bot-process.js';
import { openSeveralBots, type SeveralBots } from '../journeys/several-bots.js';
import type { StartedProcess } from '../process.js';
import { endEveryProcess } from '../process.js';
import { answer } from '../reporting-api/fault-server.js';
import { freshFolder } from '../store/fresh-folder.js';

const folder = freshFolder();
afterAll(endEveryProcess);

/** Department, location, people. One person of Sales sits in Paris, and three people are the board. */
const company = [
  ['Sales', 'Berlin', 11],
  ['Sales', 'Paris', 1],
  ['Legal', 'Berlin', 8],
  ['Legal', 'Paris', 6],
  ['Labs', 'Berlin', 9],
  ['Labs', 'Paris', 7],
  ['Board', 'Berlin', 3],
] as const;

const people = company.flatMap(([department, location, many], group) =>
  Array.from({ length: many }, (_, i) => ({
    userid: `u${group}-${i}`,
    email: `u${group}-${i}@example.test`,
    departments: [department],
    locations: [location],
    sessions: 1,
    views: 2,
  })),
);

/** The service: everybody who matches the filters on departments and locations. */
function answerFiltered({ service }: SeveralBots): void {
  service.always((...call) => {
    const { user_filter: filter = {} } = JSON.parse(service.seen.at(-1)?.body ?? '{}');
    const matches = (of: readonly string[], entries: string | undefined) =>
      entries === undefined || entries.split(',').some((entry) => of.includes(entry));
    const found = people.filter(
      ({ departments, locations }) =>
        matches(departments, filter.departments) && matches(locations, filter.locations),
    );
    return answer(JSON.stringify(found))(...call);
  });
}

interface Attack {
  readonly bots: SeveralBots;
  readonly bot: StartedProcess;
  /** Asks as a member, in a place, and returns the answer. */
  ask(question: string, place?: string): Promise<string>;
}

async function startAttack(mode: Mode, environment: Readonly<Record<string, string>>): Promise<Attack> {
  const bots = await openSeveralBots(folder.database(), folder.path('.'));
  const { slack } = bots;
  answerFiltered(bots);
  const bot = await bots.start({ SMALLEST_GROUP: '5', ...environment }, mode);
  if (mode === 'http') await slack.deliverTo(await eventsUrl(bot));
  if (environment.NAMES_DAILY === 'yes') await bot.waitFor(/"report":"workshops".*Names were learned/);
  return {
    bots,
    bot,
    async ask(question, place = '#shared-work') {
      const before = new Set(slack.messages(place).map(({ ts }) => ts));
      await slack.as('noah').command(`/report engagement last-week ${question}`, place);
      const isAnswer = ({ ts, text, words }: { ts: string; text: string; words: string }) =>
        !before.has(ts) && /Engagement last week/.test(`${text} ${words}`);
      return (await slack.waitForMessage(place, isAnswer, 20_000)).words;
    },
  };
}

const tooFew = /Fewer than 5 people match|fewer than 5 people match/;

describe.each(['socket', 'http'] as const)('two questions that differ by few people (%s)', (mode) => {
  it.each([
    ['in a channel, at the default level', { DEFAULT_ACCESS: 'team' }, '#shared-work'],
    ['in direct messages, at totals', { DEFAULT_ACCESS: 'totals' }, '@noah'],
  ])(
    'are not both answered %s',
    async (_, environment, place) => {
      const { bots, ask } = await startAttack(mode, { ...environment, NAMES_DAILY: 'yes' });
      // Everybody but one of Sales sits in Berlin.
      expect(await ask('departments:Sales', place)).not.toMatch(tooFew);
      expect(await ask('departments:Sales locations:Berlin', place)).toMatch(tooFew);
      expect(await ask('departments:sales locations:"berlin"', place)).toMatch(tooFew);
      expect(await ask('departments:Legal locations:Berlin', place)).not.toMatch(tooFew);
      // Everybody but the board.
      expect(await ask('departments:Sales,Legal,Labs', place)).toMatch(tooFew);
      expect(await ask('departments:Sales,Board', place)).toMatch(tooFew);
      expect(await ask('departments:Sales,Legal', place)).not.toMatch(tooFew);
      // The lines of Sales and of the board would be compared with those of the whole company.
      const lines = await ask('locations:Berlin by:departments', place);
      expect(lines).not.toMatch(tooFew);
      expect(lines).toContain('smaller groups');
      expect(lines).not.toContain('Sales');
      expect(bots.slack.refusals).toEqual([]);
      await bots.close();
    },
    60_000,
  );

  it('are compared by their rows alone without the daily look', async () => {
    const { bots, ask } = await startAttack(mode, { DEFAULT_ACCESS: 'team', NAMES_DAILY: 'no' });
    expect(await ask('departments:Sales locations:Berlin')).not.toMatch(tooFew);
    expect(await ask('departments:Sales,Board')).toMatch(tooFew);
    await bots.close();
  }, 60_000);

  it('are both answered to those who may see everybody', async () => {
    const { bots, ask } = await startAttack(mode, { DEFAULT_ACCESS: 'everything', NAMES_DAILY: 'yes' });
    expect(await ask('departments:Sales locations:Berlin', '@noah')).not.toMatch(tooFew);
    expect(await ask('departments:Sales locations:Berlin')).toMatch(tooFew);
    await bots.close();
  }, 60_000);
});
