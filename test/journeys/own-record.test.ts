import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type SeenMessage, wordsIn } from '../../playground/slack/server/script/find.js';
import { runBuiltRollcall } from '../process.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, newIn } from './watching.js';

const work = testWorkspace(() => ({
  environment: { ROLLCALL_ADMINS: 'U00ADA0001', DEFAULT_ACCESS: 'team' },
}));

const rollcall = (...words: string[]) =>
  runBuiltRollcall(words, { DATABASE_URL: `sqlite:${join(work().folder, 'rollcall.db')}` }, work().folder);

const hasFile = ({ files }: { readonly files: readonly unknown[] }) => files.length > 0;
const isRecord = ({ text }: SeenMessage) => text.startsWith('What was asked about you');

const recordOf = (name: string, where = `@${name}`) =>
  newIn(work(), `@${name}`, () => work().slack.as(name).command('/report record', where), isRecord);

/** The content of the only file of a message. */
const contentOf = async ({ files: [file] }: SeenMessage) =>
  (await work().slack.fileBytes(file?.id ?? '')).toString('utf8');

const exportsAll = () =>
  newIn(
    work(),
    '@ada',
    () => work().slack.as('ada').command('/report engagement last-month csv', '@ada'),
    hasFile,
  );

const others = /ada|moreau|mia|U00ADA0001/i;

/** Until the test ends: other files of this worker have the same people. */
function takeAddress(person: object, email: string): void {
  const before = { ...person };
  Object.assign(person, { email });
  onTestFinished(() => void Object.assign(person, before));
}

describe('everybody’s own record', () => {
  it('lists files and rows that held its reader, names askers once admins allow it, and is copied', async () => {
    const { slack } = work();
    const [ada, noah] = [slack.as('ada'), slack.as('noah')];
    // He has the address of a learner from now on. The file before was sent while nobody had seen that.
    const csv = await contentOf(await exportsAll());
    const [address = ''] = /[\w.+-]+@[\w.-]+\w/.exec(csv) ?? [];
    const isAnswer = ({ text }: SeenMessage) => !text.startsWith('Running') && text.includes(address);
    const asksAbout = (words: string) =>
      newIn(work(), '@ada', () => ada.command(`/report ${words}`, '@ada'), isAnswer);
    // This, too, was about whoever had the address then.
    await asksAbout(`engagement last-month email:${address}`);
    takeAddress(noah.person, address);
    expect((await recordOf('noah')).words).toContain('Nothing yet.');
    await exportsAll();
    await asksAbout(`engagement last-month email:${address} rows`);

    // Elsewhere, one line says where it went.
    const line = await newIn(
      work(),
      '#learning',
      () => noah.command('/report record', '#learning'),
      isPrivate,
    );
    expect(line.words).toContain('I sent it to your direct messages.');
    const first = await recordOf('noah');
    expect(first.words).toContain('A file had rows about you: engagement');
    expect(first.words).toContain('A table had rows about you: engagement');
    expect(first.words).toContain('A request named you: engagement');
    expect(first.words).not.toMatch(others);
    // What she asked herself is not in hers.
    expect((await recordOf('ada')).words).not.toContain('A file');

    const page = await newIn(
      work(),
      '@ada',
      () => ada.command('/report access', '@ada'),
      ({ words }) => words.includes('not who asked'),
    );
    await newIn(
      work(),
      '@ada',
      () => ada.click(page, 'Show names'),
      ({ words }) => words.includes('From now on, people see'),
    );
    await exportsAll();
    const second = await recordOf('noah');
    expect(second.words.match(/for Ada Moreau/g)).toHaveLength(1);
    expect(second.words.match(/A file had rows about you/g)).toHaveLength(2);

    const copy = await newIn(work(), '@noah', () => noah.click(second, 'Copy as JSON'), hasFile);
    const kept = JSON.parse(await contentOf(copy));
    expect(kept.about).toMatchObject({ slack_user: 'U00NOAH001' });
    expect(kept.files_and_requests).toHaveLength(4);
    expect(kept.events.length).toBeGreaterThan(3);
    expect(kept.events.filter(({ kind }: { kind: string }) => kind === 'asked')).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toMatch(others);
    const html = await contentOf(
      await newIn(work(), '@noah', () => noah.click(second, 'Copy to read'), hasFile),
    );
    expect(html).toContain('A file had rows about you: engagement');
    expect(html).not.toMatch(others);

    noah.openHome();
    const home = await noah.waitForHome(({ content }) =>
      wordsIn(content.blocks).join('\n').includes('A file had rows about you'),
    );
    expect(wordsIn(home.content.blocks).join('\n')).toContain('What was asked about you');

    const exported = await rollcall('export', 'U00NOAH001');
    expect(exported.status).toBe(0);
    const ofOperator = JSON.parse(exported.stdout);
    const { files_and_requests: listed } = ofOperator;
    expect(listed.filter(({ kind }: { kind: string }) => kind !== 'record')).toEqual(kept.files_and_requests);
    const path = join(work().folder, 'noah.html');
    expect((await rollcall('export', address, '--html', path)).status).toBe(0);
    expect(readFileSync(path, 'utf8')).toContain('A file had rows about you: engagement');
    // The readings of the operator are in it.
    expect((await recordOf('noah')).words).toContain('Somebody read the record of access about you');
    expect(slack.refusals).toEqual([]);
  }, 120_000);

  it('lists breakdowns by people that named its reader, as far as they are shown', async () => {
    const { slack } = work();
    const [ada, noah] = [slack.as('ada'), slack.as('noah')];
    const csv = await contentOf(await exportsAll());
    const [address = ''] = /[\w.+-]+@[\w.-]+\w/.exec(csv) ?? [];
    takeAddress(noah.person, address);
    const named = async () =>
      (await recordOf('noah')).words.match(/A list of people named you/g)?.length ?? 0;
    const before = await named();
    const asks = (words: string, isAnswer: (message: SeenMessage) => boolean) =>
      newIn(work(), '@ada', () => ada.command(`/report ${words}`, '@ada'), isAnswer);
    const buttons = (message: SeenMessage) => message.words.includes('Details');
    const isDetails = ({ text }: SeenMessage) => text.startsWith('Details:');
    const groups = await asks('engagement last-month by:email', buttons);
    const after = (await named()) - before;
    const details = await newIn(work(), '@ada', () => ada.click(groups, 'Details'), isDetails);
    expect((await named()) - before).toBe(after + (details.words.includes(address) ? 1 : 0));
    expect(after).toBe(groups.words.includes(address) ? 1 : 0);
  }, 120_000);

  it('is not for guests and other organizations. The operator copies what is kept about them', async () => {
    const { slack } = work();
    const [ada, noah] = [slack.as('ada'), slack.as('noah')];
    const isRefusal = (one: SeenMessage) => one.words.includes('Guests');
    await newIn(
      work(),
      '@ada',
      () => ada.command('/report engagement last-month email:gil@example.com', '@ada'),
      ({ text }) => !text.startsWith('Running'),
    );
    for (const words of ['/report record', '/report engagement last-month evidence'])
      await newIn(work(), '#learning', () => slack.as('gil').command(words, '#learning'), isRefusal);
    await newIn(
      work(),
      '#partner-academy',
      () => slack.as('sofia').command('/report record', '#partner-academy'),
      ({ visibleTo, words }) => visibleTo === slack.as('sofia').person.id && words.includes('Only members'),
    );
    slack.as('gil').openHome();
    const home = await slack
      .as('gil')
      .waitForHome(({ content }) => wordsIn(content.blocks).join('\n').includes('Guests'));
    expect(wordsIn(home.content.blocks).join('\n')).not.toContain('about you');
    const exported = await rollcall('export', 'gil@example.com');
    expect(exported.status).toBe(0);
    expect(JSON.parse(exported.stdout).files_and_requests).toMatchObject([
      { kind: 'record' },
      { kind: 'asked', what: 'A request named you: engagement' },
    ]);
    expect(exported.stdout).not.toMatch(others);

    // Who becomes a guest has the message, and its buttons give nothing any more.
    const record = await recordOf('noah');
    noah.changeProfile({ kind: 'guest' });
    onTestFinished(() => noah.changeProfile({ kind: 'member' }));
    await slack.settled();
    await newIn(work(), '@noah', () => noah.click(record, 'Copy as JSON'), isRefusal);
    await newIn(work(), '@noah', () => noah.command('/report record', '@noah'), isRefusal);
    const files = slack.messages('@gil').concat(slack.messages('@sofia')).filter(hasFile);
    expect(files).toEqual([]);
    expect(slack.messages('@gil').filter(isRecord)).toEqual([]);
  }, 60_000);

  it('gives admins the rules of today as a file without names', async () => {
    const { slack } = work();
    const ada = slack.as('ada');
    const tell = (line: string) =>
      newIn(work(), '#learning', () => ada.command(line, '#learning'), isPrivate);
    await tell('/report save Moreau: tracks');
    await tell('/report save Card: Moreau; overdue');
    const preview = await tell('/report schedule Card weekly mon 09:00');
    await ada.click(preview, 'Confirm');
    await slack.waitForMessage('#learning', (one) => one.ts === preview.ts && one.says('Scheduled.'));
    const rulesNow = async () => {
      const page = await newIn(
        work(),
        '@ada',
        () => ada.command('/report access', '@ada'),
        ({ words }) => words.includes('Rules of today') || words.includes('In their own record'),
      );
      await ada.click(page, 'Rules of today');
      await ada.waitForModal();
      const sent = await newIn(work(), '@ada', () => ada.submit({}), hasFile);
      expect(sent.files[0]?.name).toMatch(/^rules_.*\.html$/);
      return contentOf(sent);
    };
    const rules = await rulesNow();
    expect(rules).toContain('allowed people to see who asked about them');
    expect(rules).toContain('SMALLEST_GROUP');
    expect(rules).toMatch(/\(MCP\)<\/td><td>no</);
    expect(rules).toMatch(/deleted after<\/td><td>never</);
    expect(rules).toContain(
      '<td>Scorecard</td><td>assignments, 1 saved report</td><td>every Monday at 09:00',
    );
    expect(rules).toContain('<td>Totals of answers for Details</td><td>1 day</td>');
    expect(rules).not.toMatch(/moreau|okafor|U00/i);
    // The settings of the first start are no change.
    expect(rules).not.toContain('changed a setting');

    await work().restart({ SMALLEST_GROUP: '7', DEFAULT_ACCESS: 'everything' });
    await work().restart({ DEFAULT_ACCESS: 'everything' });
    const changes = (await rulesNow()).match(/the operator<\/td><td>changed a setting: [^<]*/g);
    expect(changes?.map((one) => one.replace(/^.*setting: /, ''))).toEqual([
      'DEFAULT_ACCESS from team to everything',
      'SMALLEST_GROUP from 1 to 7',
      'SMALLEST_GROUP from 7 to 1',
    ]);
    await newIn(
      work(),
      '@ada',
      () => ada.command('/report audit', '@ada'),
      ({ words }) => /The operator changed a setting: SMALLEST_GROUP from 7 to 1/.test(words),
    );
    await work().restart();
  }, 90_000);
});
