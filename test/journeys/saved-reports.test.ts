import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { lastRequest } from './building.js';
import { savingAt } from './saving.js';
import { testWorkspace } from './test-workspace.js';
import { isSummary, newIn } from './watching.js';

const work = testWorkspace(() => ({
  environment: { PERSON_LEVEL_CHANNELS: 'C00LEARN01', ROLLCALL_ADMINS: 'U00PRIYA01' },
}));

const { as, tells, type, list, errorOn } = savingAt(work);

describe('saving and running by command', () => {
  it('saves a request without running it, and runs it by name with more options', async () => {
    const said = await type('/report save Weekly Views: engagement last-week departments:Sales by:teams');
    expect(said.words).toContain('/report Weekly Views');
    expect(said.visibleTo).toBe('U00ADA0001');

    const plain = await tells(
      () => as('noah').command('/report weekly  views', '#learning'),
      '#learning',
      isSummary('Engagement'),
    );
    expect(plain.words).toContain('/report weekly views');
    expect(lastRequest(work())).toMatchObject({
      range: 'last-week',
      by: 'teams',
      filters: [{ member: 'departments', entries: ['Sales'] }],
    });

    await tells(
      () => as('ada').command('/report Weekly Views last-month departments:HR csv', '#learning'),
      '#learning',
      isSummary('Engagement'),
    );
    expect(lastRequest(work())).toMatchObject({
      range: 'last-month',
      by: 'teams',
      file: 'csv' as const,
      filters: [{ member: 'departments', entries: ['HR'] }],
    });
  });

  it('accepts the same command after a mention', async () => {
    const answer = await tells(
      async () => as('noah').message('@rollcall weekly views yesterday', '#learning'),
      '#learning',
      isSummary('Engagement'),
    );
    expect(answer.words).toContain('/report weekly views yesterday');
  });

  it.each([
    ['/report save weekly VIEWS: tracks', /already/],
    ['/report save engagement now: tracks', /begins with a report's name/],
    ['/report save list of mine: tracks', /a command of its own/],
    ['/report save last-week: tracks', /begins with a range/],
    [`/report save ${'x'.repeat(300)}: tracks`, /60 characters at most/],
    ['/report save Mine: trakcs', /tracks/],
    ['/report save Mine: engagement 2026-03-31..2026-03-01', /before/],
    ['/report save Mine: engagement 2090', /future/],
    ['/report weekly views last-wek', /last-week/],
  ])('refuses %s, and saves nothing', async (command, reason) => {
    const said = await type(command);
    expect(said.words).toMatch(reason);
    const kept = await list();
    expect(kept.words).toContain('Weekly Views');
    expect(kept.words).not.toMatch(/Mine|xxx/);
  });

  it('has separate names for each channel and direct message', async () => {
    expect((await type('/report weekly views', '#sales')).words).toContain(
      '“weekly views” is not saved here',
    );
    const direct = await newIn(
      work(),
      '@ada',
      () => as('ada').command('/report save Weekly Views: tracks', '@ada'),
      ({ words }) => words.includes('Saved'),
    );
    expect(direct.words).toContain('/report Weekly Views');
    await newIn(
      work(),
      '@ada',
      async () => as('ada').message('weekly views', '@ada'),
      ({ text }) => text.startsWith('Tracks'),
    );
  });

  it.each([
    ['D00ADANOAH', /direct messages between people/],
    ['#leadership', /I am not in this conversation/],
    ['C00TRIO001', /I am not in this conversation/],
  ])('refuses with the reason in %s, which the bot cannot see', async (channel, reason) => {
    expect((await type('/report save Mine: tracks', channel)).words).toMatch(reason);
    expect((await list(channel)).words).toMatch(reason);
    const summary = await tells(
      () => as('ada').command('/report tracks', channel),
      channel,
      ({ text }) => text.startsWith('Tracks'),
    );
    expect((await tells(() => as('ada').click(summary, 'Save'), channel)).words).toMatch(reason);
  });

  it('says of a report of another conversation that it is not saved here, with a way to have it', async () => {
    const typed = [
      'quarterly-numbers last-week',
      'schedule Quarterly-Numbers daily 9',
      'What is overdue csv',
    ];
    const replies = (who: string, channel = '#learning') =>
      typed.reduce<Promise<SeenMessage[]>>(
        async (before, words) => [...(await before), await type(`/report ${words}`, channel, who)],
        Promise.resolve([]),
      );
    const [unknown] = await replies('ada');
    expect(unknown?.words).toContain(
      '“quarterly-numbers” is no report, and nothing is saved here under this',
    );
    const priyaBefore = (await replies('priya')).map(({ words }) => words);
    for (const name of ['Quarterly-numbers', 'What is overdue'])
      await type(`/report save ${name}: engagement last-month`, '#people-team', 'noah');

    const [run, schedule, sentence] = await replies('ada');
    expect(run?.words).toContain('“quarterly-numbers” is not saved here. Duplicate it');
    expect(schedule?.words).toContain('“Quarterly-Numbers” is not saved here.');
    // What reads as a sentence is offered as one, too.
    expect(sentence?.words).toMatch(/I read: \/report overdue csv.*“What is overdue” is not saved here/s);
    // Nothing tells those of it who cannot see where it is saved.
    expect((await replies('priya')).map(({ words }) => words)).toEqual(priyaBefore);

    if (run) await as('ada').click(run, 'Duplicate to a channel');
    await as('ada').waitForModal(({ content }) => content.callback_id === 'copy_saved');
    await tells(
      () => as('ada').submit({ channel: 'C00LEARN01' }),
      '#learning',
      ({ words }) => words.includes('Saved'),
    );
    await tells(
      () => as('ada').command('/report quarterly-numbers last-week', '#learning'),
      '#learning',
      isSummary('Engagement'),
    );
  });

  it('works in a public channel that the bot is not in', async () => {
    expect((await type('/report save Here: tracks', '#watercooler')).words).toContain('Saved');
    await tells(
      () => as('noah').command('/report here', '#watercooler'),
      '#watercooler',
      ({ text }) => text.startsWith('Tracks'),
    );
  });

  it('refuses guests', async () => {
    expect((await type('/report save Gil: tracks', '#learning', 'gil')).words).toContain('Guests');
    expect((await list('#learning', 'gil')).words).not.toContain('Weekly Views');
  });
});

describe('Save under an answer', () => {
  it('saves the request of the answer, which stays relative to the person who runs it', async () => {
    const summary = await newIn(
      work(),
      '@noah',
      () => as('noah').command('/report completions last-30-days email:me', '#sales'),
      ({ text }) => text.startsWith('Your completions'),
    );
    await as('noah').click(summary, 'Save');
    await as('noah').waitForModal(({ content }) => content.callback_id === 'save_report');
    const said = await newIn(
      work(),
      '@noah',
      () => as('noah').submit({ name: 'My people' }),
      ({ words }) => words.includes('Saved'),
    );
    await newIn(
      work(),
      '@noah',
      () => as('noah').click(said, 'Run'),
      ({ text }) => text.startsWith('Your completions'),
    );
    expect(lastRequest(work())).toMatchObject({
      range: 'last-30-days',
      filters: [{ member: 'email', entries: ['me'] }],
    });
  });

  it('shows problems under the name, and saves a valid name', async () => {
    const summary = await tells(
      () => as('ada').command('/report completions last-30-days', '#learning'),
      '#learning',
      isSummary('Completions'),
    );
    await as('priya').click(summary, 'Save');
    await as('priya').waitForModal(({ content }) => content.callback_id === 'save_report');
    for (const [name, reason] of [
      ['weekly views', /already/],
      ['a: b', /colon/],
      ['x'.repeat(300), /60 characters/],
      ['today', /range/],
    ] as const) {
      await as('priya').submit({ name });
      expect(await errorOn('name', 'priya')).toMatch(reason);
    }
    const said = await tells(() => as('priya').submit({ name: 'Done lately' }));
    expect(said.words).toContain('/report Done lately');
    await tells(() => as('priya').click(said, 'Run'), '#learning', isSummary('Completions'));
    expect(lastRequest(work())).toMatchObject({ report: 'completions', range: 'last-30-days', filters: [] });
  });
});

it('sent no payload that Slack would refuse', () => {
  const { refusals } = work().slack;
  // Slack refuses to describe conversations that the bot cannot see.
  expect(refusals.filter(({ method }) => method !== 'conversations.info')).toEqual([]);
});
