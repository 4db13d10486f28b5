import { describe, expect, it } from 'vitest';
import { commandActions } from '../../src/slack/messages/blocks.js';
import { fileActions } from '../../src/slack/messages/rows.js';
import { savedActions } from '../../src/slack/messages/saved-reports.js';
import type { Mode } from '../journeys/bot-process.js';
import { testWorkspace } from '../journeys/test-workspace.js';
import { isPrivate, isSummary, newIn } from '../journeys/watching.js';

/** As long as Slack allows a message. */
const slackMost = 40_000;
const units = [
  '"',
  ',',
  ':',
  '<',
  '<@',
  '<http://x|',
  '&amp;',
  'sales ',
  'departments:a,',
  '9 ',
  '_*',
  '2026-03-01 ',
  '\u0000',
  '😀',
];
const texts = units.map((unit) => `assignments ${unit.repeat(slackMost)}`.slice(0, slackMost));
const sentence = 'That text is too long: it may have 4,000 characters.';
const soon = 15_000;

describe.each<Mode>(['socket', 'http'])('with %s, a text of 40,000 characters', (mode) => {
  const work = testWorkspace(() => ({ mode }));

  it('gets one sentence as a command, and nothing of it is read', async () => {
    const { slack } = work();
    const noah = slack.as('noah');
    for (const text of texts) {
      const told = await newIn(
        work(),
        '#learning',
        () => noah.command(`/report ${text}`, '#learning'),
        isPrivate,
        soon,
      );
      expect(told.words).toContain(sentence);
      expect(told.words.length).toBeLessThan(300);
    }
    expect(slack.messages('#learning').filter(isPrivate)).toHaveLength(texts.length);
  }, 90_000);

  it('gets one sentence as a mention and as a direct message', async () => {
    const { slack } = work();
    const noah = slack.as('noah');
    for (const text of texts.slice(0, 4)) {
      const mentioned = await newIn(
        work(),
        '#learning',
        async () => noah.message(`@rollcall ${text}`.slice(0, slackMost), '#learning'),
        isPrivate,
        soon,
      );
      expect(mentioned.words).toContain(sentence);
      const direct = await newIn(
        work(),
        '@noah',
        async () => noah.message(text, '@noah'),
        ({ user }) => user !== noah.person.id,
        soon,
      );
      expect(direct.words).toContain(sentence);
    }
  }, 90_000);

  it('is refused in a form, under its input, and cut in a button', async () => {
    const { slack } = work();
    const noah = slack.as('noah');
    const answer = await newIn(
      work(),
      '#learning',
      () => noah.command('/report workshops', '#learning'),
      isSummary('Workshops'),
      soon,
    );
    await noah.click(answer, 'Save');
    const { id, content } = await noah.waitForModal();
    // Slack's own client takes 3,000, so this one is another.
    const value = 'x'.repeat(slackMost);
    const state = { values: { name: { name: { type: 'plain_text_input', value } } } };
    const { team } = slack.workspace.seed;
    const submitted = await slack.deliver('interactive', {
      type: 'view_submission',
      team: { id: team.id, domain: team.domain },
      user: { id: noah.person.id, team_id: team.id },
      view: { ...content, id, state },
    });
    expect(JSON.stringify(submitted)).toContain('That text is too long: it may have 3,000 characters.');
    await noah.close();

    const stored = slack.workspace.messages.get(answer.channel)?.get(answer.ts);
    const values = [`${'overdue '.repeat(5_000)}`, `departments:${'"a",'.repeat(10_000)}`];
    for (const action_id of [
      commandActions.runWords,
      commandActions.runAsTyped,
      commandActions.openBuilder,
      fileActions.csv,
      savedActions.run,
    ]) {
      for (const value of values) {
        const button = { type: 'button', action_id, text: { type: 'plain_text', text: 'Forged' }, value };
        Object.assign(stored ?? {}, {
          blocks: [{ type: 'actions', block_id: 'forged', elements: [button] }],
        });
        await noah.click(answer, 'Forged');
        await slack.settled();
        while (noah.modals().length > 0) await noah.close(true);
      }
    }
  }, 90_000);

  it('leaves others served, and a shorter text is read', async () => {
    const { slack, bot } = work();
    const ada = slack.as('ada');
    await newIn(
      work(),
      '#sales',
      () => ada.command('/report workshops', '#sales'),
      isSummary('Workshops'),
      soon,
    );
    const entries = Array.from({ length: 300 }, (_, index) => `Department${index}`).join(',');
    const long = `/report engagement last-week departments:${entries}`.slice(0, 3_900);
    await newIn(work(), '#sales', () => ada.command(long, '#sales'), isSummary('Engagement'), soon);
    // Nothing of the texts is in the log.
    expect(bot.stdout()).not.toMatch(/aaaa|xxxx|overdue overdue/);
    // The forms that the test closed may be drawn again afterwards.
    const isOfClosedForm = ({ method, error }: (typeof slack.refusals)[number]) =>
      method === 'views.update' && error === 'not_found';
    expect(slack.refusals.filter((refusal) => !isOfClosedForm(refusal))).toEqual([]);
  }, 60_000);
});
