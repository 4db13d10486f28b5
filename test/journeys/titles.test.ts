import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../playground/slack/server/script/find.js';
import { chooseAndWait, has, lastRequest, openBuilder, requestsRun, submitted } from './building.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, newIn } from './watching.js';

const work = testWorkspace(() => ({
  environment: { PERSON_LEVEL_CHANNELS: '*' },
  dataOf: Date.parse('2026-11-20T12:00Z'),
}));

const ada = () => work().slack.as('ada');

function ask(command: string, until: (message: SeenMessage) => boolean, channel = '#learning') {
  return newIn(work(), channel, () => ada().command(command, channel), until);
}

const saying = (text: string) => (message: SeenMessage) =>
  !isPrivate(message) && message.words.includes(text);

describe('a request with a title', () => {
  it('that several things have is asked back, and runs with the one that is chosen', async () => {
    const question = await ask('/report assignments since:2025-01-01 content:"forklift" csv', isPrivate);
    expect(question.words).toContain('titles match “forklift”. Choose one.');
    expect(requestsRun(work())).toBe(0);
    expect(work().slack.messages('#learning').every(isPrivate)).toBe(true);
    const title = 'Forklift Handbook, 4th "Red" Edition';
    const answer = await newIn(
      work(),
      '#learning',
      () => ada().click(question, title),
      saying('/report assignments'),
    );
    expect(answer.words).toContain(title);
    expect(lastRequest(work())).toMatchObject({
      range: 'since:2025-01-01',
      file: 'csv',
      titles: [{ option: 'content', text: title, id: expect.stringMatching(/^[0-9a-f]{24}$/) }],
    });
    expect(work().slack.refusals).toEqual([]);
  });

  it('that matches nothing offers the nearest, also in a thread after a mention', async () => {
    const root = ada().message('Who read it?', '#learning');
    const question = await newIn(
      work(),
      '#learning',
      async () =>
        ada().message(
          '@rollcall assignments since:2025-01-01 content:"gerer le stresse"',
          '#learning',
          root.ts,
        ),
      isPrivate,
    );
    expect(question.threadTs).toBe(root.ts);
    expect(question.words).toContain('No content matches “gerer le stresse”.');
    expect(question.words).toContain('Gérer le stress à l’été');
  });

  it('is saved with the thing it names, and never asks again', async () => {
    await ask('/report save Phishing: assignments since:2025-01-01 content:"spot the phish"', isPrivate);
    const answer = await ask('/report Phishing', saying('/report Phishing'));
    expect(answer.words).toContain('Spot the Phish 🎣');
    expect(lastRequest(work()).titles).toMatchObject([{ text: 'Spot the Phish 🎣' }]);
  });

  it('is found while typing in the form, and narrows its rows with a state', async () => {
    await openBuilder(ada(), '#learning');
    await chooseAndWait(ada(), 'Range', 'words', has('range-words'));
    ada().fill({ 'range-words': 'since:2025-01-01' });
    const block = 'titles-content:assignments';
    const [offered] = await ada().options('modal', block, '日本語');
    expect(offered).toMatchObject({ text: { text: 'ビジネス日本語 入門' } });
    await submitted(work(), ada(), '#learning', {
      'states:assignments': ['not-completed'],
      [block]: [String(offered?.value)],
    });
    expect(lastRequest(work())).toMatchObject({
      states: ['not-completed'],
      titles: [{ option: 'content', text: 'ビジネス日本語 入門' }],
    });
  });
});

describe('an entry that no answer has held', () => {
  it('is asked about once an answer has held a near one, and runs as typed', async () => {
    await ask('/report engagement last-month', saying('/report engagement last-month'));
    const question = await ask('/report engagement departments:Sale', isPrivate);
    expect(question.words).toContain('Did you mean “Sales”?');
    const answer = await newIn(
      work(),
      '#learning',
      () => ada().click(question, 'Run it as typed'),
      saying('departments:Sale'),
    );
    expect(answer.words).not.toContain('departments:Sales');
    expect(lastRequest(work()).filters).toMatchObject([{ entries: ['Sale'] }]);
  });
});
