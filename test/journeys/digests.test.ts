import { describe, expect, it } from 'vitest';
import { isPrivate, isSummary, newIn } from './watching.js';
import { workplace } from './workplace.js';

const work = workplace(() => ({ environment: { PERSON_LEVEL_CHANNELS: '*' } }));

function say(line: string, who = 'ada', channel = '#learning') {
  return newIn(work(), channel, () => work().slack.as(who).command(line, channel), isPrivate);
}

async function scheduled(line: string, channel = '#learning') {
  const preview = await say(line, 'ada', channel);
  const { slack } = work();
  await slack.as('ada').click(preview, 'Confirm');
  return slack.waitForMessage(channel, (message) => message.ts === preview.ts && message.says('Scheduled.'));
}

async function listed() {
  return say('/report list');
}

describe('a digest by words', () => {
  it('shows its next three times with zone and date, and saves nothing before Confirm', async () => {
    const { slack } = work();
    const preview = await say('/report schedule engagement last-week weekly mon,thu 09:00 America/New_York');
    expect(preview.words).toContain('Schedule this?');
    expect(
      preview.words.match(/(?:Mon|Thu) \d+ \w+ \d{4}, 09:00, America\/New_York/g)?.length,
    ).toBeGreaterThan(2);
    expect((await listed()).words).not.toContain('Digests');
    await slack.as('ada').click(preview, 'Cancel');
    await slack.waitForMessage('#learning', (m) => m.ts === preview.ts && m.says('nothing was saved'));
    expect((await listed()).words).not.toContain('Digests');
  });

  it('is sent now, tested, paused, resumed, deleted and brought back from the list', async () => {
    const { slack } = work();
    const ada = slack.as('ada');
    await scheduled('/report schedule engagement last-week daily 17:00');
    const list = await listed();
    expect(list.words).toContain('Engagement, every day at 17:00');
    expect(list.words).toMatch(/Next: \w+ \d+ \w+ \d{4}, 17:00, Europe\/Berlin/);

    const digest = await newIn(
      work(),
      '#learning',
      () => ada.click(list, 'Send now'),
      isSummary('Engagement'),
      8000,
    );
    expect(digest.words).toContain('Set up by');
    expect(digest.words).toContain('Comes every day at 17:00, Europe/Berlin.');
    const test = await newIn(
      work(),
      '@ada',
      () => ada.click(list, 'Test to me'),
      isSummary('Engagement'),
      8000,
    );
    expect(test.words).toContain('Asked by');

    const menu = async (choice: string) => {
      const now = await listed();
      return newIn(work(), '#learning', () => ada.choose(now, 'digest_menu', choice), isPrivate);
    };
    const history = await menu('History');
    expect(history.words).toMatch(/delivered, \d+ rows/);
    expect(history.words).toContain('|message>');
    expect((await menu('Pause')).words).toContain('Paused');
    expect((await listed()).words).toContain('Paused: somebody paused it');
    expect((await menu('Resume')).words).toContain('It comes next on');
    const deleted = await menu('Delete');
    expect((await listed()).words).not.toContain('Digests');
    const back = await newIn(work(), '#learning', () => ada.click(deleted, 'Undo'), isPrivate);
    expect(back.words).toContain('It is back');
    expect((await listed()).words).toContain('Digests');
    await menu('Delete');
    expect(slack.refusals).toEqual([]);
  }, 40_000);

  it('can be changed only by its owner, its maker and admins', async () => {
    const { slack } = work();
    await scheduled('/report schedule completions last-month monthly last 16:00');
    const list = await say('/report list', 'noah');
    expect(list.words).toContain('Completions');
    await expect(async () => slack.as('noah').click(list, 'Send now')).rejects.toThrow(/no element/);
  });

  it('goes to its owner’s direct messages with to:me', async () => {
    const preview = await say('/report schedule overdue to:me daily 8:00');
    expect(preview.words).toContain('your direct messages with me');
  });
});

describe('Schedule, under an answer', () => {
  it('opens a form, says what is wrong in it, and shows the next times', async () => {
    const { slack } = work();
    const ada = slack.as('ada');
    const answer = await newIn(
      work(),
      '#learning',
      () => ada.command('/report workshops this-month', '#learning'),
      isSummary('Workshop'),
      8000,
    );
    await ada.click(answer, 'Schedule');
    await ada.waitForModal();
    await ada.submit({ digest_kind: 'weekly', digest_zone: 'Tokyo', digest_channel: 'C00LEARN01' });
    await slack.settled();
    expect(ada.modal()?.errors.digest_zone).toContain('Did you mean Asia/Tokyo?');
    const intoArchive = () => ada.submit({ digest_zone: 'UTC', digest_channel: 'C00OLDAC01' });
    await newIn(work(), '@ada', intoArchive, (message) => message.says('That channel is archived'));
    await ada.click(answer, 'Schedule');
    await ada.waitForModal();
    const preview = await newIn(
      work(),
      '#learning',
      () =>
        ada.submit({
          digest_kind: 'monthly',
          digest_day_of_month: '31',
          digest_zone: 'Asia/Tokyo',
          digest_channel: 'C00LEARN01',
        }),
      isPrivate,
    );
    expect(preview.words).toContain('on day 31 (or the last day) of each month at 09:00, Asia/Tokyo');
    const edited = await (async () => {
      await ada.click(preview, 'Edit');
      await ada.waitForModal();
      return newIn(
        work(),
        '#learning',
        () => ada.submit({ digest_words: 'every 2 weeks fri 16:00' }),
        isPrivate,
      );
    })();
    expect(edited.words).toContain('every 2 weeks on Friday at 16:00, Asia/Tokyo');
    await ada.click(edited, 'Confirm');
    await slack.waitForMessage('#learning', (m) => m.ts === edited.ts && m.says('Scheduled.'));
    expect(slack.refusals).toEqual([]);
  }, 40_000);
});

describe('Edit, in the list', () => {
  it('shows the next times again, and changes it only when that is confirmed', async () => {
    const { slack } = work();
    const noah = slack.as('noah');
    const preview = await newIn(
      work(),
      '@noah',
      () => noah.command('/report schedule workshops next-week every 2 weeks fri 16:00', '@noah'),
      (message) => message.says('Schedule this?'),
    );
    await noah.click(preview, 'Confirm');
    await slack.waitForMessage('@noah', (m) => m.ts === preview.ts && m.says('Scheduled.'));
    const list = () =>
      newIn(
        work(),
        '@noah',
        () => noah.command('/report list', '@noah'),
        (m) => m.says('Digests'),
      );
    await noah.choose(await list(), 'digest_menu', 'Edit');
    await noah.waitForModal();
    const changed = await newIn(
      work(),
      '@noah',
      () => noah.submit({ digest_time: '17:30' }),
      (message) => message.says('Change this digest?'),
    );
    expect(changed.words).toContain('every 2 weeks on Friday at 17:30');
    expect((await list()).words).toContain('every 2 weeks on Friday at 16:00');
    await noah.click(changed, 'Confirm');
    await slack.waitForMessage('@noah', (m) => m.ts === changed.ts && m.says('Changed.'));
    expect((await list()).words).toContain('every 2 weeks on Friday at 17:30');
  }, 30_000);
});

describe('the builder', () => {
  it('schedules what it asks for', async () => {
    const { slack } = work();
    const ada = slack.as('ada');
    await ada.command('/report', '#learning');
    await ada.waitForModal((view) => JSON.stringify(view.content).includes('Schedule it'));
    await ada.choose('modal', 'purpose', 'schedule');
    await ada.waitForModal((view) => JSON.stringify(view.content).includes('own:digest-kind'));
    const preview = await newIn(
      work(),
      '#learning',
      () => ada.submit({ 'own:digest-kind': 'weekdays', 'own:digest-zone': 'America/New_York' }),
      isPrivate,
    );
    expect(preview.words).toContain('Monday to Friday at 09:00, America/New_York');
    await ada.click(preview, 'Confirm');
    await slack.waitForMessage('#learning', (m) => m.ts === preview.ts && m.says('Scheduled.'));
    expect(slack.refusals).toEqual([]);
  }, 20_000);
});
