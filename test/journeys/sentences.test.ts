import { beforeAll, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { isBuilder } from './building.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, isSummary, newIn } from './watching.js';

const work = testWorkspace(() => ({ environment: { PERSON_LEVEL_CHANNELS: 'C00LEARN01' } }));

const ada = () => work().slack.as('ada');
const says = (part: string) => (message: SeenMessage) => message.words.includes(part);

function typed(sentence: string, channel = '#learning') {
  return newIn(work(), channel, () => ada().command(`/report ${sentence}`, channel), isPrivate);
}

/** How many messages everybody sees. */
const postCount = () =>
  work()
    .slack.messages('#learning')
    .filter(({ visibleTo }) => visibleTo === undefined).length;

describe('sentences after /report', () => {
  // Known departments and titles come from answers.
  beforeAll(async () => {
    const commands = ['assignments fields:departments,content_title csv', 'engagement'];
    for (const command of commands) {
      const title = command.startsWith('engagement') ? 'Engagement' : 'Assignments';
      await newIn(work(), '@ada', async () => ada().message(command, '@ada'), isSummary(title));
    }
  });

  it('are shown as the command that they read as, and run when Run is pressed', async () => {
    const posts = postCount();
    const reply = await typed('what’s overdue in Sales, please?');
    expect(reply.words).toContain('I read: /report overdue departments:Sales');
    expect(reply.visibleTo).toBe('U00ADA0001');
    expect(postCount()).toBe(posts);
    const summary = await newIn(work(), '#learning', () => ada().click(reply, 'Run'), isSummary('Overdue'));
    expect(summary.words).toContain('departments:Sales');
  });

  it('open the form with Change', async () => {
    const reply = await typed('engagement in Sales last month by team');
    await ada().click(reply, 'Change');
    const view = await ada().waitForModal(isBuilder);
    const chosen = JSON.stringify(view.state);
    for (const value of ['engagement', 'last-month', 'Sales', 'teams'])
      expect(chosen).toContain(`"${value}"`);
  });

  it('with two readings have a button for each', async () => {
    const reply = await typed('completions since 03/04/2026');
    expect(reply.words).toContain('/report completions since:2026-04-03');
    expect(reply.words).toContain('/report completions since:2026-03-04');
  });

  it('with a word that has no place name it and run nothing', async () => {
    const posts = postCount();
    const reply = await typed('engagement in Atlantis');
    expect(reply.words).toContain('“Atlantis”');
    expect(reply.words).toContain('/report engagement');
    expect((await typed('wer hat die Schulung noch nicht gemacht')).words).toContain(
      'Rollcall reads English',
    );
    expect(postCount()).toBe(posts);
  });

  it('schedule with a preview', async () => {
    const reply = await typed('overdue in Sales every monday at 9');
    expect(reply.words).toContain('/report schedule overdue departments:Sales weekly mon 9');
    const preview = await newIn(work(), '#learning', () => ada().click(reply, 'Run'), says('Confirm'));
    expect(preview.words).toContain('every Monday at 09:00');
  });

  it('with one misspelt word get the word quoted', async () => {
    expect((await typed('assignment last-week')).words).toContain('“assignment”');
    expect((await typed('engagement lst-week')).words).toContain('“lst-week”');
  });
});

describe('sentences elsewhere', () => {
  it('are read in direct messages and after a mention', async () => {
    const direct = await newIn(
      work(),
      '@ada',
      async () => ada().message('who in my team hasn’t finished their training', '@ada'),
      says('I read'),
    );
    expect(direct.words).toContain('/report assignments only:not-completed manager_email:me rows');
    const mentioned = await newIn(
      work(),
      '#learning',
      async () => ada().message('@rollcall compare departments this quarter', '#learning'),
      says('I read'),
    );
    expect(mentioned.words).toContain('/report engagement this-quarter by:departments');
    expect(mentioned.visibleTo).toBe('U00ADA0001');
  });

  it('take what they do not say from the answer above, in its thread', async () => {
    const summary = await newIn(
      work(),
      '#learning',
      () => ada().command('/report engagement last-week departments:Sales', '#learning'),
      isSummary('Engagement'),
    );
    const inThread = (sentence: string) =>
      newIn(
        work(),
        '#learning',
        async () => ada().message(`@rollcall ${sentence}`, '#learning', summary.ts),
        isPrivate,
      );
    const reply = await inThread('and last month?');
    expect(reply.words).toContain('I read: /report engagement last-month departments:Sales');
    const next = await newIn(work(), '#learning', () => ada().click(reply, 'Run'), isSummary('Engagement'));
    expect(next.threadTs).toBe(summary.ts);
    // The latest answer counts, and a sentence that names a report takes nothing.
    expect((await inThread('by team')).words).toContain(
      '/report engagement last-month departments:Sales by:teams',
    );
    expect((await inThread('overdue by team please')).words).toContain('I read: /report overdue by:teams');
  });

  it('take nothing from an answer that was deleted, and say so', async () => {
    const { slack } = work();
    const start = ada().message('How was yesterday?', '#learning');
    const answer = await newIn(
      work(),
      '#learning',
      async () => ada().message('@rollcall engagement yesterday', '#learning', start.ts),
      isSummary('Engagement'),
    );
    await fetch(`${slack.apiUrl}chat.delete`, {
      method: 'POST',
      headers: { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ channel: 'C00LEARN01', ts: answer.ts }),
    });
    const reply = await newIn(
      work(),
      '#learning',
      async () => ada().message('@rollcall by team', '#learning', start.ts),
      isPrivate,
    );
    expect(reply.words).toContain('The answer above was deleted');
    expect(reply.words).toContain('which report');
  });
});

it('made no payload that Slack would refuse', () => {
  const asked = ['conversations.info', 'chat.getPermalink'];
  const refused = work().slack.refusals;
  expect(refused.filter(({ method }) => !asked.includes(method))).toEqual([]);
});
