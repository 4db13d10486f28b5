import { describe, expect, it } from 'vitest';
import { wordsIn } from '../../playground/slack/server/script/find.js';
import type { View } from '../../playground/slack/server/script/script.js';
import { isBuilder } from './building.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, isSummary, newIn } from './watching.js';

const work = testWorkspace();

const as = (who: string) => work().slack.as(who);
const words = ({ content }: View) => wordsIn(content.blocks).join('\n');
const saying = (text: string) => (view: View) => words(view).includes(text);
const lacking = (text: string) => (view: View) => !words(view).includes(text);

const save = (what: string, channel: string, who = 'ada') =>
  newIn(work(), channel, () => as(who).command(`/report save ${what}`, channel), isPrivate);

describe('the Home tab', () => {
  it('shows what the bot can do, and the saved reports that its reader may see', async () => {
    await save('Mine in sales: tracks', '#sales');
    await save('Of the people team: overdue', '#people-team', 'noah');
    await save('Of learning: engagement', '#learning', 'priya');
    await save('Where the bot is not: tracks', '#watercooler', 'priya');
    as('ada').openHome();
    const home = await as('ada').waitForHome(saying('Mine in sales'));
    expect(words(home)).toContain('Of the people team');
    expect(words(home)).toContain('Of learning');
    expect(words(home)).not.toContain('Where the bot is not');
    expect(JSON.stringify(home.content.blocks)).toContain('"channel_id":"C00SALES01"');
    expect(words(home)).not.toMatch(/#?people-team/);

    as('priya').openHome();
    const theirs = await as('priya').waitForHome(saying('Where the bot is not'));
    expect(words(theirs)).not.toContain('Of the people team');
    expect(words(theirs)).not.toContain('Mine in sales');
  });

  it('hides the reports of a private channel from people who left it', async () => {
    await save('Secret: tracks', '#people-team');
    as('ada').openHome();
    await as('ada').waitForHome(saying('Secret'));
    as('ada').cleanUp('#people-team');
    await work().slack.settled();
    const home = await work().slack.waitFor(() => {
      as('ada').openHome();
      const isWithout = (view: View) => lacking('Secret')(view) && lacking('Of the people team')(view);
      return [as('ada').home()].find((view) => view !== undefined && isWithout(view));
    });
    expect(words(home)).toContain('Mine in sales');
    as('noah').invite('#people-team', 'ada');
  });

  it('opens the builder and the help', async () => {
    as('ada').openHome();
    await as('ada').waitForHome(saying('Run a report'));
    await as('ada').click('home', 'Run a report');
    await as('ada').waitForModal(isBuilder);
    await as('ada').close();
    await as('ada').click('home', 'What can I ask?');
    expect(words(await as('ada').waitForModal(saying('departments:Sales')))).toContain('engagement');
    await as('ada').close();
  });

  it('runs a saved report as a direct message, then shows the run with a link', async () => {
    as('noah').openHome();
    await as('noah').waitForHome(saying('My recent runs'));
    await newIn(
      work(),
      '@noah',
      () => as('noah').click('home', 'saved_run'),
      ({ text }) => /^(Overdue|Assignments)/.test(text),
    );
    const home = await as('noah').waitForHome(saying('answered, '));
    expect(words(home)).toContain('/report overdue');
    expect(JSON.stringify(home.content.blocks)).toMatch(/"type":"link","url":"https?:\/\/[^"]+"/);
  });

  it('is updated when its reader does something elsewhere', async () => {
    as('ada').openHome();
    await as('ada').waitForHome(saying('Mine in sales'));
    await save('Made while it was open: workshops', '#sales');
    await as('ada').waitForHome(saying('Made while it was open'));
    await newIn(
      work(),
      '#sales',
      () => as('ada').command('/report workshops', '#sales'),
      isSummary('Workshops'),
    );
    await as('ada').waitForHome(saying('/report workshops'));
  });

  it('renames, deletes and restores', async () => {
    as('ada').openHome();
    await as('ada').waitForHome(saying('Made while it was open'));
    await as('ada').choose('home', 'saved_more', 'Delete');
    const after = await as('ada').waitForHome(saying('Deleted “Made while it was open”'));
    expect(words(after)).toContain('Undo');
    await as('ada').click('home', 'Undo');
    await as('ada').waitForHome(lacking('Deleted'));
    await as('ada').choose('home', 'saved_more', 'Rename');
    await as('ada').waitForModal(({ content }) => content.callback_id === 'rename_saved');
    await as('ada').submit({ name: 'Another name' });
    await as('ada').waitForHome(saying('Another name'));
  });

  it('shows digests by the same rule, like the list of their channel', async () => {
    for (const [who, channel, what] of [
      ['priya', '#learning', 'tracks'],
      ['noah', '#people-team', 'overdue'],
    ] as const) {
      const shown = await newIn(
        work(),
        channel,
        () => as(who).command(`/report schedule ${what} weekdays 8:30`, channel),
        isPrivate,
      );
      await as(who).click(shown, 'Confirm');
      await work().slack.waitForMessage(
        channel,
        ({ ts, words }) => ts === shown.ts && words.includes('Scheduled'),
      );
    }
    const list = await newIn(
      work(),
      '#learning',
      () => as('ada').command('/report list', '#learning'),
      isPrivate,
    );
    expect(list.words).toContain('Of learning');
    expect(list.words).toContain('Digests');
    expect(list.words).toMatch(/Owned by <@U00PRIYA01>/);

    as('ada').openHome();
    const both = await as('ada').waitForHome(saying('Owned by <@U00PRIYA01>'));
    expect(words(both)).toContain('Owned by <@U00NOAH001>');
    as('priya').openHome();
    const theirs = await as('priya').waitForHome(saying('Owned by <@U00PRIYA01>'));
    expect(words(theirs)).not.toContain('Owned by <@U00NOAH001>');
  });

  it('shows what is overdue with one press, in direct messages', async () => {
    as('ada').openHome();
    const home = await as('ada').waitForHome(saying('My assignments'));
    expect(words(home)).toContain('What is due next week');
    await newIn(work(), '@ada', () => as('ada').click('home', 'Show'), isSummary('Your overdue'));
    const after = await as('ada').waitForHome(saying('Your answer is in the Messages tab.'));
    expect(words(after)).toMatch(/\d+ overdue, as of \d\d:\d\d\./);
  });

  it('tells guests why it is empty, and whom to ask', async () => {
    as('gil').openHome();
    const home = await as('gil').waitForHome();
    expect(words(home)).toContain('Guests cannot ask');
    expect(words(home)).toContain('ask an owner of this Slack workspace');
    expect(words(home)).not.toContain('Of learning');
  });

  it('keeps to Slack’s limits', () => {
    expect(work().slack.refusals).toEqual([]);
  });
});
