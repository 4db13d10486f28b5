import { describe, expect, it } from 'vitest';
import { type Level, levels } from '../../src/access/levels.js';
import {
  type Access,
  type DestinationKind,
  limitFilters,
  narrowedTo,
  rowCheckOf,
  rowIsAllowed,
  type Scope,
  scopeOf,
  summaryFits,
} from '../../src/access/scope.js';
import { allReports, memberOf, type ReportName, reportNamed } from '../../src/catalogue/index.js';
import { plainRequest, type ReportRequest } from '../../src/requests/request.js';
import { describeAccessRefusal } from '../../src/slack/messages/access-levels.js';

const address = 'Ada.Brandt@example.com';
const own = address.toLowerCase();
const released = new Set<string>();

function filterOf(member: string, ...entries: string[]): ReportRequest['filters'][number] {
  return { object: 'user_filter', member, entries };
}

function scopeFor(
  request: ReportRequest,
  access: Access,
  destination: DestinationKind,
  { me = access.address }: { me?: string | undefined } = {},
) {
  return scopeOf(request, access, { destination, released, smallestGroup: 5, me });
}

/** What a request asks for beyond totals, in the words of the contract. */
const subjects = {
  totals: {},
  'an open filter': { filters: [filterOf('departments', 'Sales')] },
  'a file': { file: 'csv' as const },
  columns: { columns: ['departments'] },
  rows: { showRows: true },
  'the own rows': { filters: [filterOf('email', 'me')] },
  'the own rows, with the address typed': {
    filters: [filterOf('email', 'ADA.brandt@example.com')],
    file: 'csv' as const,
  },
  'somebody else': { filters: [filterOf('email', 'bob@example.com')] },
  'the own rows and somebody else': { filters: [filterOf('email', 'me', 'bob@example.com')] },
  'the own team': { filters: [filterOf('manager_email', 'me')] },
  'another team': { filters: [filterOf('manager_email', 'bob@example.com')] },
  'the own team and another': { filters: [filterOf('manager_email', 'me', 'bob@example.com')] },
  'a name': { filters: [filterOf('last_name', 'Brandt')] },
  'a breakdown by person': { by: 'email' },
} as const satisfies Record<string, Partial<ReportRequest>>;

type SubjectName = keyof typeof subjects;

const subjectNames = Object.keys(subjects) as SubjectName[];

const wantsPeople = (subject: SubjectName) => subject !== 'totals' && subject !== 'an open filter';
const isSelf = (subject: SubjectName) =>
  subject === 'the own rows' || subject === 'the own rows, with the address typed';
const isOtherTeam = (subject: SubjectName) =>
  subject === 'another team' || subject === 'the own team and another';
/** Answered wholly in direct messages outside approved channels. */
const isPersonLevel = (subject: SubjectName) =>
  wantsPeople(subject) && !['a file', 'columns', 'rows'].includes(subject);

/** Section 7 of the contract, written down a second time: rows that may be read, or a refusal. */
function expectedRows(level: string, subject: SubjectName, hasAddress: boolean): Scope['rows'] | 'refused' {
  if (level === 'nothing') return 'refused';
  if (level === 'everything' || !wantsPeople(subject)) return 'all';
  if (!hasAddress) return 'refused';
  if (isSelf(subject)) return 'self';
  if (level === 'totals' || isOtherTeam(subject)) return 'refused';
  return 'team';
}

const withLearners = allReports.filter(({ name }) => name !== 'workshops');

describe.each(withLearners.map(({ name }) => name))('%s', (report) => {
  it.each(levels)('at the level %s, for every subject, place and address', (level) => {
    for (const subject of subjectNames) {
      for (const place of ['direct', 'approved', 'other'] as const) {
        for (const hasAddress of [true, false]) expectScope(report, level, subject, place, hasAddress);
      }
    }
  });
});

function expectScope(
  report: ReportName,
  level: Level,
  subject: SubjectName,
  destination: DestinationKind,
  hasAddress: boolean,
): void {
  const named = `${subject}, ${destination}, ${hasAddress ? 'with' : 'without'} an address`;
  const request: ReportRequest = { ...plainRequest(report), ...subjects[subject] };
  const result = scopeFor(request, { level, address: hasAddress ? address : undefined }, destination);
  const rows = expectedRows(level, subject, hasAddress);
  expect(result.ok ? result.value.rows : 'refused', named).toBe(rows);
  if (!result.ok) return;
  const onlyDirect = level === 'totals' && rows === 'self';
  const goesDirect =
    destination === 'direct' || onlyDirect || (destination === 'other' && isPersonLevel(subject));
  const readsTotals = rows === 'all' && level !== 'everything';
  const isOpenChannel = destination === 'other' && !goesDirect;
  const isOwn = subject === 'the own rows' || subject === 'the own rows, with the address typed';
  const asksForOwn = level === 'everything' && isOwn && hasAddress ? (true as const) : undefined;
  expect(result.value, named).toEqual({
    rows,
    asksForOwn,
    address: rows === 'all' && !asksForOwn ? undefined : own,
    smallestGroup: rows !== 'self' && (readsTotals || isOpenChannel) ? 5 : 1,
    namesPeople: goesDirect && !readsTotals,
    onlyDirect,
  });
}

describe('workshops', () => {
  const hosts = {
    filters: [{ object: 'workshop_filter', member: 'host_email', entries: ['x@example.com'] }],
  };

  it.each(['everything', 'team'] as const)('have no learners, so %s may ask all of them', (level) => {
    for (const more of [{}, { file: 'csv' as const }, hosts]) {
      const result = scopeFor({ ...plainRequest('workshops'), ...more }, { level }, 'direct');
      expect(result).toMatchObject({ ok: true, value: { rows: 'all', smallestGroup: 1 } });
    }
  });

  it('give no file to those who see totals', () => {
    expect(
      scopeFor(
        { ...plainRequest('workshops'), file: 'csv' as const },
        { level: 'totals', address },
        'direct',
      ),
    ).toMatchObject({
      refusal: { kind: 'totals-only', wants: ['file'] },
    });
  });

  it('protect no small groups in any channel', () => {
    for (const level of ['everything', 'team', 'totals'] as const) {
      expect(scopeFor(plainRequest('workshops'), { level, address }, 'other')).toMatchObject({
        value: { smallestGroup: 1 },
      });
    }
  });
});

describe('a refusal', () => {
  it('names what the request wants', () => {
    const access = { level: 'totals', address } as const;
    const wants = (more: Partial<ReportRequest>) => {
      const result = scopeFor({ ...plainRequest('tracks'), ...more }, access, 'direct');
      return !result.ok && result.refusal.kind === 'totals-only' ? result.refusal.wants : undefined;
    };
    expect(wants({ by: 'email' })).toEqual(['breakdown']);
    expect(wants({ filters: [filterOf('last_name', 'X')] })).toEqual(['filter']);
    expect(wants({ columns: ['email'] })).toEqual(['columns']);
    expect(wants({ file: 'csv' })).toEqual(['file']);
    expect(wants({ showRows: true })).toEqual(['rows']);
    expect(
      wants({ by: 'email', filters: [filterOf('email', 'X')], columns: ['email'], file: 'csv' as const }),
    ).toEqual(['filter', 'breakdown', 'columns', 'file']);
  });

  it('says where an address is missing', () => {
    const request = { ...plainRequest('tracks'), file: 'csv' as const };
    expect(scopeFor(request, { level: 'team' }, 'direct')).toMatchObject({ refusal: { noAddress: true } });
    expect(scopeFor(request, { level: 'totals' }, 'direct')).toMatchObject({ refusal: { noAddress: false } });
  });
});

/** What the reader types next, who does what the sentence says. */
function followed(sentence: string, request: ReportRequest): readonly ReportRequest[] {
  const report = reportNamed(request.report);
  const open = request.filters.filter((filter) => memberOf(report, filter)?.member.personLevel === false);
  const suggested: ReportRequest[] = [];
  const leaveOut = /so leave out ([^.]+)\./.exec(sentence)?.[1];
  if (leaveOut !== undefined || sentence.includes('ask for totals')) {
    const without = (words: string) => leaveOut === undefined || leaveOut.includes(words);
    suggested.push({
      ...request,
      filters: without('filter on people') ? open : request.filters,
      by: without('the breakdown by person') ? undefined : request.by,
      columns: without('the columns') ? undefined : request.columns,
      showRows: without('the rows') ? undefined : request.showRows,
      file: without('the file') ? undefined : request.file,
    });
  }
  if (sentence.includes('add email:me')) {
    suggested.push({ ...request, filters: [...request.filters, filterOf('email', 'me')] });
  }
  if (sentence.includes('type email:me as the only filter on people')) {
    suggested.push({ ...request, filters: [...open, filterOf('email', 'me')] });
  }
  if (sentence.includes('type manager_email:me')) {
    const others = request.filters.filter(({ member }) => member !== 'manager_email');
    suggested.push({ ...request, filters: [...others, filterOf('manager_email', 'me')] });
  }
  return suggested;
}

/** Every way to ask for more than totals, alone and together. */
const wishes: readonly Partial<ReportRequest>[] = [
  undefined,
  [filterOf('manager_email', 'me')],
  [filterOf('manager_email', 'bob@example.com'), filterOf('departments', 'Sales')],
  [filterOf('email', 'bob@example.com')],
  [filterOf('email', 'me', 'bob@example.com'), filterOf('last_name', 'Brandt')],
].flatMap((filters = []) =>
  [undefined, 'email'].flatMap((by) =>
    [undefined, ['departments']].flatMap((columns) =>
      [{}, { file: 'csv' as const }, { showRows: true as const }].map((rows) => ({
        filters,
        by,
        columns,
        ...rows,
      })),
    ),
  ),
);

describe('what a refusal suggests', () => {
  const allowedAt = (level: Level, own: string | undefined, request: ReportRequest) =>
    scopeFor(request, { level, address: own }, 'direct', { me: own });

  it.each(withLearners.map(({ name }) => name))('is allowed in %s', (report) => {
    let suggestions = 0;
    for (const level of levels) {
      for (const own of [address, undefined]) {
        for (const wish of wishes) {
          const request = { ...plainRequest(report), ...wish };
          const result = allowedAt(level, own, request);
          if (result.ok || result.refusal.kind === 'nothing') continue;
          const sentence = describeAccessRefusal(result.refusal);
          const typed = followed(sentence, request);
          const named = `${level}, ${own ?? 'no address'}, ${JSON.stringify(wish)}: ${sentence}`;
          expect(typed.length, named).toBe(result.refusal.kind === 'totals-only' && own ? 2 : 1);
          for (const next of typed) {
            expect(allowedAt(level, own, next), `${named} ${JSON.stringify(next)}`).toMatchObject({
              ok: true,
            });
            const forSelf = next.filters.some(({ member }) => member === 'email');
            const isPointless = forSelf && next.filters.some(({ member }) => member === 'manager_email');
            expect(isPointless && result.refusal.kind === 'totals-only', named).toBe(false);
          }
          suggestions += typed.length;
        }
      }
    }
    expect(suggestions).toBeGreaterThan(100);
  });

  it('is allowed for workshops, which have no learners', () => {
    const report = reportNamed('workshops');
    const hosts = [{ object: 'workshop_filter', member: 'host_email', entries: ['x@example.com'] }];
    for (const own of [address, undefined]) {
      for (const wish of [
        { file: 'csv' as const },
        { filters: hosts },
        { filters: hosts, columns: ['workshop_title'] },
      ]) {
        const request = { ...plainRequest(report.name), ...wish };
        const result = allowedAt('totals', own, request);
        if (result.ok) throw new Error('It was not refused');
        const sentence = describeAccessRefusal(result.refusal);
        expect(sentence).not.toContain('email:me');
        const typed = followed(sentence, request);
        expect(typed.map((next) => allowedAt('totals', own, next).ok)).toEqual([true]);
      }
    }
  });
});

describe('me in a request of somebody else', () => {
  it('is that person, and not the reader', () => {
    const request = { ...plainRequest('tracks'), filters: [filterOf('manager_email', 'me')] };
    const reader = { level: 'team', address } as const;
    expect(scopeFor(request, reader, 'direct', { me: 'bob@example.com' })).toMatchObject({
      refusal: { kind: 'other-team' },
    });
    const self = { ...plainRequest('tracks'), filters: [filterOf('email', 'me')] };
    expect(scopeFor(self, reader, 'direct', { me: 'bob@example.com' })).toMatchObject({
      value: { rows: 'team' },
    });
  });
});

describe('forced filters', () => {
  const scope = (rows: Scope['rows']): Scope => ({
    rows,
    address: rows === 'all' ? undefined : own,
    smallestGroup: 1,
    namesPeople: true,
    onlyDirect: false,
  });
  const typed = [filterOf('departments', 'Sales'), filterOf('manager_email', 'me'), filterOf('email', 'me')];

  it('replace what was typed for the same member and keep the rest', () => {
    expect(limitFilters(typed, scope('all'))).toEqual(typed);
    expect(limitFilters(typed, scope('team'))).toEqual([
      filterOf('departments', 'Sales'),
      filterOf('email', 'me'),
      filterOf('manager_email', own),
    ]);
    expect(limitFilters(typed, scope('self'))).toEqual([
      filterOf('departments', 'Sales'),
      filterOf('manager_email', 'me'),
      filterOf('email', own),
    ]);
  });

  it('exist in every report with learners', () => {
    for (const { name } of withLearners) {
      const { filters, fields } = reportNamed(name);
      const members = filters
        .find((object) => object.name === 'user_filter')
        ?.members.map((member) => member.name);
      expect(members).toEqual(expect.arrayContaining(['email', 'manager_email']));
      expect(fields.map(({ flag }) => flag)).toEqual(expect.arrayContaining(['email', 'manager_email']));
    }
  });

  it('are not trusted: every row is checked', () => {
    expect(rowCheckOf(scope('all'))).toBeUndefined();
    const team = { rows: 'team', address: own } as const;
    const self = { rows: 'self', address: own } as const;
    expect(rowIsAllowed(team, 'bob@example.com', ' ADA.Brandt@example.com ')).toBe(true);
    expect(rowIsAllowed(team, address, 'boss@example.com')).toBe(true);
    expect(rowIsAllowed(self, address, undefined)).toBe(true);
    expect(rowIsAllowed(self, 'bob@example.com', address)).toBe(false);
    for (const check of [team, self]) {
      expect(rowIsAllowed(check, 'bob@example.com', 'boss@example.com')).toBe(false);
      expect(rowIsAllowed(check, undefined, undefined)).toBe(false);
      expect(rowIsAllowed(check, '', '')).toBe(false);
    }
  });
});

describe('the part of a scope that an earlier answer had too', () => {
  const rows = ['all', 'team', 'self'] as const;
  const scopes = rows.flatMap((some) =>
    [1, 5].flatMap((smallestGroup) =>
      [false, true].map((yes): Scope => {
        return {
          rows: some,
          address: some === 'all' ? undefined : own,
          smallestGroup,
          namesPeople: yes,
          onlyDirect: yes,
        };
      }),
    ),
  );

  it('shows no more than either', () => {
    for (const now of scopes) {
      for (const { address: _own, ...earlier } of scopes) {
        const narrowed = narrowedTo(earlier, now, address);
        if (!narrowed) throw new Error('It has an address');
        const widest = Math.max(rows.indexOf(earlier.rows), rows.indexOf(now.rows));
        expect(rows.indexOf(narrowed.rows)).toBe(widest);
        expect(narrowed.address).toBe(narrowed.rows === 'all' ? undefined : own);
        for (const one of [earlier, now]) {
          const allowed = { ...one, rows: narrowed.rows, address: narrowed.address };
          expect(summaryFits(narrowed, allowed)).toBe(true);
          expect(narrowed.onlyDirect || !one.onlyDirect).toBe(true);
        }
      }
    }
  });

  it('is unknown where nobody knows whose rows they are', () => {
    const [all, team] = [scopes[0], scopes[4]];
    if (!all || !team) throw new Error('There are such scopes');
    expect(narrowedTo(team, all, undefined)).toBeUndefined();
    expect(narrowedTo(all, all, undefined)).toMatchObject({ rows: 'all' });
  });
});

describe('evidence', () => {
  const request: ReportRequest = { ...plainRequest('completions'), range: 'last-month', file: 'evidence' };
  const self = { ...request, filters: [filterOf('email', 'me')] };
  const refusalOf = (asked: ReportRequest, access: Access, destination: DestinationKind) => {
    const scope = scopeFor(asked, access, destination);
    return scope.ok ? scope.value.rows : scope.refusal.kind;
  };

  it('needs direct messages, and the level everything or team', () => {
    for (const place of ['approved', 'other'] as const) {
      expect(refusalOf(request, { level: 'everything' }, place)).toBe('evidence-place');
      expect(refusalOf({ ...request, toMe: true }, { level: 'everything' }, place)).toBe('all');
    }
    expect(refusalOf(request, { level: 'everything' }, 'direct')).toBe('all');
    expect(refusalOf(request, { level: 'team', address }, 'direct')).toBe('team');
    expect(refusalOf(self, { level: 'team', address }, 'direct')).toBe('self');
    expect(refusalOf(request, { level: 'team' }, 'direct')).toBe('totals-only');
    for (const asked of [request, self, { ...request, report: 'workshops' } as const]) {
      expect(refusalOf(asked, { level: 'totals', address }, 'direct')).toBe('evidence-level');
      expect(refusalOf(asked, { level: 'nothing', address }, 'direct')).toBe('nothing');
    }
  });
});
