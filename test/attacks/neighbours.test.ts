import { afterAll, describe, expect, it } from 'vitest';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import { fileActions } from '../../src/slack/messages/rows.js';
import { answerActions } from '../../src/slack/messages/summary.js';
import { dueOnce, noah } from '../digests/test-workspace.js';
import { eventsUrl, type Mode, startHostedBot } from '../journeys/bot-process.js';
import { openSeveralBots, type SeveralBots, shared, sharedBots } from '../journeys/several-bots.js';
import { endEveryProcess } from '../process.js';
import { answer } from '../reporting-api/fault-server.js';

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
  close(): Promise<void>;
  /** Asks as a member, in a place, and returns the answer. */
  ask(question: string, place?: string): Promise<string>;
  /** Presses Details under the answer with these words, and returns what they say. */
  detailsOf(words: string, place: string): Promise<string>;
}

async function startAttack(
  location: string,
  folder: string,
  mode: Mode,
  environment: Readonly<Record<string, string>>,
): Promise<Attack> {
  const bots = await openSeveralBots(location, folder, { start: startHostedBot });
  const { slack } = bots;
  answerFiltered(bots);
  const bot = await bots.start({ SMALLEST_GROUP: '5', ...environment }, mode);
  if (mode === 'http') await slack.deliverTo(await eventsUrl(bot));
  if (environment.NAMES_DAILY === 'yes') await bot.waitFor(/"report":"workshops".*Names were learned/);
  return {
    bots,
    close: bots.close,
    async ask(question, place = '#shared-work') {
      const before = new Set(slack.messages(place).map(({ ts }) => ts));
      await slack.as('noah').command(`/report engagement last-week ${question}`, place);
      const isAnswer = ({ ts, text, words }: { ts: string; text: string; words: string }) =>
        !before.has(ts) && /Engagement last week/.test(`${text} ${words}`);
      return (await slack.waitForMessage(place, isAnswer)).words;
    },
    async detailsOf(words, place) {
      const answered = slack.messages(place).find((message) => message.words === words);
      if (!answered) throw new Error('The answer is gone');
      await slack.as('noah').click(answered, 'Details');
      return (await slack.waitForMessage(place, ({ threadTs }) => threadTs === answered.ts)).words;
    },
  };
}

/** The bots are the same for all tests that want the same settings. */
const attack = sharedBots(startAttack);

const tooFew = /Fewer than 5 people match/;

describe.each(['socket', 'http'] as const)('two questions that differ by few people (%s)', (mode) => {
  it.each([
    ['in a channel, at the default level', { DEFAULT_ACCESS: 'team' }, '#shared-work'],
    ['in direct messages, at totals', { DEFAULT_ACCESS: 'totals' }, '@noah'],
  ])(
    'are not both answered %s',
    async (_, environment, place) => {
      const { bots, ask, detailsOf } = await attack(mode, { ...environment, NAMES_DAILY: 'yes' });
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
      expect(lines).not.toMatch(/Sales|Board/);
      const details = await detailsOf(lines, place);
      expect(details).toContain('smaller groups');
      expect(details).not.toMatch(/Sales|Board/);
      expect(bots.slack.refusals).toEqual([]);
    },
    60_000,
  );

  it('are compared by their rows alone without the daily look', async () => {
    const { ask } = await attack(mode, { DEFAULT_ACCESS: 'team', NAMES_DAILY: 'no' });
    expect(await ask('departments:Sales locations:Berlin')).not.toMatch(tooFew);
    expect(await ask('departments:Sales,Board')).toMatch(tooFew);
  }, 60_000);

  it('are both answered to those who may see everybody', async () => {
    const { ask } = await attack(mode, { DEFAULT_ACCESS: 'everything', NAMES_DAILY: 'yes' });
    expect(await ask('departments:Sales locations:Berlin', '@noah')).not.toMatch(tooFew);
    expect(await ask('departments:Sales locations:Berlin')).toMatch(tooFew);
  }, 60_000);
});

/** What tells how many of Sales there are, or are in Berlin. */
const figuresOfSales = /\b1[12] people|\bof 1[12]\b|Sessions/;

/** A request about the people of a department in Berlin. */
function inBerlin(department: string): ReportRequest {
  const filter = (member: string, entry: string) => ({ object: 'user_filter', member, entries: [entry] });
  const filters = [filter('departments', department), filter('locations', 'Berlin')];
  return { ...plainRequest('engagement'), range: 'last-week', filters };
}

describe.each(['socket', 'http'] as const)(
  'a question with a neighbour that differs by one person (%s)',
  (mode) => {
    it('is not answered by a digest, and is empty for one that leaves out what is empty', async () => {
      const { bots } = await attack(mode, { DEFAULT_ACCESS: 'totals', NAMES_DAILY: 'yes' });
      const { slack, store } = bots;
      const deliver = async (department: string, skipEmpty: boolean) => {
        const settings = {
          ...dueOnce(),
          owner: noah,
          channel: shared,
          request: inBerlin(department),
          skipEmpty,
        };
        const id = await store.digests.add(settings, noah, Date.now(), Date.now());
        const run = async () => (await store.ledger.history(id, 1))[0];
        await expect.poll(async () => (await run())?.state).toMatch(/^(?:posted|skipped)$/);
        const { message } = (await run()) ?? {};
        return slack.messages('#shared-work').find(({ ts }) => ts === message?.ts)?.words;
      };
      expect(await deliver('Legal', false)).toContain('8 people');
      const refused = await deliver('Sales', false);
      expect(refused).toMatch(tooFew);
      expect(refused).not.toMatch(figuresOfSales);
      expect(await deliver('Sales', true)).toBeUndefined();
    }, 60_000);

    it('is not answered by the Details of itself, nor of its neighbour', async () => {
      const { bots, ask } = await attack(mode, { DEFAULT_ACCESS: 'totals', NAMES_DAILY: 'yes' });
      const { slack } = bots;
      const said = () => slack.messages('#shared-work');
      const answerTo = async (question: string) => {
        const before = new Set(said().map(({ ts }) => ts));
        await ask(question);
        const answered = said().find(({ ts, threadTs }) => !before.has(ts) && !threadTs);
        if (!answered) throw new Error('The answer is gone');
        return answered;
      };
      const refused = await answerTo('departments:Sales locations:Berlin');
      expect(refused.words).not.toContain('Details');
      // A client that is not Slack's presses it all the same.
      const stored = slack.workspace.messages.get(refused.channel)?.get(refused.ts);
      const [, value] =
        new RegExp(`"action_id":"${fileActions.csv}".*?"value":"([^"]+)"`).exec(
          JSON.stringify(stored?.blocks),
        ) ?? [];
      expect(value).toBeDefined();
      const button = {
        type: 'button',
        action_id: answerActions.details,
        text: { type: 'plain_text', text: 'Forged' },
        value,
      };
      Object.assign(stored ?? {}, { blocks: [{ type: 'actions', block_id: 'forged', elements: [button] }] });
      const before = said().length;
      await slack.as('noah').click(refused, 'Forged');
      await slack.waitFor(() => said().length > before);
      for (const { words } of said().slice(before)) expect(words).not.toMatch(figuresOfSales);

      const whole = await answerTo('departments:Sales by:locations');
      await slack.as('noah').click(whole, 'Details');
      const { words } = await slack.waitForMessage('#shared-work', ({ threadTs }) => threadTs === whole.ts);
      expect(words).toContain('12 of 12');
      expect(words).not.toMatch(/\b11 people|\bof 11\b|Paris|Berlin/);
    }, 60_000);

    it('is not answered where it is shared, by somebody who got the answer alone', async () => {
      const { bots, ask } = await attack(mode, { DEFAULT_ACCESS: 'everything', NAMES_DAILY: 'yes' });
      const { slack } = bots;
      expect(await ask('departments:Sales locations:Berlin', '@noah')).toContain('11 people');
      const direct = slack.messages('@noah').at(-1);
      if (!direct) throw new Error('The answer is gone');
      const before = new Set(slack.messages('#shared-work').map(({ ts }) => ts));
      await slack.as('noah').click(direct, 'Share to channel');
      await slack.as('noah').waitForModal();
      await slack.as('noah').submit({ channel: shared });
      const told = await slack.waitForMessage(
        '#shared-work',
        ({ ts, words }) => !before.has(ts) && words.includes('Engagement'),
      );
      expect(told.words).toMatch(tooFew);
      expect(told.words).not.toMatch(figuresOfSales);
    }, 60_000);
  },
);
