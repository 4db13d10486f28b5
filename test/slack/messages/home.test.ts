import { describe, expect, it } from 'vitest';
import { wordsIn } from '../../../playground/slack/server/script/find.js';
import { validateView } from '../../../playground/slack/server/validator/validate.js';
import { parseCommand } from '../../../src/requests/parse-command.js';
import type { ResolvedRange } from '../../../src/requests/request.js';
import { homeView } from '../../../src/slack/home/home.js';
import type { HomeFacts } from '../../../src/slack/home/home-facts.js';
import type { RequestLogEntry } from '../../../src/store/requests/request-log.js';

/** Wednesday. */
const now = Date.parse('2026-11-25T08:30:00Z');
const hour = 3_600_000;
const reader = {
  user: 'U1',
  zone: 'Europe/Berlin',
  seesPeople: true,
  mayChange: () => true,
  offeredTo: () => undefined,
};

const week = (firstDay: string): ResolvedRange => {
  const from = Date.parse(`${firstDay}T00:00:00+01:00`) / 1000;
  const until = from + 7 * 86_400;
  return { words: 'this-week', zone: reader.zone, from, until, firstDay, lastDay: firstDay };
};
const thisWeek = week('2026-11-23');
const nextWeek = week('2026-11-30');

function run(
  words: string,
  rows: number | undefined,
  changes: Partial<RequestLogEntry> = {},
): RequestLogEntry {
  const command = parseCommand(words, { savedNames: [] });
  if (!command.ok || command.value.kind !== 'run') throw new Error(words);
  return {
    id: words,
    post: words,
    channel: 'D1',
    asker: 'U1',
    request: command.value.request,
    requestedAt: now - hour,
    state: 'posted',
    rows,
    ...changes,
  } as RequestLogEntry;
}

const empty: HomeFacts = {
  dueItems: 'own',
  ranAt: undefined,
  mine: [],
  others: [],
  runs: [],
  digests: [],
  deleted: undefined,
  declined: [],
  record: {
    owner: { account: 'U1', addresses: [], wanted: [] },
    entries: [],
    next: undefined,
    namesFrom: undefined,
    names: new Map(),
  },
  overview: undefined,
  now,
};

function homeOf(newest: readonly RequestLogEntry[], facts: Partial<HomeFacts> = {}): string {
  const view = homeView({ ...empty, runs: [...newest], ...facts }, reader);
  expect(validateView(view)).toEqual([]);
  return wordsIn(view.blocks).join('\n');
}

const noCount = 'No count of the last 24 hours.';

describe('the counts on Home', () => {
  const overdue = run('overdue email:me', 3);
  const due = run('due this-week email:me', 2, { range: thisWeek });

  it('are those of answers of the last day, with their time', () => {
    expect(homeOf([due, overdue])).toContain('3 overdue, 2 due this week, as of 08:30.');
    const next = run('due next-week email:me', 0, { range: nextWeek });
    expect(homeOf([due, overdue, next])).toContain('3 overdue, 2 due this week, 0 due next week, as of');
  });

  it('have a time each where the times differ, and the day where it is another', () => {
    const earlier = { ...overdue, requestedAt: now - 20 * hour };
    expect(homeOf([due, earlier])).toContain(
      '3 overdue (as of Tue 24 Nov, 13:30), 2 due this week (as of 08:30).',
    );
  });

  it('are the newest, whatever the columns, the order or the place', () => {
    const newer = run('overdue email:me rows fields:content_title to:me', 4, { channel: 'C1' });
    expect(homeOf([newer, overdue])).toContain('4 overdue, as of 08:30.');
  });

  it('are of the team where its rows were asked for', () => {
    const team = run('overdue manager_email:me', 14);
    const words = homeOf([team], { dueItems: 'team-and-own' });
    expect(words).toContain('14 overdue, as of 08:30.');
    expect(words.indexOf('14 overdue')).toBeLessThan(words.indexOf('My assignments'));
    expect(homeOf([team])).not.toContain('14 overdue');
  });

  it.each([
    ['a day old', { requestedAt: now - 24 * hour - 1 }],
    ['not posted', { state: 'failed' as const }],
    ['without a number, because too few people match', { rows: undefined }],
    ['of filters that somebody else chose', { choseFilters: false }],
  ])('leave out an answer that is %s', (_, changes) => {
    expect(homeOf([{ ...overdue, ...changes }])).toContain(noCount);
  });

  it.each([
    ['overdue', 'others'],
    ['overdue email:me departments:Sales', 'fewer rows'],
    ['overdue last-week email:me', 'other dates'],
    ['overdue email:me csv', 'a file'],
    ['assignments email:me', 'another report'],
  ])('leave out /report %s, which is about %s', (words) => {
    expect(homeOf([run(words, 9)])).toContain(noCount);
  });

  it('of a week end with the week', () => {
    const sunday = Date.parse('2026-11-29T22:59:00Z');
    const both = [
      { ...due, requestedAt: sunday - hour },
      run('due next-week email:me', 5, { range: nextWeek, requestedAt: sunday - hour }),
    ];
    expect(homeOf(both, { now: sunday })).toContain('2 due this week, 5 due next week, as of');
    expect(homeOf(both, { now: sunday + 2 * 60_000 })).toContain(noCount);
  });
});

describe('after a press on Home', () => {
  const ranAt = now - 60_000;
  const link = 'https://x.example/archives/D1/p1';
  const message = { channel: 'D1', ts: '1.1', link };

  it('it says where the answer went, with a link', () => {
    const done = run('overdue email:me', 3, { requestedAt: now, message });
    expect(homeOf([done], { ranAt })).toContain('Your answer is in the Messages tab.');
    const view = homeView({ ...empty, ranAt, runs: [done] }, reader);
    expect(JSON.stringify(view.blocks.slice(0, 5))).toContain(link);
  });

  it('it says that the report runs, or that the reply is there', () => {
    const running = run('overdue email:me', undefined, { requestedAt: now, state: 'running' });
    expect(homeOf([running], { ranAt })).toContain('Its answer comes to the Messages tab.');
    expect(homeOf([], { ranAt })).toContain('The reply to your press is in the Messages tab.');
    const failed = { ...running, state: 'failed' as const };
    expect(homeOf([failed], { ranAt })).toContain('The reply to your press is in the Messages tab.');
  });

  it('it is silent about older presses, and answers elsewhere are none', () => {
    expect(homeOf([], { ranAt: now - 11 * 60_000 })).not.toContain('your press');
    const elsewhere = run('overdue', 3, { requestedAt: now, channel: 'C1' });
    expect(homeOf([elsewhere], { ranAt })).not.toContain('Your answer is');
  });
});
