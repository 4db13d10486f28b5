import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { cast } from '../../playground/people-to-try.js';
import {
  type RunningReportingService,
  startReportingService,
} from '../../playground/reporting-service/reporting-service.js';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { wordsIn } from '../../playground/slack/server/script/find.js';
import { accessActions } from '../../src/slack/access/access-page.js';
import { purposeActions } from '../../src/slack/answers/ask-purpose.js';
import { digestViews } from '../../src/slack/builder/digest-form.js';
import { builderViews } from '../../src/slack/builder/view.js';
import { views } from '../../src/slack/forms/forms.js';
import { shareViews } from '../../src/slack/listeners/answers.js';
import { auditActions } from '../../src/slack/listeners/audit.js';
import { handOverViews } from '../../src/slack/listeners/hand-over.js';
import { commandActions } from '../../src/slack/messages/blocks.js';
import { detailsActions } from '../../src/slack/messages/details.js';
import { digestActions } from '../../src/slack/messages/digests.js';
import { helpActions } from '../../src/slack/messages/help.js';
import { noticeActions } from '../../src/slack/messages/notices.js';
import { fileActions } from '../../src/slack/messages/rows.js';
import { savedActions } from '../../src/slack/messages/saved-reports.js';
import { scorecardActions } from '../../src/slack/messages/scorecard.js';
import { answerActions } from '../../src/slack/messages/summary.js';
import type { Mode } from '../journeys/bot-process.js';
import { testWorkspace } from '../journeys/test-workspace.js';
import { isPrivate, isSummary, newIn } from '../journeys/watching.js';
import { namedIds } from '../slack/named-ids.js';

/** A person in filters of Ada's requests, whom nobody else may read of. */
const mark = 'zzmarked@example.com';

const things = ['answer', 'saved', 'digest', 'draft'] as const;
type Thing = (typeof things)[number];
/** The IDs of Ada's things in her direct messages. */
type Ids = Readonly<Record<Thing, string>>;

/** What each action is attacked with; nothing for those that take no ID. */
const attacks: Readonly<Record<string, readonly ((ids: Ids) => string)[]>> = {
  ...forAll(
    [
      noticeActions.cancel,
      fileActions.csv,
      fileActions.xlsx,
      answerActions.details,
      answerActions.change,
      answerActions.save,
      answerActions.schedule,
      answerActions.share,
      noticeActions.again,
      noticeActions.againAsCsv,
      answerActions.addToScorecard,
    ],
    ({ answer }) => answer,
  ),
  [scorecardActions.showLine]: [({ answer }) => `${answer} 0`],
  [detailsActions.detailsAgain]: [({ answer }) => `${answer} 1.1`],
  ...forAll([savedActions.run, savedActions.undo], ({ saved }) => saved),
  ...forAll([savedActions.copy], ({ saved }) => `copy ${saved}`),
  ...forAll([savedActions.edit], ({ saved }) => `edit ${saved}`),
  [savedActions.more]: ['edit', 'rename', 'copy', 'handOver', 'delete'].map(
    (verb) =>
      ({ saved }) =>
        `${verb} ${saved}`,
  ),
  ...forAll([savedActions.accept, savedActions.declineOffer], ({ saved }) => `${saved} 1 U00ADA0001`),
  ...forAll(
    [
      digestActions.manage,
      digestActions.test,
      digestActions.pause,
      digestActions.resume,
      digestActions.edit,
      digestActions.sendNow,
      digestActions.handOver,
      digestActions.delete,
      digestActions.undoDelete,
      digestActions.history,
      // As if they were IDs of runs.
      digestActions.arrived,
      digestActions.sendAgain,
      digestActions.fileArrived,
      digestActions.sendFileAgain,
      digestActions.retry,
      digestActions.asCsv,
      digestActions.join,
      digestActions.dropIsTrue,
      digestActions.dropIsFalse,
    ],
    ({ digest }) => digest,
  ),
  [digestActions.menu]: [
    'manage',
    'test',
    'history',
    'pause',
    'resume',
    'sendNow',
    'delete',
    'edit',
    'handOver',
  ].map(
    (verb) =>
      ({ digest }) =>
        `${verb} ${digest} 0 0 both`,
  ),
  ...forAll([digestActions.accept, digestActions.declineOffer], ({ digest }) => `${digest} 1 U00ADA0001`),
  ...forAll(
    [
      digestActions.confirm,
      digestActions.cancel,
      digestActions.testDraft,
      digestActions.editDraft,
      digestActions.testForm,
    ],
    ({ draft }) => draft,
  ),
  // For admins alone.
  ...forAll([accessActions.approve, accessActions.decline], () => 'C00LEARN01 U00NOAH001'),
  ...forAll([accessActions.revoke, accessActions.allowHere, accessActions.releaseKey], () => 'C00LEARN01'),
  ...forAll([accessActions.holdKeyBack], () => 'user_metadata.cost_center'),
  ...forAll(
    [accessActions.set, accessActions.addAdmin, accessActions.setAge, accessActions.rules],
    () => 'C00LEARN01',
  ),
  [accessActions.askerNames]: [() => 'show'],
  [accessActions.removeRule]: [() => 'everyone - -'],
  [accessActions.removeAdmin]: [() => 'U00ADA0001'],
  ...forAll([auditActions.newer, auditActions.older, auditActions.file], () => '0 0'),
  // What waits for a purpose may be a press.
  [purposeActions.sayPurpose]: [
    fileActions.csv,
    fileActions.xlsx,
    noticeActions.again,
    noticeActions.againAsCsv,
  ].map(
    (press) =>
      ({ answer }) =>
        JSON.stringify({ press, value: answer }),
  ),
  // Words, names of reports and pages, which everybody may type.
  ...forAll([commandActions.runWords, commandActions.runAsTyped, commandActions.openBuilder], () => 'help'),
  ...forAll(
    [savedActions.earlier, savedActions.later, digestActions.earlier, digestActions.later],
    () => '0 0 both',
  ),
  [helpActions.help]: [() => '-'],
  [noticeActions.requestApproval]: [() => 'C00PEOPL01'],
};

function forAll(names: readonly string[], value: (ids: Ids) => string) {
  return Object.fromEntries(names.map((name) => [name, [value]]));
}

it('covers every action', () => {
  // Those of the builder, of messages to managers and of somebody's own record have tests of their own.
  const others = ['builderActions', 'managerActions', 'recordActions'];
  const all = [...namedIds].flatMap(([name, ids]) =>
    name.endsWith('Actions') && !others.includes(name) ? ids : [],
  );
  expect(Object.keys(attacks).sort()).toEqual([...new Set(all)].sort());
});

const soon = 15_000;

/** Ada's things, as the database has them. */
function adasThings(folder: string): unknown {
  const database = new Sqlite(join(folder, 'rollcall.db'), { readonly: true });
  try {
    const rows = (table: string, where = '1 = 1') =>
      database.prepare(`SELECT * FROM ${table} WHERE ${where} ORDER BY rowid`).all();
    return [
      rows('saved_reports'),
      rows('digests'),
      rows('approved_channels'),
      rows('access_rules'),
      rows('access_admins'),
      rows('released_keys'),
      rows('digest_drafts', "owner = 'U00ADA0001'"),
      rows('posts', "kind = 'digest'"),
    ];
  } finally {
    database.close();
  }
}

/** The value of a message's button. */
function valueIn({ blocks }: Pick<SeenMessage, 'blocks'>, action: string): string {
  const find = (part: unknown): string | undefined => {
    if (typeof part !== 'object' || part === null) return undefined;
    if ('action_id' in part && part.action_id === action && 'value' in part) return String(part.value);
    return Object.values(part).reduce<string | undefined>(
      (found, member) => found ?? find(member),
      undefined,
    );
  };
  const value = find(blocks);
  if (value === undefined) throw new Error(`There is no button ${action}`);
  return value;
}

describe.each<Mode>(['socket', 'http'])('with %s', (mode) => {
  describe('IDs of what is in somebody else’s direct messages', () => {
    const work = testWorkspace(() => ({ mode, environment: { ROLLCALL_ADMINS: 'U00ADA0001' } }));
    const say = (who: string, words: string, channel: string, wanted: (message: SeenMessage) => boolean) =>
      newIn(work(), channel, () => work().slack.as(who).command(words, channel), wanted, soon);

    /** Everything that Noah can see in Slack. */
    const seenByNoah = () => {
      const { slack } = work();
      const channels = ['#learning', '#general', '#sales', '#people-team', '@noah'];
      const messages = channels
        .flatMap((channel) => slack.messages(channel))
        .filter(({ visibleTo }) => visibleTo === undefined || visibleTo === 'U00NOAH001')
        .map(({ words }) => words);
      const modals = slack
        .as('noah')
        .modals()
        .map(({ content }) => JSON.stringify(content));
      const home = slack.as('noah').home();
      return [...messages, ...modals, ...(home ? wordsIn(home.content.blocks) : [])].join('\n');
    };

    let ids: Ids;
    it('exist', async () => {
      const answer = await say(
        'ada',
        `/report engagement 2025-01 email:${mark}`,
        '@ada',
        isSummary('Engagement'),
      );
      await say('ada', `/report save Zzprivate: engagement 2025-01 email:${mark}`, '@ada', (message) =>
        message.says('Saved'),
      );
      const list = () => say('ada', '/report list', '@ada', (message) => message.says('Zzprivate'));
      const preview = async () =>
        say('ada', `/report schedule engagement 2025-01 email:${mark} daily 09:00`, '@ada', (message) =>
          message.says('Confirm'),
        );
      const confirmed = await preview();
      await work().slack.as('ada').click(confirmed, 'Confirm');
      await work().slack.settled();
      const draft = await preview();
      const database = new Sqlite(join(work().folder, 'rollcall.db'), { readonly: true });
      const digest = String(database.prepare('SELECT id FROM digests').pluck().get());
      database.close();
      ids = {
        answer: valueIn(answer, fileActions.csv),
        saved: valueIn(await list(), savedActions.run),
        digest,
        draft: valueIn(draft, digestActions.confirm),
      };
      expect(Object.values(ids).every((id) => /^[2-9a-z]{10}$/.test(id))).toBe(true);
    }, 60_000);

    it.each(['#learning', '@noah'])(
      'give Noah nothing in %s, with any button',
      async (channel) => {
        const { slack, folder } = work();
        const before = adasThings(folder);
        const own = await say('noah', '/report tracks', channel, isSummary('Tracks'));
        const stored = slack.workspace.messages.get(own.channel)?.get(own.ts);
        if (!stored) throw new Error('The message is gone');
        for (const [action, values] of Object.entries(attacks)) {
          for (const makeValue of values) {
            // The button of his own message, with another action and the ID of something of Ada's.
            const button = {
              type: 'button',
              action_id: action,
              text: { type: 'plain_text', text: 'Forged' },
              value: makeValue(ids),
            };
            (stored as { blocks: unknown }).blocks = [
              { type: 'actions', block_id: 'forged', elements: [button] },
            ];
            await slack.as('noah').click(own, 'Forged');
            await slack.settled();
            expect(seenByNoah().includes(mark), `${action} ${makeValue(ids)}`).toBe(false);
            expect(seenByNoah().includes('Zzprivate'), `${action} ${makeValue(ids)}`).toBe(false);
            while (slack.as('noah').modals().length > 0) await slack.as('noah').close(true);
          }
        }
        expect(adasThings(folder)).toEqual(before);
        // The answers in these channels are his own.
        const posted = slack.posts.filter(({ channel: where }) => where !== 'D00ADABOT').length;
        expect(posted).toBeGreaterThan(0);
      },
      240_000,
    );

    it('give Noah nothing in forms, whose place he changes too', async () => {
      const { slack, folder } = work();
      const noah = slack.as('noah');
      const before = adasThings(folder);
      const own = await say('noah', '/report tracks', '#learning', isSummary('Tracks'));
      const place = slack.messages('@ada')[0]?.channel ?? '';
      const forms: readonly (readonly [string, string, string, Record<string, string>])[] = [
        ['Save', views.saveReport, `${ids.answer} ${place}`, { name: 'Taken' }],
        ['Save', views.saveReport, `${ids.answer} C00LEARN01`, { name: 'Taken' }],
        ['Save', views.renameSaved, `${ids.saved} 1`, { name: 'Taken' }],
        ['Save', views.copySaved, ids.saved, { name: 'Taken' }],
        ['Save', handOverViews.handOverSaved, ids.saved, { name: 'Taken' }],
        ['Save', handOverViews.handOver, ids.digest, { name: 'Taken' }],
        ['Save', shareViews.share, ids.answer, { name: 'Taken' }],
        ['Save', builderViews.builder, ids.draft, { name: 'Taken' }],
        ['Schedule', digestViews.cadence, `${ids.answer} ${place}`, {}],
        ['Schedule', digestViews.cadence, `${ids.answer} C00LEARN01`, {}],
      ];
      for (const [button, callback_id, private_metadata, values] of forms) {
        await noah.click(own, button);
        const view = await noah.waitForModal();
        Object.assign(view.content, { callback_id, private_metadata });
        await noah.submit(values).catch(() => {});
        await slack.settled();
        expect(seenByNoah().includes(mark), callback_id).toBe(false);
        while (noah.modals().length > 0) await noah.close(true);
      }
      expect(adasThings(folder)).toEqual(before);
    }, 120_000);

    it('are others than the ID of a failure, which people pass on', async () => {
      const { slack, bot } = work();
      slack.faults.set('chat.postMessage', { kind: 'error', error: 'some_error' }, { times: 9 });
      const failed = await say(
        'ada',
        '/report engagement 2025-01',
        '#learning',
        (message) => isPrivate(message) && /ID: /.test(message.words),
      );
      slack.faults.clear();
      const [, shown = ''] = /ID: ([2-9a-z]{10})/.exec(failed.words) ?? [];
      const pressed = valueIn(failed, noticeActions.again);
      expect(shown).not.toBe(pressed);
      // The log has the shown one, and no line has that of a button.
      const lines = bot.stdout().split('\n');
      expect(lines.filter((line) => line.includes(shown)).length).toBeGreaterThan(0);
      for (const id of [pressed, ...Object.values(ids).slice(0, 1)]) {
        expect(lines.filter((line) => line.includes(id))).toEqual([]);
      }
    }, 60_000);
  });

  describe('people in filters of somebody else’s saved report', () => {
    // Without a team of his own, Noah would be told so in place of an answer.
    let service: RunningReportingService | undefined;
    afterAll(() => service?.stop());
    const work = testWorkspace(() => ({
      mode,
      environment: { ROLLCALL_ADMINS: 'U00ADA0001', DEFAULT_ACCESS: 'team' },
      async service() {
        service = await startReportingService({ learners: 120, cast });
        return service;
      },
    }));
    const say = (who: string, words: string, channel: string, wanted: (message: SeenMessage) => boolean) =>
      newIn(work(), channel, () => work().slack.as(who).command(words, channel), wanted, soon);
    const hidden = 'Somebody else chose the people in its filters';

    it('stay masked for whoever runs it, and cannot be copied, saved, changed or scheduled', async () => {
      const { slack } = work();
      const noah = slack.as('noah');
      await say('ada', `/report save Zzmarked: engagement 2025-01 email:${mark}`, '#learning', (message) =>
        message.says('Saved'),
      );
      const list = await say(
        'noah',
        '/report list',
        '#learning',
        (message) => isPrivate(message) && message.says('Zzmarked'),
      );
      expect(list.words).toContain('email:…');

      // The refusal is a message, or in the form where Slack was slow.
      const hiddenSeen = () => {
        const { slack: there } = work();
        const messages = ['#learning', '@noah'].flatMap((channel) => there.messages(channel));
        const modals = noah.modals().map(({ content }) => JSON.stringify(content));
        const texts = [...messages.map(({ words }) => words), ...modals];
        return texts.join('\n').split(hidden).length - 1;
      };
      const refused = async (where: SeenMessage, button: string) => {
        const before = hiddenSeen();
        await noah.click(where, button);
        await work().slack.waitFor(() => hiddenSeen() > before, soon, `a refusal of ${button}`);
        while (noah.modals().length > 0) await noah.close(true);
      };
      await refused(list, 'Duplicate');

      const scheduled = await say('noah', '/report schedule Zzmarked daily 09:00', '#learning', isPrivate);
      expect(scheduled.words).toContain(hidden);

      await newIn(
        work(),
        '@noah',
        () => noah.command('/report Zzmarked', '#learning'),
        isSummary('Engagement'),
        soon,
      );
      noah.openHome();
      await noah.waitForHome((view) => wordsIn(view.content.blocks).join(' ').includes('Zzmarked'));
      const own = await newIn(
        work(),
        '@noah',
        () => noah.click('home', savedActions.run),
        isSummary('Engagement'),
        soon,
      );
      expect(own.words).toContain('email:…');
      for (const button of ['Change', 'Save', 'Schedule']) await refused(own, button);
      const file = await newIn(
        work(),
        '@noah',
        () => noah.click(own, 'CSV'),
        ({ files }) => files.length > 0,
        soon,
      );
      expect(file.words).not.toContain(mark);

      await slack.settled();
      const seen = ['#learning', '@noah']
        .flatMap((channel) => slack.messages(channel))
        .filter(({ visibleTo }) => visibleTo !== 'U00ADA0001')
        .map(({ words }) => words);
      expect(seen.join('\n')).not.toContain(mark);
      const home = await noah.waitForHome();
      expect(JSON.stringify(home.content)).not.toContain(mark);
      // Ada wrote it, and may do all of it.
      const hers = await say(
        'ada',
        '/report list',
        '#learning',
        (message) => message.visibleTo === 'U00ADA0001',
      );
      expect(hers.words).toContain(mark);
    }, 120_000);
  });

  describe('the approval of a channel', () => {
    const work = testWorkspace(() => ({
      mode,
      environment: {
        ROLLCALL_ADMINS: 'U00ADA0001',
        DEFAULT_ACCESS: 'everything',
        PERSON_LEVEL_CHANNELS: 'C00SALES01',
      },
    }));

    it('is asked for the channel of the button alone, with the guests in it', async () => {
      const { slack } = work();
      const noah = slack.as('noah');
      const offered = await newIn(
        work(),
        '#learning',
        () => noah.command('/report engagement last-week csv', '#learning'),
        (message) => message.says('Ask to allow it here'),
        soon,
      );
      const stored = slack.workspace.messages.get(offered.channel)?.get(offered.ts);
      const blocks = JSON.stringify(stored?.blocks).replaceAll('C00LEARN01', 'C00PEOPL01');
      Object.assign(stored ?? {}, { blocks: JSON.parse(blocks) });
      const asked = await newIn(
        work(),
        '@ada',
        () => noah.click(offered, 'Ask to allow it here'),
        (message) => message.says('asks to allow'),
        soon,
      );
      expect(asked.text).toContain('<#C00LEARN01>');
      expect(JSON.stringify(asked.blocks)).not.toContain('C00PEOPL01');
      expect(asked.words).toContain('There is 1 guest in it. Everybody in this workspace may join it.');
    }, 60_000);

    it('is not said to be revoked where the setting goes on to allow it', async () => {
      const { slack } = work();
      const ada = slack.as('ada');
      const page = await newIn(
        work(),
        '#sales',
        () => ada.command('/report access', '#sales'),
        (message) => message.says('They may be posted here.'),
        soon,
      );
      const stored = slack.workspace.messages.get(page.channel)?.get(page.ts);
      const button = {
        type: 'button',
        action_id: accessActions.revoke,
        text: { type: 'plain_text', text: 'Forged' },
        value: 'C00SALES01',
      };
      Object.assign(stored ?? {}, { blocks: [{ type: 'actions', block_id: 'forged', elements: [button] }] });
      const told = await newIn(work(), '#sales', () => ada.click(page, 'Forged'), isPrivate, soon);
      expect(told.words).toContain('still allowed');
      expect(told.words).toContain('PERSON_LEVEL_CHANNELS');
    }, 60_000);
  });
});
