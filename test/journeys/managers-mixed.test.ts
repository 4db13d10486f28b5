import { afterAll, describe, expect, it } from 'vitest';
import { ada } from '../../playground/slack/server/workspace/seed.js';
import { answer, type FaultServer, openFaultServer } from '../reporting-api/fault-server.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, newIn } from './watching.js';

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

describe('a service that mixes rows up', () => {
  let service: FaultServer | undefined;
  afterAll(() => service?.close());
  const work = testWorkspace(() => ({
    service: async () => {
      service ??= await openFaultServer();
      // Whatever is asked, everybody's rows come back.
      service.always(answer(whole));
      return { url: service.url, token: 'a-token' };
    },
    environment: { ROLLCALL_ADMINS: ada.id, SMALLEST_GROUP: '1', DEFAULT_ACCESS: 'everything' },
  }));
  const direct = (user: string) => work().slack.messages(`@${user}`);
  const textOf = (user: string) => JSON.stringify(direct(user));

  it('shows no manager a row of another one: in no message, and under no “All of them”', async () => {
    const { slack } = work();
    const say = (line: string) =>
      newIn(work(), '#learning', () => slack.as('ada').command(line, '#learning'), isPrivate);
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
});
