import { beforeAll, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { chooseAndWait, has, openBuilder } from './building.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, isSummary, newIn } from './watching.js';

const work = testWorkspace(() => ({ environment: { DEFAULT_ACCESS: 'team', SMALLEST_GROUP: '5' } }));

beforeAll(async () => {
  const { slack } = work();
  slack.as('ada').changeProfile({ isOwner: true });
  await slack.settled();
});

/** The reply to `/report access` that one person alone sees. */
function accessPage(who: string): Promise<SeenMessage> {
  const { slack } = work();
  return newIn(work(), '#learning', () => slack.as(who).command('/report access', '#learning'), isPrivate);
}

/** Fills in the form of a rule up to its preview, and returns the words of the preview. */
async function preview(
  who: 'everyone' | 'group' | 'person',
  subject: string | undefined,
  values: Readonly<Record<string, string | readonly string[]>>,
): Promise<string> {
  const ada = work().slack.as('ada');
  const page = await accessPage('ada');
  await ada.click(page, 'Set access');
  await ada.waitForModal(has('access_who'));
  if (who !== 'everyone') {
    await ada.choose('modal', 'Who', who);
    await ada.waitForModal(has(`access_${who}`));
  }
  if (who === 'group') expect(await ada.options('modal', 'User group', 'coa')).toHaveLength(1);
  await ada.submit({ ...(subject === undefined ? {} : { [`access_${who}`]: subject }), ...values });
  const view = await ada.waitForModal((shown) => shown.content.callback_id === 'access_confirm');
  return JSON.stringify(view.content.blocks);
}

async function save(): Promise<SeenMessage> {
  return newIn(
    work(),
    '#learning',
    () => work().slack.as('ada').submit(),
    (message) => message.says('Saved.'),
  );
}

const wordsOf = (who: string, line: string) =>
  newIn(work(), '#learning', () => work().slack.as(who).command(line, '#learning'), isPrivate);

describe('/report access', () => {
  it('tells everybody their own level and whom to ask, without mentions and buttons', async () => {
    const page = await accessPage('noah');
    expect(page.words).toContain('Rows, files and names are limited to your team.');
    expect(page.words).toContain('Workshops: You may ask for everything');
    expect(page.words).toContain('fewer than 5 people');
    expect(page.words).toContain('ask an owner of this Slack workspace');
    expect(page.words).not.toContain('Set access');
    expect(JSON.stringify(page)).not.toMatch(/<@U/);
  });

  it('lets an owner of the workspace set rules while no admin is named', async () => {
    const page = await accessPage('ada');
    expect(page.words).toContain('Rules: none.');
    expect(page.words).toContain('Admins: the owners of this Slack workspace');
  });
});

describe('a rule', () => {
  it('for a person is spelled out, saved and holds at the next question', async () => {
    const words = await preview('person', 'U00NOAH001', {
      access_level: 'nothing',
      access_reports: ['tracks'],
    });
    expect(words).toContain('They cannot ask for these reports.');
    expect(words).toContain('Nothing is saved yet.');
    await newIn(
      work(),
      '#learning',
      () => work().slack.as('noah').command('/report tracks last-week', '#learning'),
      isSummary('Tracks'),
    );
    expect((await save()).words).toContain('tracks: nothing.');
    const refused = await wordsOf('noah', '/report tracks last-week');
    expect(refused.words).toContain(
      'You may not ask for this report. To change that, ask an owner of this Slack workspace.',
    );
    expect((await accessPage('noah')).words).toContain('Tracks: You may not ask for it.');
    const noah = work().slack.as('noah');
    await openBuilder(noah, '#learning');
    const form = await chooseAndWait(noah, 'Report', 'tracks', (shown) => !has('file')(shown));
    expect(JSON.stringify(form.content.blocks)).toContain('You may not ask for this report.');
    const inForm = await noah.submit();
    expect(JSON.stringify([inForm, noah.modal()])).toContain('You may not ask for this report.');
    await noah.choose('modal', 'What to do', 'save');
    await noah.waitForModal(has('own:name'));
    const savedReply = (message: SeenMessage) => message.says('Saved.');
    const saved = await newIn(
      work(),
      '#learning',
      () => noah.submit({ 'own:name': 'Track check' }),
      savedReply,
    );
    expect(saved.words).toContain('People whose level allows it can run this report.');
    expect(saved.words).toContain('You may not ask for this report.');
  });

  it('replaces the one before, and the preview says so', async () => {
    const words = await preview('person', 'U00NOAH001', {
      access_level: 'totals',
      access_reports: ['tracks'],
    });
    expect(words).toContain('Replaces the rule for tracks (nothing).');
    await save();
    const page = await accessPage('ada');
    expect(page.words).toContain('tracks: totals');
    await newIn(
      work(),
      '#learning',
      () => work().slack.as('ada').click(page, 'Remove'),
      (message) => message.says('Removed the rule'),
    );
    expect((await accessPage('ada')).words).toContain('Rules: none.');
  });

  it('is refused for guests', async () => {
    const ada = work().slack.as('ada');
    await ada.click(await accessPage('ada'), 'Set access');
    await ada.waitForModal(has('access_who'));
    await ada.choose('modal', 'Who', 'person');
    await ada.waitForModal(has('access_person'));
    const result = await ada.submit({ access_person: 'U00GIL0001', access_level: 'everything' });
    expect(JSON.stringify([result, ada.modal()])).toContain('guests');
    await ada.close(true);
  });

  it('for a user group ends when the group is deleted, and the admin who set it hears of it once', async () => {
    const { slack } = work();
    const words = await preview('group', 'S00COACH01', { access_level: 'totals' });
    expect(words).toContain('2 people are in it now.');
    await save();
    expect((await accessPage('noah')).words).toContain('totals without names');
    const told = await newIn(
      work(),
      '@ada',
      async () => slack.changeUserGroup('coaches', { isDisabled: true }),
      (message) => message.says('A user group was deleted'),
    );
    expect(told.words).toContain('its access rule ended');
    expect((await accessPage('noah')).words).toContain('limited to your team');
    await slack.settled();
    const all = slack.messages('@ada').filter((message) => message.says('A user group was deleted'));
    expect(all).toHaveLength(1);
  });
});

describe('admins', () => {
  it('are added and removed, but never the last one', async () => {
    const { slack } = work();
    const ada = slack.as('ada');
    await ada.click(await accessPage('ada'), 'Add an admin');
    await ada.waitForModal(has('access_person'));
    await newIn(
      work(),
      '#learning',
      () => ada.submit({ access_person: 'U00ADA0001' }),
      (message) => message.says('is an admin now.'),
    );
    const page = await accessPage('ada');
    const refused = await newIn(work(), '#learning', () => ada.click(page, 'Remove'), isPrivate);
    expect(refused.words).toContain('Nobody else could set rules then.');
    expect((await accessPage('noah')).words).toContain('ask an admin: Ada Moreau.');
  });
});

describe('a refusal for a level', () => {
  it('names whom to ask, and offers no approval that cannot help', async () => {
    const { slack } = work();
    await preview('person', 'U00NOAH001', { access_level: 'nothing', access_reports: ['tracks'] });
    await save();
    const nothing = await wordsOf('noah', '/report tracks last-week');
    expect(nothing.words).toContain('You may not ask for this report. To change that, ask Ada Moreau.');

    await preview('person', 'U00NOAH001', { access_level: 'totals' });
    await save();
    const rows = await wordsOf('noah', '/report assignments rows');
    expect(rows.words).toContain('You may ask for totals only, so leave out the rows.');
    const isAnswer = (message: SeenMessage) => message.says('Your own records');
    const answer = newIn(work(), '@noah', async () => {}, isAnswer);
    const own = await wordsOf('noah', '/report assignments email:me rows');
    expect(own.words).toContain('Your access level shows your own records nowhere else.');
    await answer;
    for (const { words } of [nothing, rows, own]) expect(words).not.toContain('Ask to allow it here');
    await slack.settled();
  });
});

describe('the age of files in a channel', () => {
  it('is set by an admin, shows in the form, and ends with an empty form', async () => {
    const ada = work().slack.as('ada');
    const set = async (days: string | null) => {
      await ada.click(await accessPage('ada'), 'Delete old files');
      const form = await ada.waitForModal(has('access_days'));
      const before = JSON.stringify(form.content.blocks);
      const done = await newIn(
        work(),
        '#learning',
        () => ada.submit({ access_days: days }),
        (message) => message.says('Saved.'),
      );
      return { before, words: done.words };
    };
    expect((await set('30')).words).toContain('deleted after 30 days');
    const ended = await set(null);
    expect(ended.before).toContain('"initial_value":"30"');
    expect(ended.words).toContain('Files that I post here stay.');
    expect(work().slack.refusals).toEqual([]);
  });
});
