import { afterAll, describe, expect, it } from 'vitest';
import { cast } from '../../playground/people-to-try.js';
import {
  type RunningReportingService,
  startReportingService,
} from '../../playground/reporting-service/reporting-service.js';
import { allReports, reportNamed } from '../../src/catalogue/index.js';
import { filtersOfReport } from '../../src/slack/forms/filters.js';
import {
  chooseAndWait,
  has,
  lastRequest,
  openBuilder,
  showFilters,
  submitted,
  valuesOf,
} from './building.js';
import { testWorkspace } from './test-workspace.js';
import { isSummary, newIn } from './watching.js';

// People report to Ada here: without any, a request for a team is refused.
let service: RunningReportingService | undefined;
afterAll(() => service?.stop());
const work = testWorkspace(() => ({
  environment: { PERSON_LEVEL_CHANNELS: '*' },
  async service() {
    service = await startReportingService({ learners: 120, cast });
    return service;
  },
}));
/** Two entries of a filter. Managers need a team. */
const twoEntries = (member: string) => [
  member === 'manager_email' ? 'ada@example.com' : 'Field Operations',
  `${member} "2"`,
];

const ada = () => work().slack.as('ada');

describe('the builder', () => {
  it.each(allReports.map(({ name }) => [name]))('can request everything that %s has', async (name) => {
    const report = reportNamed(name);
    await openBuilder(ada(), '#learning');
    await ada().choose('modal', 'Report', name);
    await ada().waitForModal(has(`columns:${name}`));
    await ada().click('modal', 'Everything');
    const everything = await ada().waitForModal(has(`columns:${name}#1`));
    expect(valuesOf(everything, `columns:${name}#1`)).toEqual(report.fields.map(({ flag }) => flag));
    if (report.range) await chooseAndWait(ada(), 'Range', 'words', has('range-words'));
    const others = filtersOfReport(report).filter(({ member }) => !member.common);
    await showFilters(ada());
    await ada().click('modal', `More filters (${others.length})`);
    const all = await ada().waitForModal((view) => !has(`More filters (${others.length})`)(view));
    expect(all.state[`columns:${name}#1`]).toBeDefined();

    const by = report.fields[0]?.flag ?? '';
    const filters = filtersOfReport(report);
    await submitted(work(), ada(), '#learning', {
      ...(report.range ? { 'range-words': 'Last 60 days' } : {}),
      ...(report.dateField ? { [`on:${name}`]: 'updated_date' } : {}),
      ...(report.sorts.length > 0 ? { [`sort:${name}`]: 'updated_date' } : {}),
      [`by:${name}`]: by,
      file: 'csv',
      ...Object.fromEntries(
        filters.map(({ name: filter, member }) =>
          member.kind === 'yes-no'
            ? [`yes-no:${filter}`, 'false']
            : [`entries:${filter}`, twoEntries(member.name)],
        ),
      ),
    });
    expect(lastRequest(work())).toEqual({
      report: name,
      ...(report.range ? { range: 'last-60-days' } : {}),
      ...(report.dateField ? { dateField: 'updated_date' } : {}),
      ...(report.sorts.length > 0 ? { sort: 'updated_date' } : {}),
      columns: report.fields.map(({ flag }) => flag),
      filters: filters.map(({ object, member }) => ({
        object: object.name,
        member: member.name,
        entries: member.kind === 'yes-no' ? ['false'] : twoEntries(member.name),
      })),
      by,
      file: 'csv' as const,
      toMe: false,
    });
  });

  it('runs the first report with its defaults if nothing changes', async () => {
    await openBuilder(ada(), '#learning');
    const answer = await newIn(work(), '#learning', () => ada().submit(), isSummary('Assignments'));
    expect(answer.words).toContain('/report assignments');
    expect(answer.words).toContain('<@U00ADA0001>');
    expect(ada().modal()).toBeUndefined();
  });

  it('keeps typed values when it changes, also when switching reports', async () => {
    await openBuilder(ada(), '#learning');
    await chooseAndWait(ada(), 'Report', 'engagement', has('columns:engagement'));
    await showFilters(ada());
    ada().fill({ 'entries:user.departments': ['Sales'], 'columns:engagement': ['views', 'email'] });
    await chooseAndWait(ada(), 'Range', 'dates', has('first-day'));
    ada().fill({ 'first-day': '2026-03-01' });
    await chooseAndWait(ada(), 'Report', 'workshops', has('columns:workshops'));
    const back = await chooseAndWait(ada(), 'Report', 'engagement', has('columns:engagement'));
    expect(valuesOf(back, 'columns:engagement')).toEqual(['views', 'email']);
    await submitted(work(), ada(), '#learning', { 'last-day': '2026-03-31' });
    expect(lastRequest(work())).toMatchObject({
      range: '2026-03-01..2026-03-31',
      columns: ['views', 'email'],
      filters: [{ member: 'departments', entries: ['Sales'] }],
    });
  });

  it('hides filters until they are wanted, but those in use', async () => {
    const folded = await openBuilder(ada(), '#learning');
    expect([has('entries:user.departments')(folded), has('on:assignments')(folded)]).toEqual([false, false]);
    const placeOf = (view: typeof folded, name: string) =>
      view.content.blocks.findIndex(({ block_id: id }) => id === name);
    const header = folded.content.blocks.findIndex(({ type }) => type === 'header');
    expect(placeOf(folded, 'where')).toBeLessThan(header);
    expect(placeOf(folded, 'purpose')).toBeLessThan(header);
    await showFilters(ada());
    ada().fill({ 'entries:user.departments': ['Sales'], 'on:assignments': 'due_date' });
    await ada().click('modal', 'Fewer filters');
    const again = await ada().waitForModal(has('Add filters'));
    expect(valuesOf(again, 'entries:user.departments')).toEqual(['Sales']);
    expect(valuesOf(again, 'on:assignments')).toEqual(['due_date']);
    expect(has('entries:user.teams')(again)).toBe(false);
    await ada().close();
  });

  it('has presets that replace the chosen columns', async () => {
    await openBuilder(ada(), '#learning');
    ada().fill({ 'columns:assignments': ['due_date'] });
    await ada().click('modal', 'With manager');
    const withManager = await ada().waitForModal(has('columns:assignments#1'));
    expect(valuesOf(withManager, 'columns:assignments#1')).toContain('manager_email');
    await ada().click('modal', 'Essentials');
    const essentials = await ada().waitForModal(has('columns:assignments#2'));
    expect(valuesOf(essentials, 'columns:assignments#2')).toEqual(reportNamed('assignments').essentials);
    await submitted(work(), ada(), '#learning');
    expect(lastRequest(work()).columns).toBeUndefined();
  });

  it('suggests the typed text, then values from recent answers, but no people', async () => {
    await newIn(
      work(),
      '#learning',
      () =>
        ada().command(
          '/report tracks last-90-days csv fields:departments,track_id,track_title,email',
          '#learning',
        ),
      isSummary('Tracks'),
    );
    await openBuilder(ada(), '#learning');
    await chooseAndWait(ada(), 'Report', 'tracks', has('columns:tracks'));
    await showFilters(ada());
    const offered = async (filter: string, typed: string) =>
      (await ada().options('modal', `entries:${filter}`, typed)).map((option) => {
        const { text, value } = option as { text: { text: string }; value: string };
        return [text.text, value];
      });
    // Values of an answer are remembered just after it was posted.
    await expect.poll(() => offered('track.content_id', '')).not.toHaveLength(0);
    const known = await offered('user.departments', '');
    expect(known.length).toBeGreaterThan(3);
    const [[name = ''] = []] = known;
    expect(await offered('user.departments', name.slice(0, 3).toUpperCase())).toEqual([
      [name.slice(0, 3).toUpperCase(), name.slice(0, 3).toUpperCase()],
      ...known.filter(([other = '']) => other.toLowerCase().includes(name.slice(0, 3).toLowerCase())),
    ]);
    const [[title, id] = []] = await offered('track.content_id', '');
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(title).not.toBe(id);
    expect(await offered('user.email', 'a')).toEqual([['a', 'a']]);
    expect((await offered('user.manager_email', '')).map(([, value]) => value)).toEqual(['me']);
    expect((await offered('user.departments', 'Sales, HR')).slice(0, 2)).toEqual([
      ['Sales', 'Sales'],
      ['HR', 'HR'],
    ]);
    await ada().close();
  });

  it('accepts long entries, both typed and in a list', async () => {
    const long = `Department of ${'long names '.repeat(12)}`.trim();
    await openBuilder(ada(), '#learning');
    await showFilters(ada());
    const [option] = await ada().options('modal', 'entries:user.departments', long);
    const { value } = option as { value: string };
    expect(value).not.toBe(long);
    ada().fill({ 'entries:user.departments': [value] });
    await ada().choose('modal', 'Enter as a list', ['user.departments', 'user.teams']);
    await ada().waitForModal(has('list:user.teams'));
    await submitted(work(), ada(), '#learning', {
      'list:user.departments': `${'y'.repeat(100)}\n\n  Sales \nSales`,
      'list:user.teams': 'Blue',
    });
    expect(lastRequest(work()).filters).toEqual([
      { object: 'user_filter', member: 'departments', entries: [long, 'y'.repeat(100), 'Sales'] },
      { object: 'user_filter', member: 'teams', entries: ['Blue'] },
    ]);
  });
});

it('sent no payload that Slack would refuse', () => {
  // Two choices can cross, and a form can be closed while it is drawn: Slack says so, and the bot knows what to do.
  const expected = ['hash_conflict', 'not_found'];
  expect(work().slack.refusals.filter(({ error }) => !expected.includes(error))).toEqual([]);
});
