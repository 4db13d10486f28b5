import { describe, expect, it } from 'vitest';
import { formatRequest } from '../../src/requests/parse-request.js';
import { slackManifest } from '../../src/slack/manifest.js';
import {
  chooseAndWait,
  has,
  isBuilder,
  lastRequest,
  makeLastRequest,
  openBuilder,
  standsIn,
  submitted,
} from './building.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, isSummary, newIn } from './watching.js';

const work = testWorkspace(() => ({
  slack: { manifest: slackManifest() },
  environment: { PERSON_LEVEL_CHANNELS: '*' },
}));

const ada = () => work().slack.as('ada');
const answers = (channel: string) =>
  work()
    .slack.messages(channel)
    .filter((message) => isSummary('Assignments')(message)).length;

describe('the ways into the builder', () => {
  it('the shortcut opens it in no conversation, so that the answer comes to the asker', async () => {
    await ada().shortcut('run_report');
    const view = await ada().waitForModal(isBuilder);
    expect(standsIn(view, 'where')).toEqual(['me']);
    expect(() => ada().fill({ where: 'here' })).toThrow('not offered');
    await newIn(work(), '@ada', () => ada().submit(), isSummary('Assignments'));
  });

  it('Change opens it filled with what an answer was asked with, also for somebody else', async () => {
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
    expect(standsIn(view, 'columns:engagement')).toEqual(['views', 'email', 'departments']);
    expect(standsIn(view, 'entries:user.grades')).toEqual(['7']);
    expect(standsIn(view, 'range-words')).toEqual(['2026-Q1']);
    const again = await submitted(work(), noah, '#learning');
    expect(lastRequest(work())).toEqual(before);
    expect(again.words).toContain(formatRequest(before));
    expect(again.words).toContain('<@U00NOAH001>');
  });

  it('Change says what of an old answer is not there any more, and leaves it out', async () => {
    const answer = await newIn(
      work(),
      '#learning',
      () => ada().command('/report engagement last-month', '#learning'),
      isSummary('Engagement'),
    );
    makeLastRequest(work(), { columns: ['shoe_size', 'email'], by: 'hat_size' });
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

  it('a mention or a direct message alone offers a button for it', async () => {
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

  it('words that are not understood offer it for their report', async () => {
    const reply = await newIn(
      work(),
      '#learning',
      () => ada().command('/report tracks departmentz:Sales', '#learning'),
      isPrivate,
    );
    await ada().click(reply, 'Open the form');
    await ada().waitForModal(has('columns:tracks'));
    await ada().close();
  });

  it.each([
    ['gil', '#learning', 'Guests cannot ask'],
    ['sofia', '#partner-academy', 'Only members of this workspace'],
  ])('stays shut for %s', async (name, channel, words) => {
    const who = work().slack.as(name);
    await who.command('/report', channel);
    const view = await who.waitForModal((shown) => JSON.stringify(shown.content).includes(words));
    expect(view.content.submit).toBeUndefined();
    await who.close();
  });
});

describe('where the answer goes', () => {
  it('is a channel that was chosen, if the bot is in it', async () => {
    await openBuilder(ada(), '#learning');
    await chooseAndWait(ada(), 'Send the answer to', 'channel', has('channel'));
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

  it.each(['#watercooler', 'D00ADANOAH'])('is a reply where the bot cannot enter: %s', async (channel) => {
    const view = await openBuilder(ada(), channel);
    expect(JSON.stringify(view.content)).toContain('I am not in this conversation');
    await newIn(work(), channel, () => ada().submit(), isSummary('Assignments'));
  });

  it('is the direct messages of whoever asks for that', async () => {
    await openBuilder(ada(), '#learning');
    await newIn(work(), '@ada', () => ada().submit({ where: 'me' }), isSummary('Assignments'));
    expect(lastRequest(work()).toMe).toBe(true);
  });
});
