import { afterAll, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { ada, defaultSeed, noah } from '../../playground/slack/server/workspace/seed.js';
import { answer, type FaultServer, openFaultServer, silent } from '../reporting-api/fault-server.js';
import { beforeNextPress, schedulingAt } from './scheduling.js';
import { testWorkspace } from './test-workspace.js';
import { newIn } from './watching.js';

/** Overdue rows, each with its manager as the service writes it and a title that nobody else has. */
const rows: readonly (readonly [manager: unknown, title: string])[] = [
  ['noah@example.com', 'Noah one'],
  ['NOAH@Example.com', 'Noah two'],
  [' noah@example.com ', 'Noah three'],
  ['priya@example.com', 'Priya one'],
  ['Priya@example.com', 'Priya two'],
  ['noah@example.com, priya@example.com', 'Shared by commas'],
  [['noah@example.com', 'priya@example.com'], 'Shared in a list'],
  ['noah@example.com;priya@example.com', 'Shared by semicolons'],
  ['xnoah@example.com', 'Of a longer address'],
  ['noah@example.com.evil.example', 'Of a longer domain'],
  ['stranger@example.com', 'Of a stranger'],
  [null, 'Of nobody'],
];

/** More than a person may reach without the word of an admin. */
const many = Array.from({ length: 30 }, (_, n) => ({
  ...noah,
  id: `U00MANAG${100 + n}`,
  handle: `m${n}`,
  email: `m${n}@example.com`,
}));

const overdueRow = ([manager, title]: (typeof rows)[number], n: number) => ({
  manager_email: manager,
  email: `p${n}@example.com`,
  userid: `p${n}`,
  first_name: `Person ${n}`,
  last_name: 'Last',
  content_id: `c${n}`,
  content_title: title,
  assignment_id: `a${n}`,
  assignment_status: 'not_started',
  assigned_date: '2020-01-01T00:00:00Z',
  due_date: '2020-02-01T00:00:00Z',
  completed_date: null,
});

const allRows = rows.map(overdueRow);
const whole = JSON.stringify(allRows);

/** The titles in a text. */
const titlesIn = (text: string) => rows.map(([, title]) => title).filter((title) => text.includes(title));
const own = (name: string) => rows.map(([, title]) => title).filter((title) => title.startsWith(name));

describe('digests for managers of a service that says what a test wants', () => {
  let service: FaultServer | undefined;
  afterAll(() => service?.close());
  const work = testWorkspace(() => ({
    slack: { seed: { ...defaultSeed, people: [...defaultSeed.people, ...many] } },
    service: async () => {
      service ??= await openFaultServer();
      // Whatever is asked, everybody's rows come back.
      service.always(answer(whole));
      return { url: service.url, token: 'a-token' };
    },
    environment: { ROLLCALL_ADMINS: ada.id, SMALLEST_GROUP: '1', DEFAULT_ACCESS: 'everything' },
  }));
  const { as, say, scheduled, confirmed } = schedulingAt(work);
  const direct = (user: string) => work().slack.messages(`@${user}`);
  const textOf = (user: string) => JSON.stringify(direct(user));

  it('shows no manager a row of another one: in no message, and under no “All of them”', async () => {
    const { slack } = work();
    const preview = await say('/report schedule overdue to:managers weekly mon 09:00');
    expect(preview.words).toContain('2 managers get a message, about 5 people');
    expect(titlesIn(preview.words)).toEqual([]);
    await slack.as('ada').click(preview, 'Confirm');
    await slack.waitForMessage('#learning', (one) => one.ts === preview.ts && one.says('Scheduled.'));
    const list = await say('/report list');

    // The first answer is cut off on its way: what came before counts once.
    service?.behave((response, socket) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(whole.slice(0, Math.floor(whole.length * 0.7)), () => socket.destroy());
    });
    await slack.as('ada').click(list, 'Send now');
    const wants = 'Set up by';
    const toNoah = await slack.waitForMessage('@noah', (one) => one.says(wants));
    const toPriya = await slack.waitForMessage('@priya', (one) => one.says(wants));
    expect(toNoah.words).toContain('All your 3 people have 3 overdue assignments.');
    expect(titlesIn(JSON.stringify(toNoah))).toEqual(own('Noah'));
    expect(toPriya.words).toContain('All your 2 people have 2 overdue assignments.');
    expect(titlesIn(JSON.stringify(toPriya))).toEqual(own('Priya'));
    const line = await slack.waitForMessage('@ada', (one) => one.says('sent to 2 managers'));
    expect(line.words).toContain('1 without a manager, 3 with several managers in one cell');
    expect(titlesIn(textOf('ada'))).toEqual([]);

    const press = (user: 'noah' | 'priya') => {
      const message = user === 'noah' ? toNoah : toPriya;
      return newIn(
        work(),
        `@${user}`,
        () => slack.as(user).click(message, 'All of them'),
        (one) => !one.text.startsWith('Running '),
      );
    };
    const refused = await press('noah');
    expect(refused.words).toContain('returned records of other people');
    expect(titlesIn(textOf('noah'))).toEqual(own('Noah'));
    expect((await press('priya')).words).toContain('returned records of other people');
    expect(titlesIn(textOf('priya'))).toEqual(own('Priya'));

    // Of a service that keeps to its filter, both get their own.
    service?.always(answer(JSON.stringify(allRows.slice(0, 3))));
    const all = await press('noah');
    expect(titlesIn(JSON.stringify(all))).toEqual(own('Noah'));
    // The same rows are another's, and one cell with two managers refuses the answer.
    expect((await press('priya')).words).toContain('returned records of other people');
    service?.always(answer(JSON.stringify([allRows[3], allRows[5]])));
    expect((await press('priya')).words).toContain('returned records of other people');
    expect(titlesIn(textOf('priya'))).toEqual(own('Priya'));
  }, 60_000);

  it('tells of new rows alone, each manager those of their own team, after a baseline', async () => {
    const { slack } = work();
    service?.always(answer(JSON.stringify([allRows[0], allRows[3], allRows[11]])));
    await scheduled('/report schedule overdue to:managers when new-rows weekly mon 09:00', '#general');
    const list = await say('/report list', '#general');
    const before = { noah: direct('noah').length, priya: direct('priya').length };
    const sendNow = (wanted: string) =>
      newIn(
        work(),
        '@ada',
        () => as('ada').click(list, 'Send now'),
        (one) => one.says(wanted),
      );
    await sendNow('sent to 0 managers · nothing to tell 2');
    expect([direct('noah'), direct('priya')].map(({ length }) => length)).toEqual(Object.values(before));
    service?.always(answer(JSON.stringify([allRows[0], allRows[1], allRows[3], allRows[4], allRows[11]])));
    await beforeNextPress();
    await sendNow('sent to 2 managers · nothing to tell 0');
    for (const [user, title] of [
      ['noah', 'Noah two'],
      ['priya', 'Priya two'],
    ] as const) {
      const message = await slack.waitForMessage(`@${user}`, (one) => one.says('1 new overdue assignment'));
      expect(message.words).toContain('1 of your 2 people has 1 new overdue assignment.');
      expect(titlesIn(JSON.stringify(message))).toEqual([title]);
    }
    await beforeNextPress();
    await sendNow('sent to 0 managers · nothing to tell 2');
    expect(direct('noah')).toHaveLength(before.noah + 1);
  }, 60_000);

  it('asks an admin about many readers, pauses and resumes on its way, and goes on with a new owner', async () => {
    const { slack } = work();
    service?.always(
      answer(JSON.stringify(many.map(({ email }, n) => overdueRow([email, `Of many ${n}`], 100 + n)))),
    );
    const schedule = '/report schedule overdue assigned:2020 to:managers weekly mon 09:00';
    const propose = async () => {
      const preview = await say(schedule, '#sales', 'noah');
      expect(preview.words).toContain('As of now, 30 managers get a message, about 30 people.');
      expect(preview.words).toMatch(/more than 25 people, so an admin has to confirm it: .*Ada Moreau/);
      const isAsking = (message: SeenMessage) => message.says('wants to send each manager their own team’s');
      return newIn(work(), '@ada', () => as('noah').click(preview, 'Confirm'), isAsking);
    };
    const refused = await propose();
    await newIn(
      work(),
      '@noah',
      () => as('ada').click(refused, 'Not now'),
      (one) => one.says('An admin decided not to send this'),
    );
    expect((await say('/report list', '#sales', 'noah')).words).not.toContain('Overdue assignments');
    const asked = await propose();
    await newIn(
      work(),
      '@noah',
      () => as('ada').click(asked, 'Confirm'),
      (one) => one.says('Scheduled. Overdue assignments for each manager'),
    );

    const got = () => many.map(({ handle }) => direct(handle).length);
    const sum = () => got().reduce((all, count) => all + count, 0);
    const list = await say('/report list', '#sales', 'noah');
    await as('noah').click(list, 'Send now');
    await slack.waitFor(() => sum() >= 3);
    const paused = await newIn(
      work(),
      '#sales',
      () => as('noah').choose(list, 'digest_menu', 'Pause'),
      (one) => one.says('Paused: Overdue assignments'),
    );
    const history = async () => {
      const isHistory = (one: SeenMessage) => one.says('History of Overdue assignments');
      return newIn(work(), '#sales', () => as('noah').choose(list, 'digest_menu', 'History'), isHistory);
    };
    const stopped = { timeout: 20_000, interval: 500 };
    await expect.poll(async () => (await history()).words, stopped).toContain('stopped on its way');
    const half = got();
    expect(sum()).toBeLessThan(many.length);
    expect(Math.max(...half)).toBe(1);
    expect((await history()).words).toContain(`sent to ${sum()} managers`);

    await newIn(
      work(),
      '#sales',
      () => as('noah').click(paused, 'Resume'),
      (one) => one.says('Resumed: Overdue assignments'),
    );
    await beforeNextPress();
    // It belongs to another run, so whoever had a message gets another one.
    await newIn(
      work(),
      '@noah',
      () => as('noah').click(list, 'Send now'),
      (one) => one.says('sent to 30 managers'),
      // Slack’s list of people is read for each, and only so often a minute.
      90_000,
    );
    expect(got()).toEqual(half.map((count) => count + 1));

    await as('noah').choose(list, 'digest_menu', 'Hand over');
    await as('noah').waitForModal();
    const offer = await newIn(
      work(),
      '@ada',
      () => as('noah').submit({ owner: ada.id }),
      (one) => one.says('wants to hand a digest over to you'),
    );
    await newIn(
      work(),
      '@noah',
      () => as('ada').click(offer, 'Accept'),
      (one) => one.says('Handed over: Overdue assignments'),
    );
    const ofAda = await say('/report list', '#sales');
    await newIn(
      work(),
      '@ada',
      () => as('ada').click(ofAda, 'Send now'),
      (one) => one.says('sent to 30 managers'),
      90_000,
    );
    expect(got()).toEqual(half.map((count) => count + 2));
    expect(direct('m0').at(-1)?.words).toContain(`Set up by <@${ada.id}>`);
    await as('ada').choose(ofAda, 'digest_menu', 'Delete');
  }, 240_000);

  it('shows that a rehearsal takes long, and ends it with Cancel', async () => {
    const { slack } = work();
    service?.always(silent);
    const command = '/report schedule overdue assigned:2021 to:managers weekly mon 09:00';
    const running = (one: SeenMessage) =>
      one.says('Running a rehearsal of Overdue assignments') && one.says('Cancel');
    const here = await newIn(work(), '#learning', () => as('ada').command(command, '#learning'), running);
    expect(here.visibleTo).toBe(ada.id);
    const cancelled = (one: SeenMessage) => one.says('Cancelled. Nothing was saved');
    await newIn(work(), '#learning', () => as('ada').click(here, 'Cancel'), cancelled);

    const inDirect = await newIn(work(), '@ada', () => as('ada').command(command, '@ada'), running);
    service?.always(answer(JSON.stringify(allRows.slice(0, 4))));
    await newIn(work(), '@ada', () => as('ada').click(inDirect, 'Cancel'), cancelled);
    await slack.waitFor(() => !direct('ada').some(running));
    const preview = await say(command, '@ada', 'ada', (one) => one.says('Schedule this?'));
    expect(preview.words).toContain('2 managers get a message');
    await confirmed(preview, 'Scheduled.', '@ada');
  }, 60_000);
});
