import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { schedulingAt } from './scheduling.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, isSummary, newIn } from './watching.js';

const work = testWorkspace(() => ({
  environment: { PERSON_LEVEL_CHANNELS: 'C00SALES01,C00PARTN01', ROLLCALL_ADMINS: 'U00ADA0001' },
}));

const hasFile = ({ files }: { readonly files: readonly unknown[] }) => files.length > 0;

describe('a channel that nobody approved', () => {
  it('gets the summary as usual, which names nobody', async () => {
    const { slack } = work();
    const summary = await newIn(
      work(),
      '#learning',
      () => slack.as('noah').command('/report engagement last-week', '#learning'),
      isSummary('Engagement'),
    );
    expect(summary.words).not.toMatch(/@example|Moreau|Never signed in/);
  });

  it('does not get the usual file: the asker does, with one line here and a way to ask for approval', async () => {
    const { slack } = work();
    const here = newIn(
      work(),
      '#learning',
      () => slack.as('noah').command('/report engagement last-week csv', '#learning'),
      isPrivate,
    );
    const [file, line] = await Promise.all([newIn(work(), '@noah', async () => {}, hasFile), here]);
    expect(file.files[0]?.name).toMatch(/^engagement_/);
    expect(line.words).toContain('direct messages');
    expect(line.words).toContain('Ask to allow it here');
    expect(slack.messages('#learning').some(hasFile)).toBe(false);
  });

  it('has to be joined before its approval can be asked for', async () => {
    const ask = () => work().slack.as('ada').command('/report engagement last-week csv', '#watercooler');
    const line = await newIn(work(), '#watercooler', ask, isPrivate);
    expect(line.words).toContain('To ask to allow it here, type /invite @Rollcall first');
    expect(line.words).not.toContain('Ask to allow it here');
  });

  it('does not get the rows: the asker does, as a table, with one line here', async () => {
    const { slack } = work();
    const isTable = ({ blocks }: SeenMessage) => blocks?.some(({ type }) => type === 'data_table') ?? false;
    const [summary, rows, line] = await Promise.all([
      newIn(work(), '#learning', async () => {}, isSummary('Overdue')),
      newIn(work(), '@noah', async () => {}, isTable),
      newIn(
        work(),
        '#learning',
        () => slack.as('noah').command('/report overdue rows', '#learning'),
        isPrivate,
      ),
    ]);
    expect(rows.text).toContain('The rows of /report overdue rows');
    expect(rows.words).toMatch(/Days overdue/);
    expect(rows.words).toMatch(/@/);
    expect(summary.words).not.toMatch(/@example|Days overdue/);
    expect(isTable(summary)).toBe(false);
    expect(line.words).toContain('The rows name people');
    expect(line.words).toContain('Ask to allow it here');
  });

  it('does not get the rows of a digest: its owner does, with the file as a button', async () => {
    const { slack } = work();
    const noah = slack.as('noah');
    const { say, scheduled } = schedulingAt(work);
    await scheduled('/report schedule overdue rows quarterly 1 09:00', '#learning', 'noah');
    const list = await say('/report list', '#learning', 'noah');
    const isRows = ({ text }: SeenMessage) => text.startsWith('The rows of /report overdue rows');
    const rows = await newIn(work(), '@noah', () => noah.click(list, 'Send now'), isRows, 10_000);
    const file = await newIn(work(), '@noah', () => noah.click(rows, 'CSV'), hasFile);
    expect(file.threadTs).toBe(rows.ts);
    expect(file.files[0]?.name).toMatch(/^overdue_.*\.csv$/);
    const excel = await newIn(work(), '@noah', () => noah.click(rows, 'Excel'), hasFile);
    expect(excel.files[0]?.name).toMatch(/^overdue_.*\.xlsx$/);
    expect(slack.messages('#learning').some(hasFile)).toBe(false);
  }, 30_000);

  it('does not get a file of rows about learners, even if its columns name nobody', async () => {
    const { slack } = work();
    const [direct] = await Promise.all([
      newIn(work(), '@noah', async () => {}, hasFile),
      slack.as('noah').command('/report engagement fields:departments,views csv', '#learning'),
    ]);
    expect(direct.files[0]?.name).toMatch(/^engagement_/);
    expect(slack.messages('#learning').some(hasFile)).toBe(false);
  });

  it('gets a file of workshops, whose columns name nobody', async () => {
    const { slack } = work();
    const file = await newIn(
      work(),
      '#learning',
      () => slack.as('noah').command('/report workshops csv', '#learning'),
      hasFile,
    );
    expect(file.threadTs).toBeDefined();
  });

  it('gets a file of contents with the members that may go anywhere, and no file with others', async () => {
    const { slack } = work();
    const [direct] = await Promise.all([
      newIn(work(), '@noah', async () => {}, hasFile),
      slack.as('noah').command('/report completions last-month fields:assignment csv', '#learning'),
    ]);
    expect(direct.files[0]?.name).toMatch(/^completions_/);
  });

  it.each([
    ['fields', '/report engagement last-week fields:email,views'],
    ['a breakdown', '/report engagement last-week by:manager_email'],
    ['a filter', '/report engagement last-week first_name:Ada'],
  ])('answers %s that name people wholly in the direct messages', async (_what, command) => {
    const { slack } = work();
    const summaries = () => slack.messages('#learning').filter(isSummary('Engagement')).length;
    const before = summaries();
    const [direct, line] = await Promise.all([
      newIn(work(), '@noah', async () => {}, isSummary('Engagement')),
      newIn(work(), '#learning', () => slack.as('noah').command(command, '#learning'), isPrivate),
    ]);
    expect(direct.words).toContain(command.replace('/report ', ''));
    expect(line.words).toContain('names people');
    expect(summaries()).toBe(before);
  });
});

describe('a summary in the direct messages', () => {
  it('is shared to a channel without the people it lists', async () => {
    const { slack } = work();
    const noah = slack.as('noah');
    const direct = await newIn(
      work(),
      '@noah',
      async () => noah.message('overdue', '@noah'),
      isSummary('Overdue'),
    );
    await noah.click(direct, 'Share to channel');
    await noah.waitForModal();
    const shared = await newIn(
      work(),
      '#learning',
      () => noah.submit({ channel: 'C00LEARN01' }),
      isSummary('Overdue'),
    );
    expect(direct.words).toContain('Longest overdue');
    expect(JSON.stringify(shared)).not.toMatch(/Longest overdue/);
  });

  it('has five people, and its Details ten, and neither says who asked', async () => {
    const { slack } = work();
    const noah = slack.as('noah');
    const direct = await newIn(
      work(),
      '@noah',
      async () => noah.message('overdue', '@noah'),
      isSummary('Overdue'),
    );
    await noah.click(direct, 'Details');
    const details = await slack.waitForMessage('@noah', ({ threadTs }) => threadTs === direct.ts);
    expect(direct.words).toMatch(/Longest overdue \([345] of \d+\)/);
    expect(details.words).toMatch(/Longest overdue \(10 of \d+\)/);
    expect(details.words).toContain('What the figures mean');
    expect(`${direct.words}${details.words}`).not.toContain('Asked by');
  });

  it('is shared once, however often its button is pressed and its forms are submitted', async () => {
    const { slack } = work();
    const noah = slack.as('noah');
    const shared = () => slack.messages('#learning').filter(isSummary('Overdue')).length;
    const before = shared();
    const direct = await newIn(
      work(),
      '@noah',
      async () => noah.message('overdue', '@noah'),
      isSummary('Overdue'),
    );
    await Promise.all([noah.click(direct, 'Share to channel'), noah.click(direct, 'Share to channel')]);
    const view = await noah.waitForModal();
    const first = noah.submit({ channel: 'C00LEARN01' });
    // The second click gets through before the form knows of the first one.
    view.waiting = false;
    await Promise.all([first, noah.submit({ channel: 'C00LEARN01' })]);
    await slack.settled();
    await noah.click(direct, 'Share to channel');
    await noah.waitForModal();
    await noah.submit({ channel: 'C00LEARN01' });
    expect(JSON.stringify(noah.modal()?.errors)).toContain('You just shared this there');
    await noah.close();
    await slack.waitFor(() => shared() > before);
    expect(shared()).toBe(before + 1);
  });

  it('is not offered to be shared where it names people itself', async () => {
    const { slack } = work();
    const direct = await newIn(
      work(),
      '@noah',
      async () => slack.as('noah').message('engagement last-week by:manager_email', '@noah'),
      isSummary('Engagement'),
    );
    expect(direct.words).not.toContain('Share to channel');
  });
});

describe('approval', () => {
  it('is asked of the admins, given by one, and then holds', async () => {
    const { slack } = work();
    const line = await newIn(
      work(),
      '#people-team',
      () => slack.as('noah').command('/report engagement csv', '#people-team'),
      isPrivate,
    );
    const request = await newIn(
      work(),
      '@ada',
      () => slack.as('noah').click(line, 'Ask to allow it here'),
      (message) => message.says('asks to allow'),
    );
    await newIn(
      work(),
      '@noah',
      () => slack.as('ada').click(request, 'Allow'),
      (message) => message.says('is now allowed in'),
    );
    await newIn(
      work(),
      '#people-team',
      () => slack.as('noah').command('/report engagement csv', '#people-team'),
      hasFile,
    );
  });

  it('is taken back under /report access', async () => {
    const { slack } = work();
    const page = await newIn(
      work(),
      '#people-team',
      () => slack.as('ada').command('/report access', '#people-team'),
      isPrivate,
    );
    expect(page.words).toContain('They may be posted here.');
    await newIn(work(), '#people-team', () => slack.as('ada').click(page, 'Revoke'), isPrivate);
    await newIn(
      work(),
      '#people-team',
      () => slack.as('noah').command('/report engagement csv', '#people-team'),
      (message) => message.says('Ask to allow it here'),
    );
  });

  it('is for admins alone', async () => {
    const { slack } = work();
    const refused = await newIn(
      work(),
      '#learning',
      () => slack.as('noah').command('/report audit', '#learning'),
      isPrivate,
    );
    expect(refused.words).toContain('Only admins');
  });

  it('shows admins the record in their direct messages alone', async () => {
    const { slack } = work();
    const [record, line] = await Promise.all([
      newIn(
        work(),
        '@ada',
        async () => {},
        (message) => message.says('The record'),
      ),
      newIn(work(), '#learning', () => slack.as('ada').command('/report audit', '#learning'), isPrivate),
    ]);
    expect(line.words).toContain('I sent it to your direct messages.');
    expect(record.words).toContain('/report engagement');
  });

  it('opens a released key to every channel', async () => {
    const { slack } = work();
    const ada = slack.as('ada');
    const page = await newIn(
      work(),
      '#learning',
      () => ada.command('/report access', '#learning'),
      isPrivate,
    );
    await ada.click(page, 'Allow a metadata field');
    await ada.waitForModal();
    await ada.submit({ key: 'content_metadata.cost_center' });
    const again = await newIn(
      work(),
      '#learning',
      () => ada.command('/report access', '#learning'),
      isPrivate,
    );
    expect(again.words).toContain('content_metadata.cost_center');
  });
});

describe('a channel shared with another organization', () => {
  it.each(['#partner-academy', '#partner-pilot'])(
    '%s never gets a file with names, approved or not',
    async (channel) => {
      const { slack } = work();
      const line = await newIn(
        work(),
        channel,
        () => slack.as('ada').command('/report engagement csv', channel),
        isPrivate,
      );
      expect(line.words).toContain('another organization');
      expect(line.words).not.toContain('Ask to allow');
      expect(slack.messages(channel).some(hasFile)).toBe(false);
    },
  );
});

describe('a channel approved from the start', () => {
  it('gets the file', async () => {
    const { slack } = work();
    await newIn(
      work(),
      '#sales',
      () => slack.as('noah').command('/report engagement csv', '#sales'),
      hasFile,
    );
  });

  it('gets none any more once it is shared, however recently somebody looked', async () => {
    const { slack } = work();
    const channel = slack.workspace.channels.get('C00SALES01');
    if (!channel) throw new Error('no such channel');
    await newIn(
      work(),
      '#sales',
      () => slack.as('noah').command('/report engagement', '#sales'),
      isSummary('Engagement'),
    );
    slack.workspace.channels.set(channel.id, { ...channel, shared: true });
    const files = slack.messages('#sales').filter(hasFile).length;
    const line = await newIn(
      work(),
      '#sales',
      () => slack.as('noah').command('/report engagement csv', '#sales'),
      isPrivate,
    );
    expect(line.words).toContain('another organization');
    expect(slack.messages('#sales').filter(hasFile).length).toBe(files);
  });
});
