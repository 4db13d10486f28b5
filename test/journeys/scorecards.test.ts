import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { savingAt } from './saving.js';
import { isDigest, schedulingAt } from './scheduling.js';
import { testWorkspace } from './test-workspace.js';
import { newIn } from './watching.js';

const work = testWorkspace(() => ({ environment: { ROLLCALL_ADMINS: 'U00ADA0001' } }));
const { as, tells, type, list } = savingAt(work);
const { scheduled } = schedulingAt(work);

/** Ahead at any date. */
const nextYear = new Date().getFullYear() + 1;

const isCard = (message: SeenMessage) =>
  message.visibleTo === undefined && message.text.startsWith('Monday numbers.');

const runs = (words = '/report Monday numbers', channel = '#learning', who = 'ada') =>
  newIn(work(), channel, () => as(who).command(words, channel), isCard);

const refused = (command: string, reason: RegExp) =>
  tells(
    () => as('ada').command(command, '#learning'),
    '#learning',
    ({ words, visibleTo }) => visibleTo !== undefined && reason.test(words),
  );

describe('a scorecard', () => {
  it('is saved with several requests, and answers with a line for each in one message', async () => {
    await type('/report save Team pulse: engagement last-week by:teams csv');
    const said = await type(
      `/report save Monday numbers: assignments last-year target:95%@${nextYear}-12-31; team pulse; workshops this-month; tracks`,
    );
    expect(said.words).toContain('/report Monday numbers');
    const card = await runs();
    expect(card.words).toMatch(
      new RegExp(`Assignments last year.*: \\d+% completed.*to 95% by 31 Dec ${nextYear}`),
    );
    expect(card.words).toMatch(/Team pulse: \d+% active/);
    expect(card.words).toMatch(/Workshops this month.*: \d/);
    expect(card.words).toContain('/report Monday numbers');
    expect(card.words).toContain('Show…');
    expect(card.words).not.toMatch(/CSV/);
  });

  it('is refused with words on top, but to:me', async () => {
    await refused('/report monday numbers last-week', /runs as it is saved/);
    const direct = await newIn(
      work(),
      '@ada',
      () => as('ada').command('/report Monday numbers to:me', '#learning'),
      isCard,
    );
    expect(direct.words).not.toContain('Asked by');
  });

  it.each([
    ['/report save Second: monday numbers; tracks', /a scorecard holds none/],
    ['/report save Second: tracks; pulses', /pulses/],
    ['/report save Second: tracks; team pulse last-week', /can't follow its name/],
    ['/report save Second: tracks; completions target:95%', /not for completions/],
    ['/report save Second: tracks; assignments target:95%@2020', /has passed/],
    ['/report save Oth;er: tracks; overdue', /semicolon/],
  ])('refuses %s, and saves nothing', async (command, reason) => {
    await refused(command, reason);
    const listed = await tells(
      () => as('ada').command('/report list', '#learning'),
      '#learning',
      ({ text }) => text.startsWith('Saved reports here'),
    );
    expect(listed.words).not.toMatch(/Second|Oth/);
  });

  it('puts the figures and tables of all lines into its thread', async () => {
    const card = await runs();
    const details = await newIn(
      work(),
      '#learning',
      () => as('ada').click(card, 'Details'),
      ({ text }) => text.startsWith('Details: Monday numbers'),
    );
    expect(details.words).toMatch(/1\. .*Assignments/);
    expect(details.words).toMatch(/2\. .*Team pulse/);
    expect(details.words).toMatch(/4\. .*Track/);
  });

  it('says in its line why one has nothing, and keeps the others', async () => {
    await type('/report save A short life: completions last-week');
    await type('/report save Mixed numbers: a short life; overdue manager_email:me; workshops');
    await as('ada').choose(await list(), 'saved_more', 'Delete');
    const card = await tells(
      () => as('ada').command('/report Mixed numbers', '#learning'),
      '#learning',
      ({ text, visibleTo }) => visibleTo === undefined && text.startsWith('Mixed numbers.'),
    );
    expect(card.words).toMatch(/A short life: Its saved report no longer exists/);
    expect(card.words).toMatch(/not shown here/);
    expect(card.words).toMatch(/Workshops this month.*: \d/);
  });

  it('comes as a digest, once, with Manage', async () => {
    const preview = await scheduled('/report schedule Monday numbers weekly mon 09:00');
    expect(preview.words).toContain('Monday numbers');
    const shown = await tells(
      () => as('ada').command('/report list', '#learning'),
      '#learning',
      ({ words }) => words.includes('every Monday'),
    );
    await as('ada').click(shown, 'Send now');
    const card = await work().slack.waitForMessage(
      '#learning',
      (message) => isDigest(message) && message.text.startsWith('Monday numbers.'),
      20_000,
    );
    expect(card.words).toMatch(/Team pulse: \d+% active/);
    expect(card.words).toContain('Comes every Monday at 09:00');
    expect(card.words).toContain('Manage');
  });

  it('opens one of its lines with Show…, as an answer in its thread', async () => {
    const card = await runs();
    const shown = await newIn(
      work(),
      '#learning',
      () => as('ada').choose(card, 'ask_show_line', '2. Team pulse'),
      ({ text, visibleTo }) => visibleTo === undefined && text.startsWith('Engagement'),
    );
    expect(shown.words).toContain('Team pulse');
  });

  it('is tested, paused, listed on Home, not edited, deleted and brought back as other digests are', async () => {
    const ada = as('ada');
    const menu = async (choice: string) => {
      const listed = await list();
      return tells(() => ada.choose(listed, 'digest_menu', choice), '#learning');
    };
    const listed = await list();
    const test = await newIn(work(), '@ada', () => ada.click(listed, 'Send me a test'), isCard);
    expect(test.words).toContain('A test: this is what the channel will see.');
    expect(test.words).toMatch(/Team pulse: \d+% active/);
    expect((await menu('History')).words).toMatch(/delivered, \d+ rows/);
    expect((await menu('Pause')).words).toContain('Paused: Monday numbers, every Monday at 09:00.');
    ada.openHome();
    await work().slack.waitFor(
      () => JSON.stringify(ada.home() ?? '').includes('Monday numbers'),
      10_000,
      'the digest on Home',
    );
    expect((await menu('Edit')).words).toContain('Edit the scorecard in /report list');
    const back = await newIn(
      work(),
      '#learning',
      async () => ada.click(await menu('Delete'), 'Undo'),
      ({ words }) => words.startsWith('Restored: '),
    );
    expect(back.words).toContain('Restored: Monday numbers, every Monday at 09:00.');
  }, 60_000);
});

describe('the form of a scorecard', () => {
  it('adds the request of an answer to a new scorecard, and to one that is there', async () => {
    const answer = await newIn(
      work(),
      '#learning',
      () => as('ada').command('/report tracks last-month', '#learning'),
      ({ text, visibleTo }) => visibleTo === undefined && text.startsWith('Tracks'),
    );
    await as('ada').click(answer, 'Add to a scorecard');
    await work().slack.waitFor(() => as('ada').modal(), 5_000, 'the form');
    await tells(
      () => as('ada').submit({ scorecard: 'new', name: 'Friday look' }),
      '#learning',
      ({ words }) => words.includes('/report Friday look'),
    );
    await as('ada').click(answer, 'Add to a scorecard');
    await work().slack.waitFor(() => as('ada').modal(), 5_000, 'the form');
    await tells(
      () => as('ada').submit({ scorecard: 'Friday look' }),
      '#learning',
      ({ words }) => words.includes('Added to “Friday look”'),
    );
    const card = await newIn(
      work(),
      '#learning',
      () => as('ada').command('/report friday look', '#learning'),
      ({ text, visibleTo }) => visibleTo === undefined && text.startsWith('Friday look.'),
    );
    expect(card.text).toContain('2. Tracks');
  });
});
