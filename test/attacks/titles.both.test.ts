import { afterAll, describe, expect, it } from 'vitest';
import type { LocalSlack } from '../../playground/slack/server/local-slack.js';
import { ada, noah } from '../digests/test-workspace.js';
import { eventsUrl, type Mode, startHostedBot } from '../journeys/bot-process.js';
import { openBuilder } from '../journeys/building.js';
import { openSeveralBots, type SeveralBots } from '../journeys/several-bots.js';
import { endEveryProcess, type StartedProcess } from '../process.js';
import { answer, type FaultServer, silent, status } from '../reporting-api/fault-server.js';
import { freshFolder } from '../store/fresh-folder.js';

/*
 * A member without rights searches for the titles and names that one person has.
 */

const folder = freshFolder();
afterAll(endEveryProcess);

interface Row {
  readonly userid: string;
  readonly email: string;
  readonly departments: readonly string[];
  readonly content_id: string;
  readonly content_title: string;
  readonly content_type: string;
  readonly assignment_status: string;
}

const common = [
  ['c-fire', 'Fire safety basics'],
  ['c-data', 'Data protection'],
] as const;
const rare = [
  ['c-alc', 'Alcohol at work: your way out'],
  ['c-ang', 'Anger management for Zed'],
  ['c-debt', 'Debt counselling'],
] as const;
const rareDepartment = 'Chief of staff office';

const people = Array.from({ length: 9 }, (_, n) => ({
  userid: `u${n}`,
  email: `u${n}@example.com`,
  departments: n === 8 ? [rareDepartment] : ['Sales'],
}));

const rows: readonly Row[] = people.flatMap((person, n) => {
  const titles = n === 8 ? [...common, ...rare] : common;
  return titles.map(([content_id, content_title]) => ({
    ...person,
    content_id,
    content_title,
    content_type: n === 8 && content_id === 'c-alc' ? 'confidential talk' : 'course',
    assignment_status: 'not started',
  }));
});

/** Narrows by the filters, as the service does. */
function answersFor({ seen }: FaultServer) {
  return (...call: Parameters<typeof silent>) => {
    const { body, path } = seen.at(-1) ?? { body: '{}', path: '' };
    const { user_filter: user = {}, assignment_filter: item = {} } = JSON.parse(body);
    const entries = (text?: string) => text?.split(',');
    const [departments, emails, ids] = [user.departments, user.email, item.content_id].map(entries);
    const found = path.includes('assignment')
      ? rows.filter(
          (row) =>
            (departments?.some((name) => row.departments.includes(name)) ?? true) &&
            (emails?.includes(row.email) ?? true) &&
            (ids?.includes(row.content_id) ?? true),
        )
      : [];
    return answer(JSON.stringify(found))(...call);
  };
}

interface Scene {
  readonly bots: SeveralBots;
  readonly slack: LocalSlack;
  readonly bot: StartedProcess;
  /** All that the bot has said, in messages, forms, options and acknowledgements. */
  said(): string;
  /** The texts that only Noah sees, and all others, from now on. */
  ask(words: string): Promise<string>;
  searched(): Promise<readonly unknown[]>;
}

const channel = '#shared-work';

async function scene(
  environment: Readonly<Record<string, string>>,
  mode: Mode,
  behave?: (service: FaultServer) => void,
): Promise<Scene> {
  const bots = await openSeveralBots(folder.database(`${Math.random()}.db`), folder.path('.'), {
    start: startHostedBot,
  });
  const { slack, service, store } = bots;
  service.always(answersFor(service));
  behave?.(service);
  const heard = new Map<number, string>();
  slack.inspector.subscribe((entry) => {
    heard.set(entry.id, JSON.stringify(entry));
  });
  const bot = await bots.start(
    { SMALLEST_GROUP: '5', NAMES_DAILY: 'yes', ROLLCALL_ADMINS: ada, ...environment },
    mode,
  );
  if (mode === 'http') await slack.deliverTo(await eventsUrl(bot));
  else await slack.waitForBot();
  return {
    bots,
    slack,
    bot,
    said: () => [...heard.values()].join('\n'),
    async ask(words) {
      const before = new Set(slack.messages(channel).map(({ ts }) => ts));
      await slack.as('noah').command(words, channel);
      const reply = await slack.waitForMessage(
        channel,
        (message) => !before.has(message.ts) && !message.words.startsWith('Running'),
        15_000,
      );
      return reply.words;
    },
    async searched() {
      const events = await store.events.oldest({ kinds: ['searched'] }, 99);
      return events.map(({ person, details }) => ({ person, ...(details as object) }));
    },
  };
}

const learned = (bot: StartedProcess) => bot.waitFor(/"report":"workshops".*Names were learned/);

function expectNothingRare(text: string) {
  for (const [id, title] of rare) {
    expect(text).not.toContain(title);
    expect(text).not.toContain(id);
  }
  expect(text).not.toContain(rareDepartment);
  expect(text).not.toContain('confidential talk');
}

describe.each([
  ['totals', 'socket'],
  ['totals', 'http'],
  ['team', 'socket'],
  ['team', 'http'],
] as const)('a member at level %s over %s', (level, mode) => {
  it('finds no title and no name that few people have', { timeout: 120_000 }, async () => {
    const { bots, slack, bot, ask, said, searched } = await scene({ DEFAULT_ACCESS: level }, mode);
    await learned(bot);
    const before = bots.service.seen.length;

    // Rare and made-up words get the same sentence, but for the words themselves.
    const pairs = [
      ['alcohol', 'zzcohol'],
      ['Alcohol at work: your way', 'Blcohol bt work: your way'],
      ['c-alc', 'c-zzz'],
    ] as const;
    const told: string[] = [];
    for (const [real, unreal] of pairs) {
      for (const filter of ['', ` departments:"${'Chief of staff offic'}"`]) {
        const [one, other] = [
          await ask(`/report assignments last-week${filter} content:"${real}"`),
          await ask(`/report assignments last-week${filter} content:"${unreal}"`),
        ];
        expect(one.replaceAll(real, '…')).toBe(other.replaceAll(unreal, '…'));
        told.push(one);
      }
    }
    expect(told[0]).toContain('No content');
    expect(await ask('/report assignments content:a')).toContain('Data protection');

    // Entries and sentences.
    expect(await ask('/report assignments departments:"Chief of staf office"')).not.toContain('Did you mean');
    expect(await ask('/report assignments departments:Sale')).toContain('“Sales”');
    await ask('/report who finished debt counselling');
    await ask('/report overdue in chief of staff');

    // Save and Schedule.
    expect(await ask('/report save Mine: assignments content:debt')).toContain('No content');
    expect(await ask('/report schedule assignments content:anger daily 9')).toContain('No content');

    // The form.
    const member = slack.as('noah');
    await openBuilder(member, channel);
    const block = 'titles-content:assignments';
    for (const typed of ['a', 'al', 'alc', 'alco', 'c-alc', 'debt']) {
      expect(await member.options('modal', block, typed)).toEqual(
        typed === 'a'
          ? [expect.objectContaining({ value: 'c-data' }), expect.objectContaining({ value: 'c-fire' })]
          : [],
      );
    }
    const asTyped = (text: string) => expect.objectContaining({ value: text });
    await member.click('modal', 'Add filters');
    await member.waitForModal(({ content }) => JSON.stringify(content).includes('entries:user.departments'));
    expect(await member.options('modal', 'entries:user.departments', 'chief')).toEqual([asTyped('chief')]);
    expect(await member.options('modal', 'entries:user.departments', 'sal')).toEqual([
      asTyped('sal'),
      asTyped('Sales'),
    ]);
    expect(await member.options('modal', 'entries:user.email', 'u8')).toEqual([asTyped('u8')]);

    // What they typed themselves may come back. Nothing else does.
    const typedByThem = said();
    expectNothingRare(typedByThem.replaceAll('c-alc', ''));
    const further = bots.service.seen.slice(before).map(({ body }) => body);
    expect(further.filter((body) => body.includes('content_id":true'))).toEqual([]);

    // The record has each search, and one of each field of the form.
    expect(await searched()).toHaveLength(2 * pairs.length * 2 + 3);
    // Whoever reads the record finds those of open forms there.
    slack.as('ada').openMessages();
    await slack.as('ada').command('/report audit', '@ada');
    await slack.waitForMessage('@ada', ({ words }) => words.includes('searched for'));
    const events = await searched();
    expect(events).toContainEqual({ person: noah, field: 'content', text: 'debt', origin: 'request' });
    expect(events.slice(-3)).toEqual(
      expect.arrayContaining([
        { person: noah, field: 'content', text: 'debt' },
        { person: noah, field: 'user.departments', text: 'sal' },
      ]),
    );
    expect(events).toHaveLength(2 * pairs.length * 2 + 3 + 2);
    await bots.close();
  });
});

describe('before the look has ended', () => {
  it.each(['socket', 'http'] as const)(
    'a search counts the people of the whole company (%s)',
    {
      timeout: 60_000,
    },
    async (mode) => {
      const { bots, ask, said } = await scene({ DEFAULT_ACCESS: 'totals', NAMES_DAILY: 'no' }, mode);
      const { service } = bots;
      const narrow = `/report assignments last-week departments:"${rareDepartment}" content:`;
      expect(await ask(`${narrow}alcohol`)).toContain('No content');
      const [search] = service.seen;
      expect(JSON.parse(search?.body ?? '')).not.toHaveProperty('user_filter');
      expect(await ask(`${narrow}debt`)).toContain('No content');
      // All names are known now, and nobody can tell by the time who has one.
      expect(service.seen).toHaveLength(1);
      const answered = await ask('/report assignments last-week content:"fire"');
      expect(answered).toContain('Fire safety basics');
      for (const [, title] of rare) expect(said()).not.toContain(title);
      await bots.close();
    },
  );

  it.each([
    ['refuses', () => status(500)],
    ['does not answer', () => silent],
  ] as const)(
    'a service that %s holds up no start and no request',
    { timeout: 60_000 },
    async (_what, how) => {
      const { bots, ask, bot } = await scene({ DEFAULT_ACCESS: 'everything' }, 'socket', (service) =>
        service.always((...call) => {
          const isLook = service.seen.at(-1)?.body.includes('"org_level"');
          return (isLook ? how() : answersFor(service))(...call);
        }),
      );
      await bots.service.reached(1);
      expect(await ask('/report engagement last-week')).toContain('/report engagement last-week');
      expect(bot.stdout()).not.toMatch(/assignments.*Names were learned/);
      await bots.close();
    },
  );
});

describe('an answer that too few people match', () => {
  it('makes nothing of it known to others', { timeout: 60_000 }, async () => {
    const { bots, ask, said } = await scene({ DEFAULT_ACCESS: 'totals', NAMES_DAILY: 'no' }, 'socket');
    expect(await ask(`/report assignments last-week departments:"${rareDepartment}"`)).toContain(
      'ewer than 5',
    );
    await ask('/report assignments last-week');
    expect(await ask('/report assignments content:alcohol')).toContain('No content');
    for (const [, title] of rare) expect(said()).not.toContain(title);
    await bots.close();
  });
});

describe('who may see all', () => {
  it('finds rare titles in direct messages, and not in a channel that is not approved', {
    timeout: 60_000,
  }, async () => {
    const { bots, slack, bot, ask } = await scene({ DEFAULT_ACCESS: 'everything' }, 'socket');
    await learned(bot);
    expect(await ask('/report assignments last-week content:debt')).toContain('No content');
    slack.as('noah').openMessages();
    await slack.as('noah').command('/report assignments last-week content:debt', '@noah');
    await slack.waitForMessage('@noah', ({ words }) => words.includes('Debt counselling'));
    await bots.close();
  });
});
