import { describe, expect, it } from 'vitest';
import { allReports, fieldOf, reportNamed } from '../../src/catalogue/index.js';
import { plainRequest } from '../../src/requests/request.js';
import { suggestionListsIn } from '../../src/runner/queries.js';
import { suggestionListsFor, suggestionsFromRequest } from '../../src/runner/suggestions.js';

const everyMember = allReports.flatMap((report) =>
  report.filters.flatMap((object) => object.members.map((member) => ({ report, object, member }))),
);

describe('where the values of filters are held', () => {
  it('is in fields that there are, none of which is about people', () => {
    for (const { member } of everyMember) {
      for (const { field, member: nested, title } of member.valueSources ?? []) {
        const fields = allReports.flatMap((report) => fieldOf(report, field) ?? []);
        expect(fields.length, field).toBeGreaterThan(0);
        expect(fields.every(({ personLevel }) => !personLevel)).toBe(true);
        if (nested === undefined && title !== undefined) {
          const titles = allReports.flatMap((report) => fieldOf(report, title) ?? []);
          expect(titles.length, title).toBeGreaterThan(0);
          expect(titles.every(({ personLevel }) => !personLevel)).toBe(true);
        }
      }
    }
  });

  it('is nowhere for filters that name or reach people', () => {
    for (const { member } of everyMember.filter(({ member: { personLevel } }) => personLevel)) {
      expect(member.valueSources).toBeUndefined();
      expect(suggestionListsFor(member)).toEqual([]);
    }
  });

  it('is known for every filter of names and for contents', () => {
    const without = everyMember
      .filter(
        ({ member }) =>
          !member.personLevel && member.kind !== 'yes-no' && suggestionListsFor(member).length === 0,
      )
      .map(({ object, member }) => `${object.prefix}.${member.name}`);
    expect([...new Set(without)]).toEqual(['assignment.assignment_id']);
  });
});

describe('the lists in an answer', () => {
  it('are those whose fields were asked for', () => {
    const lists = (name: 'engagement' | 'tracks' | 'completions', fields: string[]) =>
      suggestionListsIn(reportNamed(name), fields).map(({ list }) => list);
    expect(lists('engagement', ['departments', 'email', 'views'])).toEqual(['departments']);
    expect(lists('tracks', ['track_id', 'track_title', 'grade'])).toEqual(['grade', 'track_id']);
    expect(lists('completions', ['content', 'journey'])).toEqual([
      'content.type',
      'content.id',
      'journey.id',
    ]);
    expect(lists('engagement', ['track_id'])).toEqual([]);
  });
});

describe('what a request was narrowed to', () => {
  const request = {
    ...plainRequest('tracks'),
    filters: [
      { object: 'user_filter', member: 'departments', entries: ['Sales', 'Support'] },
      { object: 'user_filter', member: 'manager_email', entries: ['ada@example.com'] },
      { object: 'track_filter', member: 'categories', entries: ['Safety'] },
      { object: 'track_filter', member: 'archived', entries: ['false'] },
      { object: 'track_filter', member: 'content_id', entries: ['0123456789abcdef01234567'] },
    ],
  };

  it('is there when something was found, and it was alone in its filter', () => {
    expect(suggestionsFromRequest(request, { records: 3, people: 2 })).toEqual([
      { list: 'categories', entry: 'Safety', people: 2 },
    ]);
    expect(suggestionsFromRequest(request, { records: 0 })).toEqual([]);
  });
});
