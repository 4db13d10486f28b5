import { describe, expect, it } from 'vitest';
import { type Scope, unlimitedScope } from '../../src/access/scope.js';
import { startCounting } from '../../src/figures/reports/count-report.js';
import { AnswerStream } from '../../src/reporting-api/answer/read-answer.js';
import { plainRequest, type ReportRequest, type TitleChoice } from '../../src/requests/request.js';
import { foldText } from '../../src/requests/text.js';
import {
  type CompletionParts,
  completeRequest,
  type FindTitles,
  findTitlesInService,
  needsCompletion,
  withChosenTitle,
  withCorrectedEntries,
} from '../../src/runner/complete-request.js';
import type { Query, ReadPlan, ReportSource, SuggestionSource } from '../../src/runner/ports.js';
import type { Suggestion } from '../../src/runner/suggestions.js';

const content = (text: string, id?: string): TitleChoice => ({ option: 'content', text, id });

function assignments(more: Partial<ReportRequest>): ReportRequest {
  return { ...plainRequest('assignments'), ...more };
}

const departments = (...entries: string[]) =>
  assignments({ filters: [{ object: 'user_filter', member: 'departments', entries }] });

/** Known names, those of `secret` of one person. */
function knowing(values: readonly Suggestion[], secret: readonly Suggestion[] = []): CompletionParts {
  const all: SuggestionSource['all'] = async (lists, minPeople) =>
    [...values, ...secret.map((value) => ({ ...value, people: 1 }))].filter(
      ({ list, people }) => lists.includes(list) && people >= minPeople,
    );
  const suggestions: SuggestionSource = {
    all,
    ofEntries: async (lists, entries, minPeople) =>
      (await all(lists, minPeople)).filter(({ entry }) => entries.includes(entry)),
    find: async (lists, text, limit, minPeople) =>
      (await all(lists, minPeople))
        .filter(({ entry, title = '' }) => foldText(`${title} ${entry}`).includes(foldText(text)))
        .slice(0, limit),
  };
  return { suggestions };
}

const titled = (...titles: string[]): Suggestion[] =>
  titles.map((title, index) => ({ list: 'content_id', entry: `c${index + 1}`, title, people: 5 }));

function complete(request: ReportRequest, parts: CompletionParts, more: { findTitles?: FindTitles } = {}) {
  return completeRequest(request, { minPeople: 5, ...more }, parts);
}

describe('a title', () => {
  it('becomes the thing of recent answers that it names', async () => {
    const request = assignments({ titles: [content('gdpr b')] });
    const completion = await complete(request, knowing(titled('GDPR basics', 'Fire safety')));
    expect(completion).toEqual({
      kind: 'ready',
      request: { ...request, titles: [content('GDPR basics', 'c1')] },
    });
  });

  it('that is exact counts as one, though it is a part of others', async () => {
    const request = assignments({ titles: [content('GDPR')] });
    const completion = await complete(request, knowing(titled('GDPR basics', 'GDPR')));
    expect(completion).toMatchObject({ kind: 'ready', request: { titles: [{ id: 'c2' }] } });
  });

  it('that several things have is a choice, and the service is not asked', async () => {
    const request = assignments({ titles: [content('basics')] });
    const completion = await complete(request, knowing(titled('GDPR basics', 'Fire basics')), {
      findTitles: async () => expect.unreachable(),
    });
    expect(completion).toMatchObject({
      kind: 'title',
      choice: content('basics'),
      matches: { count: 2, found: [{ id: 'c2' }, { id: 'c1' }] },
    });
  });

  it('that no recent answer held is searched in the service, with the others of its kind', async () => {
    const request = assignments({ titles: [content('gdpr'), content('lifting'), content('fire')] });
    const asked: (readonly TitleChoice[])[] = [];
    const completion = await complete(request, knowing(titled('GDPR basics')), {
      findTitles: async (choices) => {
        asked.push(choices);
        return choices.map(({ text }) => ({
          found: [{ id: `s-${text}`, title: text.toUpperCase() }],
          count: 1,
          nearest: [],
        }));
      },
    });
    expect(asked).toEqual([[content('lifting'), content('fire')]]);
    expect(completion).toMatchObject({
      request: { titles: [{ id: 'c1' }, { id: 's-lifting', text: 'LIFTING' }, { id: 's-fire' }] },
    });
  });

  it('that nothing has comes with the nearest of both', async () => {
    const request = assignments({ titles: [content('gpdr')] });
    const nearest = [{ id: 's1', title: 'GDPR for all' }];
    const completion = await complete(request, knowing(titled('GDPR')), {
      findTitles: async () => [{ found: [], count: 0, nearest }],
    });
    expect(completion).toMatchObject({
      kind: 'title',
      matches: { count: 0, nearest: [{ title: 'GDPR' }, { title: 'GDPR for all' }] },
    });
  });

  it('that is found already is kept, and named once', async () => {
    const request = assignments({ titles: [content('GDPR basics', 'c1'), content('gdpr')] });
    expect(await complete(request, knowing(titled('GDPR basics')))).toMatchObject({
      request: { titles: [content('GDPR basics', 'c1')] },
    });
    expect(needsCompletion(assignments({ titles: [content('x', 'c1')] }))).toBe(false);
  });

  it('that few people have exists only for whoever may see all', async () => {
    const request = assignments({ titles: [content('secret')] });
    const parts = knowing([], titled('Secret plan'));
    const kindFor = async (minPeople: number) => (await completeRequest(request, { minPeople }, parts)).kind;
    expect(await kindFor(1)).toBe('ready');
    expect(await kindFor(2)).toBe('title');
  });

  it('is decided by a choice', () => {
    const request = assignments({ titles: [content('fire'), content('gdpr')] });
    const [, choice] = request.titles ?? [];
    if (!choice) throw new Error('There is no second title');
    expect(withChosenTitle(request, choice, { id: 'c9', title: 'GDPR' }).titles).toEqual([
      content('fire'),
      content('GDPR', 'c9'),
    ]);
  });
});

describe('an entry of a filter', () => {
  const parts = knowing(
    ['Sales', 'Field Operations', 'Support', 'L4'].map((entry) => ({
      list: 'departments',
      entry,
      people: 5,
    })),
    [{ list: 'departments', entry: 'Secret lab', people: 1 }],
  );
  const kindOf = async (request: ReportRequest) => (await complete(request, parts)).kind;

  it('that no answer has held is asked about if one has held a near one, all of them at once', async () => {
    const request = departments('Sale', 'Support', 'feild operations');
    const completion = await complete(request, parts);
    expect(completion).toEqual({
      kind: 'entries',
      misses: [
        { object: 'user_filter', member: 'departments', entry: 'Sale', near: 'Sales' },
        { object: 'user_filter', member: 'departments', entry: 'feild operations', near: 'Field Operations' },
      ],
    });
    if (completion.kind !== 'entries') return;
    expect(withCorrectedEntries(request, completion.misses)).toEqual(
      departments('Sales', 'Support', 'Field Operations'),
    );
  });

  it.each([['sales'], ['FIELD  operations'], ['Legal'], ['L5'], ['Secret lap'], ['x'.repeat(3_000)]])(
    'is taken as typed: %s',
    async (entry) => expect(await kindOf(departments(entry))).toBe('ready'),
  );

  it('is taken as typed where nothing is known, and where the asker says so', async () => {
    expect(await complete(departments('Sale'), knowing([]))).toMatchObject({ kind: 'ready' });
    const options = { minPeople: 5, asTyped: true } as const;
    expect(await completeRequest(departments('Sale'), options, parts)).toMatchObject({ kind: 'ready' });
  });

  it('is taken as typed where the operator lists it', async () => {
    const listed = { ...parts, isListed: (member: string) => member === 'departments' };
    expect(await complete(departments('Sale'), listed)).toMatchObject({ kind: 'ready' });
  });

  it('is not looked up if it is about a person, an identifier or a yes', async () => {
    const request = assignments({
      filters: [
        { object: 'user_filter', member: 'email', entries: ['ada@example.com'] },
        { object: 'user_filter', member: 'suspended', entries: ['true'] },
        { object: 'assignment_filter', member: 'content_id', entries: ['c'] },
      ],
    });
    expect(needsCompletion(request)).toBe(false);
  });

  it('comes before the titles, whose search it narrows', async () => {
    const request = { ...departments('Sale'), titles: [content('gdpr')] };
    expect(await kindOf(request)).toBe('entries');
  });
});

const requestedAt = Date.parse('2026-11-20T10:00:00Z');
const asker = { id: 'U1', zone: 'Europe/Berlin', email: 'ada@example.com' };

/** A service that answers every query with these records. */
function serviceWith(records: readonly object[]) {
  const asked: { query: Query; plan: ReadPlan }[] = [];
  const source: ReportSource = {
    async read(query, plan) {
      asked.push({ query, plan });
      const reading = new AnswerStream(plan, startCounting);
      await reading.beginAnswer();
      await reading.write(Buffer.from(JSON.stringify(records)));
      await reading.endAnswer();
      return reading.finish();
    },
  };
  return { source, asked };
}

function searchIn(
  request: ReportRequest,
  records: readonly object[],
  scope: Scope = unlimitedScope,
  who = asker,
  minPeople = 1,
) {
  const { source, asked } = serviceWith(records);
  const options = { asker: who, requestedAt, scope, minPeople, signal: new AbortController().signal };
  const found = findTitlesInService(request, request.titles ?? [], options, { source, weekStart: 'monday' });
  return {
    found: found.then(({ matches }) => matches),
    values: async () => (await found).values,
    asked,
  };
}

describe('the search for titles in the service', () => {
  it('asks for identifiers and titles alone, with the range and the filters of the request', async () => {
    const request = { ...departments('Sales'), range: 'last-week', titles: [content('gdpr')] };
    const { found, asked } = searchIn(request, [
      { content_id: 'c1', content_title: 'GDPR basics' },
      { content_id: 'c1', content_title: 'GDPR basics' },
      { content_id: 'c2', content_title: 'Fire' },
      { content_id: 'c3,c4', content_title: 'GDPR, two in one' },
      { content_id: null, content_title: 'GDPR' },
    ]);
    expect(await found).toEqual([{ found: [{ id: 'c1', title: 'GDPR basics' }], count: 1, nearest: [] }]);
    expect(asked.map(({ query }) => query)).toEqual([
      {
        operation: 'assignment-summary',
        range: {
          from: Date.parse('2026-11-08T23:00:00Z') / 1000,
          until: Date.parse('2026-11-15T23:00:00Z') / 1000,
        },
        addsUp: true,
        body: {
          content_id: true,
          content_title: true,
          user_filter: { departments: 'Sales' },
          range_target: 'assigned_date',
        },
      },
    ]);
  });

  it('reads every record, also of a long answer', async () => {
    const records = Array.from({ length: 5_000 }, (_, i) => ({
      content_id: `c${i}`,
      content_title: i === 4_321 ? 'Lifting' : `Lesson ${i}`,
    }));
    const { found } = searchIn(assignments({ titles: [content('lifting')] }), records);
    expect(await found).toMatchObject([{ found: [{ id: 'c4321' }] }]);
  });

  it('reads the titles of nested objects, each choice in its own place', async () => {
    const request: ReportRequest = {
      ...plainRequest('completions'),
      titles: [content('onboarding'), { option: 'track', text: 'onboarding' }],
    };
    const { found, asked } = searchIn(request, [
      { content: { id: 7, title: 'Onboarding day' }, track: { id: 't1', title: 'Onboarding track' } },
    ]);
    expect(await found).toMatchObject([{ found: [{ id: '7' }] }, { found: [{ id: 't1' }] }]);
    expect(asked[0]?.plan.fields).toEqual(['content', 'track']);
  });

  it('searches only what the asker may see, and trusts no filter', async () => {
    const team: Scope = { ...unlimitedScope, rows: 'team', address: 'ada@example.com' };
    const own = {
      content_id: 'c1',
      content_title: 'GDPR',
      email: 'b@x.com',
      manager_email: 'Ada@example.com',
    };
    const request = assignments({ titles: [content('gdpr')] });
    const { found, asked } = searchIn(request, [own], team);
    expect(await found).toMatchObject([{ count: 1 }]);
    expect(asked[0]?.query.body).toMatchObject({ user_filter: { manager_email: 'ada@example.com' } });
    const other = searchIn(request, [{ ...own, manager_email: 'eve@example.com' }], team);
    await expect(other.found).rejects.toMatchObject({ code: 'rows-outside-scope' });
  });

  it('refuses what the run would refuse', async () => {
    const titles = [content('gdpr')];
    const ahead = searchIn(assignments({ titles, range: '2027' }), []);
    await expect(ahead.found).rejects.toMatchObject({ code: 'range-refused' });
    const mine = assignments({
      titles,
      filters: [{ object: 'user_filter', member: 'manager_email', entries: ['me'] }],
    });
    await expect(
      searchIn(mine, [], unlimitedScope, { id: 'U1', zone: 'UTC', email: '' }).found,
    ).rejects.toMatchObject({ code: 'asker-has-no-address' });
  });

  it('gives what may be offered to others, unless the answer is limited', async () => {
    const record = { content_id: 'c1', content_title: 'GDPR', email: 'ada@example.com' };
    const request = assignments({ titles: [content('gdpr')] });
    const other = { ...record, content_id: 'c2', content_title: 'Fire' };
    const all = await searchIn(request, [record, other]).values();
    expect(all.map(({ list, entry, title }) => [list, entry, title])).toEqual(
      expect.arrayContaining([
        ['content_id', 'c1', 'GDPR'],
        ['content_id', 'c2', 'Fire'],
      ]),
    );
    const self: Scope = { ...unlimitedScope, rows: 'self', address: 'ada@example.com' };
    expect(await searchIn(request, [record], self).values()).toEqual([]);
  });

  it('finds nothing in an answer without records', async () => {
    const { found } = searchIn(assignments({ titles: [content('gdpr')] }), []);
    expect(await found).toEqual([{ found: [], count: 0, nearest: [] }]);
  });
});
