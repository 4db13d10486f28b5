import { describe, expect, it } from 'vitest';
import { schedulingAt } from './scheduling.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, isSummary, newIn } from './watching.js';

const work = testWorkspace(() => ({ environment: { PERSON_LEVEL_CHANNELS: '*' } }));
const { say, scheduled } = schedulingAt(work);

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
    await slack.waitForMessage('#learning', (m) => m.ts === preview.ts && m.says('Nothing was saved'));
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
      () => ada.click(list, 'Send me a test'),
      isSummary('Engagement'),
      8000,
    );
    expect(test.words).not.toContain('Comes every day');
    expect(test.words).toContain('A test: this is what the channel will see.');

    const menu = async (choice: string) => {
      const now = await listed();
      return newIn(work(), '#learning', () => ada.choose(now, 'digest_menu', choice), isPrivate);
    };
    const history = await menu('History');
    expect(history.words).toMatch(/delivered, \d+ rows/);
    expect(history.words).toContain('|message>');
    expect((await menu('Pause')).words).toContain('Paused');
    expect((await listed()).words).toContain('Paused.');
    expect((await menu('Resume')).words).toContain('Next: ');
    const deleted = await menu('Delete');
    expect((await listed()).words).not.toContain('Digests');
    const back = await newIn(work(), '#learning', () => ada.click(deleted, 'Undo'), isPrivate);
    expect(back.words).toContain('Restored');
    expect((await listed()).words).toContain('Digests');
    await menu('Delete');
    expect(slack.refusals).toEqual([]);
  }, 40_000);

  it('can be changed only by its owner, its maker and admins', async () => {
    const { slack } = work();
    await scheduled('/report schedule completions last-month monthly last 16:00');
    const list = await say('/report list', '#learning', 'noah');
    expect(list.words).toContain('Completions');
    await expect(async () => slack.as('noah').click(list, 'Send now')).rejects.toThrow(/no element/);
  });

  it('goes to its owner’s direct messages with to:me', async () => {
    const preview = await say('/report schedule overdue to:me daily 8:00');
    expect(preview.words).toContain('your direct messages with me');
  });

  it('brings a workbook in its thread', async () => {
    const { slack } = work();
    await scheduled('/report schedule workshops this-month xlsx daily 17:00', '#people-team');
    const list = await say('/report list', '#people-team');
    const act = () => slack.as('ada').click(list, 'Send now');
    const digest = await newIn(work(), '#people-team', act, isSummary('Workshops'), 8000);
    const file = await slack.waitForMessage(
      '#people-team',
      ({ threadTs, files }) => threadTs === digest.ts && files.length > 0,
    );
    expect(file.files[0]?.name).toMatch(/^workshops_.*\.xlsx$/);
    expect((await slack.fileBytes(file.files[0]?.id ?? '')).subarray(0, 2).toString()).toBe('PK');
  });
});
