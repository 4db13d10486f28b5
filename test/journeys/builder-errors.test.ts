import { describe, expect, it } from 'vitest';
import { slackManifest } from '../../src/slack/manifest.js';
import {
  chooseAndWait,
  deleteOpenForms,
  has,
  lastRequest,
  openBuilder,
  requestsRun,
  showFilters,
  submitted,
} from './building.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, isSummary, newIn } from './watching.js';

const work = testWorkspace(() => ({
  slack: { manifest: slackManifest() },
  environment: { PERSON_LEVEL_CHANNELS: '*' },
}));

const ada = () => work().slack.as('ada');

describe('errors of the builder', () => {
  it('a problem appears under its input, and the form keeps its values', async () => {
    await openBuilder(ada(), '#learning');
    await chooseAndWait(ada(), 'Range', 'dates', has('first-day'));
    const wrong = async (values: Record<string, string | string[] | null>, input: string, words: string) => {
      await ada().submit(values);
      expect(ada().modal()?.errors).toEqual({ [input]: expect.stringContaining(words) });
    };
    await expect(ada().submit({ 'first-day': '2026-03-31' })).rejects.toThrow('fields');
    await wrong({ 'last-day': '2026-03-01' }, 'last-day', 'ends before it begins');
    await wrong({ 'first-day': '2999-01-01', 'last-day': '2999-01-02' }, 'last-day', 'begins in the future');
    await chooseAndWait(ada(), 'Range', 'words', has('range-words'));
    await wrong({ 'range-words': ' ' }, 'range-words', 'Enter a range');
    await wrong({ 'range-words': 'next-week' }, 'range-words', 'begins in the future');
    await wrong({ 'range-words': 'soonish' }, 'range-words', 'not a range');
    await showFilters(ada());
    await ada().submit({ 'range-words': 'last-week', 'entries:user.teams': ['a,b'] });
    expect(ada().modal()?.errors).toEqual({ 'entries:user.teams': expect.stringContaining('comma') });
    await submitted(work(), ada(), '#learning', { 'entries:user.teams': ['b'] });
    expect(lastRequest(work())).toMatchObject({ range: 'last-week', filters: [{ entries: ['b'] }] });
  });

  it('two changes at the same time both count, and the form shows both', async () => {
    await openBuilder(ada(), '#learning');
    await Promise.all([
      ada().choose('modal', 'Range', 'words'),
      ada().click('modal', 'Everything'),
      ada().choose('modal', 'Where to', 'channel'),
    ]);
    await ada().waitForModal(
      (view) => has('range-words')(view) && has('columns:assignments#1')(view) && has('channel')(view),
    );
    await ada().close();
  });

  it('an open form survives a restart', async () => {
    await openBuilder(ada(), '#watercooler');
    await chooseAndWait(ada(), 'Report', 'tracks', has('columns:tracks'));
    await work().restart();
    await chooseAndWait(ada(), 'Range', 'words', has('range-words'));
    await work().restart();
    await newIn(
      work(),
      '#watercooler',
      () => ada().submit({ 'range-words': 'last-month' }),
      isSummary('Tracks'),
    );
    expect(lastRequest(work())).toMatchObject({ report: 'tracks', range: 'last-month' });
  });

  it('a form that is submitted twice runs once', async () => {
    const { slack } = work();
    const view = await openBuilder(ada(), '#learning');
    const before = requestsRun(work());
    const first = ada().submit();
    // The second click gets through before the form knows of the first one.
    view.waiting = false;
    await Promise.all([first, ada().submit()]);
    await slack.settled();
    await newIn(
      work(),
      '#learning',
      () => ada().command('/report engagement yesterday', '#learning'),
      isSummary('Engagement'),
    );
    expect(requestsRun(work())).toBe(before + 2);
    expect(ada().modal()).toBeUndefined();
  });

  it('a failed update of the form is retried', async () => {
    const { slack } = work();
    slack.faults.set('views.update', { kind: 'status', status: 503 });
    await openBuilder(ada(), '#learning');
    slack.faults.set('views.update', { kind: 'done, then cut' });
    await chooseAndWait(ada(), 'Range', 'words', has('range-words'));
    await ada().close();
  });

  it('a form that Slack does not open is reported where it was requested', async () => {
    work().slack.faults.set('views.open', { kind: 'error', error: 'trigger_expired' });
    const told = await newIn(work(), '#learning', () => ada().command('/report', '#learning'), isPrivate);
    expect(told.words).toContain('Try again');
    expect(ada().modal()).toBeUndefined();
  });

  it('an expired form says that it has expired', async () => {
    await openBuilder(ada(), '#learning');
    deleteOpenForms(work());
    await ada().submit();
    await ada().waitForModal(has('This form has expired. Type /report to open a new one.'));
    await ada().close();
  });
});
