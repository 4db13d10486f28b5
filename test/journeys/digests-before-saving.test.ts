import { describe, expect, it } from 'vitest';
import { botScopes } from '../../src/slack/manifest.js';
import { type TestWorkspace, testWorkspace } from './test-workspace.js';
import { isPrivate, newIn } from './watching.js';

function answerTo(line: string, work: TestWorkspace, channel = '#learning') {
  return newIn(work, channel, () => work.slack.as('ada').command(line, channel), isPrivate);
}

const without = (scope: string) => ({
  slack: { app: { scopes: botScopes.filter((known) => known !== scope) } },
});

describe('before a digest is saved', () => {
  const work = testWorkspace(() => ({ environment: { PERSON_LEVEL_CHANNELS: '*' } }));
  const say = (line: string, _who = 'ada', channel = '#learning') => answerTo(line, work(), channel);

  it.each([
    ['a time that does not exist', '/report schedule engagement daily 25:00', '00:00 to 23:59'],
    ['a zone that does not exist', '/report schedule engagement daily 9:00 Mars/Base', 'Mars/Base'],
    ['an expression that never fires', '/report schedule engagement cron "0 0 30 2 *"', 'never'],
    ['more often than hourly', '/report schedule engagement cron "*/5 * * * *"', 'hourly'],
    ['no cadence at all', '/report schedule engagement last-week', 'daily'],
    ['a condition without a figure', '/report schedule engagement when > 5 daily 9', '“> 5” names no figure'],
    [
      'a number for a percentage',
      '/report schedule engagement when active-share < 50 daily 9',
      'Share active is a percentage',
    ],
    [
      'new rows that cannot be told apart',
      '/report schedule engagement when new-rows daily 9',
      'when active-people > 50',
    ],
  ])('%s is refused with the way out', async (_what, line, words) => {
    expect((await say(line)).words).toContain(words);
  });

  it('an alert is put right, previewed and confirmed', async () => {
    const ada = work().slack.as('ada');
    const told = await say('/report schedule engagement last-week when activ-people > 5 weekly mon 9');
    expect(told.words).toContain('Did you mean “active-people”?');
    const right = 'engagement last-week when active-people > 5 weekly mon 9';
    expect(told.words).toContain(`/report schedule ${right}`);
    const preview = await newIn(work(), '#learning', () => ada.click(told, 'Run this'), isPrivate);
    expect(preview.words).toContain('Schedule this?');
    await ada.click(preview, 'Confirm');
    await work().slack.waitForMessage(
      '#learning',
      (one) =>
        one.ts === preview.ts && one.says('Scheduled. Engagement when active-people > 5, every Monday'),
    );
  });

  it('goes only where the bot and its owner are members', async () => {
    expect((await say('/report schedule engagement daily 9', 'ada', '#watercooler')).words).toContain(
      '/invite @Rollcall',
    );
  });

  it.each([
    ['#announcements', 'engagement', 'read-only'],
    ['#partner-academy', 'engagement by:email', 'shared with another organization'],
    ['#partner-pilot', 'completions csv', 'shared with another organization'],
  ])('is not saved for %s', async (channel, report, words) => {
    expect((await say(`/report schedule ${report} daily 9`, 'ada', channel)).words).toContain(words);
  });

  it.each([
    [
      'this-week',
      'weekly mon 00:00',
      /On Mon \d+ \w+ \d{4}, 00:00, Europe\/Berlin, this-week would be empty.*last-week/,
    ],
    ['today', 'hourly', /today would be empty.*yesterday/],
    ['since:2999-01-01', 'daily 9', /begins in the future|would not have begun/],
  ])('%s is not what can come %s', async (range, cadence, words) => {
    const told = await say(`/report schedule engagement ${range} ${cadence}`);
    expect(told.words).toMatch(words);
    expect(told.words).not.toContain('Confirm');
  });

  it('is judged once more when it is confirmed, and what was shown stays', async () => {
    const ada = work().slack.as('ada');
    const preview = await say('/report schedule engagement last-week daily 9', 'ada', '#sales');
    ada.remove('#sales', 'rollcall');
    await work().slack.settled();
    const confirm = () => ada.click(preview, 'Confirm');
    const refused = await newIn(work(), '#sales', confirm, (one) => one.says('/invite @Rollcall'));
    expect(refused.words).not.toContain('Scheduled');
    ada.invite('#sales', 'rollcall');
    await work().slack.settled();
    await confirm();
    await work().slack.waitForMessage('#sales', (one) => one.ts === preview.ts && one.says('Scheduled.'));
  });

  it('says that EST has no daylight saving time, and keeps its name', async () => {
    const told = await say('/report schedule engagement last-week daily 9:00 est');
    expect(told.words).toContain('09:00, EST');
    expect(told.words).toContain('choose America/New_York');
  });

  it('knows a range that ends before its due time', async () => {
    expect((await say('/report schedule engagement this-week weekly mon 00:01')).words).toContain(
      'Schedule this?',
    );
  });
});

describe('an app without files:write', () => {
  const work = testWorkspace(() => without('files:write'));

  it('says so where the file is to come too, and not otherwise', async () => {
    const told = await answerTo('/report schedule engagement csv daily 9', work());
    expect(told.words).toContain('lacks the scope files:write');
    expect(told.words).toContain('Ask your operator');
    const plain = await answerTo('/report schedule engagement daily 9', work());
    expect(plain.words).toContain('Schedule this?');
  });
});

describe('an app without chat:write', () => {
  const work = testWorkspace(() => without('chat:write'));

  it('says so', async () => {
    const told = await answerTo('/report schedule engagement daily 9', work());
    expect(told.words).toContain('lacks the scope chat:write');
  });
});
