import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cast } from '../../playground/people-to-try.js';
import { startReportingService } from '../../playground/reporting-service/reporting-service.js';
import { testWorkspace } from './test-workspace.js';
import { isPrivate, isSummary, newIn } from './watching.js';

let service: Awaited<ReturnType<typeof startReportingService>> | undefined;
afterAll(() => service?.stop());

// Nobody has asked anything before: names come from the daily look alone.
const work = testWorkspace(() => ({
  environment: {
    NAMES_DAILY: 'yes',
    PERSON_LEVEL_CHANNELS: 'C00LEARN01',
    SMALLEST_GROUP: '5',
    DEFAULT_ACCESS: 'totals',
    ROLLCALL_ADMINS: 'U00ADA0001',
  },
  service: async () => {
    service = await startReportingService({ learners: 400, cast });
    return service;
  },
}));

function typed(sentence: string, person = 'ada', channel = '#learning') {
  const ask = () => work().slack.as(person).command(`/report ${sentence}`, channel);
  return newIn(work(), channel, ask, (message) => message.words.includes('/report') || isPrivate(message));
}

async function pressed(sentence: string, title: string) {
  const reply = await typed(sentence);
  return newIn(work(), '#learning', () => work().slack.as('ada').click(reply, 'Run'), isSummary(title));
}

const asTrack = '/report tracks only:completed track:"Safe Online" rows';
const asAssignment = '/report assignments only:completed content:"Safe Online" rows';

describe('in the first second after a start', () => {
  it('a title that may be of a track is read as both, the track first once that is known', async () => {
    expect(work().bot.stdout()).not.toContain('Names were learned');
    const { words } = await typed('who finished Safe Online');
    expect(words).toContain(asTrack);
    expect(words).toContain(asAssignment);
    const isFirst = words.indexOf(asTrack) < words.indexOf(asAssignment);
    // On a slow machine, the titles of tracks may come later than the reply, which says so.
    expect(isFirst || words.includes('I am reading the titles of your reports for the first time')).toBe(
      true,
    );
  });
});

describe('on a fresh start', () => {
  beforeAll(async () => {
    for (const report of ['assignments', 'tracks', 'completions', 'assessments', 'workshops'])
      await work().bot.waitFor(new RegExp(`"report":"${report}"[^\\n]*Names were learned`));
  });

  it('a track that is assigned too is read as both, the track first', async () => {
    const { words } = await typed('who finished Safe Online');
    expect(words).toContain(asTrack);
    expect(words.indexOf(asAssignment)).toBeGreaterThan(words.indexOf(asTrack));
    expect(words).not.toContain('/report completions');
    expect(words).not.toContain('for the first time');
  });

  it.each([
    [
      'who has not started First Thirty Days',
      'tracks only:not-started track:"First Thirty Days" rows',
      'Tracks',
      'Track: First Thirty Days',
    ],
    [
      'who registered for Mindful Tuesdays',
      'workshops workshop:"Mindful Tuesdays 🧘" rows',
      'Workshops',
      'Workshop: Mindful Tuesdays 🧘',
    ],
    [
      'who in my team hasn’t done the GDPR training',
      'assignments only:not-completed content:"GDPR basics" manager_email:me rows',
      'Assignments',
      'Content: GDPR basics',
    ],
    [
      'who failed the security quiz',
      'assessments only:failed assessment:"Security Quiz" rows',
      'Assessments',
      'Assessment: Security Quiz',
    ],
  ])('%s: is asked of its report, which has the title', async (sentence, command, title, filter) => {
    expect((await typed(sentence)).words).toContain(`I read: /report ${command}`);
    expect((await pressed(sentence, title)).words).toContain(filter);
  });
});

describe('somebody is named', () => {
  it.each([
    ['overdue for @ada', 'overdue email:ada@example.com'],
    ['what has Priya Raman completed', 'completions email:priya@example.com'],
    ['overdue in Noah’s team', 'overdue manager_email:noah@example.com'],
  ])('%s: by the name in Slack', async (sentence, command) => {
    expect((await typed(sentence)).words).toContain(`I read: /report ${command}`);
  });

  it('and not found, or by who may not see others: the reply says what to type', async () => {
    expect((await typed('overdue for @Nora')).words).toContain('Type the email address instead of the name.');
    const refused = await typed('overdue for @ada', 'priya', '#general');
    expect(refused.words).toContain('You may see no records of other people.');
    expect(refused.words).not.toContain('ada@example.com');
  });
});

it('“only Sales” in a thread narrows the answer for whoever may ask for it', async () => {
  const { slack } = work();
  for (const [person, channel] of [
    ['ada', '#learning'],
    ['noah', '#learning'],
    ['priya', '#learning'],
  ] as const) {
    const summary = await newIn(
      work(),
      channel,
      () => slack.as(person).command('/report engagement last-month', channel),
      isSummary('Engagement'),
    );
    const reply = await newIn(
      work(),
      channel,
      async () => slack.as(person).message('@rollcall only Sales', channel, summary.ts),
      isPrivate,
    );
    expect(reply.words, person).toContain('I read: /report engagement last-month departments:Sales');
  }
});
