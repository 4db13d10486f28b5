import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { chooseAndWait, has, isBuilder, valuesOf } from './building.js';
import { schedulingAt } from './scheduling.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, isSummary, newIn } from './watching.js';

const work = testWorkspace(() => ({ environment: { PERSON_LEVEL_CHANNELS: '*' } }));
const { as, say, confirmed } = schedulingAt(work);

/** In their direct messages nobody else is, so that what the bot says there is for all. */
const says = (words: string) => (message: SeenMessage) => message.says(words);

async function edit(who: string, list: SeenMessage) {
  const before = as(who).modal()?.id;
  await as(who).choose(list, 'digest_menu', 'Edit');
  return as(who).waitForModal((view) => view.id !== before && isBuilder(view));
}

describe('Schedule, under an answer', () => {
  it('opens a form with what belongs to the choice, says what is wrong in it, and shows the next times', async () => {
    const { slack } = work();
    const ada = as('ada');
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
    await ada.submit({ digest_zone: 'UTC', digest_channel: 'C00OLDAC01' });
    await slack.settled();
    expect(ada.modal()?.errors.digest_channel).toContain('That channel is archived');

    await chooseAndWait(ada, 'digest_kind', 'monthly', has('digest_day_of_month'));
    expect(has('digest_days')(await ada.waitForModal())).toBe(false);
    const filled = { digest_day_of_month: '31', digest_zone: 'Asia/Tokyo', digest_channel: 'C00LEARN01' };
    const preview = await newIn(work(), '#learning', () => ada.submit(filled), isPrivate);
    expect(preview.words).toContain('on day 31 (or the last day) of each month at 09:00, Asia/Tokyo');

    await ada.click(preview, 'Edit');
    const form = await ada.waitForModal(isBuilder);
    expect(valuesOf(form, 'report')).toEqual(['workshops']);
    expect(valuesOf(form, 'digest_day_of_month')).toEqual(['31']);
    await chooseAndWait(ada, 'digest_kind', 'words', has('digest_words'));
    const inWords = { digest_words: 'every 2 weeks fri 16:00' };
    const edited = await newIn(work(), '#learning', () => ada.submit(inWords), isPrivate);
    expect(edited.words).toContain('Schedule this?');
    expect(edited.words).toContain('every 2 weeks on Friday at 16:00, Asia/Tokyo');
    await confirmed(preview, 'already confirmed, cancelled or edited');
    await confirmed(edited, 'Scheduled.');
    expect((await say('/report list')).words.match(/Workshop\w*, /g)).toHaveLength(1);
    expect(slack.refusals).toEqual([]);
  }, 40_000);

  it('tests what stands in the form, which stays', async () => {
    const ada = as('ada');
    const answer = await newIn(
      work(),
      '#sales',
      () => ada.command('/report engagement last-week', '#sales'),
      isSummary('Engagement'),
      8000,
    );
    await ada.click(answer, 'Schedule');
    await ada.waitForModal();
    const press = () => ada.click('modal', 'Send me a test');
    await newIn(work(), '@ada', press, isSummary('Engagement'), 8000);
    expect(ada.modals().map(({ content }) => JSON.stringify(content.title))).toHaveLength(2);
    await ada.close();
    expect(has('digest_kind')(await ada.waitForModal())).toBe(true);
    await ada.close();
  }, 20_000);
});

describe('Edit, in the list', () => {
  it('opens the builder with all of it, and changes it only when that is confirmed', async () => {
    const { slack } = work();
    const noah = as('noah');
    const line =
      '/report schedule engagement last-month departments:Sales csv skip-empty replace keep:30d every 2 weeks fri 16:00 Asia/Tokyo';
    await confirmed(await say(line, '@noah', 'noah', says('Schedule this?')), 'Scheduled.', '@noah', 'noah');
    const list = () => say('/report list', '@noah', 'noah', says('Digests'));
    const form = await edit('noah', await list());
    expect(form.content.title).toMatchObject({ text: 'Edit a digest' });
    expect(valuesOf(form, 'purpose')).toEqual(['edit-digest']);
    expect(valuesOf(form, 'range:engagement')).toEqual(['last-month']);
    expect(valuesOf(form, 'entries:user.departments')).toEqual(['Sales']);
    expect(valuesOf(form, 'file')).toEqual(['csv']);
    expect(valuesOf(form, 'digest_kind')).toEqual(['every-2-weeks']);
    expect(valuesOf(form, 'digest_days')).toEqual(['fri']);
    expect(valuesOf(form, 'digest_time')).toEqual(['16:00']);
    expect(valuesOf(form, 'digest_zone')).toEqual(['Asia/Tokyo']);
    expect(valuesOf(form, 'digest_skip_empty')).toEqual(['skip', 'replace']);
    expect(valuesOf(form, 'digest_keep_days')).toEqual(['30']);

    const test = () => noah.click('modal', 'Send me a test');
    await newIn(work(), '@noah', test, isSummary('Engagement'), 8000);
    await noah.close();
    await chooseAndWait(noah, 'digest_kind', 'daily', (view) => !has('digest_days')(view));
    await chooseAndWait(noah, 'report', 'tracks', has('range:tracks'));
    const submit = () => noah.submit({ digest_time: '17:30', file: 'none', digest_skip_empty: [] });
    const changed = await newIn(work(), '@noah', submit, says('Change this digest?'));
    expect(changed.words).toContain('every day at 17:30, Asia/Tokyo');
    expect(changed.words).not.toContain('Skipped when');
    expect(changed.words).not.toContain('The last message is deleted');
    expect(changed.words).toContain('Messages and files are deleted after 30 days.');
    expect((await list()).words).toContain('every 2 weeks on Friday at 16:00');
    await confirmed(changed, 'Changed.', '@noah', 'noah');
    const after = (await list()).words;
    expect(after).toContain('Track');
    expect(after).toContain('every day at 17:30');
    expect(after).not.toContain('Engagement');
    expect(slack.refusals).toEqual([]);
  }, 40_000);

  it('overwrites nothing that somebody changed meanwhile, in the form or after it', async () => {
    const ada = as('ada');
    await confirmed(await say('/report schedule assessments daily 7:00', '#sales'), 'Scheduled.', '#sales');
    const list = await say('/report list', '#sales');
    await edit('ada', list);
    const preview = await newIn(
      work(),
      '#sales',
      () => ada.submit({ digest_time: '07:10' }),
      says('Change this digest?'),
    );
    await edit('ada', list);
    await newIn(work(), '#sales', () => ada.choose(list, 'digest_menu', 'Pause'), isPrivate);
    await confirmed(preview, 'Not saved: somebody else changed or deleted this digest.', '#sales');
    await ada.submit({ digest_time: '07:20' });
    await work().slack.settled();
    expect(ada.modal()?.errors.report).toContain('somebody else changed this digest');
    await ada.close();
    expect((await say('/report list', '#sales')).words).toContain('every day at 07:00');
  }, 30_000);
});

describe('the builder', () => {
  it('schedules what it asks for, where it was opened', async () => {
    const { slack } = work();
    const ada = as('ada');
    await ada.command('/report', '#learning');
    await ada.waitForModal((view) => isBuilder(view) && has('Schedule')(view));
    await chooseAndWait(ada, 'purpose', 'schedule', has('digest_days'));
    await chooseAndWait(ada, 'digest_kind', 'weekdays', (view) => !has('digest_days')(view));
    await chooseAndWait(ada, 'range:assignments', 'words', has('range-words'));
    await ada.click('modal', 'Send me a test');
    await ada.waitForModal(has('Enter a range, such as last-30-days or 2026-Q1.'));
    await ada.close();
    await chooseAndWait(ada, 'range:assignments', 'usual', (view) => !has('range-words')(view));
    const preview = await newIn(
      work(),
      '#learning',
      () => ada.submit({ digest_zone: 'America/New_York' }),
      isPrivate,
    );
    expect(preview.words).toContain('Monday to Friday at 09:00, America/New_York');
    expect(preview.words).toContain('<#C00LEARN01>');
    await confirmed(preview, 'Scheduled.');
    expect(slack.refusals).toEqual([]);
  }, 20_000);

  it('says under its inputs where a digest cannot go, and when it would have nothing', async () => {
    const ada = as('ada');
    await ada.command('/report', '#learning');
    await ada.waitForModal((view) => isBuilder(view) && has('Schedule')(view));
    await chooseAndWait(ada, 'purpose', 'schedule', has('digest_channel'));
    await ada.submit({ digest_channel: 'C00OLDAC01' });
    await work().slack.settled();
    expect(ada.modal()?.errors.digest_channel).toContain('That channel is archived');
    await chooseAndWait(ada, 'report', 'engagement', has('range:engagement'));
    const midnight = {
      'range:engagement': 'this-week',
      digest_days: ['mon'],
      digest_time: '00:00',
      digest_channel: 'C00LEARN01',
    };
    await ada.submit(midnight);
    await work().slack.settled();
    expect(ada.modal()?.errors.digest_time).toContain('this-week would be empty');
    await ada.close();
  }, 20_000);
});
