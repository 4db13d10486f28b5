import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { type SeenMessage, wordsIn } from '../../playground/slack/server/script/find.js';
import { has, isBuilder, lastRequest, showFilters } from './building.js';
import { savingAt } from './saving.js';
import { testWorkspace } from './test-workspace.js';
import { isSummary } from './watching.js';

const work = testWorkspace(() => ({
  environment: { PERSON_LEVEL_CHANNELS: 'C00LEARN01', ROLLCALL_ADMINS: 'U00PRIYA01' },
}));

const { as, tells, type, list, listNow, errorOn } = savingAt(work);

beforeAll(async () => {
  await type('/report save Weekly Views: engagement last-week departments:Sales by:teams');
  await type('/report save Done lately: completions last-30-days', '#learning', 'priya');
  await tells(
    () => as('noah').command('/report weekly views', '#learning'),
    '#learning',
    isSummary('Engagement'),
  );
});

describe('the list', () => {
  it('is visible to its reader only, with the owner and the last run of each report', async () => {
    const kept = await list();
    expect(kept.visibleTo).toBe('U00ADA0001');
    expect(kept.words).toContain('/report engagement last-week departments:Sales by:teams');
    expect(JSON.stringify(kept.blocks)).toMatch(/Made by .{0,80}U00ADA0001.*last run .{0,120}U00/);
  });

  it('runs a report in its conversation', async () => {
    const kept = await list('#learning', 'noah');
    const summary = await tells(() => as('noah').click(kept, 'Run'), '#learning', isSummary('Completions'));
    expect(summary.words).toContain('/report Done lately');
    expect(summary.words).toContain('<@U00NOAH001>');
  });

  it('renames, for people who may change the report', async () => {
    const others = await list('#learning', 'noah');
    expect(JSON.stringify(others.blocks)).not.toContain('rename ');
    const kept = await list();
    await as('ada').choose(kept, 'saved_more', 'Rename');
    await as('ada').waitForModal(({ content }) => content.callback_id === 'rename_saved');
    await as('ada').submit({ name: 'Done lately' });
    expect(await errorOn('name')).toMatch(/already/);
    await as('ada').submit({ name: 'Views by team' });
    await work().slack.waitFor(() => as('ada').modal() === undefined);
    expect((await list()).words).toContain('Views by team');
    expect((await type('/report weekly views')).words).not.toContain('Engagement');
  });

  it('hands over to a member who accepts, and then alone may change it, but not to a guest', async () => {
    const accept = async (who: string, give: () => Promise<unknown>) => {
      await give();
      const isOffer = (one: SeenMessage) => one.says('wants to hand a saved report over to you');
      const offer = await work().slack.waitForMessage(`@${who}`, isOffer);
      const waiting = await list();
      expect(waiting.words).toMatch(/waiting for <@U00\w+> to accept/);
      await as(who).click(offer, 'Accept');
      await work().slack.waitForMessage(`@${who}`, (one) => one.ts === offer.ts && one.says('You now own'));
    };
    const kept = await list();
    await as('ada').choose(kept, 'saved_more', 'Hand over');
    await as('ada').waitForModal(({ content }) => content.callback_id === 'hand_over_saved');
    await as('ada').submit({ owner: 'U00GIL0001' });
    expect(await errorOn('owner')).toMatch(/Only members/);
    await accept('noah', () => as('ada').submit({ owner: 'U00NOAH001' }));
    expect(JSON.stringify((await list()).blocks)).not.toContain('rename ');
    await work().slack.waitFor(() => as('ada').modal() === undefined);
    const theirs = await list('#learning', 'noah');
    expect(JSON.stringify(theirs.blocks)).toMatch(
      /Made by .{0,80}U00ADA0001.{0,80}owned by .{0,60}U00NOAH001/,
    );
    expect(JSON.stringify(theirs.blocks)).toContain('rename ');
    await as('noah').choose(theirs, 'saved_more', 'Hand over');
    await as('noah').waitForModal(({ content }) => content.callback_id === 'hand_over_saved');
    await accept('ada', () => as('noah').submit({ owner: 'U00ADA0001' }));
    await work().slack.waitFor(() => as('noah').modal() === undefined);
    expect(JSON.stringify((await list('#learning', 'noah')).blocks)).not.toContain('rename ');
  });

  it('deletes, and can restore for ten minutes', async () => {
    const kept = await list();
    await as('ada').choose(kept, 'saved_more', 'Delete');
    const after = await listNow(kept, ({ words }) => words.includes('Deleted “Views by team”'));
    expect(after.words).not.toContain('departments:Sales');
    await as('ada').click(after, 'Undo');
    const back = await listNow(kept, ({ words }) => !words.includes('Deleted'));
    expect(back.words).toContain('departments:Sales');
  });

  it('does not restore a report whose name is taken or whose time is up', async () => {
    const kept = await list();
    await as('ada').choose(kept, 'saved_more', 'Delete');
    const after = await listNow(kept, ({ words }) => words.includes('Deleted “Views by team”'));
    await type('/report save VIEWS BY TEAM: tracks');
    expect((await tells(() => as('ada').click(after, 'Undo'))).words).toMatch(/now called “Views by team”/);
    inDatabase("UPDATE saved_reports SET deleted_at = deleted_at - 700000 WHERE name = 'Views by team'");
    expect((await tells(() => as('ada').click(after, 'Undo'))).words).toMatch(/more than ten minutes/);
  });

  it('duplicates to another channel if the name is free and the bot is a member', async () => {
    const kept = await list('#learning', 'noah');
    await as('noah').click(kept, 'Duplicate');
    await as('noah').waitForModal(({ content }) => content.callback_id === 'copy_saved');
    await as('noah').submit({ channel: 'C00WATER01' });
    expect(await errorOn('channel', 'noah')).toMatch(/not in that channel/);
    const said = await tells(() => as('noah').submit({ channel: 'C00SALES01' }), '#sales');
    expect(said.words).toContain('/report Done lately');
    await as('noah').click(kept, 'Duplicate');
    await as('noah').waitForModal(({ content }) => content.callback_id === 'copy_saved');
    await as('noah').submit({ channel: 'C00SALES01' });
    expect(await errorOn('name', 'noah')).toMatch(/already/);
    await as('noah').close();
    const copies = await list('#sales', 'noah');
    expect(JSON.stringify(copies.blocks)).toMatch(/Made by .{0,80}U00NOAH001/);
  });

  it('shows one page at a time', async () => {
    for (let number = 1; number <= 7; number += 1) {
      await type(`/report save Number ${number}: tracks`, '#people-team');
    }
    const first = await list('#people-team');
    expect(first.words).toContain('Number 5');
    expect(first.words).not.toContain('Number 6');
    await as('ada').click(first, 'More');
    const second = await listNow(first, ({ words }) => words.includes('Number 7'));
    expect(second.words).not.toContain('Number 5');
    await as('ada').click(second, 'Earlier');
    await listNow(first, ({ words }) => words.includes('Number 1'));
  });

  it('hides people in filters from other people where names are not allowed', async () => {
    await type('/report save Team of one: overdue manager_email:noah@x.example departments:HR', '#sales');
    expect((await list('#sales', 'ada')).words).toContain('noah@x.example');
    const others = await list('#sales', 'noah');
    expect(others.words).toContain('Team of one');
    expect(others.words).toContain('departments:HR');
    expect(others.words).not.toContain('noah@x.example');
  });
});

describe('editing', () => {
  it('opens the builder with the report, and saves the changes', async () => {
    const kept = await list();
    await as('ada').choose(kept, 'saved_more', 'Edit');
    const form = await as('ada').waitForModal(isBuilder);
    expect(form.content.title).toMatchObject({ text: 'Edit a saved report' });
    await as('ada').choose('modal', 'Report', 'engagement');
    await as('ada').waitForModal(has('columns:engagement'));
    await showFilters(as('ada'));
    const said = await tells(() => as('ada').submit({ 'entries:user.departments': ['HR'] }));
    expect(said.words).toContain('Saved');
    expect((await list()).words).toContain('/report engagement departments:HR');
  });

  it('refuses the second of two edits, and overwrites nothing', async () => {
    await type('/report save AAA: engagement departments:HR');
    const mine = await list();
    const theirs = await list('#learning', 'priya');
    await as('ada').choose(mine, 'saved_more', 'Edit');
    await as('ada').waitForModal(isBuilder);
    await as('priya').choose(theirs, 'saved_more', 'Edit');
    await as('priya').waitForModal(isBuilder);
    await tells(() => as('priya').submit({ file: 'csv' }));
    await as('ada').submit({ 'entries:user.departments': ['Sales'] });
    expect(await errorOn('report')).toMatch(/somebody else changed this saved report/);
    await as('ada').close();
    expect((await list()).words).toContain('/report engagement departments:HR csv');
  });

  it('refuses an edit of a deleted report', async () => {
    const kept = await list();
    await as('ada').choose(kept, 'saved_more', 'Edit');
    await as('ada').waitForModal(isBuilder);
    const theirs = await list('#learning', 'priya');
    await as('priya').choose(theirs, 'saved_more', 'Delete');
    await listNow(theirs, ({ words }) => words.includes('Deleted “AAA”'));
    await as('ada').submit();
    expect(await errorOn('report')).toMatch(/no longer exists/);
    await as('ada').close();
  });

  it('shows removed fields, does not run them, and leaves them out of an edit', async () => {
    await type('/report save Old: tracks departments:HR', '#sales');
    inDatabase(
      "UPDATE saved_reports SET request = replace(request, '\"departments\"', '\"cost_centers\"') WHERE name = 'Old'",
    );
    const refused = await type('/report old', '#sales');
    expect(refused.words).toMatch(/filter cost_centers/);
    expect((await list('#sales', 'ada')).words).toMatch(/No longer exists: filter cost_centers/);
    await as('ada').click(refused, 'Edit');
    const form = await as('ada').waitForModal(isBuilder);
    expect(wordsIn(form.content.blocks).join()).toContain('filter cost_centers');
    await tells(() => as('ada').submit(), '#sales');
    await tells(() => as('ada').command('/report old', '#sales'), '#sales', isSummary('Tracks'));
    expect(lastRequest(work()).filters).toEqual([]);
  });
});

describe('the builder', () => {
  it('saves under a name, and shows problems under the name', async () => {
    await as('ada').command('/report', '#sales');
    await as('ada').waitForModal(isBuilder);
    await as('ada').choose('modal', 'What to do', 'save');
    await as('ada').waitForModal(has('own:name'));
    await as('ada').choose('modal', 'Range', 'words');
    await as('ada').waitForModal(has('range-words'));
    await as('ada').submit({ 'own:name': 'From the form', 'range-words': '2090' });
    expect(await errorOn('range-words')).toMatch(/future/);
    await as('ada').submit({ 'own:name': 'old', 'range-words': 'last-month' });
    expect(await errorOn('own:name')).toMatch(/already/);
    const said = await tells(() => as('ada').submit({ 'own:name': 'From the form' }), '#sales');
    expect(said.words).toContain('/report From the form');
    await tells(
      () => as('noah').command('/report from the form', '#sales'),
      '#sales',
      isSummary('Assignments'),
    );
    expect(lastRequest(work()).range).toBe('last-month');
  });
});

it('sent no payload that Slack would refuse', () => {
  const { refusals } = work().slack;
  // Slack refuses to describe conversations that the bot cannot see.
  expect(refusals.filter(({ method }) => method !== 'conversations.info')).toEqual([]);
});
/** Changes the bot's database directly. */
function inDatabase(sql: string): void {
  const database = new Sqlite(join(work().folder, 'rollcall.db'));
  database.exec(sql);
  database.close();
}
