import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wordsIn } from '../../playground/slack/server/script/find.js';
import type { View } from '../../playground/slack/server/script/script.js';
import { runBuiltRollcall } from '../process.js';
import { sqlOn } from '../store/fresh-folder.js';
import { schedulingAt } from './scheduling.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, isSummary, newIn } from './watching.js';

const work = testWorkspace(() => ({ environment: { ROLLCALL_ADMINS: 'U00ADA0001' } }));
const { scheduled } = schedulingAt(work);

const rollcall = (...words: string[]) =>
  runBuiltRollcall(words, { DATABASE_URL: `sqlite:${join(work().folder, 'rollcall.db')}` }, work().folder);

/** The events on the command line, without their times. */
async function events(): Promise<Record<string, unknown>[]> {
  const { stdout } = await rollcall('audit', '--since', '1970-01-01');
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Home reads its person's own record meanwhile. */
const withoutReadings = async () => (await events()).filter(({ kind }) => kind !== 'record-read');

const originOf = (details: unknown) => (details as { origin?: string } | undefined)?.origin;

const words = ({ content }: View) => wordsIn(content.blocks).join('\n');
const saying = (text: string) => (view: View) => words(view).includes(text);

const hasFile = ({ files }: { readonly files: readonly unknown[] }) => files.length > 0;

describe('the Home tab of an admin', () => {
  it('shows requests without names, all digests and the way to the rules and the record', async () => {
    const { slack } = work();
    const ada = slack.as('ada');
    const noah = slack.as('noah');
    await newIn(
      work(),
      '#learning',
      () => noah.command('/report engagement last-week', '#learning'),
      isSummary('Engagement'),
    );
    await scheduled('/report schedule tracks last-month daily 09:00', '@noah', 'noah');

    ada.openHome();
    const home = await ada.waitForHome(saying('For admins'));
    expect(words(home)).toMatch(/engagement: 1 request \(\w+ 1\)/);
    expect(words(home)).toContain('1 digest.');
    expect(words(home)).toContain('No limit was reached.');
    const blocks = JSON.stringify(home.content.blocks);
    expect(blocks.slice(blocks.indexOf('For admins'))).not.toMatch(/U00[A-Z]+/);
    expect(words(home)).toContain('its owner’s direct messages with me');

    noah.openHome();
    const theirs = await noah.waitForHome(saying('My recent runs'));
    expect(words(theirs)).not.toContain('For admins');

    slack.as('gil').openHome();
    const ofGuest = await slack.as('gil').waitForHome(saying('Guests cannot ask'));
    expect(words(ofGuest)).toContain('For questions about Rollcall, ask Ada Moreau.');

    const direct = () => slack.messages('@ada');
    const before = direct().length;
    await ada.click('home', 'Access levels');
    await slack.waitFor(() => direct().length > before);
    await ada.click('home', 'Record of access');
    await slack.waitFor(() => direct().length > before + 1);
    expect(slack.refusals).toEqual([]);
  }, 60_000);
});

describe('the record of access', () => {
  it('has what people asked and which files they got, on the command line', async () => {
    const { slack } = work();
    await newIn(
      work(),
      '#learning',
      () => slack.as('noah').command('/report engagement last-week', '#learning'),
      isSummary('Engagement'),
    );
    await newIn(
      work(),
      '@ada',
      () => slack.as('ada').command('/report tracks email:noah@example.com csv', '@ada'),
      hasFile,
    );
    await newIn(work(), '@ada', () => slack.as('ada').command('/report assignments csv', '@ada'), hasFile);
    expect((await withoutReadings()).slice(-5)).toMatchObject([
      { kind: 'asked', person: 'U00NOAH001', place: 'C00LEARN01', report: 'engagement', subjects: [] },
      { kind: 'asked', person: 'U00ADA0001', place: 'direct', subjects: ['noah@example.com'] },
      {
        kind: 'exported',
        person: 'U00ADA0001',
        place: 'direct',
        report: 'tracks',
        subjects: ['noah@example.com'],
        details: { people: 'named', file: expect.stringMatching(/^tracks_.*\.csv$/) },
      },
      { kind: 'asked', report: 'assignments' },
      { kind: 'exported', report: 'assignments', details: { people: 'everybody' } },
    ]);
  });

  it('says in the direct messages of an admin who looked at a person’s record', async () => {
    const { slack } = work();
    const [did, named, line] = await Promise.all([
      newIn(
        work(),
        '@ada',
        async () => {},
        (message) => message.says('What Noah Okafor did'),
      ),
      newIn(
        work(),
        '@ada',
        async () => {},
        (message) => message.says('What others did that names Noah Okafor'),
      ),
      newIn(
        work(),
        '#learning',
        () => slack.as('ada').command('/report audit @noah this-year', '#learning'),
        isPrivate,
      ),
    ]);
    expect(line.words).toContain('I sent it to your direct messages.');
    expect(did.words).toContain('/report engagement');
    expect(did.words).not.toContain('/report tracks');
    expect(named.words).toContain('/report tracks');
    expect(named.words).toContain('exported');
    expect(named.words).toContain('1 exported file had no filter on people');
    const file = await newIn(work(), '@ada', () => slack.as('ada').click(named, 'CSV'), hasFile);
    expect(file.files[0]?.name).toMatch(/^record_/);
    expect((await withoutReadings()).at(-1)).toMatchObject({ kind: 'exported', details: { rowCount: 2 } });
  });

  it('says of a range in the future that the record has none, and names no report', async () => {
    const audit = () => work().slack.as('ada').command('/report audit 2090', '@ada');
    const refused = await newIn(work(), '@ada', audit, isPrivate);
    expect(refused.words).toContain('the record can only look back from now');
    expect(refused.words).not.toContain('engagement');
  });

  it('has a shared summary', async () => {
    const { slack } = work();
    const ada = slack.as('ada');
    const summary = await newIn(
      work(),
      '@ada',
      () => ada.command('/report workshops', '@ada'),
      (message) => message.text.startsWith('Workshop'),
    );
    await ada.click(summary, 'Share to channel');
    await ada.waitForModal();
    await newIn(work(), '#learning', () => ada.submit({ channel: 'C00LEARN01' }), isSummary('Workshop'));
    expect((await withoutReadings()).slice(-2)).toMatchObject([
      { kind: 'asked', place: 'C00LEARN01', report: 'workshops', details: { origin: 'share' } },
      { kind: 'shared', place: 'C00LEARN01', report: 'workshops', person: 'U00ADA0001' },
    ]);
  });

  it('has who read the details of a scorecard, once for each line, and not the one whose answer it was', async () => {
    const { slack } = work();
    const [ada, noah] = [slack.as('ada'), slack.as('noah')];
    const save = () => ada.command('/report save Card: tracks last-month; workshops last-month', '#learning');
    await newIn(work(), '#learning', save, isPrivate);
    const run = () => ada.command('/report card', '#learning');
    const card = await newIn(work(), '#learning', run, ({ text }) => text.startsWith('Card.'));
    // As after 24 hours: the lines are run again.
    await sqlOn(join(work().folder, 'rollcall.db'), 'DELETE FROM answer_totals');
    const pressed = () => noah.click(card, 'Details');
    const isDetails = ({ text }: { readonly text: string }) => text.startsWith('Details: Card');
    const details = await newIn(work(), '#learning', pressed, isDetails);
    expect(details.words).toContain('Run again for the dates of');
    const opened = (await withoutReadings()).filter(({ details }) => originOf(details) === 'details');
    expect(opened.map(({ person, report }) => [person, report])).toEqual([
      ['U00NOAH001', 'tracks'],
      ['U00NOAH001', 'workshops'],
    ]);
  });

  it('verifies against the head that the bot logs when it stops', async () => {
    const before = work().bot;
    await work().restart();
    // It may have logged another one at its start, after the first request.
    const heads = [...before.stdout().matchAll(/"head":"(\d+:[0-9a-f]{64})"/g)];
    const [, head = ''] = heads.at(-1) ?? [];
    expect(head.split(':')[0]).toBe(String((await events()).length));
    expect(await rollcall('audit', '--verify', '--head', head)).toMatchObject({ status: 0 });
    // The next start logs the same head.
    await expect.poll(() => work().bot.stdout()).toContain(head);
  });
});
