import { afterAll, describe, expect, it } from 'vitest';
import { cast } from '../../playground/people-to-try.js';
import {
  type RunningReportingService,
  startReportingService,
} from '../../playground/reporting-service/reporting-service.js';
import { ada as adaPerson } from '../../playground/slack/server/workspace/seed.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, newIn } from './watching.js';

describe('a digest for managers', () => {
  let service: RunningReportingService | undefined;
  afterAll(async () => service?.stop());
  const work = testWorkspace(() => ({
    service: async () => {
      service ??= await startReportingService({ learners: 120, cast });
      return service;
    },
    environment: {
      ROLLCALL_ADMINS: adaPerson.id,
      LEARNING_LINK: 'https://learning.example/c/{content_id}',
    },
  }));
  const say = (line: string, channel = '#learning') =>
    newIn(work(), channel, () => work().slack.as('ada').command(line, channel), isPrivate);

  it.each([
    ['overdue to:managers csv weekly mon 9', 'Managers get no files'],
    ['overdue to:managers by:departments weekly mon 9', 'no breakdown'],
    ['overdue to:managers replace weekly mon 9', 'replace does not go with to:managers'],
    ['overdue to:managers to:me weekly mon 9', 'Keep one of them'],
    ['overdue to:managers when overdue > 5 weekly mon 9', 'only when new-rows'],
    ['overdue to:managers hourly', 'daily at most'],
    ['engagement to:managers weekly mon 9', 'other reports are not'],
    ['workshops to:managers weekly mon 9', 'other reports are not'],
    ['overdue manager_email:me to:managers weekly mon 9', '“me” would be you'],
  ])('%s is refused with the way out', async (words, reason) => {
    expect((await say(`/report schedule ${words}`)).words).toContain(reason);
  });

  it('is only for schedules', async () => {
    expect((await say('/report overdue to:managers')).words).toContain(
      'only means something in /report schedule',
    );
  });

  it('is rehearsed, tested, confirmed, listed, sent and declined', async () => {
    const { slack } = work();
    const ada = slack.as('ada');
    const preview = await say('/report schedule overdue to:managers weekly mon 09:00');
    expect(preview.words).toContain('each manager, their own team');
    // How many have overdue people depends on the day.
    const found = /As of now, (?<managers>[12] managers?) gets? a message, about \d+ p/.exec(preview.words);
    const { managers = 'no number' } = found?.groups ?? {};
    expect(preview.words).toMatch(/Not reached: \d+ managers \(\d+ no Slack account with that address\)/);
    // The channel may not get names.
    expect(preview.words).not.toContain('@rollcall.example');
    const test = await newIn(
      work(),
      '@ada',
      () => ada.click(preview, 'Send me a test'),
      (one) => one.says('This is a test'),
    );
    expect(test.words).toContain('@rollcall.example');
    await slack.waitForMessage('@ada', (one) => one.says('Comes every Monday at 09:00, at your time.'));

    await ada.click(preview, 'Confirm');
    await slack.waitForMessage(
      '#learning',
      (one) =>
        one.ts === preview.ts && one.says('Scheduled. Overdue assignments for each manager, every Monday'),
    );
    const second = await say('/report schedule overdue to:managers daily 10:00');
    expect(second.words).toContain('Managers get this already');
    expect(second.words).toContain('set up by you');
    const list = await say('/report list');
    expect(list.words).toContain('to each manager, their own team');

    await ada.click(list, 'Send now');
    const line = await slack.waitForMessage('@ada', (one) => one.says(`sent to ${managers}`));
    expect(line.words).toContain('not reached');
    const sentTo = (who: string) =>
      slack.messages(`@${who}`).find((one) => one.says('Set up by') && !one.says('This is a test'));
    const reader = sentTo('noah') ? 'noah' : 'ada';
    const sent = await slack.waitForMessage(`@${reader}`, ({ ts }) => ts === sentTo(reader)?.ts);
    expect(sent.words).toMatch(/(of your|All your) \d+ people ha(s|ve) \d+ overdue assignments?\./);
    const all = await newIn(
      work(),
      `@${reader}`,
      () => slack.as(reader).click(sent, 'All of them'),
      (one) => one.says('Overdue assignments'),
    );
    expect(all.words).toContain('Days overdue');

    await newIn(
      work(),
      `@${reader}`,
      () => slack.as(reader).click(sent, 'Not for me'),
      (one) => one.says('You get no more of these'),
    );
    expect((await say('/report list')).words).toContain('Not for me: 1 in all.');
  }, 60_000);
});
