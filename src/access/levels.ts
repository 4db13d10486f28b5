import type { ReportName } from '../catalogue/index.js';

/** The levels of access, from the widest to the narrowest. docs/privacy.md says what each one allows. */
export const levels = ['everything', 'team', 'totals', 'nothing'] as const;

export type Level = (typeof levels)[number];

/** The people that a rule is for. IDs are Slack's. */
export type RuleSubject =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'group'; readonly id: string }
  | { readonly kind: 'person'; readonly id: string };

export interface AccessRule {
  readonly subject: RuleSubject;
  /** Absent: all reports. */
  readonly report?: ReportName | undefined;
  readonly level: Level;
}

/** What Slack says about a person's user groups. Both lists hold IDs of groups that have a rule. */
export interface GroupMembership {
  readonly memberOf: ReadonlySet<string>;
  /** Groups that Slack does not tell about now. */
  readonly unreadable: ReadonlySet<string>;
}

/**
 * The level of a person for a report. Rules for the person go first, then rules for groups, then the rule for everyone,
 * then the default. Among the rules of one subject, the one that names the report goes first.
 *
 * A group that Slack does not tell about can only narrow: the person may or may not be in it.
 */
export function levelFor(
  rules: readonly AccessRule[],
  person: string,
  { memberOf, unreadable }: GroupMembership,
  report: ReportName,
  defaultLevel: Level,
): Level {
  const own = ruleOf(rules, (subject) => subject.kind === 'person' && subject.id === person, report);
  if (own) return own;
  const inGroup = (id: string) =>
    ruleOf(rules, (subject) => subject.kind === 'group' && subject.id === id, report);
  const known = [...memberOf].flatMap((id) => inGroup(id) ?? []);
  const widest = levels.find((level) => known.includes(level));
  if (widest) return widest;
  const otherwise = ruleOf(rules, (subject) => subject.kind === 'everyone', report) ?? defaultLevel;
  const possible = [...unreadable].flatMap((id) => inGroup(id) ?? []);
  return levels.findLast((level) => level === otherwise || possible.includes(level)) ?? otherwise;
}

function ruleOf(
  rules: readonly AccessRule[],
  isSubject: (subject: RuleSubject) => boolean,
  report: ReportName,
): Level | undefined {
  const own = rules.filter(({ subject }) => isSubject(subject));
  const rule =
    own.find((candidate) => candidate.report === report) ??
    own.find((candidate) => candidate.report === undefined);
  return rule?.level;
}
