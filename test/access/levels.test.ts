import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccessRule, type Level, levelFor, levels, type RuleSubject } from '../../src/access/levels.js';
import type { ReportName } from '../../src/catalogue/index.js';

const person = (id: string): RuleSubject => ({ kind: 'person', id });
const group = (id: string): RuleSubject => ({ kind: 'group', id });
const everyone: RuleSubject = { kind: 'everyone' };
const rule = (subject: RuleSubject, level: Level, report?: ReportName): AccessRule => ({
  subject,
  level,
  report,
});

const noGroups = { memberOf: new Set<string>(), unreadable: new Set<string>() };
const inGroups = (...ids: string[]) => ({ ...noGroups, memberOf: new Set(ids) });
const unreadable = (...ids: string[]) => ({ ...noGroups, unreadable: new Set(ids) });

function levelOfAda(rules: readonly AccessRule[], groups = noGroups, report: ReportName = 'tracks'): Level {
  return levelFor(rules, 'UADA', groups, report, 'team');
}

describe('the level of a person', () => {
  it('is the default where no rule is about them', () => {
    expect(levelOfAda([rule(person('UBOB'), 'everything'), rule(group('S1'), 'nothing')])).toBe('team');
  });

  it('follows the person before the group before everyone, however wide each is', () => {
    const all = [rule(everyone, 'everything'), rule(group('S1'), 'nothing'), rule(person('UADA'), 'totals')];
    expect(levelOfAda(all, inGroups('S1'))).toBe('totals');
    expect(levelOfAda(all.slice(0, 2), inGroups('S1'))).toBe('nothing');
    expect(levelOfAda(all.slice(0, 1), inGroups('S1'))).toBe('everything');
  });

  it('follows the rule for the report before the rule for all reports of the same subject', () => {
    const all = [rule(person('UADA'), 'nothing'), rule(person('UADA'), 'everything', 'tracks')];
    expect(levelOfAda(all)).toBe('everything');
    expect(levelOfAda(all, noGroups, 'workshops')).toBe('nothing');
  });

  it('follows a rule for the person and all reports before a rule for the group and this report', () => {
    const all = [rule(person('UADA'), 'totals'), rule(group('S1'), 'everything', 'tracks')];
    expect(levelOfAda(all, inGroups('S1'))).toBe('totals');
  });

  it('is the widest of several groups, each with its rule for the report first', () => {
    const all = [
      rule(group('S1'), 'everything'),
      rule(group('S1'), 'nothing', 'tracks'),
      rule(group('S2'), 'totals'),
    ];
    expect(levelOfAda(all, inGroups('S1', 'S2'))).toBe('totals');
    expect(levelOfAda(all, inGroups('S1', 'S2'), 'workshops')).toBe('everything');
  });

  it('narrows and never widens by a group that Slack does not tell about', () => {
    expect(levelOfAda([rule(group('S1'), 'everything')], unreadable('S1'))).toBe('team');
    expect(levelOfAda([rule(group('S1'), 'nothing')], unreadable('S1'))).toBe('nothing');
    const inWider = { memberOf: new Set(['S2']), unreadable: new Set(['S1']) };
    expect(levelOfAda([rule(group('S1'), 'nothing'), rule(group('S2'), 'totals')], inWider)).toBe('totals');
    expect(levelOfAda([rule(group('S1'), 'nothing'), rule(person('UADA'), 'totals')], unreadable('S1'))).toBe(
      'totals',
    );
  });

  it('is never wider than the narrowest that an unreadable group could give', () => {
    const level = fc.constantFrom(...levels);
    const subject = fc.constantFrom(everyone, person('UADA'), group('S1'), group('S2'), group('S3'));
    const report = fc.option(fc.constantFrom<ReportName>('tracks', 'workshops'), { nil: undefined });
    const rules = fc.uniqueArray(fc.record({ subject, level, report }), {
      selector: ({ subject, report }) => JSON.stringify([subject, report]),
    });
    const groups = fc.subarray(['S1', 'S2', 'S3']);
    fc.assert(
      fc.property(rules, groups, groups, (all, known, unknown) => {
        const hidden = unknown.filter((id) => !known.includes(id));
        const decided = levelFor(
          all,
          'UADA',
          { memberOf: new Set(known), unreadable: new Set(hidden) },
          'tracks',
          'team',
        );
        // Each combination of memberships that is possible gives a level of its own.
        const possible = subsetsOf(hidden).map((more) =>
          levelFor(all, 'UADA', inGroups(...known, ...more), 'tracks', 'team'),
        );
        const narrowest = possible.reduce((a, b) => (levels.indexOf(a) > levels.indexOf(b) ? a : b));
        expect(decided).toBe(narrowest);
      }),
    );
  });
});

function subsetsOf(all: readonly string[]): string[][] {
  return Array.from({ length: 2 ** all.length }, (_, bits) => all.filter((_id, i) => bits & (1 << i)));
}
