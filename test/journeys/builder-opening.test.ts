import { describe, expect, it } from 'vitest';
import { formatRequest } from '../../src/requests/parse-request.js';
import {
  changeLastRequest,
  chooseAndWait,
  deleteOpenForms,
  has,
  isBuilder,
  lastRequest,
  openBuilder,
  requestsRun,
  showFilters,
  submitted,
  valuesOf,
} from './building.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, isSummary, newIn } from './watching.js';

const work = testWorkspace(() => ({
  environment: { PERSON_LEVEL_CHANNELS: '*' },
}));

const ada = () => work().slack.as('ada');
const answers = (channel: string) =>
  work()
    .slack.messages(channel)
    .filter((message) => isSummary('Assignments')(message)).length;

describe('opening the builder', () => {
  it('the shortcut opens it without a conversation, so the answer is a direct message', async () => {
    await ada().shortcut('run_report');
    const view = await ada().waitForModal(isBuilder);
    expect(valuesOf(view, 'where')).toEqual(['me']);
    expect(() => ada().fill({ where: 'here' })).toThrow('not offered');
    await newIn(work(), '@ada', () => ada().submit(), isSummary('Assignments'));
  });

  it('Change opens it with the request of an answer, also for other people', async () => {
    const { slack } = work();
    const command =
      'engagement 2026-Q1 departments:Sales,"Field Operations" grades:7 fields:views,email,departments by:locations';
    const answer = await newIn(
      work(),
      '#learning',
      () => ada().command(`/report ${command}`, '#learning'),
      isSummary('Engagement'),
    );
    const before = lastRequest(work());
    const noah = slack.as('noah');
    await noah.click(answer, 'Change');
    const view = await noah.waitForModal(isBuilder);
    expect(valuesOf(view, 'columns:engagement')).toEqual(['views', 'email', 'departments']);
    expect(valuesOf(view, 'entries:user.grades')).toEqual(['7']);
    expect(valuesOf(view, 'range-words')).toEqual(['2026-Q1']);
    const again = await submitted(work(), noah, '#learning');
    expect(lastRequest(work())).toEqual(before);
    expect(again.words).toContain(formatRequest(before));
    expect(again.words).toContain('<@U00NOAH001>');
  });

  it('Change leaves out fields that no longer exist, and names them', async () => {
    const answer = await newIn(
      work(),
      '#learning',
      () => ada().command('/report engagement last-month', '#learning'),
      isSummary('Engagement'),
    );
    changeLastRequest(work(), { columns: ['shoe_size', 'email'], by: 'hat_size' });
    await ada().click(answer, 'Change');
    const view = await ada().waitForModal(isBuilder);
    expect(JSON.stringify(view.content)).toMatch(/column shoe_size, breakdown hat_size/);
    await submitted(work(), ada(), '#learning');
    expect(lastRequest(work())).toMatchObject({ range: 'last-month', columns: ['email'] });
    expect(lastRequest(work()).by).toBeUndefined();
  });

  it('Change in a thread answers in the thread', async () => {
    const start = ada().message('How did last month go?', '#learning');
    const answer = await newIn(
      work(),
      '#learning',
      async () => ada().message('@rollcall assignments last-month', '#learning', start.ts),
      isSummary('Assignments'),
    );
    await ada().click(answer, 'Change');
    await ada().waitForModal(isBuilder);
    const again = await newIn(work(), '#learning', () => ada().submit(), isSummary('Assignments'));
    expect(again.threadTs).toBe(start.ts);
  });

  it('an empty mention or direct message gets a button that opens it', async () => {
    for (const channel of ['#learning', '@ada']) {
      const text = channel === '@ada' ? '<@U00ROLLCAL>' : '@rollcall';
      const offer = await newIn(
        work(),
        channel,
        async () => ada().message(text, channel),
        (message) => message.says('Open the form'),
      );
      await ada().click(offer, 'Open the form');
      await ada().waitForModal(isBuilder);
      await ada().close();
    }
  });

  it('a refused command gets a button that opens it with all that was understood', async () => {
    const reply = await newIn(
      work(),
      '#learning',
      () =>
        ada().command('/report tracks this-month xyzzy departments:Sales by:track_title csvv', '#learning'),
      isPrivate,
    );
    await ada().click(reply, 'Open the form');
    const view = await ada().waitForModal(has('columns:tracks'));
    expect(valuesOf(view, 'range:tracks')).toEqual(['this-month']);
    expect(valuesOf(view, 'entries:user.departments')).toEqual(['Sales']);
    expect(valuesOf(view, 'by:tracks')).toEqual(['track_title']);
    expect(valuesOf(view, 'file')).toEqual(['csv']);
    await ada().close();
  });

  it('a refused schedule gets a button that opens it with all that was understood', async () => {
    const reply = await newIn(
      work(),
      '#learning',
      () => ada().command('/report schedule tracks departments:Sales skip-empty weekly thu', '#learning'),
      isPrivate,
    );
    await ada().click(reply, 'Open the form');
    const view = await ada().waitForModal(has('digest_kind'));
    expect(valuesOf(view, 'purpose')).toEqual(['schedule']);
    expect(valuesOf(view, 'entries:user.departments')).toEqual(['Sales']);
    expect(valuesOf(view, 'digest_skip_empty')).toEqual(['skip']);
    await ada().close();
  });

  it.each([
    ['gil', '#learning', 'Guests cannot ask'],
    ['sofia', '#partner-academy', 'Only members of this workspace'],
  ])('does not open for %s', async (name, channel, words) => {
    const who = work().slack.as(name);
    await who.command('/report', channel);
    const view = await who.waitForModal((shown) => JSON.stringify(shown.content).includes(words));
    expect(view.content.submit).toBeUndefined();
    await who.close();
  });
});

describe('the destination of the answer', () => {
  it('can be a channel that the bot is in', async () => {
    await openBuilder(ada(), '#learning');
    await chooseAndWait(ada(), 'Where to', 'channel', has('channel'));
    const refused = async (channel: string, sentence: string) => {
      await ada().submit({ channel });
      expect(ada().modal()?.errors.channel).toContain(sentence);
    };
    await expect(ada().submit()).rejects.toThrow('fields');
    await refused('C00WATER01', '/invite @Rollcall');
    await refused('C00BOARD01', '/invite @Rollcall');
    await refused('C00OLDAC01', 'archived');
    const before = answers('#learning');
    await newIn(work(), '#sales', () => ada().submit({ channel: 'C00SALES01' }), isSummary('Assignments'));
    expect(answers('#learning')).toBe(before);
  });

  it.each(['#watercooler', 'D00ADANOAH'])(
    'is the response URL where the bot cannot post: %s',
    async (channel) => {
      const view = await openBuilder(ada(), channel);
      expect(JSON.stringify(view.content)).toContain('I am not in this conversation');
      await newIn(work(), channel, () => ada().submit(), isSummary('Assignments'));
    },
  );

  it("can be the asker's direct messages", async () => {
    await openBuilder(ada(), '#learning');
    await newIn(work(), '@ada', () => ada().submit({ where: 'me' }), isSummary('Assignments'));
    expect(lastRequest(work()).toMe).toBe(true);
  });
});

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
