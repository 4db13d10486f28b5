import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import type { View } from '../../playground/slack/server/script/script.js';
import { chooseAndWait, has, valuesOf } from './building.js';
import { savingAt } from './saving.js';
import { beforeNextPress, isDigest, schedulingAt } from './scheduling.js';
import { testWorkspace } from './test-workspace.js';
import { newIn } from './watching.js';

const work = testWorkspace(() => ({ environment: { ROLLCALL_ADMINS: 'U00ADA0001' } }));
const { as, tells, type, list, errorOn } = savingAt(work);
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
      `/report save Monday numbers: assignments last-year target:95%@${nextYear}-12-31; team pulse; workshops last-90d; tracks`,
    );
    expect(said.words).toContain('/report Monday numbers');
    const card = await runs();
    expect(card.words).toMatch(
      new RegExp(`Assignments last year.*: \\d+% completed.*to 95% by 31 Dec ${nextYear}`),
    );
    expect(card.words).toMatch(/Team pulse: \d+% active/);
    expect(card.words).toMatch(/Workshops .*: \d/);
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
    await as('ada').click(direct, 'Share to channel');
    await as('ada').waitForModal(({ content }) => content.callback_id === 'share_answer');
    const shared = await newIn(work(), '#sales', () => as('ada').submit({ channel: 'C00SALES01' }), isCard);
    expect(shared.words).toMatch(/Team pulse: \d+% active/);
    expect(shared.words).toContain('Asked by <@U00ADA0001>');
    expect(shared.words).not.toContain('Share to channel');
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
    await type('/report save Mixed numbers: a short life; overdue manager_email:me; workshops last-90d');
    await as('ada').choose(await list(), 'saved_more', 'Delete');
    const card = await tells(
      () => as('ada').command('/report Mixed numbers', '#learning'),
      '#learning',
      ({ text, visibleTo }) => visibleTo === undefined && text.startsWith('Mixed numbers.'),
    );
    expect(card.words).toMatch(/A short life: Its saved report no longer exists/);
    expect(card.words).toMatch(/not shown here/);
    expect(card.words).toMatch(/Workshops .*: \d/);
  });

  it('shows no line of a saved report whose channel its reader may not see', async () => {
    const inner = '#people-team';
    await type('/report save Inner look: engagement last-week', inner);
    await type('/report save Both looks: inner look; workshops', inner);
    await as('ada').choose(await list(inner), 'saved_more', 'Duplicate to a channel');
    await as('ada').waitForModal(({ content }) => content.callback_id === 'copy_saved');
    await tells(() => as('ada').submit({ channel: 'C00GENER01', name: 'Both looks' }), '#general');
    const ask = (who: string) =>
      newIn(
        work(),
        '#general',
        () => as(who).command('/report Both looks', '#general'),
        ({ text, visibleTo }) => visibleTo === undefined && text.startsWith('Both looks.'),
      );
    const theirs = await ask('priya');
    expect(theirs.text).toMatch(
      /1\. A saved report: You may not see the channel that it is saved in\..*2\. Workshops/s,
    );
    expect(theirs.words).not.toMatch(/Inner|active/);
    expect((await ask('ada')).text).toMatch(/1\. Inner look: \d+% active/);
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
    // The file that the saved report has goes elsewhere, which is said a little later.
    await work().slack.waitForMessage('#learning', ({ words }) => words.includes('The file names people'));
  });

  it('is tested, paused, listed on Home, deleted and brought back as other digests are', async () => {
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
    const back = await newIn(
      work(),
      '#learning',
      async () => ada.click(await menu('Delete'), 'Undo'),
      ({ words }) => words.startsWith('Restored: '),
    );
    expect(back.words).toContain('Restored: Monday numbers, every Monday at 09:00. It is paused.');
    expect((await menu('Resume')).words).toContain('Resumed');
  }, 60_000);
});

describe('the digest of a scorecard', () => {
  const ada = () => as('ada');
  const isPreview = ({ words }: SeenMessage) => words.includes('Change this digest?');
  const linesIn = (form: View) => valuesOf(form, 'scorecard_lines')[0]?.split('\n');

  async function edit() {
    const before = ada().modal()?.id;
    await ada().choose(await list(), 'digest_menu', 'Edit');
    return ada().waitForModal((view) => view.id !== before && has('scorecard_lines')(view));
  }

  const submit = (values: Parameters<ReturnType<typeof ada>['submit']>[0]) =>
    newIn(work(), '#learning', () => ada().submit(values), isPreview);

  async function confirm(preview: SeenMessage, words: string) {
    await ada().click(preview, 'Confirm');
    return work().slack.waitForMessage('#learning', (one) => one.ts === preview.ts && one.says(words));
  }

  it('is edited in the form of digests, with its lines as text, and changes only when that is confirmed', async () => {
    const form = await edit();
    expect(form.content.title).toMatchObject({ text: 'Edit a digest' });
    expect(linesIn(form)).toEqual([
      `assignments last-year target:95%@${nextYear}-12-31`,
      'Team pulse',
      'workshops last-90-days',
      'tracks',
    ]);
    expect(valuesOf(form, 'digest_days')).toEqual(['mon']);
    // An alert and managers have one report.
    expect([has('digest_when')(form), has('digest_audience')(form)]).toEqual([false, false]);
    for (const [lines, reason] of [
      [' ; ;', /one line at least/],
      ['tracks\npulses', /pulses/],
      ['tracks\nmonday numbers', /a scorecard holds none/],
      ['tracks;'.repeat(9), /8 lines at most/],
    ] as const) {
      await ada().submit({ scorecard_lines: lines });
      expect(await errorOn('scorecard_lines')).toMatch(reason);
    }
    const tested = await newIn(
      work(),
      '@ada',
      async () => {
        await ada().submit({ scorecard_lines: 'tracks\nTeam pulse', digest_zone: 'Nowhere' });
        await errorOn('digest_zone');
        await ada().click('modal', 'Send me a test');
      },
      isCard,
    );
    expect(tested.text).toMatch(/1\. Tracks.*2\. Team pulse/s);
    await ada().close();
    await chooseAndWait(ada(), 'digest_kind', 'daily', (view) => !has('digest_days')(view));
    const values = {
      scorecard_lines: 'Team pulse\ntracks last-month',
      digest_time: '17:30',
      digest_zone: 'UTC',
    };
    const preview = await submit(values);
    expect(preview.words).toContain('every day at 17:30');

    await ada().click(preview, 'Edit');
    const again = await ada().waitForModal((view) => view.id !== form.id && has('scorecard_lines')(view));
    expect(linesIn(again)).toEqual(['Team pulse', 'tracks last-month']);
    const edited = await submit({ scorecard_lines: 'tracks last-month\nteam pulse\noverdue' });
    await confirm(preview, 'already confirmed, cancelled or edited');
    expect((await list()).words).toContain('every Monday at 09:00');
    await confirm(edited, 'Changed.');
    const listed = await list();
    expect(listed.words).toContain('every day at 17:30');
    /** Within two seconds of a run, it counts as a double press. */
    const sendNow = async () => {
      const said = () => tells(() => ada().click(listed, 'Send now'), '#learning');
      while ((await said()).words.includes('On its way already'));
    };
    const card = await newIn(work(), '#learning', sendNow, isDigest, 20_000);
    expect(card.text).toMatch(/1\. Tracks last month: .*2\. Team pulse: .*3\. Overdue/s);
    // The saved scorecard has its own lines.
    expect((await runs()).text).toMatch(/1\. Assignments .*4\. Tracks/s);
    expect(work().slack.refusals).toEqual([]);
  }, 120_000);

  it('overwrites nothing that somebody changed meanwhile', async () => {
    await edit();
    const paused = await list();
    await tells(() => ada().choose(paused, 'digest_menu', 'Pause'), '#learning');
    await work().slack.settled();
    await ada().submit({ digest_time: '18:00' });
    await work().slack.waitFor(
      () => JSON.stringify(ada().modal()).includes('somebody else changed this digest'),
      10_000,
      'the refusal',
    );
    await ada().close();
    const again = await list();
    await tells(() => ada().choose(again, 'digest_menu', 'Resume'), '#learning');
  }, 60_000);

  it('is handed over, and then asks with the rights of its new owner', async () => {
    await ada().choose(await list(), 'digest_menu', 'Hand over');
    await ada().waitForModal(has('owner'));
    const offer = await newIn(
      work(),
      '@noah',
      () => ada().submit({ owner: 'U00NOAH001' }),
      (one) => one.says('wants to hand a digest over to you: Monday numbers'),
    );
    await newIn(
      work(),
      '@ada',
      () => as('noah').click(offer, 'Accept'),
      (one) => one.says('Handed over: Monday numbers'),
    );
    const theirs = await list('#learning', 'noah');
    await beforeNextPress();
    const card = await newIn(
      work(),
      '#learning',
      () => as('noah').click(theirs, 'Send now'),
      isDigest,
      20_000,
    );
    expect(card.words).toContain('Set up by <@U00NOAH001>');
    expect(card.text).toMatch(/1\. Tracks last month: \d.*2\. Team pulse: \d/s);
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
